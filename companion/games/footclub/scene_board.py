"""What FootClub's scoreboard panel draws: one frozen value, filled by `scene` and free of anything secret (FC-4.5)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class BoardPlayer:
    """One outfield player. `level` is his level in play (FC-3.4), `name` the players' own word for him."""

    id: str
    name: str
    short: str
    """The name with the first name's initial, for small boxes."""
    post: str
    """`fb`, `cb`, `dm`, `am` or `fw`: the post he stands at, or the first of his card off the pitch."""
    posts: tuple[str, ...]
    level: int
    profiles: tuple[str, ...]
    strength: str | None
    status: str
    """As `state` has it: `pitch`, `bench`, `out`, `injured_off`, `sent_off` or `suspended`."""
    freshness: int
    yellow: int
    half_yellow: int
    injury: int
    boost: int
    captain: bool
    ball: bool


@dataclass(frozen=True, slots=True)
class BoardSide:
    """One club. What the team sheet decides is None or empty before it."""

    side: str
    name: str
    home: bool
    att: int | None
    defence: int | None
    optimised: bool
    formation: str | None
    initial_bonus: int | None
    bookings: int
    """The cards that count for the defensive malus (FC-13.5)."""
    malus: int
    reds: int
    kop: str | None
    """`up`, `down`, or None for a club without kop."""
    lineup: tuple[tuple[str, tuple[BoardPlayer, ...]], ...]
    """Posts `fb` to `fw` with their players from left to right."""
    bench: tuple[BoardPlayer, ...]
    """Everybody else of the squad."""
    captain: str | None


@dataclass(frozen=True, slots=True)
class BoardShootout:
    """Penalty shoot-out: kicks taken and scored by side, in the order of `FootClubBoard.clubs`."""

    first: str | None
    next: str | None
    scored: tuple[int, int]
    taken: tuple[int, int]


@dataclass(frozen=True, slots=True)
class BoardResult:
    winner: str | None
    by: str
    """`goals`, `draw`, `extra_time`, `shootout`, `aggregate`, `away_goals` or `forfeit`."""


@dataclass(frozen=True, slots=True)
class FootClubBoard:
    """The scoreboard panel. `clubs` and `score` are blue, then red; `turns` is how many the half has, 0 before."""

    clubs: tuple[BoardSide, BoardSide]
    score: tuple[int, int]
    phase: str
    half: int
    turn: int
    turns: int
    home: str
    ball_colour: str | None
    possession: str | None
    holder: str | None
    """The ball holder's id."""
    holder_name: str | None
    first_leg: tuple[int, int] | None
    """The score of the first leg in a second leg, blue first."""
    shootout: BoardShootout | None
    result: BoardResult | None
