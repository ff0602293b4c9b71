"""A kind of catalogue: its columns, which rows make one card, and what the rules say of a row and of all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from companion.games.base import Message, Refusal
from companion.table.catalogues.columns import Column, Row


@dataclass(frozen=True, slots=True)
class Broken:
    """What a rule says against a row: the column to look at, the sentence, the rule's number (may be empty)."""

    key: str
    reason: Message
    rule: str = ""


RowCheck = Callable[[Row], Broken | None]
WholeCheck = Callable[[Sequence[Row]], Iterator[tuple[int, Broken]]]
"""Gives what is wrong with rows that are each in order by themselves: the row's place among them, and what."""


def nothing_wrong(_: Sequence[Row]) -> Iterator[tuple[int, Broken]]:
    """A kind whose rows do not depend on each other."""
    yield from ()


def places(rows: Sequence[Row], key: str) -> dict[str, list[int]]:
    """Where the rows stand that agree in a column, by what it says, in order of appearance."""
    found: dict[str, list[int]] = {}
    for at, row in enumerate(rows):
        found.setdefault(str(row[key]), []).append(at)
    return found


@dataclass(frozen=True, slots=True)
class Kind:
    """`identity` are the columns by which rows are told apart, `title` the column a row is called by.

    Rows that agree in `group` belong together (a club, a chance card); `sort` is the column that says what sort of row
    it is. `name` is the file's, `rule` the number of the rule that ids are unique by, `brief` are the columns that a
    list tells of a row beside its title.
    """

    name: str
    game: str
    columns: tuple[Column, ...]
    identity: tuple[str, ...]
    title: str
    check: RowCheck
    check_all: WholeCheck = nothing_wrong
    group: str = ""
    sort: str = ""
    rule: str = ""
    brief: tuple[str, ...] = ()

    @property
    def label(self) -> Message:
        """What the catalogue is called."""
        return Message(f"catalogues.kind.{self.name}")

    def column(self, key: str) -> Column:
        """The column of that key. StopIteration if there is none."""
        return next(column for column in self.columns if column.key == key)

    def columns_of(self, row: Row) -> tuple[Column, ...]:
        """The columns that rows of this sort have."""
        sort = str(row.get(self.sort, "")) if self.sort else ""
        return tuple(column for column in self.columns if column.belongs(sort))

    def identity_of(self, row: Row) -> tuple[object, ...]:
        """What tells a row apart from all others."""
        return tuple(row.get(key) for key in self.identity)

    def title_of(self, row: Row) -> str:
        """What a row is called: its name, or what tells it apart."""
        return str(row.get(self.title) or row.get(self.identity[-1]) or "")


def broken_by(refused: Refusal, keys: dict[str, str], otherwise: str) -> Broken:
    """A game's refusal of a card as what is wrong with a row; `keys` go from ends of message ids to columns."""
    id = refused.message.id
    key = next((key for end, key in keys.items() if id.endswith(end)), otherwise)
    return Broken(key, refused.message, refused.rule)
