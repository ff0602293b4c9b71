"""The clock of a match and the timer of a turn, on a monotonic clock. A file keeps the times over a power cut."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from companion.tournament.clock import TimeLimits
from vision.files import read_state, write_atomically

MINUTE_S = 60
"""Seconds in a minute."""

Limit = Literal["match", "turn"]


@dataclass(frozen=True, slots=True)
class ElapsedTimes:
    """What is kept of a clock: seconds of the match and of the turn `turn_key`, and whether the players stopped it."""

    match_s: float = 0.0
    turn_s: float = 0.0
    turn_key: str = ""
    paused: bool = False


class MatchClock:
    """The times of one match. They run while a turn is in play and the players have not stopped the clock.

    Time that passes between two programs, such as after a power cut, does not count.
    """

    def __init__(self, limits: TimeLimits, monotonic: Callable[[], float], elapsed: ElapsedTimes | None = None) -> None:
        """Args: monotonic: seconds that never run backwards; elapsed: the times before a restart."""
        self.limits = limits
        self._monotonic, self._read_at = monotonic, monotonic()
        elapsed = elapsed or ElapsedTimes()
        self._match_s, self._turn_s, self._turn_key = elapsed.match_s, elapsed.turn_s, elapsed.turn_key
        self._paused, self._in_play = elapsed.paused, False
        self._announced = {limit for limit in _LIMITS if self._is_over(limit)}

    @property
    def elapsed(self) -> ElapsedTimes:
        """The times now."""
        self._count()
        return ElapsedTimes(self._match_s, self._turn_s, self._turn_key, self._paused)

    @property
    def is_paused(self) -> bool:
        """True if the players stopped the clock."""
        return self._paused

    def pause(self, wanted: bool) -> None:
        """Stop the clock or let it go on."""
        self._count()
        self._paused = wanted

    def follow(self, turn_key: str | None) -> None:
        """Set the turn in play, or None while the match is prepared or over. The time of a new turn starts at zero."""
        self._count()
        self._in_play = turn_key is not None
        if turn_key is not None and turn_key != self._turn_key:
            self._turn_key, self._turn_s = turn_key, 0.0
            self._announced.discard("turn")

    def left(self, limit: Limit) -> float | None:
        """Return the seconds left, negative after the end; None without such a limit."""
        self._count()
        return self._left(limit)

    def new_ends(self) -> tuple[Limit, ...]:
        """Return the times that have run out since the last call; each turn's once."""
        self._count()
        over: tuple[Limit, ...] = tuple(
            limit for limit in _LIMITS if self._is_over(limit) and limit not in self._announced
        )
        self._announced.update(over)
        return over

    def _count(self) -> None:
        """Add the time since the last reading."""
        now = self._monotonic()
        passed, self._read_at = max(0.0, now - self._read_at), now
        if self._in_play and not self._paused:
            self._match_s += passed
            self._turn_s += passed

    def _left(self, limit: Limit) -> float | None:
        if limit == "match":
            return self.limits.match_minutes * MINUTE_S - self._match_s if self.limits.match_minutes else None
        return self.limits.turn_seconds - self._turn_s if self.limits.turn_seconds else None

    def _is_over(self, limit: Limit) -> bool:
        left = self._left(limit)
        return left is not None and left <= 0


_LIMITS: tuple[Limit, ...] = ("match", "turn")


class ClockFile:
    """The file that keeps the times of the newest match."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "clock.json"

    def load(self, match_id: str) -> ElapsedTimes | None:
        """Return the times of a match; None if others are kept, or the file was damaged and is set aside."""
        kept = read_state(self._path, _decode)
        return kept[1] if kept is not None and kept[0] == match_id else None

    def save(self, match_id: str, elapsed: ElapsedTimes) -> None:
        """Keep the times of a match; they are on disk when this returns. Raises: OSError."""
        fields = {
            "match": match_id,
            "match_s": round(elapsed.match_s, 1),
            "turn_s": round(elapsed.turn_s, 1),
            "turn": elapsed.turn_key,
            "paused": elapsed.paused,
        }
        write_atomically(self._path, json.dumps(fields, ensure_ascii=False).encode())


def _decode(content: bytes) -> tuple[str, ElapsedTimes]:
    """Parse the file. Raises: ValueError and the other errors of damaged content."""
    fields = json.loads(content)
    times = ElapsedTimes(float(fields["match_s"]), float(fields["turn_s"]), fields["turn"], fields["paused"])
    if (
        not isinstance(fields["match"], str)
        or not isinstance(times.turn_key, str)
        or not isinstance(times.paused, bool)
    ):
        raise ValueError("no times of a match")
    if not (0 <= times.match_s < float("inf") and 0 <= times.turn_s < float("inf")):
        raise ValueError("no times of a match")
    return fields["match"], times
