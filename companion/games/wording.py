"""What all games need to make messages of names, numbers and lists."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from companion.games.base import Message


def literal(text: object) -> Message:
    """A text that is shown as it is: a name, a number."""
    return Message("common.literal", {"text": str(text)})


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
    return Message("common.list", {"head": head, "rest": listed(rest)}) if rest else head
