"""Predefined tournament plans for tests."""

from __future__ import annotations

from companion.games.registry import SPECS
from companion.tournament.planning import stage_of
from companion.tournament.values import Plan, Stage


def round_robin(name: str, game: str, *, legs: int = 1) -> Plan:
    """Return a round robin of one or two legs."""
    return _plan(name, game, Stage("round_robin", legs=legs))


def footclub_league(name: str) -> Plan:
    """Return a league of four clubs with six matchdays; each pair plays home and away (FC-17.1)."""
    return _plan(name, "footclub", Stage("round_robin", legs=2))


def swiss(name: str, game: str, rounds: int) -> Plan:
    """Return a Swiss tournament: entries with similar points meet, in `rounds` rounds."""
    return _plan(name, game, Stage("swiss", rounds=rounds))


def knock_out(name: str, game: str, *, legs: int = 1, final_legs: int = 1, third_place: bool = True) -> Plan:
    """Return a single elimination; ties of two legs exist in FootClub only (chapter 16)."""
    return _plan(name, game, Stage("knock_out", legs=legs, final_legs=final_legs, third_place=third_place))


def double_knock_out(name: str, game: str, *, reset: bool = True) -> Plan:
    """Return a double elimination."""
    return _plan(name, game, Stage("double_knock_out", reset=reset))


def groups_then_knock_out(name: str, game: str, groups: int, advance: int, *, third_place: bool = True) -> Plan:
    """Return a group stage; the best of each group advance to a knock-out."""
    return _plan(
        name,
        game,
        Stage("round_robin", groups=groups, advance=advance),
        Stage("knock_out", third_place=third_place),
    )


def nba_legacy(name: str, thresholds: tuple[int, ...], *, third_place: bool = False) -> Plan:
    """Return a knock-out where sides keep cards from round to round, up to each round's threshold (NBA-13.2)."""
    return _plan(name, "nba", Stage("knock_out", thresholds=thresholds, third_place=third_place))


def _plan(name: str, game: str, *stages: Stage) -> Plan:
    return Plan(name, game, tuple(stage_of(game, stage) for stage in stages), minutes=SPECS[game].tournament.minutes)
