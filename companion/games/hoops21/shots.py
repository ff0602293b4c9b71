"""Shots (chapter 7): totals, the step outside the arc, and what a decided shot comes to."""

from __future__ import annotations

from dataclasses import replace

from companion.games.base import Outcome
from companion.games.hoops21 import inbounding
from companion.games.hoops21.events import StepBack
from companion.games.hoops21.refusing import refusal
from companion.games.hoops21.scoring import scored
from companion.games.hoops21.state import Contest, State, balls
from companion.games.hoops21.tables import Side, other

_WORDS = {2: "two", 3: "three"}


def modifier(state: State) -> int:
    """What the pawn's section adds to the attack's balls (HB-7.4)."""
    return state.setup.court.modifier(state.distance)


def points(state: State) -> int:
    """What a shot from the pawn's section is worth (HB-7.2)."""
    return state.setup.court.points(state.distance)


def totals(state: State, contest: Contest) -> tuple[int, int]:
    """Of the attack and of the defence (HB-7.1)."""
    attack, _ = state.on_court
    return balls(contest.of(attack)) + modifier(state), balls(contest.of(other(attack)))


def leader(state: State, contest: Contest) -> Side | None:
    """Who has the higher total; None on a tie (HB-7.6)."""
    attack, _ = state.on_court
    own, against = totals(state, contest)
    if own == against:
        return None
    return attack if own > against else other(attack)


def inside(state: State) -> bool:
    """Whether the pawn lies inside the arc (HB-2.5)."""
    return state.distance <= state.setup.court.arc


def check_step_back(state: State, event: StepBack) -> None:
    if not inside(state):
        raise refusal("HB-7.5")


def stepped_back(state: State) -> State:
    """The pawn just outside the arc (HB-7.5)."""
    attack, _ = state.on_court
    court = state.setup.court
    return replace(state, pawn=court.section(attack, court.arc + 1))


def apply_step_back(state: State, event: StepBack) -> tuple[State, Outcome]:
    state = stepped_back(state)
    return state, {"pawn": state.pawn, "range": points(state)}


def decided(state: State, contest: Contest, winner: Side) -> tuple[State, Outcome]:
    """The shot is in or out; the team that defended inbounds (HB-7.6, HB-7.7)."""
    attack, _ = state.on_court
    made, worth = winner == attack, points(state)
    word = _WORDS[worth]
    names = [f"{word}_tried", f"{word}_made"] if made else [f"{word}_tried"]
    state = replace(state, contest=None, stats=state.counted(attack, *names))
    if made:
        state = scored(state, attack, worth)
    if state.phase != "over":
        state = inbounding.start(state, other(attack))
    return state, {"winner": winner, "made": made, "points": worth if made else 0, "pawn": state.pawn}
