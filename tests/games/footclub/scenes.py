"""Matches used by the tests of descriptions and figures: one scripted, and random ones."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from companion.games.footclub import FOOTCLUB
from companion.games.footclub.squads import header, sample_clubs
from companion.games.footclub.state import State

CLUBS = {club.name: club for club in sample_clubs()}


def states(seed: int) -> Iterator[State]:
    """Yield the situations of one random match, including the last one."""
    random = Random(seed)
    state = FOOTCLUB.initial_state(FOOTCLUB.random_header(random))
    yield state
    while not FOOTCLUB.finished(state):
        state, _ = FOOTCLUB.apply(state, FOOTCLUB.parse(FOOTCLUB.random_event(state, random)))
        yield state


def match() -> State:
    """Return Valcendre against Port-Mélian before the match."""
    return FOOTCLUB.initial_state(header(CLUBS["Valcendre"], CLUBS["Port-Mélian"]))


VALCENDRE = {
    "fb": ["vc-castaing", "vc-ferrier"],
    "cb": ["vc-brandt", "vc-vidal"],
    "dm": ["vc-lescure"],
    "am": ["vc-marchal", "vc-delmas", "vc-almas"],
    "fw": ["vc-garance", "vc-norvan"],
}
PORT_MELIAN = {
    "fb": ["pm-solane", "pm-kelm"],
    "cb": ["pm-barsac", "pm-falk"],
    "dm": ["pm-castel", "pm-osty"],
    "am": ["pm-vannier", "pm-perrault"],
    "fw": ["pm-drouhin", "pm-moran"],
}
KICK_OFF: list[dict[str, Any]] = [
    {"event": "team_sheet", "side": "blue", "lineup": VALCENDRE, "captain": "vc-garance"},
    {"event": "team_sheet", "side": "red", "lineup": PORT_MELIAN, "captain": "pm-barsac"},
    {"event": "tactics", "side": "blue"},
    {"event": "tactics", "side": "red"},
    {"event": "ball", "colour": "yellow"},
]
"""Red, away, kicks off; both tactical choices are secret."""


def played(*events: dict[str, Any]) -> tuple[State, dict[str, Any], dict[str, Any]]:
    """Return the state after these events, with the last event and its outcome."""
    state, outcome = match(), {}
    for fields in events:
        event = FOOTCLUB.parse(fields)
        FOOTCLUB.validate(state, event)
        state, outcome = FOOTCLUB.apply(state, event)
    return state, events[-1], outcome


ATTACK = [
    {"event": "tackle", "side": "blue", "section": "dm_l"},
    {"event": "roll", "dice": [4, 5]},
    {"event": "leave", "side": "red"},
    {"event": "offensive", "side": "blue", "kind": "positional_attack", "section": "fw_l"},
]
