"""The cards of a game as rows of a table: columns, kinds of catalogues with their checks, clubs kept a file each.

Import, export and the editor's form are all made of the columns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from companion.games.base import Fields, JsonObject, Message, Refusal

Form = Literal["text", "whole", "pick", "picks", "switch", "texts"]
"""`text` a short text, `whole` a whole number, `pick` one of the options, `picks` some of them, `switch` yes or no,
`texts` short texts (an option among them stands under its identifier)."""

Row = dict[str, Any]
"""A row of a catalogue: the values of its columns by key. A column that says nothing is absent."""


@dataclass(frozen=True, slots=True)
class Column:
    """One column. `options` are identifiers; `words` is what the message ids of their words begin with.

    `most` bounds a number, or how many of the options may be picked. `of` are the sorts of row that have the column
    (none: all); `otherwise` is the value of an empty cell; `none` tells an empty list from an empty cell. `rule` is the
    number of the rule that the column's bounds come from, `rules` that of certain sorts of row; `short` is the
    message of a shorter name for lists.
    """

    key: str
    form: Form = "text"
    options: tuple[str, ...] = ()
    words: str = ""
    least: int = 0
    most: int = 99
    needed: bool = False
    of: tuple[str, ...] = ()
    otherwise: str = ""
    none: bool = False
    rule: str = ""
    short: str = ""
    rules: tuple[tuple[str, str], ...] = ()

    @property
    def label(self) -> Message:
        """What the column is called."""
        return Message(f"catalogues.column.{self.key}")

    def word(self, option: str) -> Message:
        """What an option is called."""
        return Message(f"{self.words}{option}")

    def rule_for(self, sort: str) -> str:
        """The number of the rule that bounds the column in rows of this sort."""
        return dict(self.rules).get(sort, self.rule)

    def belongs(self, sort: str) -> bool:
        """Whether rows of this sort have the column."""
        return not self.of or sort in self.of


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
    cards: Kind | None = None
    """The catalogue whose cards these are too, and whose pictures they have."""

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


def broken_by(refused: Refusal, keys: dict[str, str], otherwise: str) -> Broken:
    """A game's refusal of a card as what is wrong with a row; `keys` go from ends of message ids to columns."""
    id = refused.message.id
    key = next((key for end, key in keys.items() if id.endswith(end)), otherwise)
    return Broken(key, refused.message, refused.rule)


def listed(words: Sequence[Message]) -> Message:
    """Several words with commas between."""
    first, *rest = words
    return Message("catalogues.words", {"first": first, "rest": listed(rest)}) if rest else first


class Cards(Protocol):
    """The cards of a table: the players' own where they have them, else the invented ones of the samples."""

    def is_own(self, kind: Kind) -> bool:
        """Whether the players have a catalogue of their own."""
        ...

    def rows(self, kind: Kind) -> tuple[Row, ...]:
        """The cards that are in order."""
        ...


class SquadFault(Exception):
    """A squad file that cannot be used. `message` names the file, the place in it and what is wrong."""

    def __init__(self, message: Message) -> None:
        super().__init__(str(message))
        self.message = message


@dataclass(frozen=True, slots=True)
class Club:
    """A club's name and its squad as the journal's header holds it."""

    name: str
    squad: Fields = field(hash=False)


@dataclass(frozen=True, slots=True)
class Clubs:
    """What makes a club of a game whose clubs are kept a file each.

    `kind` is the catalogue of all clubs. `club` makes one of what a file says (its name, its content decoded) and
    raises SquadFault; `content` is what a file would say by the rows of one club, `rows` the rows of a club. `missing`
    says what keeps rows from being one.
    """

    kind: Kind
    club: Callable[[str, object], Club]
    content: Callable[[Sequence[Row]], JsonObject]
    rows: Callable[[Club], list[Row]]
    samples: Callable[[], Sequence[Club]]
    missing: Callable[[Sequence[Row]], Sequence[Message]]
