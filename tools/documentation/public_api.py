"""The public names listed in docs/API.md, for the site's reference and for the tests.

Imports only the standard library, because the site is built in a separate environment without the product.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "API.md"

_CHAPTER = re.compile(r"^## (.+)$")
_ROW = re.compile(r"^\| `((?:\w+\.)+\w+)` \|.*\| `([\w/]+\.py)` \|$")


@dataclass(frozen=True, slots=True)
class PublicName:
    """A name that programs may import: its chapter in docs/API.md, its dotted path, and the file that defines it."""

    chapter: str
    path: str
    source: str

    @property
    def module(self) -> str:
        return self.path.rpartition(".")[0]

    @property
    def name(self) -> str:
        return self.path.rpartition(".")[2]


def public_names(page: str | None = None) -> list[PublicName]:
    """Return the names in the tables of docs/API.md (or of the text `page`), in order."""
    chapter, found = "", []
    for line in (PAGE.read_text("utf-8") if page is None else page).splitlines():
        if heading := _CHAPTER.match(line):
            chapter = heading[1]
        elif row := _ROW.match(line):
            found.append(PublicName(chapter, row[1], row[2]))
    return found
