"""The names and numbers of the game of chances as data: sides, phases, moves, posts. Every chapter looks here."""

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
IN_PLAY: Final[tuple[Phase, ...]] = PHASES[:-1]
"""Every phase but `over`."""

MOVES: Final = ("pass", "dribble", "cross")
ENERGY: Final[Mapping[str, int]] = MappingProxyType({"pass": 1, "dribble": 2, "cross": 1})
"""Energies that a move uses (OC-3.2 to OC-3.4)."""
ATTACK_STAT: Final[Mapping[str, str]] = MappingProxyType({"pass": "pass", "dribble": "dribble", "cross": "pass"})
DEFENCE_STAT: Final[Mapping[str, str]] = MappingProxyType({"pass": "int", "dribble": "tak", "cross": "int"})
"""Whose points count for and against a move (OC-3.2 to OC-3.4, OC-4.3 to OC-4.5)."""
STATS: Final = ("pass", "dribble", "int", "tak")

CROSS: Final = "cross"
WALL: Final = "wall"
RULED_ABILITIES: Final = frozenset({CROSS, WALL})
"""The abilities that the rules apply themselves (OC-6.3)."""

EXACT_POST: Final = 2
SAME_LINE: Final = 1
"""The position bonus (OC-3.5)."""

MOST_ENERGY: Final = 99
"""The most printed points of one energy (OC-7.2)."""
MOST_VISIBLE: Final = 2
"""Chance cards that lie face up before a side (OC-2.1)."""

EFFECTS: Final = ("none", "attack_wins", "defence_wins", "shot")
SHOWN: Final = ("yellow", "red")
KINDS: Final = ("player", "occasion")

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


def index_of(side: Side) -> int:
    """Where a side stands in a pair kept in the order of SIDES."""
    return SIDES.index(side)


def other(side: Side) -> Side:
    """The opponents of a side."""
    return "away" if side == "home" else "home"
