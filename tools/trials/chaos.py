"""Faults of a simulated hall and their times. They depend only on a seed, so every run is repeatable."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Literal

FaultKind = Literal["cut", "mend", "restart", "kill_hub", "kill_broker"]

SILENT_SHARE = 0.3
"""Share of the network cuts that drop the table's messages silently instead of refusing them."""


@dataclass(frozen=True, slots=True)
class InjectedFault:
    """A fault, in seconds after the start. `table` is None for a fault that affects all tables."""

    at_s: float
    kind: FaultKind
    table: int | None = None
    silent: bool = False


@dataclass(frozen=True, slots=True)
class FaultRates:
    """The fault rates of a trial.

    - `offline_share`: share of time that each table is without network.
    - `mean_cut_s`: usual length of an outage in seconds.
    - `hub_kill_interval_s`, `broker_kill_interval_s`: average seconds between crashes of the hub and of the broker (0:
      never).
    - `restart_interval_s`: average seconds between restarts of each table (0: never).
    """

    offline_share: float = 0.2
    mean_cut_s: float = 3.0
    hub_kill_interval_s: float = 15.0
    broker_kill_interval_s: float = 20.0
    restart_interval_s: float = 60.0


NO_FAULTS = FaultRates(offline_share=0.0, hub_kill_interval_s=0.0, broker_kill_interval_s=0.0, restart_interval_s=0.0)


def fault_schedule(seed: int, tables: int, rates: FaultRates) -> Iterator[InjectedFault]:
    """Yield all faults in order, without end. The same arguments give the same faults."""
    sources = [_absences(Random(f"{seed} absences {table}"), table, rates) for table in range(1, tables + 1)]
    for table in range(1, tables + 1):
        sources.append(_now_and_then(Random(f"{seed} restarts {table}"), "restart", rates.restart_interval_s, table))
    sources.append(_now_and_then(Random(f"{seed} hub"), "kill_hub", rates.hub_kill_interval_s))
    sources.append(_now_and_then(Random(f"{seed} broker"), "kill_broker", rates.broker_kill_interval_s))
    return heapq.merge(*sources, key=lambda trouble: trouble.at_s)


def _absences(random: Random, table: int, rates: FaultRates) -> Iterator[InjectedFault]:
    """Yield the outages of a table. Online and offline times are random, with the shares given in `rates`."""
    if not 0 < rates.offline_share < 1:
        return
    there = rates.mean_cut_s * (1 - rates.offline_share) / rates.offline_share
    now = 0.0
    while True:
        now += random.expovariate(1 / there)
        yield InjectedFault(now, "cut", table, random.random() < SILENT_SHARE)
        now += random.expovariate(1 / rates.mean_cut_s)
        yield InjectedFault(now, "mend", table)


def _now_and_then(random: Random, what: FaultKind, mean: float, table: int | None = None) -> Iterator[InjectedFault]:
    if mean <= 0:
        return
    now = 0.0
    while True:
        now += random.expovariate(1 / mean)
        yield InjectedFault(now, what, table)
