"""What a tournament is made of: its plan, its entries and the reports of its matches. Plain frozen values."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from companion.games.base import Fields
from companion.games.spec import Points

NOBODY = "-"
"""Sits where no entry will ever sit: a bye, or a place that both sides forfeited."""

Seat = str | None
"""Who sits at one side of a match: the id of an entry, `NOBODY`, or None while it is not known."""

Side = Literal["home", "away"]
SIDES: tuple[Side, Side] = ("home", "away")

StageKind = Literal["round_robin", "swiss", "knock_out", "double_knock_out"]
STAGE_KINDS: tuple[StageKind, ...] = ("round_robin", "swiss", "knock_out", "double_knock_out")

FORFEIT, DOUBLE_FORFEIT, WITHDRAWAL, BYE = "forfeit", "double_forfeit", "withdrawal", "bye"
UNPLAYED = (FORFEIT, DOUBLE_FORFEIT, WITHDRAWAL, BYE)
"""How a match counts that nobody played."""


@dataclass(frozen=True, slots=True)
class Stage:
    """One stage of the plan.

    `legs` 2 is a double round robin, or ties of two legs; `final_legs` is for the final alone.
    `rounds` is for Swiss. `advance` entries of each group go on to the next stage. `thresholds[r - 1]` is the highest
    cost of a card that may be kept after round r; none: nothing is kept. With `reset` the one who comes from
    the losers must win the final of a double knock-out twice.
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

    @property
    def table(self) -> bool:
        """Whether standings decide it, not a bracket."""
        return self.kind in ("round_robin", "swiss")


@dataclass(frozen=True, slots=True)
class Plan:
    """A tournament as announced. `minutes` is the first guess of a match's length, `rest` the least between two."""

    name: str
    game: str
    stages: tuple[Stage, ...]
    tables: int = 1
    minutes: int = 45
    rest: int = 5


@dataclass(frozen=True, slots=True)
class Entry:
    """Who takes part. `seed` 1 is the strongest; without one an entry comes after those that have one."""

    id: str
    name: str
    seed: int | None = None
    group: str | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """How a match ended, between whom. `winner` is None for a draw; after a shoot-out or a concession it is given.

    `clock` is when it ended (seconds since 1970), `carry` what the game hands on to a second leg (FC-16) as it is.
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
    """The side with more, None if level."""
    return None if score[0] == score[1] else "home" if score[0] > score[1] else "away"
