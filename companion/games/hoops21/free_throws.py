"""Free throws (chapter 8): the winner alone rolls, once or twice."""

from __future__ import annotations

from dataclasses import replace

from companion.games.base import Outcome
from companion.games.hoops21 import inbounding
from companion.games.hoops21.dice_checks import check_dice, count_symbols
from companion.games.hoops21.events import FreeThrow
from companion.games.hoops21.refusals import refusal
from companion.games.hoops21.scoring import add_points
from companion.games.hoops21.state import NO_DICE, Contest, Counts, FreeThrows, State, balls
from companion.games.hoops21.tables import (
    DICE,
    FREE_THROW_BALLS,
    FREE_THROW_POINTS,
    MAX_FREE_THROWS,
    Side,
    opponent,
    side_index,
)


def current_free_throws(state: State) -> FreeThrows:
    """Return the free throws of phase `free_throw`, and of `reroll` after a missed one."""
    if state.free_throws is None:
        raise ValueError("no free throws")
    return state.free_throws


def check_free_throw(state: State, event: FreeThrow) -> None:
    team = current_free_throws(state).team
    dice = event.dice[side_index(team)]
    if not event.given[side_index(team)]:
        raise refusal("HB-1.2", "missing_field", event="free_throw", field=team)
    if dice is None:
        raise refusal("HB-1.2", "value", event="free_throw", field=team)
    if event.given[side_index(opponent(team))]:
        raise refusal("HB-8.1", team=state.setup.name(team))
    check_dice(dice, DICE)


def apply_free_throw(state: State, event: FreeThrow) -> tuple[State, Outcome]:
    shooting = current_free_throws(state)
    counts = count_symbols(event.dice[side_index(shooting.team)] or ())
    if is_made(counts) or not state.setup.advanced or state.token != shooting.team:
        return resolve_free_throw(state, counts)
    contest = Contest("free_throw", (NO_DICE, NO_DICE)).with_dice(shooting.team, counts)
    state = replace(state, phase="reroll", contest=contest)
    return state, _outcome(shooting, counts, None, 0, state)


def is_made(counts: Counts) -> bool:
    return balls(counts) >= FREE_THROW_BALLS


def resolve_free_throw(state: State, counts: Counts) -> tuple[State, Outcome]:
    """Resolve a free throw as made or missed; then a second one or inbounding follows (HB-8.2, HB-8.3)."""
    shooting = current_free_throws(state)
    team, good = shooting.team, is_made(counts)
    names = ("ft_tried", "ft_made") if good else ("ft_tried",)
    state = replace(state, contest=None, stats=state.incremented_stats(team, *names))
    points = FREE_THROW_POINTS if good else 0
    if good:
        state = add_points(state, team, points)
    if state.phase != "over":
        state = _next(state, team, shooting.number if good else MAX_FREE_THROWS)
    return state, _outcome(shooting, counts, good, points, state)


def _next(state: State, team: Side, number: int) -> State:
    if number < MAX_FREE_THROWS:
        return replace(state, phase="free_throw", free_throws=FreeThrows(team, number + 1))
    return inbounding.start(state, opponent(team))


def _outcome(shooting: FreeThrows, counts: Counts, good: bool | None, points: int, state: State) -> Outcome:
    thrown = {"team": shooting.team, "number": shooting.number, "balls": balls(counts)}
    return {**thrown, "made": good, "points": points, "pawn": state.pawn}
