"""The names and numbers of the game of chances as data: sides, phases, moves, posts.

All chapters of the rules use them.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal, get_args

Side = Literal["home", "away"]
Phase = Literal[
    "choose_occasion",
    "attack_move",
    "defence",
    "support",
    "reveal",
    "verdict",
    "advance",
    "shot",
    "over",
]

SIDES: Final[tuple[Side, Side]] = ("home", "away")
PHASES: Final[tuple[Phase, ...]] = get_args(Phase)
PHASES_IN_PLAY: Final[tuple[Phase, ...]] = PHASES[:-1]
"""Every phase but `over`."""

MOVES: Final = ("pass", "dribble", "cross")
ENERGY_COST: Final[Mapping[str, int]] = MappingProxyType({"pass": 1, "dribble": 2, "cross": 1})
"""The number of energies that a move uses (OC-3.2 to OC-3.4)."""
ATTACK_STAT: Final[Mapping[str, str]] = MappingProxyType({"pass": "pass", "dribble": "dribble", "cross": "pass"})
DEFENCE_STAT: Final[Mapping[str, str]] = MappingProxyType({"pass": "int", "dribble": "tak", "cross": "int"})
"""The defender's points that count against a move (OC-3.2 to OC-3.4, OC-4.3 to OC-4.5)."""
STATS: Final = ("pass", "dribble", "int", "tak")

CROSS: Final = "cross"
WALL: Final = "wall"
RULED_ABILITIES: Final = frozenset({CROSS, WALL})
"""The abilities that the rules apply themselves (OC-6.3)."""

EXACT_POST_BONUS: Final = 2
SAME_LINE_BONUS: Final = 1
"""The position bonus of a post of the same line (OC-3.5)."""

MAX_ENERGY: Final = 99
"""The maximum printed points of one energy (OC-7.2)."""
MAX_VISIBLE_CHANCES: Final = 2
"""The maximum number of chance cards face up before a side (OC-2.1)."""

FOUL_EFFECTS: Final = ("none", "attack_wins", "defence_wins", "shot")
FOUL_CARDS: Final = ("yellow", "red")
CARD_KINDS: Final = ("player", "occasion")

DEFAULT_POSTS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "GK": "keeper",
        "RB": "defence",
        "CB": "defence",
        "LB": "defence",
        "DM": "midfield",
        "RM": "midfield",
        "CM": "midfield",
        "LM": "midfield",
        "AM": "midfield",
        "RW": "attack",
        "ST": "attack",
        "LW": "attack",
    }
)
"""The usual posts of football with their lines (chapter 12)."""


def side_index(side: Side) -> int:
    """Return the index of a side in a pair in the order of SIDES."""
    return SIDES.index(side)


def opponent(side: Side) -> Side:
    """Return the opponents of a side."""
    return "away" if side == "home" else "home"
