"""Message ids for NBA's identifiers, and how dice and cards are called: the one place where they become a text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

from companion.games.base import Message
from companion.games.nba.state import State
from companion.games.nba.tables import BODY
from companion.games.wording import listed, literal


def word(kind: str, identifier: str) -> Message:
    """The text of an identifier of glossary chapter 0: `kind` is `skill`, `position`, `type`, `colour`, `phase` …"""
    return Message(f"nba.{kind}.{identifier}")


def said(id: str, state: State, side: str, **args: object) -> Message:
    """A sentence about a side."""
    return Message(f"nba.{id}", {"side": state.setup.names[side], **args})


def card(state: State, id: str) -> str:
    """What a card is called: its name; its id if it is not in the catalogue."""
    known = state.setup.cards.get(id)
    return known.name if known is not None else id


def cards(state: State, ids: Iterable[str]) -> str:
    """Several cards, with commas."""
    return ", ".join(card(state, id) for id in ids)


def face(kind: str, value: int, colour: str | None) -> Message:
    """A die as it lies: `3 jaune` in defence, the number alone in offence or for a blank."""
    if colour is None or kind in BODY:
        return literal(value)
    return Message("nba.face", {"value": value, "colour": word("colour", colour)})


def bodies(size: Mapping[str, int]) -> Message:
    """Dice by the colours of their bodies, with their number: `4 dés bleus, 2 dés marron`."""
    parts = [Message(f"nba.bodies.{kind}", {"n": count}) for kind, count in size.items() if count]
    return listed(parts) if parts else word("dice", "none")


def figure(number: Fraction) -> Message:
    """A mean as it is shown: with one decimal unless it is whole."""
    whole, tenth = divmod(round(10 * number), 10)
    return Message("nba.figure", {"whole": whole, "tenth": tenth}) if tenth else literal(whole)


def about(number: Fraction) -> str:
    """A mean where there is room for a whole number only."""
    return f"\N{ALMOST EQUAL TO}\N{NO-BREAK SPACE}{round(number)}"
