"""What goes wrong in a simulated hall, and when: made of a seed alone, so that a bad evening can be had again."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Literal

Happening = Literal["cut", "mend", "restart", "kill_hub", "kill_broker"]

SILENT_SHARE = 0.3
"""Of the cuts, those in which the table's words vanish instead of being refused."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """Something happens, so many seconds after the start. `table` is None for what concerns all."""

    at: float
    what: Happening
    table: int | None = None
    silent: bool = False


@dataclass(frozen=True, slots=True)
class Weather:
    """How bad an evening is. `offline` is each table's share of time without network, `absence` its usual length in
    seconds; hub and broker die, and each table restarts, after so many seconds on average (0: never).
    """

    offline: float = 0.2
    absence: float = 3.0
    hub_dies: float = 15.0
    broker_dies: float = 20.0
    restarts: float = 60.0


FAIR = Weather(offline=0.0, hub_dies=0.0, broker_dies=0.0, restarts=0.0)


def troubles(seed: int, tables: int, weather: Weather) -> Iterator[Trouble]:
    """Everything that happens, in order, without end. Same arguments, same troubles."""
    sources = [_absences(Random(f"{seed} absences {table}"), table, weather) for table in range(1, tables + 1)]
    for table in range(1, tables + 1):
        sources.append(_now_and_then(Random(f"{seed} restarts {table}"), "restart", weather.restarts, table))
    sources.append(_now_and_then(Random(f"{seed} hub"), "kill_hub", weather.hub_dies))
    sources.append(_now_and_then(Random(f"{seed} broker"), "kill_broker", weather.broker_dies))
    return heapq.merge(*sources, key=lambda trouble: trouble.at)


def _absences(random: Random, table: int, weather: Weather) -> Iterator[Trouble]:
    """A table is away and there in turn; both last by chance, in the shares that the weather asks for."""
    if not 0 < weather.offline < 1:
        return
    there = weather.absence * (1 - weather.offline) / weather.offline
    now = 0.0
    while True:
        now += random.expovariate(1 / there)
        yield Trouble(now, "cut", table, random.random() < SILENT_SHARE)
        now += random.expovariate(1 / weather.absence)
        yield Trouble(now, "mend", table)


def _now_and_then(random: Random, what: Happening, mean: float, table: int | None = None) -> Iterator[Trouble]:
    if mean <= 0:
        return
    now = 0.0
    while True:
        now += random.expovariate(1 / mean)
        yield Trouble(now, what, table)
