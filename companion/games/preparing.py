"""What a match of any game needs before it begins (screen 03): two columns of rows, each a tap. Pure, no widget."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, Protocol

from companion.games.base import Ask, JsonObject, Message, Option
from companion.games.catalogue import Cards
from companion.games.wording import literal

Memory = dict[str, Any]
"""What a page remembers of its choices, by key: whatever was put there under it."""

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
    value: object = None
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

    def __init__(self, memory: Memory, cards: Cards) -> None:
        """`cards` are those of the table: the players' own, or the samples."""

    def columns(self) -> tuple[Column, ...]:
        """The two sides' columns, then the row or column of the match itself, if it has one."""
        ...

    def choose(self, row: str, value: object) -> None:
        """An answer to a row. Raises Refusal for a value the rules do not allow."""
        ...

    def missing(self) -> tuple[Message, ...]:
        """What stands between the players and the beginning, a sentence each."""
        ...

    def header(self) -> JsonObject:
        """The header of the match as chosen; a side's name may be a Message, for the page to say in words.

        Raises Refusal, with the rule's number.
        """
        ...


class PlainPreparing:
    """The preparation of a game that says what it asks for in the words of `Game.awaits` (`Preparing`).

    The sides are called by their names; the answer to each ask (`pick`, `count` or `text`) becomes a key of `setup`.
    """

    def __init__(self, game: str, sides: Mapping[str, str], memory: Memory, asks: Sequence[Ask] = ()) -> None:
        """`sides` are the game's with their colour tokens."""
        self._game, self._sides, self._asks = game, sides, asks
        self._names: dict[str, str] = memory.setdefault("names", {})
        self._answers: dict[str, object] = memory.setdefault("setup", {ask.field: ask.suggested for ask in asks})

    def columns(self) -> tuple[Column, ...]:
        sides = tuple(self._side(side, colour) for side, colour in self._sides.items())
        match = Column(None, "", Message("app.prepare.match"), tuple(self._row(ask) for ask in self._asks))
        return (*sides, match) if self._asks else sides

    def choose(self, row: str, value: object) -> None:
        kind, _, of = row.partition(".")
        if kind == "name":
            self._names[of] = str(value or "")
        else:
            self._answers[of] = value

    def missing(self) -> tuple[Message, ...]:
        due = (ask for ask in self._asks if not ask.optional and self._answers[ask.field] in (None, ""))
        return tuple(ask.title for ask in due)

    def header(self) -> JsonObject:
        names = {side: {"name": self._name(side)} for side in self._sides}
        setup = {field: value for field, value in self._answers.items() if value not in (None, "")}
        return {"journal": 1, "game": self._game, "sides": names, "setup": setup}

    def _name(self, side: str) -> str:
        return self._names.get(side) or side.capitalize()

    def _side(self, side: str, colour: str) -> Column:
        name = literal(self._name(side))
        row = Row(f"name.{side}", Message("app.prepare.name"), name, "text", value=self._names.get(side, ""))
        return Column(side, colour, name, (row,))

    def _row(self, ask: Ask) -> Row:
        value = self._answers[ask.field]
        chosen = next((option.label for option in ask.options if option.value == value), None)
        shown = chosen or (ask.title if value is None else literal(value))
        kind: RowKind = "count" if ask.kind == "count" else "text" if ask.kind == "text" else "pick"
        done = ask.optional or value not in (None, "")
        row = Row(f"setup.{ask.field}", ask.title, shown, kind, value=value, options=ask.options, done=done)
        return replace(row, least=ask.least, most=ask.most)
