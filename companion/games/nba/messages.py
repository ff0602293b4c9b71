"""Message ids for NBA's identifiers, and names of dice and cards. All conversions to text are here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

from companion.games.base import Message
from companion.games.nba.state import State
from companion.games.nba.tables import BODY_COLOURS
from companion.games.wording import comma_separated, literal


def word(kind: str, identifier: str) -> Message:
    """Return the text of an identifier of glossary chapter 0: `kind` is `skill`, `position`, `type`, `colour`, …"""
    return Message(f"nba.{kind}.{identifier}")


def side_message(id: str, state: State, side: str, **args: object) -> Message:
    """Return a sentence about a side."""
    return Message(f"nba.{id}", {"side": state.setup.names[side], **args})


def card_name(state: State, id: str) -> str:
    """Return a card's name, or its id if it is not in the catalogue."""
    known = state.setup.cards.get(id)
    return known.name if known is not None else id


def card_names(state: State, ids: Iterable[str]) -> str:
    """Return several card names, joined by commas."""
    return ", ".join(card_name(state, id) for id in ids)


def face_message(kind: str, value: int, colour: str | None) -> Message:
    """Return a die as text: `3 jaune` in defence, the number alone in offence or for a blank."""
    if colour is None or kind in BODY_COLOURS:
        return literal(value)
    return Message("nba.face", {"value": value, "colour": word("colour", colour)})


def dice_count_message(size: Mapping[str, int]) -> Message:
    """Return dice by body colour, with their number: `4 dés bleus, 2 dés marron`."""
    parts = [Message(f"nba.bodies.{kind}", {"n": count}) for kind, count in size.items() if count]
    return comma_separated(parts) if parts else word("dice", "none")


def mean_message(number: Fraction) -> Message:
    """Format a mean: with one decimal unless it is whole."""
    whole, tenth = divmod(round(10 * number), 10)
    return Message("nba.figure", {"whole": whole, "tenth": tenth}) if tenth else literal(whole)


def rounded_mean(number: Fraction) -> Message:
    """Format a mean as a whole number of points, for small spaces."""
    return Message("nba.effect.about", {"n": round(number)})
