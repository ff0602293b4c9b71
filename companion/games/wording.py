"""Helpers of all games that make messages from names, numbers and lists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from companion.games.base import Message, Option, Prompt


def literal(text: object) -> Message:
    """Return a message that shows a text unchanged: a name or a number."""
    return Message("common.literal", {"text": str(text)})


MATCH_OVER = Message("common.match_over")
"""What is awaited once a match is over: nothing."""


def result_message(winner: str | None) -> Message:
    """Return the result of a match that is over, from the winner's name (None: a draw)."""
    return Message("common.drawn") if winner is None else Message("common.won", {"name": winner})


def signed(value: int) -> str:
    """Format a bonus: `+2`, `±0`, `−1` (with the true minus sign)."""
    if value == 0:
        return "±0"
    return f"+{value}" if value > 0 else f"−{-value}"


def short_name(name: str) -> str:
    """Shorten `Tristan Barsac` to `T. Barsac`; a name of one word is unchanged."""
    first, _, rest = name.strip().partition(" ")
    return f"{first[0]}. {rest.strip()}" if rest.strip() and not first.endswith(".") else name


def number(value: int) -> str:
    """Format a number that may be negative: `2`, `−1` (with the true minus sign)."""
    return str(value) if value >= 0 else f"−{-value}"


def percent(chance: Fraction) -> Message:
    """Return a probability as a whole percentage, set as the language sets it."""
    return Message("common.percent", {"value": whole_percent(chance)})


def part_percent(chances: Mapping[str, Fraction], part: str) -> Message:
    """Return the percentage of one part of a whole, as a bar of all its parts shows it."""
    shares = dict(zip(chances, percentages(tuple(chances.values())), strict=True))
    return Message("common.percent", {"value": shares[part]})


def whole_percent(chance: Fraction) -> int:
    """Round a probability to a percentage; 0 and 100 only stand for what cannot happen and for what must."""
    if chance in (0, 1):
        return int(100 * chance)
    return min(99, max(1, round(100 * chance)))


def percentages(chances: Sequence[Fraction]) -> tuple[int, ...]:
    """Round the parts of a whole (each at least 0) to percentages with the right sum.

    Each part is rounded as `percent` rounds it alone; the largest takes the difference.
    """
    rounded = [whole_percent(chance) for chance in chances]
    if rounded:
        largest = max(range(len(chances)), key=chances.__getitem__)
        rounded[largest] += round(100 * sum(chances)) - sum(rounded)
    return tuple(rounded)


def comma_separated(texts: Sequence[Message]) -> Message:
    """Join one or more texts with commas."""
    head, *rest = texts
    return Message("common.list", {"head": head, "rest": comma_separated(rest)}) if rest else head


def detailed(head: Message, detail: Message) -> Message:
    """Return an event and its details: on one line with a comma, or on two (`head_and_detail`)."""
    return Message("common.detailed", {"head": head, "detail": detail})


def introduced(head: Message, detail: Message) -> Message:
    """Return what happened and what came of it, such as a throw and its dice: on one line with a colon, or on two."""
    return Message("common.introduced", {"head": head, "detail": detail})


def head_and_detail(message: Message) -> tuple[Message, Message | None]:
    """Split a message made by `detailed` or `introduced`; any other one has no details."""
    head, detail = (message.args.get(part) for part in ("head", "detail"))
    if message.id in ("common.detailed", "common.introduced") and isinstance(head, Message):
        return head, detail if isinstance(detail, Message) else None
    return message, None


def enumerated(texts: Sequence[Message]) -> Message:
    """Join one or more texts with commas, the last two with "and"."""
    *first, last = texts
    return Message("common.and", {"head": comma_separated(first), "rest": last}) if first else last


RULING_REASONS = ("misread", "mistake", "foul", "agreed")


def reason_prompt(title: Message) -> Prompt:
    """Return the prompt for the reason of a ruling: the usual ones in one tap, or any text."""
    options = tuple(Option(None, Message(f"common.reason.{reason}")) for reason in RULING_REASONS)
    return Prompt("text", "text", title, options)
