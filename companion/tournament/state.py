"""The state of a tournament: its plan and the facts so far, sorted by what they are about. Nothing computed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from companion.tournament.facts import Call, Draw, Keep, Rule
from companion.tournament.values import Entry, Plan, Report


@dataclass(frozen=True, slots=True)
class Drawn:
    """A Swiss round as it was drawn; `seq` is the number of the fact."""

    draw: Draw
    seq: int


@dataclass(frozen=True, slots=True)
class Seeded:
    """The seeds of a later stage as they were set, and the order that the results of then gave."""

    order: tuple[str, ...]
    computed: tuple[str, ...]


@dataclass(frozen=True)
class State:
    """All facts. `seq` counts them; `amended` is the number of the last one that changed what had been drawn on.

    `lengths` are the seconds at which a match was called and at which it ended, for those of which both are known.
    """

    plan: Plan
    entries: Mapping[str, Entry] = field(default_factory=dict)
    withdrawn: tuple[str, ...] = ()
    started: bool = False
    draws: tuple[Drawn, ...] = ()
    seeded: Mapping[int, Seeded] = field(default_factory=dict)
    reports: Mapping[str, tuple[Report, ...]] = field(default_factory=dict)
    calls: Mapping[str, Call] = field(default_factory=dict)
    lengths: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    rulings: Mapping[str, Rule] = field(default_factory=dict)
    closed: tuple[int, ...] = ()
    kept: tuple[Keep, ...] = ()
    seq: int = 0
    amended: int = 0


def begin(plan: Plan) -> State:
    """A tournament before its first fact."""
    return State(plan)
