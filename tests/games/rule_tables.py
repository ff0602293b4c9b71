"""The events and setup keys that the rules files list, parsed from their tables."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

RULES = Path(__file__).parents[2] / "docs" / "rules"
TABLES = {
    "footclub": ("### 19.1", "### 19.2", 1),
    "nba": ("- **NBA-3.1**", "## 15.", 3),
    "hoops21": ("- **HB-2.1**", "## 15.", 1),
    "occasion": ("## 12.", "## 13.", 1),
}
"""For each game, the starts of the lines above the tables of the setup and of the events, and the column of fields."""
CARD_REFERENCE = ("card", "ribbon", "section")
"""The fields that FootClub's table names together (docs/rules/footclub.md, 19.2)."""
JOURNAL_EVENTS = {"undo": set[str](), "correct": {"line", "with"}}
"""The events of every journal (docs/rules/README.md)."""

_IN_PARENTHESES = re.compile(r"\([^()]*\)")
_OBJECT = re.compile(r"\{.*?\}")
_NAMES = re.compile(r"`(\w+\??(?:, \w+\??)*)`")
_VALUE_NAME = re.compile(r"\b(?:default|for|with) `\w+`")


@dataclass(frozen=True, slots=True)
class SetupKey:
    """A key of `setup`, with the keys of its object and the texts that are its only values, if the table lists them."""

    name: str
    members: tuple[str, ...] = ()
    values: tuple[str, ...] = field(default=())


def _rows(game: str, start: str) -> Iterator[list[str]]:
    """Yield the cells of each row of the first table below a line, without its heading."""
    lines = iter((RULES / f"{game}.md").read_text(encoding="utf-8").splitlines())
    next(line for line in lines if line.startswith(start))
    heading = next(line for line in lines if line.startswith("|"))
    assert heading
    next(lines)  # the rule under the heading
    for line in lines:
        if not line.startswith("|"):
            return
        yield [cell.strip() for cell in line.strip().strip("|").split("|")]


def events(game: str) -> dict[str, set[str]]:
    """Return the fields of each event of a game, without those that the rules ignore."""
    found = {name: set(fields) for name, fields in JOURNAL_EVENTS.items()}
    _, start, column = TABLES[game]
    for cells in _rows(game, start):
        first, *rest = cells
        names = [name for names in _NAMES.findall(first.partition("` `")[0] + "`") for name in names.split(", ")]
        listed = first.removeprefix(f"`{names[0]}`") if game == "footclub" else rest[column - 1]
        fields = _fields(listed)
        if "card reference" in listed:
            fields.update(CARD_REFERENCE)
        for name in names:
            found.setdefault(name, set()).update(fields)
    return found


def _fields(text: str) -> set[str]:
    """Return the names of fields in a cell: names in backquotes that are neither remarks nor values."""
    while _IN_PARENTHESES.search(text):
        text = _IN_PARENTHESES.sub("", text)
    text = _VALUE_NAME.sub("", _OBJECT.sub("", text))
    return {name.removesuffix("?") for names in _NAMES.findall(text) for name in names.split(", ")}


def setup_keys(game: str) -> list[SetupKey]:
    """Return the setup keys of a game."""
    start, _, _ = TABLES[game]
    return [
        SetupKey(name, members, () if members else _values(kind))
        for key, kind, *_ in _rows(game, start)
        for members in [_members(kind)]
        for name in re.findall(r"`([\w.]+)`", key)
    ]


def _members(kind: str) -> tuple[str, ...]:
    """Return the keys of the object that a cell describes: `object of a, b`, or a JSON object in backquotes."""
    if kind.startswith("object of "):
        return tuple(re.findall(r"`(\w+)`", _IN_PARENTHESES.sub("", kind)))
    example = re.search(r"`\{(.*?)\}`", kind)
    if example is None or kind.startswith("object from"):
        return ()
    return tuple(re.findall(r'"(\w+)":', re.sub(r"\{.*?\}", "", example[1])))


def _values(kind: str) -> tuple[str, ...]:
    """Return the values that a cell lists, if it lists nothing else: texts in backquotes or quotation marks."""
    left = re.sub(r"\(default\)|, chosen by the home club|`\"?\w+\"?`|,|\bor\b", "", kind)
    return () if left.strip() else tuple(re.findall(r"`\"?(\w+)\"?`", kind))
