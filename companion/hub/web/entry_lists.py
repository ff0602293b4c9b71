"""Reads a pasted list of entries, as it comes from a spreadsheet, a list or a mail: lines with columns."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from companion.language import without_accents

Column = Literal["name", "seed", "club", "group", "none"]
"""What a column holds; `none` is left out."""
COLUMNS: tuple[Column, ...] = get_args(Column)

SEPARATORS = {"tab": "\t", "semicolon": ";", "comma": ",", "none": ""}
"""The signs between columns, by name; `none` for names alone."""

_TITLES: dict[str, Column] = {
    **dict.fromkeys(("name", "nom", "names", "noms", "player", "joueur", "team", "equipe", "entry", "inscrit"), "name"),
    **dict.fromkeys(("seed", "tete de serie", "ts", "ranking", "classement", "rank", "rang"), "seed"),
    **dict.fromkeys(("club", "clubs"), "club"),
    **dict.fromkeys(("group", "groupe", "poule", "pool"), "group"),
}
"""Titles of columns, in both languages, without accents."""


@dataclass(frozen=True, slots=True)
class EntryLine:
    """One entry of a list: the number of its line, and its cells by column."""

    number: int
    name: str
    seed: str
    club: str
    group: str


@dataclass(frozen=True, slots=True)
class EntryList:
    """A pasted list: its separator, what each column holds, its rows, and whether the first line holds titles."""

    separator: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[int, tuple[str, ...]], ...]
    titled: bool

    def lines(self) -> list[EntryLine]:
        """Return the entries. Several columns with names, such as first name and family name, are joined."""
        return [EntryLine(number, *(self._cell(cells, each) for each in COLUMNS[:-1])) for number, cells in self.rows]

    def _cell(self, cells: Sequence[str], wanted: Column) -> str:
        found = (cell for column, cell in zip(self.columns, cells, strict=False) if column == wanted)
        return " ".join(cell for cell in found if cell)


def read_entry_list(text: str, separator: str = "", columns: Sequence[str] = ()) -> EntryList:
    """Return a pasted list. What is not given is guessed: the separator, and what each column holds."""
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    separator = separator if separator in SEPARATORS else _separator([line for _, line in lines])
    rows = [(number, _cells(line, SEPARATORS[separator])) for number, line in lines]
    titles = tuple(_TITLES.get(_plain(cell)) for cell in rows[0][1]) if rows else ()
    titled = "name" in titles
    rows = rows[titled:]
    width = max((len(cells) for _, cells in rows), default=1)
    wanted = tuple(each for each in columns if each in COLUMNS)
    guessed = _from_titles(titles, width) if titled else _from_values([cells for _, cells in rows], width)
    return EntryList(separator, wanted[:width] if len(wanted) >= width else guessed, tuple(rows), titled)


def _separator(lines: Sequence[str]) -> str:
    """Return the separator of some lines: a comma only if it does not part the names themselves."""
    if any("\t" in line for line in lines):
        return "tab"
    if any(";" in line for line in lines):
        return "semicolon"
    cells = [_cells(line, ",") for line in lines]
    titled = bool(cells) and any(_TITLES.get(_plain(cell)) for cell in cells[0])
    numbered = bool(cells) and all(len(row) > 1 and any(_is_number(cell) for cell in row) for row in cells)
    return "comma" if titled or numbered else "none"


def _cells(line: str, separator: str) -> tuple[str, ...]:
    parts = line.split(separator) if separator else [line]
    return tuple(part.strip().strip('"').strip() for part in parts)


def _from_titles(titles: Sequence[Column | None], width: int) -> tuple[Column, ...]:
    return tuple((titles[at] or "none") if at < len(titles) else "none" for at in range(width))


def _from_values(rows: Sequence[Sequence[str]], width: int) -> tuple[Column, ...]:
    """Return what each column holds by its values: numbers are seeds, single letters groups, other texts clubs."""
    found: list[Column] = []
    for at in range(width):
        values = [row[at] for row in rows if at < len(row) and row[at]]
        fitting = (each for each in _fitting(values, width) if each not in found)
        found.append(next(fitting, "none") if values else "none")
    return tuple(found)


def _fitting(values: Sequence[str], width: int) -> tuple[Column, ...]:
    """Return what a column with these values may hold, the likeliest first."""
    if width > 1 and all(_is_number(value) for value in values):
        return ("seed", "name")
    letters = all(re.fullmatch(r"[A-Za-z]", value) for value in values)
    return ("name", "group", "club") if letters else ("name", "club")


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit()


# Names that are nearly the same.


MIN_COMPARED_LETTERS = 5
"""Shorter names are nearly the same only if they differ in case, accents or signs."""


def near_names(names: Iterable[str], others: Iterable[str]) -> list[tuple[str, str]]:
    """Return the pairs of a name and an earlier one that are nearly the same: probably one person entered twice.

    Names that differ in a number, such as those of two teams, are not.
    """
    known = [(other, _plain(other)) for other in others]
    found = []
    for name in names:
        plain = _plain(name)
        found += [(name, other) for other, known_plain in known if _is_near(plain, known_plain)]
        known.append((name, plain))
    return found


def _is_near(one: str, other: str) -> bool:
    if one == other:
        return True
    if abs(len(one) - len(other)) > 1 or min(len(one), len(other)) < MIN_COMPARED_LETTERS:
        return False
    if re.sub(r"\D", "", one) != re.sub(r"\D", "", other):
        return False
    start = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return one[start + (len(one) >= len(other)) :] == other[start + (len(other) >= len(one)) :]


def _plain(text: str) -> str:
    """Return a text in small letters without accents and signs, with single spaces."""
    return " ".join(re.sub(r"[^\w]+|_", " ", without_accents(text.casefold())).split())
