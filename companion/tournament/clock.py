"""The time limits of a match: a clock for the whole match and a timer for each turn, set by the organiser or the table.

The limits are in the header of the match's journal, so that they stay the same after a restart.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, cast

from companion.games.base import Fields, JsonObject

CLOCK = "clock"
"""Key of a header that holds the time limits."""

ClockMode = Literal["off", "quiet", "strict"]
"""How a clock is shown.

- `off`: no clock
- `quiet`: the time left is shown, and nothing more
- `strict`: the end of a time is also announced; nobody plays for the players
"""
CLOCK_MODES: tuple[ClockMode, ...] = ("off", "quiet", "strict")
MAX_MATCH_MINUTES, MAX_TURN_SECONDS = 1440, 3600


@dataclass(frozen=True, slots=True)
class TimeLimits:
    """The limits of a match in minutes and of a turn in seconds; 0: no limit."""

    mode: ClockMode = "off"
    match_minutes: int = 0
    turn_seconds: int = 0

    @property
    def is_active(self) -> bool:
        """True if a clock runs during the match."""
        return self.mode != "off" and (self.match_minutes > 0 or self.turn_seconds > 0)

    def fields(self) -> JsonObject:
        """Return the header's content for `CLOCK`."""
        return {"mode": self.mode, "match_minutes": self.match_minutes, "turn_seconds": self.turn_seconds}


NO_LIMITS = TimeLimits()


def time_limits(header: Fields) -> TimeLimits:
    """Return the limits in a header; none if it has none or they are not readable."""
    fields = header.get(CLOCK)
    if not isinstance(fields, Mapping) or fields.get("mode") not in CLOCK_MODES:
        return NO_LIMITS
    minutes, seconds = fields.get("match_minutes", 0), fields.get("turn_seconds", 0)
    if not _fits(minutes, MAX_MATCH_MINUTES) or not _fits(seconds, MAX_TURN_SECONDS):
        return NO_LIMITS
    return TimeLimits(cast("ClockMode", fields["mode"]), minutes, seconds)


def _fits(value: object, most: int) -> bool:
    return type(value) is int and 0 <= value <= most
