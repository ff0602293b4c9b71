"""The parts of a tournament: its plan, its entries and the reports of its matches. Plain frozen values."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from companion.games.base import Fields
from companion.games.spec import Points
from companion.tournament.clock import TimeLimits

NOBODY = "-"
"""Marks a seat that stays empty: a bye, or a place that both sides forfeited."""

Seat = str | None
"""One side of a match: the id of an entry, `NOBODY`, or None while unknown."""

Side = Literal["home", "away"]
SIDES: tuple[Side, Side] = ("home", "away")

StageKind = Literal["round_robin", "swiss", "knock_out", "double_knock_out"]
STAGE_KINDS: tuple[StageKind, ...] = ("round_robin", "swiss", "knock_out", "double_knock_out")

FORFEIT, DOUBLE_FORFEIT, WITHDRAWAL, BYE = "forfeit", "double_forfeit", "withdrawal", "bye"
UNPLAYED = (FORFEIT, DOUBLE_FORFEIT, WITHDRAWAL, BYE)
"""Endings of a match that was not played."""


@dataclass(frozen=True, slots=True)
class Stage:
    """One stage of the plan.

    - `legs`: 2 for a double round robin or two-legged ties; `final_legs` applies to the final only
    - `rounds`: number of Swiss rounds
    - `advance`: number of entries per group that advance to the next stage
    - `thresholds[r - 1]`: maximum cost of a card that may be kept after round r; empty: no card is kept
    - `reset`: the finalist from the losers' bracket must win the final of a double knock-out twice
    - `handbook`: year of FIDE's rules for tie-breaks (C.07) that count unplayed rounds; 0 in plans of before, where
      the standings stay as they were
    """

    kind: StageKind
    groups: int = 1
    legs: int = 1
    final_legs: int = 1
    rounds: int = 0
    advance: int = 0
    third_place: bool = False
    reset: bool = True
    points: Points = field(default_factory=Points)
    chain: tuple[str, ...] = ("points", "difference", "scored", "direct_points")
    thresholds: tuple[int, ...] = ()
    handbook: int = 0

    @property
    def table(self) -> bool:
        """Whether standings decide the stage, not a bracket."""
        return self.kind in ("round_robin", "swiss")


@dataclass(frozen=True, slots=True)
class Plan:
    """A tournament as announced.

    `minutes` is the estimated length of a match, `rest` the minimum between two, in minutes. `clock` holds the time
    limits of every match; None: each table has its own. `date` (ISO 8601), `start` (hours and minutes) and `place` are
    announced if not empty. `match` holds what a match is: the value of each row of the game's preparation that is the
    same at every table.
    """

    name: str
    game: str
    stages: tuple[Stage, ...]
    tables: int = 1
    minutes: int = 45
    rest: int = 5
    clock: TimeLimits | None = None
    date: str = ""
    start: str = ""
    place: str = ""
    match: Fields = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Entry:
    """A participant. `seed` 1 is the strongest; entries without a seed come after the seeded ones."""

    id: str
    name: str
    seed: int | None = None
    group: str | None = None
    club: str = ""


@dataclass(frozen=True, slots=True)
class Report:
    """The result of a match between two entries.

    - `winner`: None for a draw; set after a shoot-out or a concession
    - `clock`: time of the end (Unix time in seconds)
    - `carry`: unchanged data that the game passes on to a second leg (FC-16)
    """

    match: str
    home: str
    away: str
    score: tuple[int, int]
    winner: Side | None
    by: str = ""
    clock: int | None = None
    carry: Fields | None = None
    why: str = ""


def winner_by_score(score: tuple[int, int]) -> Side | None:
    """Return the side with the higher score, or None if level."""
    return None if score[0] == score[1] else "home" if score[0] > score[1] else "away"
