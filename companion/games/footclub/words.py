"""Message ids for FootClub's identifiers: the one place where an identifier becomes a text."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from companion.games.base import Message
from companion.games.footclub.tables import COLOURS


def literal(text: object) -> Message:
    """A text that is shown as it is: a name, a number."""
    return Message("common.literal", {"text": str(text)})


def word(kind: str, identifier: str) -> Message:
    """The text of an identifier of glossary chapter 0: `kind` is `card`, `colour`, `post`, `place`, `profile` …"""
    return Message(f"footclub.{kind}.{identifier}")


def card(type_: str) -> Message:
    """A type of match card, or `free_kick` and `penalty`."""
    return word("card", type_)


def place(name: str) -> Message:
    """A place of the ribbon as printed in the player's language: AT_G, FW_L."""
    return word("place", name)


def colour(name: str) -> Message:
    return word("colour", name)


def signed(value: int) -> str:
    """A bonus as it is written: `+2`, `±0`, `−1` (with the true minus sign)."""
    if value == 0:
        return "±0"
    return f"+{value}" if value > 0 else f"−{-value}"


def short_name(name: str) -> str:
    """`Tristan Barsac` as `T. Barsac`; a name of one word stays."""
    first, _, rest = name.strip().partition(" ")
    return f"{first[0]}. {rest.strip()}" if rest.strip() and not first.endswith(".") else name


def percent(chance: Fraction) -> str:
    """A chance in whole percents, with the no-break space that French asks for and English bears."""
    return f"{round(100 * chance)}\N{NO-BREAK SPACE}%"


def listed(texts: Sequence[Message]) -> Message:
    """Texts one after the other, with commas. At least one."""
    head, *rest = texts
    return Message("footclub.list", {"head": head, "rest": listed(rest)}) if rest else head


def section_number(colour_name: str) -> int:
    """The place in the ribbon, 1 to 6 (FC-1.8)."""
    return COLOURS.index(colour_name) + 1
