"""Message ids for the identifiers of hoops21: the one place where an identifier becomes a text."""

from __future__ import annotations

from companion.games.base import Message
from companion.games.hoops21.state import Counts, State
from companion.games.hoops21.tables import SYMBOLS, Side
from companion.games.wording import listed


def word(kind: str, identifier: str) -> Message:
    """The text of an identifier of chapter 0: `kind` is `symbol`, `phase`, `effect`, `side` …"""
    return Message(f"hoops21.{kind}.{identifier}")


def symbol(name: str) -> Message:
    return word("symbol", name)


def some(name: str, count: int) -> Message:
    """So many dice of a symbol: `3 Ballons`."""
    return Message(f"hoops21.dice.{name}", {"n": count})


def dice_said(counts: Counts) -> Message:
    """Dice by symbol in words: `3 Ballons, 1 Passe`."""
    parts = [some(name, count) for name, count in zip(SYMBOLS, counts, strict=True) if count]
    return listed(parts) if parts else word("dice", "none")


def said(id: str, state: State, side: Side, **args: object) -> Message:
    """A sentence about a team, by its name."""
    return Message(f"hoops21.{id}", {"team": state.setup.name(side), **args})
