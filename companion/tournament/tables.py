"""The numbers of each game's tournaments as data: points, tie-break chains, and the formats offered ready made.

FootClub's are FC-17.1 and FC-17.3. The other three rulebooks say nothing of tables: NBA ranks by matches won, then by
the difference (NBA-11.3); the rest, and every score of a forfeit but FootClub's, is our choice.
"""

from __future__ import annotations

from dataclasses import replace

from companion.tournament.values import Plan, Points, Stage

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

LEAGUE_CLUBS = 4
"""Clubs of a FootClub league (FC-17.1)."""


def stage_of(game: str, stage: Stage) -> Stage:
    """A stage with the points of a game, and its chain."""
    return replace(stage, points=POINTS[game], chain=SWISS_CHAIN if stage.kind == "swiss" else CHAINS[game])


def round_robin(name: str, game: str, *, legs: int = 1) -> Plan:
    """Everyone against everyone, once or twice."""
    return _plan(name, game, Stage("round_robin", legs=legs))


def footclub_league(name: str) -> Plan:
    """Four clubs, six matchdays, each pair at home and away (FC-17.1)."""
    return _plan(name, "footclub", Stage("round_robin", legs=2))


def swiss(name: str, game: str, rounds: int) -> Plan:
    """Those of like points meet, in so many rounds."""
    return _plan(name, game, Stage("swiss", rounds=rounds))


def knock_out(name: str, game: str, *, legs: int = 1, final_legs: int = 1, third_place: bool = True) -> Plan:
    """Who loses a tie is out; ties of two legs are FootClub's (chapter 16)."""
    return _plan(name, game, Stage("knock_out", legs=legs, final_legs=final_legs, third_place=third_place))


def double_knock_out(name: str, game: str, *, reset: bool = True) -> Plan:
    """Who loses twice is out."""
    return _plan(name, game, Stage("double_knock_out", reset=reset))


def groups_then_knock_out(name: str, game: str, groups: int, advance: int, *, third_place: bool = True) -> Plan:
    """Groups of everyone against everyone; the first of each go on to a knock-out."""
    return _plan(
        name,
        game,
        Stage("round_robin", groups=groups, advance=advance),
        Stage("knock_out", third_place=third_place),
    )


def nba_legacy(name: str, thresholds: tuple[int, ...], *, third_place: bool = False) -> Plan:
    """A knock-out in which each side keeps cards from round to round, up to each round's threshold (NBA-13.2)."""
    return _plan(name, "nba", Stage("knock_out", thresholds=thresholds, third_place=third_place))


def _plan(name: str, game: str, *stages: Stage) -> Plan:
    return Plan(name, game, tuple(stage_of(game, stage) for stage in stages), minutes=MINUTES[game])
