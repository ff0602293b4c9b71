"""Which tables are there and who checked in at them: heard from them, kept in memory, told anew within seconds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from threading import Lock

from companion.clock import Clock
from companion.messages.wire import Hello, Side

SILENCE = 16.0
"""Seconds after which a table that says nothing is away."""
TWIN_FOR = 60.0
"""Seconds for which two machines count as speaking with one token after they were heard in turn."""


@dataclass(frozen=True, slots=True)
class TablePresence:
    """A table as it was last heard. `waiting` counts its lines that it does not know here; `present` is by match.

    `twin`: two machines speak with its token. Keys of `present` are `tournament/match`.
    """

    online: bool
    since: datetime
    waiting: int = 0
    present: Mapping[str, tuple[Side, ...]] = field(default_factory=dict)
    twin: bool = False


@dataclass(slots=True)
class _Heard:
    run: str
    at: float
    since: datetime
    hello: Hello
    runs: dict[str, float]
    twin_at: float = float("-inf")


class Presence:
    """Safe to call from any thread."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._lock = Lock()
        self._heard: dict[str, _Heard] = {}

    def heard(self, table: str, hello: Hello) -> bool:
        """A table says that it is there; whether that changes anything that pages show."""
        now = self._clock.monotonic()
        with self._lock:
            found = self._heard.get(table)
            if found is None or now - found.at > SILENCE:
                self._heard[table] = _Heard(hello.run, now, self._clock.now(), hello, {hello.run: now})
                return True
            changed = (found.hello.present, found.hello.waiting) != (hello.present, hello.waiting)
            if hello.run != found.run:
                # A program that was started again speaks with a new run and never with the old one.
                if now - found.runs.get(hello.run, float("-inf")) < TWIN_FOR:
                    changed, found.twin_at = True, now
                found.run = hello.run
            found.runs[hello.run] = now
            found.at, found.hello = now, hello
            return changed

    def all(self) -> dict[str, TablePresence]:
        """Every table that was heard since the hub began."""
        with self._lock:
            return {table: self._shown(found) for table, found in self._heard.items()}

    def of(self, table: str) -> TablePresence | None:
        """One table, None if it was not heard."""
        with self._lock:
            found = self._heard.get(table)
            return None if found is None else self._shown(found)

    def _shown(self, found: _Heard) -> TablePresence:
        now = self._clock.monotonic()
        shown = TablePresence(
            True, found.since, found.hello.waiting, found.hello.present, now - found.twin_at < TWIN_FOR
        )
        away = now - found.at
        return shown if away <= SILENCE else replace(shown, online=False)
