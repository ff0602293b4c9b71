"""The numbers and names of the 21-point basketball as data. Every chapter of the rules looks here."""

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
"""Where a symbol stands in a tuple of counts by symbol."""
INDEX: Final[dict[str, int]] = {symbol: index for index, symbol in enumerate(SYMBOLS)}

DICE: Final = 6
"""Dice of a team (HB-2.2), and faces of a die."""
FEWER: Final = DICE - 1
"""Dice of a team that holds one back (HB-6.5)."""
PASS_LENGTH: Final = 3
FREE_THROW_BALLS: Final = 3
"""Balls that make a free throw (HB-8.1)."""
FREE_THROWS: Final = 2
DUNK: Final = 2
FREE_THROW_POINT: Final = 1
RANGES: Final = {2: 1, 3: -1}
"""What the range of a shot adds to the attack's total, by the points it is worth (HB-7.2, HB-7.3)."""

TARGET: Final = 21
FACES: Final = (2, 1, 2, 1)
"""Faces of a die by symbol (HB-2.1)."""
SECTIONS: Final = 16
FEWEST_SECTIONS: Final = 4
MOST_SECTIONS: Final = 40
ARC: Final = 4
MARKS: Final = (-1, 0, 1)


def other(side: Side) -> Side:
    """The opponents of a side."""
    return "white" if side == "orange" else "orange"


def index_of(side: Side) -> int:
    """Where a side stands in a pair."""
    return 0 if side == "orange" else 1
