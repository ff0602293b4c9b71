"""What the other packages ask of hoops21 besides its rules."""

from __future__ import annotations

from companion.games.base import Die, Message
from companion.games.hoops21 import HOOPS21, luck
from companion.games.hoops21.preparing import HoopsPreparing
from companion.games.hoops21.scene import LETTERS, HoopsBoard
from companion.games.hoops21.sound_player import sound_event
from companion.games.hoops21.tables import DICE, SIDES
from companion.games.spec import GameSpec, Points, Screens, TournamentSpec


def clock(board: HoopsBoard) -> Message:
    """The points that win; once they are won, the end."""
    if board.winner is not None:
        return Message("app.board.finished")
    return Message("app.hoops21.board.target", {"n": board.target})


SPEC = GameSpec(
    game=HOOPS21,
    colours=SIDES,
    letters="".join(LETTERS.values()),
    most_dice=2 * DICE,
    sound_player=sound_event,
    chances=luck,
    clock=clock,
    # The rules say nothing of tables: all of it is our choice.
    tournament=TournamentSpec(
        sides=SIDES,
        points=Points(win=2, draw=1, bye=2, forfeit=(21, 0)),
        chain=("points", "direct_points", "difference", "scored"),
        minutes=30,
    ),
    preparing=HoopsPreparing,
    first_match={"target": 7},
    screens=Screens(
        board="companion.games.hoops21.screens.board:PANEL",
        dice="companion.games.hoops21.screens.dice:mark",
        kinds=SIDES,
        needs=(Die("orange", symbol="ball"), Die("white", symbol="steal")),
        art=(
            "M220 96a71 71 0 1 1-142 0a71 71 0 1 1 142 0M78 96h142M149 25v142M98 46c34 30 34 70 0 100M200 46c-34 "
            "30-34 70 0 100"
        ),
    ),
    phases={
        "jump_ball": ("HB-1.6", "HB-4.4"),
        "throw": ("HB-1.6", "HB-6.4", "HB-4.4"),
        "tie": ("HB-11.1", "HB-7.6"),
        "reroll": ("HB-11.1", "HB-11.2"),
        "choose": ("HB-4.4", "HB-6.2"),
        "shot": ("HB-7.5", "HB-7.6"),
        "free_throw": ("HB-8.1",),
        "inbound": ("HB-9.6",),
        "over": ("HB-1.4",),
    },
)
