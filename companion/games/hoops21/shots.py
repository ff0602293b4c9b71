"""Shots (chapter 7): totals, the step outside the arc, and the result of a decided shot."""

from __future__ import annotations

from dataclasses import replace

from companion.games.base import Outcome
from companion.games.hoops21 import inbounding
from companion.games.hoops21.events import StepBack
from companion.games.hoops21.refusals import refusal
from companion.games.hoops21.scoring import add_points
from companion.games.hoops21.state import Contest, State, balls
from companion.games.hoops21.tables import Side, opponent

_RANGE_NAMES = {2: "two", 3: "three"}


def modifier(state: State) -> int:
    """Return what the pawn's section adds to the attack's balls (HB-7.4)."""
    return state.setup.court.modifier(state.distance)


def shot_points(state: State) -> int:
    """Return the points of a shot from the pawn's section (HB-7.2)."""
    return state.setup.court.points(state.distance)


def totals(state: State, contest: Contest) -> tuple[int, int]:
    """Return the totals of the attack and of the defence (HB-7.1)."""
    attack, _ = state.attack_and_pawn
    return balls(contest.counts_of(attack)) + modifier(state), balls(contest.counts_of(opponent(attack)))


def leader(state: State, contest: Contest) -> Side | None:
    """Return the side with the higher total, or None in a tie (HB-7.6)."""
    attack, _ = state.attack_and_pawn
    own, against = totals(state, contest)
    if own == against:
        return None
    return attack if own > against else opponent(attack)


def is_inside_arc(state: State) -> bool:
    """Return True if the pawn is inside the arc (HB-2.5)."""
    return state.distance <= state.setup.court.arc


def check_step_back(state: State, event: StepBack) -> None:
    if not is_inside_arc(state):
        raise refusal("HB-7.5")


def move_outside_arc(state: State) -> State:
    """Move the pawn just outside the arc (HB-7.5)."""
    attack, _ = state.attack_and_pawn
    court = state.setup.court
    return replace(state, pawn=court.section(attack, court.arc + 1))


def apply_step_back(state: State, event: StepBack) -> tuple[State, Outcome]:
    state = move_outside_arc(state)
    return state, {"pawn": state.pawn, "range": shot_points(state)}


def resolve_shot(state: State, contest: Contest, winner: Side) -> tuple[State, Outcome]:
    """Resolve the shot as made or missed; the team that defended inbounds (HB-7.6, HB-7.7)."""
    attack, _ = state.attack_and_pawn
    made, worth = winner == attack, shot_points(state)
    range_name = _RANGE_NAMES[worth]
    names = [f"{range_name}_tried", f"{range_name}_made"] if made else [f"{range_name}_tried"]
    state = replace(state, contest=None, stats=state.incremented_stats(attack, *names))
    if made:
        state = add_points(state, attack, worth)
    if state.phase != "over":
        state = inbounding.start(state, opponent(attack))
    return state, {"winner": winner, "made": made, "points": worth if made else 0, "pawn": state.pawn}
