"""What this game's scoreboard panel draws: one frozen value, filled by `scene` and free of anything secret."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.base import Message


@dataclass(frozen=True, slots=True)
class BoardZone:
    """A zone of the chance card in the middle."""

    id: str
    shot: bool
    here: bool
    """Whether the chance is in it."""
    option: bool
    """Whether the attack may choose it now."""
    attack_posts: tuple[Message, ...]
    defence_posts: tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class BoardSide:
    """One side with what it has used and what lies before it."""

    side: str
    name: str
    attacks: bool
    visible: tuple[str, ...]
    """The names of its face-up chance cards."""
    energy_used: int
    used: tuple[str, ...]
    """The names of its used player cards, in the order used up."""
    yellow: int
    red: int


@dataclass(frozen=True, slots=True)
class BoardDuellist:
    """One side of the duel. `energy` are the values as counted; None is an energy that lies face down."""

    side: str
    player: str
    post: Message
    stat: str
    """`pass`, `dribble`, `int` or `tak`: which of his points count."""
    base: int
    bonus: int
    support: tuple[str, ...]
    energy: tuple[int | None, ...]
    ability: int
    total: int


@dataclass(frozen=True, slots=True)
class OccasionBoard:
    """The scoreboard panel. `sides` and `score` are home, then away; `rows` of zones go from the lowest up."""

    sides: tuple[BoardSide, BoardSide]
    score: tuple[int, int]
    goals_to_win: int | None
    phase: str
    turn: int
    chance: str | None
    rows: tuple[tuple[BoardZone, ...], ...]
    carrier: str | None
    """The name of the dribbler who keeps the ball."""
    bonus_x2: bool
    move: str | None
    duel: tuple[BoardDuellist, ...]
    """The attack's part, then the defence's once it opposes."""
    margin: int | None
    winner: str | None
