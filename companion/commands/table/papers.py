"""What the app hands matches out with: the exchange folder and sticks, the writer of the PDF, the versions."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from companion.app.papers import Papers
from companion.commands.table.versions import reader_versions
from companion.language import Language
from companion.table.catalogues.exchange import Exchange
from companion.table.report import MatchReport

FOLDER = "exchange"
"""Beside the matches."""


def papers(data: Path, separator: str) -> Papers:
    """For the table whose matches are in the folder `data`."""
    return Papers(_pdf, Exchange(data / FOLDER).places, reader_versions(), separator)


def _pdf(reports: Sequence[MatchReport], language: Language) -> bytes:
    from companion.printing.report import report_pdf  # slow to import, and needed for the first report only

    return report_pdf(reports, language)
