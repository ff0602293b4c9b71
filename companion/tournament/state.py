"""The state of a tournament: its plan and the facts so far, sorted by what they are about. Nothing computed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from companion.tournament.facts import Call, Draw, Keep, Rule
from companion.tournament.values import Entry, Plan, Report, Side


@dataclass(frozen=True, slots=True)
class Drawn:
    """A Swiss round as it was drawn; `seq` is the number of the fact."""

    draw: Draw
    seq: int


@dataclass(frozen=True, slots=True)
class Seeded:
    """The seeds of a later stage as they were set, and the order that the results of then gave.

    From its first result on `gone` are those who had withdrawn by then: who leaves later qualified all the same.
    """

    order: tuple[str, ...]
    computed: tuple[str, ...]
    gone: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Walkover:
    """A match that nobody plays, as it was won: by `winner`, the other having withdrawn or never sat there."""

    home: str
    away: str
    winner: Side


@dataclass(frozen=True)
class State:
    """All facts. `seq` counts them; `amended` is the number of the last one that changed what had been drawn on.

    `lengths` are the seconds at which a match was called and at which it ended, for those of which both are known.
    `settled` are the walkovers by match as they stood at the last withdrawal: they stand, whoever leaves afterwards.
    `early` are those who withdrew from a round robin before having played half of it.
    """

    plan: Plan
    entries: Mapping[str, Entry] = field(default_factory=dict)
    withdrawn: tuple[str, ...] = ()
    settled: Mapping[str, Walkover] = field(default_factory=dict)
    early: tuple[str, ...] = ()
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
