"""What NBA's scoreboard panel draws: one frozen value, filled by `scene` and free of anything hidden (NBA-3.8)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class BoardDie:
    """A die in a zone. `colour` is the body's in offence, the number's in defence, None for a blank defence die.

    `why` says for a defence die and the first opponent whose attack is pending why it counts or not (NBA-5.2); None for
    an attack die.
    """

    kind: str
    value: int
    colour: str | None
    why: str | None = None


@dataclass(frozen=True, slots=True)
class BoardPlayer:
    """An athlete on court. `skills` are in the order of the six kinds of dice."""

    position: str
    id: str
    name: str
    skills: tuple[int, ...]
    iq: int
    rebounds: int
    decisive: bool


@dataclass(frozen=True, slots=True)
class BoardTactic:
    """A prepared tactic. `usable` tells whether the side's level reaches it."""

    id: str
    name: str
    type: str
    complexity: int
    keep: tuple[tuple[str, int], ...]
    usable: bool


@dataclass(frozen=True, slots=True)
class BoardSide:
    """One side. Court, board and sums are empty and None at level `scores`."""

    side: str
    name: str
    score: int
    solo: bool
    court: tuple[BoardPlayer, ...]
    tactics: tuple[BoardTactic, ...]
    skills: tuple[int, ...]
    collective: int | None
    rebounds: int | None
    rerolls: int | None
    attack: tuple[BoardDie, ...]
    attack_value: int | None
    defence: tuple[BoardDie, ...]
    fatigue: int
    mini: int
    tokens: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BoardMatch:
    """The points of two sides in their match; with two sides there is one."""

    sides: tuple[str, str]
    points: tuple[int, int]


@dataclass(frozen=True, slots=True)
class NbaBoard:
    """The scoreboard panel. `track` holds the names of the cards lying there, `?` for an unnamed one, None for none."""

    sides: tuple[BoardSide, ...]
    matches: tuple[BoardMatch, ...]
    phase: str
    active: str | None
    first: str
    turn: int
    limit: int | None
    period: int
    ultimate: bool
    closing: bool
    money_time: bool
    track: tuple[str | None, ...]
    deck: int
    pile: int
    roll: tuple[BoardDie, ...]
    """The dice of the open roll, none while there is none."""
    roll_tactic: str | None
    winner: str | None
    draw: bool
    ranking: tuple[str, ...]

    @property
    def score(self) -> tuple[int, ...]:
        """The points of every side over all its matches, in header order."""
        return tuple(side.score for side in self.sides)
