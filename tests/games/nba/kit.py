"""Kit for NBA rule tests: a catalogue with a card for every purpose, and a match driver that plays and checks
events."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from companion.games.base import Refusal
from companion.games.nba import turns
from companion.games.nba.rulebook import RULEBOOK
from companion.games.nba.setup import read_header
from companion.games.nba.state import State
from companion.games.nba.view import view

COLOUR_LETTERS = {"b": "blue", "y": "yellow", "r": "red"}


def player(positions: str, role: str = "nba", cost: int = 3, value: int = 1, **stats: Any) -> dict[str, Any]:
    """Return a player card; `positions` are words separated by spaces, `stats` skills, `iq`, `rebounds`, `decisive`."""
    return {"kind": "player", "positions": positions.split(), "role": role, "cost": cost, "value": value, **stats}


def tactic(type_: str, complexity: int, cost: int = 0, base: bool = False, **keep: int) -> dict[str, Any]:
    """Return a tactic card; `keep` is the number of dice kept of each skill."""
    card = {"kind": "tactic", "type": type_, "complexity": complexity, "keep": keep, "cost": cost, "value": 1}
    return {**card, "base": base}


STARTERS = {
    "s-pg": player("pg", "starter", 0, 2, iq=2, three_points=1, penetration=1, interception=1),
    "s-sg": player("sg", "starter", 0, 2, iq=1, three_points=2, interception=1, stop=1),
    "s-sf": player("sf", "starter", 0, 2, iq=1, penetration=2, block=1, rebounds=1),
    "s-pf": player("pf", "starter", 0, 2, iq=1, inside=1, block=1, stop=1, rebounds=1),
    "s-c": player("c", "starter", 0, 2, iq=1, inside=2, stop=1, rebounds=2),
}
SUBSTITUTES = {
    "b-pg": player("pg", "substitute", 0, 1, iq=1, penetration=1),
    "b-sg": player("sg", "substitute", 0, 1, three_points=1),
    "b-sg2": player("sg", "substitute", 0, 1, interception=2),
    "b-sf": player("sf", "substitute", 0, 1, inside=1, interception=1),
    "b-pf": player("pf", "substitute", 0, 1, rebounds=3),
    "b-pf2": player("pf c", "substitute", 0, 1, block=2),
    "b-c": player("c", "substitute", 0, 1, inside=1),
}
NBA_PLAYERS = {
    "n-ace": player("pg sg", cost=4, iq=2, three_points=2, penetration=1, interception=1),
    "n-big": player("pf c", cost=4, iq=1, inside=3, three_points=2, rebounds=4),
    "n-wing": player("sf pf", cost=3, iq=1, penetration=2, block=1, stop=1, rebounds=1),
    "n-lead": player("pg", cost=3, iq=3, penetration=2, interception=2, rebounds=1),
    "n-star": player("pg sg", cost=8, iq=3, three_points=5, penetration=2, decisive=True),
    "n-wall": player("c", cost=5, block=3, stop=2, rebounds=7),
}
BASE_TACTICS = {
    "t-out": tactic("offence", 3, base=True, three_points=2),
    "t-drive": tactic("offence", 3, base=True, penetration=2),
    "t-post": tactic("offence", 3, base=True, inside=2),
    "t-switch": tactic("defence", 1, base=True, interception=1, stop=1),
    "t-trap": tactic("defence", 1, base=True, block=1, stop=1),
}
TACTICS = {
    "t-five": tactic("offence", 5, 2, three_points=3),
    "t-mixed": tactic("offence", 5, 2, inside=2, penetration=1),
    "t-hard": tactic("offence", 7, 5, three_points=2, inside=2),
    "t-wall": tactic("defence", 3, 3, block=2, stop=1),
    "t-zone": tactic("defence", 5, 4, interception=2, stop=2),
}
CARDS = {**STARTERS, **SUBSTITUTES, **NBA_PLAYERS, **BASE_TACTICS, **TACTICS}
COURT = {"pg": "s-pg", "sg": "s-sg", "sf": "s-sf", "pf": "s-pf", "c": "s-c"}
"""Six dice sums of 3, 3, 3, 2, 2, 3 in the order of NBA-2.2, collective level 6, rebounds 4."""
ROSTER = {"court": COURT, "bench": list(SUBSTITUTES), "tactics": list(BASE_TACTICS)}
NAMES = {"ann": "Anne", "ben": "Benoît", "cat": "Chloé", "dan": "Damien"}


def header(*sides: str, **setup: Any) -> dict[str, Any]:
    """Return a header of these sides (`ann` and `ben` by default)."""
    named = {side: {"name": NAMES[side]} for side in sides or ("ann", "ben")}
    return {"journal": 1, "game": "nba", "sides": named, "setup": setup}


def full(*sides: str, **setup: Any) -> dict[str, Any]:
    """Return a header of level `full`: all sides start with the same court, bench and tactics."""
    rosters = dict.fromkeys(sides or ("ann", "ben"), ROSTER)
    return header(*sides, **{"level": "full", "cards": CARDS, "rosters": rosters, **setup})


def solo(resources: int = 2, profile: Any = "drivers", first: str = "ann", **setup: Any) -> dict[str, Any]:
    """Return a solo header: Anne against the solo opponent `ben`."""
    opponent = {"side": "ben", "resources": resources, "profile": profile}
    return full(first=first, solo=opponent, **setup)


def dice(text: str) -> list[dict[str, Any]]:
    """Parse dice into journal format: `three_points 9 2 0, stop 3y 0` with the first letter of a number's colour."""
    found = []
    for group in text.split(",") if text else ():
        kind, *values = group.split()
        for value in values:
            die: dict[str, Any] = {"die": kind, "value": int(value.rstrip("byr"))}
            if value[-1] in COLOUR_LETTERS:
                die["colour"] = COLOUR_LETTERS[value[-1]]
            found.append(die)
    return found


def rule_of_header(head: dict[str, Any]) -> str | None:
    """Return the rule by which a header is refused, or None if it is accepted."""
    try:
        read_header(head)
    except Refusal as refusal:
        return refusal.rule
    return None


class Match:
    """A match in progress. An illegal event fails the test; `refused` returns the rule that an event breaks."""

    def __init__(self, head: dict[str, Any] | None = None) -> None:
        self.state: State = turns.initial_state(read_header(head or header()))

    def play(self, event: str, **fields: Any) -> dict[str, Any]:
        """Play an event and return its outcome."""
        parsed = RULEBOOK.parse({"event": event, **fields})
        RULEBOOK.validate(self.state, parsed)
        self.state, outcome = RULEBOOK.apply(self.state, parsed)
        return outcome

    def refused(self, event: str, **fields: Any) -> str | None:
        """Return the rule by which an event is refused now, or None if it is legal; the state does not change."""
        try:
            RULEBOOK.validate(self.state, RULEBOOK.parse({"event": event, **fields}))
        except Refusal as refusal:
            return refusal.rule
        return None

    @property
    def view(self) -> dict[str, Any]:
        return view(self.state)

    def pass_turns(self, count: int = 1) -> Match:
        """Play `count` turns in which only the end of the turn is logged."""
        for _ in range(count):
            self.play("end_turn")
        return self

    def reshape(self, side: str, **changes: Any) -> Match:
        """Modify a side's team directly, for situations that only occur in long matches."""
        team = replace(self.state.team(side), **changes)
        self.state = replace(self.state, teams=self.state.with_teams(team))
        return self
