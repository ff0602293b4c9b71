"""What a match of any game needs before it begins (screen 03): two columns of rows, each a tap. Pure, no widget."""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from companion.games.base import Message, Option
from companion.games.catalogue import Cards
from companion.games.wording import literal

RowKind = Literal["pick", "text", "switch", "count", "page"]
"""`pick` one of `options` in a sheet, `text` typed, `switch` on or off at once, `count` a number from `least` to
`most`, `page` leads to a page of its own (`to`)."""


@dataclass(frozen=True, slots=True)
class Row:
    """One thing to choose. `done` is false while it must still be chosen: then it is drawn in brass."""

    id: str
    label: Message
    detail: Message
    kind: RowKind = "pick"
    icon: str = "edit"
    value: Any = None
    options: tuple[Option, ...] = ()
    least: int = 0
    most: int = 0
    to: str = ""
    done: bool = True


@dataclass(frozen=True, slots=True)
class Column:
    """One side's rows (`side` and its colour token), or those of the match itself (`side` None).

    A first row of kind `text` is the side's name: it is drawn as the head of the column, with a pencil. `letter` stands
    in the side's badge; without it, the first letter of the title does.
    """

    side: str | None
    colour: str
    title: Message
    rows: tuple[Row, ...]
    letter: str = ""


class Preparing(Protocol):
    """A game's preparation: reads and keeps every choice in `memory`, so that a page built anew forgets nothing."""

    def __init__(self, memory: MutableMapping[str, Any], cards: Cards) -> None:
        """`cards` are those of the table: the players' own, or the samples."""

    def columns(self) -> tuple[Column, ...]:
        """The two sides' columns, then the row or column of the match itself, if it has one."""
        ...

    def choose(self, row: str, value: Any) -> None:
        """An answer to a row. Raises Refusal for a value the rules do not allow."""
        ...

    def missing(self) -> tuple[Message, ...]:
        """What stands between the players and the beginning, a sentence each."""
        ...

    def header(self) -> dict[str, Any]:
        """The header of the match as chosen; a side's name may be a Message, for the page to say in words.

        Raises Refusal, with the rule's number.
        """
        ...


class PlainPreparing:
    """The preparation of a game that asks for nothing but the names of its sides (`Preparing`)."""

    def __init__(self, game: str, sides: Mapping[str, str], memory: MutableMapping[str, Any]) -> None:
        """`sides` are the game's with their colour tokens."""
        self._game, self._sides = game, sides
        self._names: dict[str, str] = memory.setdefault("names", {})

    def columns(self) -> tuple[Column, ...]:
        return tuple(self._column(side, colour) for side, colour in self._sides.items())

    def choose(self, row: str, value: Any) -> None:
        self._names[row.partition(".")[2]] = value

    def missing(self) -> tuple[Message, ...]:
        return ()

    def header(self) -> dict[str, Any]:
        names = {side: {"name": self._name(side)} for side in self._sides}
        return {"journal": 1, "game": self._game, "sides": names, "setup": {}}

    def _name(self, side: str) -> str:
        return self._names.get(side) or side.capitalize()

    def _column(self, side: str, colour: str) -> Column:
        name = literal(self._name(side))
        row = Row(f"name.{side}", Message("app.prepare.name"), name, "text", value=self._names.get(side, ""))
        return Column(side, colour, name, (row,))
