"""The numbers of each game's tournaments as data: points, tie-break chains, lengths of matches, sides.

FootClub's are FC-17.1 and FC-17.3. The other three rulebooks say nothing of tables: NBA ranks by matches won, then by
the difference (NBA-11.3); the rest, and every score of a forfeit but FootClub's, is our choice.
"""

from __future__ import annotations

from dataclasses import replace

from companion.tournament.values import Points, Stage

POINTS: dict[str, Points] = {
    "footclub": Points(win=3, draw=1, loss=0, bye=3, forfeit=(3, 0)),
    "occasion": Points(win=3, draw=1, loss=0, bye=3, forfeit=(3, 0)),
    "nba": Points(win=2, draw=1, loss=0, bye=2, forfeit=(20, 0)),
    "hoops21": Points(win=2, draw=1, loss=0, bye=2, forfeit=(21, 0)),
}

CHAINS: dict[str, tuple[str, ...]] = {
    "footclub": ("points", "difference", "scored", "direct_points"),
    "occasion": ("points", "difference", "scored", "direct_points"),
    "nba": ("points", "difference", "scored", "direct_points"),
    "hoops21": ("points", "direct_points", "difference", "scored"),
}
"""What parts those who are level, first to last (FC-17.3), in a round robin."""

SWISS_CHAIN = ("points", "buchholz_cut1", "buchholz", "sonneborn", "direct_points", "difference", "scored")

MINUTES = {"footclub": 60, "occasion": 45, "nba": 60, "hoops21": 30}
"""The first guess of a match's length; what is observed soon outweighs it."""

GAME_SIDES: dict[str, tuple[str, str]] = {
    "footclub": ("blue", "red"),
    "hoops21": ("orange", "white"),
    "occasion": ("home", "away"),
    "nba": ("home", "away"),
}
"""The game's side that plays at home, then the other."""


def stage_of(game: str, stage: Stage) -> Stage:
    """A stage with the points of a game, and its chain."""
    return replace(stage, points=POINTS[game], chain=SWISS_CHAIN if stage.kind == "swiss" else CHAINS[game])
