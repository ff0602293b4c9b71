"""Writes a catalogue as a table file: what is written reads back as the very same rows."""

from __future__ import annotations

import codecs
import csv
import io
from collections.abc import Iterable

from companion.games.catalogue import Kind, Row
from companion.language import Language
from companion.table.catalogues.columns import written_cell


def written(kind: Kind, rows: Iterable[Row], language: Language | None = None, mark: str = ",") -> bytes:
    """The table in UTF-8. With a language, headings and words are its own, and a spreadsheet knows the letters."""
    text = io.StringIO(newline="")
    table = csv.writer(text, delimiter=mark, lineterminator="\r\n")
    table.writerow([language.text(column.label) if language else column.key for column in kind.columns])
    for row in rows:
        table.writerow([written_cell(column, row.get(column.key), language) for column in kind.columns])
    return (codecs.BOM_UTF8 if language else b"") + text.getvalue().encode()
