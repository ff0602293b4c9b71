"""The numbers and names of the 21-point basketball as data. All chapters of the rules use them."""

from __future__ import annotations

from typing import Final, Literal, get_args

Side = Literal["orange", "white"]
Symbol = Literal["ball", "pass", "steal", "free_throw"]
Phase = Literal["jump_ball", "throw", "tie", "reroll", "choose", "shot", "free_throw", "inbound", "over"]
Action = Literal["advance", "shoot"]
Restart = Literal["throw", "inbound", "jump_ball"]
Effect = Literal[
    "choose",
    "advance",
    "blind_pass",
    "push_back",
    "deflected_pass",
    "steal",
    "shot",
    "free_throws",
    "slam_dunk",
]

SIDES: Final[tuple[Side, Side]] = get_args(Side)
SYMBOLS: Final[tuple[Symbol, ...]] = get_args(Symbol)
PHASES: Final[tuple[Phase, ...]] = get_args(Phase)
ACTIONS: Final[tuple[Action, ...]] = get_args(Action)
RESTARTS: Final[tuple[Restart, ...]] = get_args(Restart)
EFFECTS: Final[tuple[Effect, ...]] = get_args(Effect)
BALL, PASS, STEAL, FREE_THROW = range(4)
"""The index of each symbol in a tuple of counts by symbol."""
SYMBOL_INDEX: Final[dict[str, int]] = {symbol: index for index, symbol in enumerate(SYMBOLS)}

DICE: Final = 6
"""Dice of a team (HB-2.2), and faces of a die."""
REDUCED_DICE: Final = DICE - 1
"""Dice of a team that holds one back (HB-6.5)."""
PASS_LENGTH: Final = 3
FREE_THROW_BALLS: Final = 3
"""The number of balls that make a free throw (HB-8.1)."""
MAX_FREE_THROWS: Final = 2
DUNK_POINTS: Final = 2
FREE_THROW_POINTS: Final = 1
RANGE_MODIFIERS: Final = {2: 1, 3: -1}
"""The range modifier of the attack's total, by the points of the shot (HB-7.2, HB-7.3)."""

DEFAULT_TARGET: Final = 21
DEFAULT_FACES: Final = (2, 1, 2, 1)
"""Faces of a die by symbol (HB-2.1)."""
DEFAULT_SECTIONS: Final = 16
MIN_SECTIONS: Final = 4
MAX_SECTIONS: Final = 40
DEFAULT_ARC: Final = 4
MARKS: Final = (-1, 0, 1)


def opponent(side: Side) -> Side:
    """Return the opponents of a side."""
    return "white" if side == "orange" else "orange"


def side_index(side: Side) -> int:
    """Return the index of a side in a pair."""
    return 0 if side == "orange" else 1
