"""What pages say: sentences of one language, times of the hub's zone, scores and chances as they are written."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, tzinfo
from fractions import Fraction
from typing import Any

from companion.games.base import Message
from companion.language import LANGUAGES, Language

MINUS, DASH = "\N{MINUS SIGN}", "\N{EN DASH}"


class Words:
    """The words of one page."""

    def __init__(self, code: str, zone: tzinfo | None = None) -> None:
        self.code = code
        self._language = Language(code)
        self._zone = zone

    def t(self, id: str, /, **args: Any) -> str:
        """The sentence of an id."""
        return self._language(id, **args)

    def say(self, message: Message) -> str:
        """The sentence of a message."""
        return self._language.text(message)

    def clock(self, at: str | int | float | None) -> str:
        """Hours and minutes of a time (ISO 8601, or seconds since 1970); empty for none."""
        found = self._moment(at)
        return found.strftime("%H:%M") if found else ""

    def date(self, at: str | int | float | None) -> str:
        """Day, month, year, hours and minutes; empty for none."""
        found = self._moment(at)
        if found is None:
            return ""
        return found.strftime("%d/%m/%Y %H:%M" if self.code == "fr" else "%d %b %Y %H:%M")

    def _moment(self, at: str | int | float | None) -> datetime | None:
        if at is None or at == "":
            return None
        try:
            found = datetime.fromisoformat(at) if isinstance(at, str) else datetime.fromtimestamp(at, self._zone)
        except (ValueError, OSError, OverflowError):
            return None
        return found if found.tzinfo is None else found.astimezone(self._zone)

    def signed(self, number: int) -> str:
        """A number with its sign; nought has none."""
        return "0" if number == 0 else f"+{number}" if number > 0 else f"{MINUS}{-number}"

    def score(self, points: Sequence[int] | None) -> str:
        """Points against points."""
        return "" if points is None else f" {DASH} ".join(str(each) for each in points)

    def percent(self, share: int) -> str:
        """A share of a hundred."""
        return self.t("web.percent", share=share)


def preferred(accept: str, chosen: str | None) -> str:
    """The language of a visitor: the one chosen, else the first known of those the browser names, else French."""
    if chosen in LANGUAGES:
        return str(chosen)
    for part in accept[:500].split(","):
        code = part.split(";")[0].strip().lower().partition("-")[0]
        if code in LANGUAGES:
            return code
    return LANGUAGES[0]


def percentages(chances: Sequence[str]) -> list[int]:
    """Exact fractions as whole percentages that sum to 100: the largest remainders are rounded up."""
    exact = [Fraction(chance) * 100 for chance in chances]
    shares = [int(each) for each in exact]
    order = sorted(range(len(exact)), key=lambda at: (shares[at] - exact[at], at))
    for at in order[: max(0, round(sum(exact)) - sum(shares))]:
        shares[at] += 1
    return shares
