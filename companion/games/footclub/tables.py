"""FootClub's numbers and names as data: cards, copies, posts, formations. All chapters of the rules use them."""

from __future__ import annotations

from itertools import product
from typing import Final, Literal, get_args

Side = Literal["blue", "red"]
Phase = Literal[
    "market",
    "pre_match",
    "preparation",
    "possession",
    "duel",
    "attack",
    "offensive",
    "set_piece",
    "corner",
    "counter",
    "end_of_turn",
    "half_time",
    "full_time",
    "extra_time_break",
    "shootout",
    "finished",
]
Formation = tuple[int, int, int, int, int]
"""Players at `fb`, `cb`, `dm`, `am`, `fw`."""
Section = tuple[str, ...]
"""The places that one section of a ribbon names: one, or two for a pressing (FC-1.8)."""

SIDES: Final[tuple[Side, Side]] = ("blue", "red")
PHASES: Final[tuple[Phase, ...]] = get_args(Phase)
COLOURS: Final = ("red", "orange", "yellow", "green", "blue", "violet")
POSTS: Final = ("fb", "cb", "dm", "am", "fw")
FB, CB, DM, AM, FW = range(5)
PLACES: Final = tuple(f"{post}_{hand}" for post in POSTS for hand in "lr")
PROFILES: Final = ("technical", "physical", "tactical")
STRENGTHS: Final = ("accelerator", "skilful", "unyielding", "versatile", "ball_winner", "rugged")
VERSATILE_POSTS: Final = (frozenset({"fb", "cb"}), frozenset({"am", "fw"}))
MODES: Final = ("regular", "aggressive")
FORMATS: Final = ("single", "league", "leg1", "leg2")
KOPS: Final = ("K01", "K02")

COPIES: Final = {
    "pressing": 6,
    "tackle": 6,
    "positional_attack": 4,
    "solo_effort": 2,
    "counter_attack": 3,
    "supporters": 8,
    "attacking_support": 5,
    "defensive_support": 8,
}
"""Copies of each type in a club's 42 match cards (FC-1.7)."""
TYPES: Final = tuple(COPIES)
INDEX: Final = {type: index for index, type in enumerate(TYPES)}
"""The index of a type in a tuple of counts by type."""
NO_CARDS: Final = (0,) * len(TYPES)
SUPPORTERS: Final = INDEX["supporters"]
OFFENSIVES: Final = ("positional_attack", "solo_effort", "counter_attack")
RIBBON_WIDTH: Final = {
    "pressing": 2,
    "tackle": 1,
    "positional_attack": 1,
    "solo_effort": 1,
    "counter_attack": 1,
    "defensive_support": 1,
}
"""The number of places that a section names, for the types with a ribbon (FC-1.8)."""

SUGGESTED_TACTICS: Final = {
    "tackle": 3,
    "pressing": 3,
    "positional_attack": 2,
    "counter_attack": 1,
    "attacking_support": 2,
    "defensive_support": 1,
    "supporters": 2,
}
"""A suggested first tactical choice (FC-4.10)."""

SQUAD_SIZE: Final = (10, 17)
TEAM_SIZE: Final = 10
MIN_PLAYERS: Final = 8
"""The minimum number of players on the pitch, including the goalkeeper (FC-13.9)."""
STANDS_AT_START: Final = 5
FIRST_HAND: Final = 4
CARDS_DRAWN: Final = 2
REPLACEMENTS: Final = 3
PILE_SIZES: Final = {1: 14, 2: 14, 3: 10}
"""The number of cards of the tactical choice, by half; 3 is extra time (FC-4.3)."""
TURNS: Final = {1: 5, 2: 5, 3: 3}
MAX_BONUS: Final = 5
"""The final bonus is between minus and plus this number (FC-9.7)."""

MAX_SPENT: Final = 3
SHOOTERS: Final = 5
MAX_RED_CARDS: Final = 4
FORFEIT_GOALS: Final = 3
PENALTY_BONUS: Final = 2
STAFF_STARS: Final = 8
MARKET_PICKS: Final = 10


def _legal(fb: int, cb: int, dm: int, am: int, fw: int) -> bool:
    if fb == 0 and cb != 3:
        return False
    return fb + cb + dm <= 7 and am + fw >= 3 and fb + cb + dm + am + fw == TEAM_SIZE


FORMATIONS: Final[frozenset[Formation]] = frozenset(
    counts for counts in product((0, 2), (1, 2, 3), (1, 2, 3), (1, 2, 3), (1, 2, 3)) if _legal(*counts)
)
"""The 24 formations of ten players (FC-3.2, FC-3.3)."""


def _smaller(formation: Formation) -> set[Formation]:
    fb, cb, dm, am, fw = (range(count + 1) for count in formation)
    return set(product(fb, cb, dm, am, fw))


SHORT_FORMATIONS: Final[frozenset[Formation]] = frozenset(
    short for formation in FORMATIONS for short in _smaller(formation) if sum(short) < TEAM_SIZE
)
"""Compositions of fewer than ten players: a formation with some removed (FC-13.7)."""


def index_of(side: Side) -> int:
    """Return the index of a side in a pair in the order of SIDES."""
    return SIDES.index(side)


def side_of(name: str) -> Side:
    """Return the side with this identifier. Raises: ValueError."""
    return SIDES[SIDES.index(name)]


def opponent(side: Side) -> Side:
    """Return the opponents of a side."""
    return "red" if side == "blue" else "blue"
