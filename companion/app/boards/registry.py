"""Which panel draws which game's board, and how high it stands."""

from __future__ import annotations

from dataclasses import dataclass

from companion.app.boards.footclub import FootClubPanel
from companion.app.boards.hoops21 import HoopsPanel
from companion.app.boards.nba import NbaPanel
from companion.app.boards.occasion import OccasionPanel
from companion.app.boards.panel import BoardPanel
from companion.app.screens.table_state import LANDSCAPE_FITS
from companion.games.footclub.scene_board import FootClubBoard
from companion.games.hoops21.scene_board import HoopsBoard
from companion.games.nba.scene_board import NbaBoard
from companion.games.occasion.scene_board import OccasionBoard


@dataclass(frozen=True, slots=True)
class Panel:
    """`make` is called with the board, the sides from left to right, the sides that may act and the score shown before.

    What it makes is kept for the match: its `show` takes the same for another state.

    Heights in dp (SCREENS 9): `landscape`, `low` when the screen is lower than 460 dp, `portrait`. Beside it so many
    choices of a side have room (`fits`) on a screen that lies.
    """

    make: type[BoardPanel]
    landscape: int = 120
    low: int = 104
    portrait: int = 156
    fits: int = LANDSCAPE_FITS


PANELS: dict[type, Panel] = {
    FootClubBoard: Panel(FootClubPanel),
    NbaBoard: Panel(NbaPanel),
    HoopsBoard: Panel(HoopsPanel, landscape=158, low=142, portrait=216, fits=3),
    OccasionBoard: Panel(OccasionPanel, landscape=148, low=132, portrait=200),
}
"""The panel for each game's kind of board."""
