"""Message ids for the identifiers of hoops21. All conversions from identifier to text are here."""

from __future__ import annotations

from companion.games.base import Message
from companion.games.hoops21.state import Counts, State
from companion.games.hoops21.tables import SYMBOLS, Side
from companion.games.wording import comma_separated


def word(kind: str, identifier: str) -> Message:
    """Return the text of an identifier of chapter 0: `kind` is `symbol`, `phase`, `effect`, `side` …"""
    return Message(f"hoops21.{kind}.{identifier}")


def symbol_message(name: str) -> Message:
    return word("symbol", name)


def symbol_count_message(name: str, count: int) -> Message:
    """Return a number of dice of a symbol: `3 Ballons`."""
    return Message(f"hoops21.dice.{name}", {"n": count})


def symbol_noun_message(name: str, count: int) -> Message:
    """Return the noun that follows a number of dice of a symbol: `Ballons`."""
    return Message(f"hoops21.noun.{name}", {"n": count})


def dice_message(counts: Counts) -> Message:
    """Return dice by symbol in words: `3 Ballons, 1 Passe`."""
    parts = [symbol_count_message(name, count) for name, count in zip(SYMBOLS, counts, strict=True) if count]
    return comma_separated(parts) if parts else word("dice", "none")


def side_message(id: str, state: State, side: Side, **args: object) -> Message:
    """Return a sentence about a team, by its name."""
    return Message(f"hoops21.{id}", {"team": state.setup.name(side), **args})
