"""What the app needs to hand matches out: where to, the writer of the PDF, versions. All handed in."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from companion.language import Language
from companion.table.report import MatchReport

LONGEST = 80
"""Signs of a file's name before its ending."""

_UNSAFE = re.compile(r'[\x00-\x1f/\\:*?"<>|]+')


class PdfWriter(Protocol):
    """Makes the PDF of reports."""

    def __call__(self, reports: Sequence[MatchReport], language: Language, /) -> bytes: ...


@dataclass(frozen=True, slots=True)
class Papers:
    """`places` lists where files may be put: the exchange folder first (made when something is put there), then sticks.

    `versions` name the program (`tapis-vert`) and its nets; `separator` is that of CSV files.
    """

    pdf: PdfWriter
    places: Callable[[], Sequence[Path]]
    versions: Mapping[str, str]
    separator: str = "auto"


def file_name(day: str, title: str, ending: str) -> str:
    """A name that every file system takes: the day, the match, the ending."""
    told = _UNSAFE.sub(" ", f"{day} {title}")
    return f"{' '.join(told.split())[:LONGEST].strip(' .')}.{ending}"
