"""What hoops21's scoreboard panel draws: one frozen value, filled by `scene`."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class BoardSide:
    """One team. `role` is `attack` or `defence`, None while there is no pawn; `dice` are those of its next throw."""

    side: str
    name: str
    role: str | None
    token: bool
    dice: int


@dataclass(frozen=True, slots=True)
class BoardThrow:
    """Dice of a team that lie and count: `groups` are symbols with their numbers, those that count first.

    `count` is the team's count in a throw, its balls elsewhere; `playing` the symbols of which it may play one.
    """

    side: str
    groups: tuple[tuple[str, int], ...]
    count: int
    playing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BoardRace:
    """The inbounding race: steps left to the line, and S set aside of six."""

    team: str
    to_cross: int
    set_aside: int


@dataclass(frozen=True, slots=True)
class BoardMark:
    """A section with a printed mark of +1 or −1, for whoever attacks there."""

    section: int
    value: int


@dataclass(frozen=True, slots=True)
class HoopsBoard:
    """Sections count from orange's basket.

    `arcs` are the outermost sections inside the arcs before orange's and white's basket, `aims` those that a choice
    leads to.
    """

    sides: tuple[BoardSide, BoardSide]
    score: tuple[int, int]
    target: int
    phase: str
    sections: int
    arcs: tuple[int, int]
    marks: tuple[BoardMark, ...]
    pawn: int | None
    attack: str | None
    aims: tuple[int, ...]
    throws: tuple[BoardThrow, ...]
    race: BoardRace | None
    free_throw: int | None
    """The number of the free throw under way."""
    winner: str | None
