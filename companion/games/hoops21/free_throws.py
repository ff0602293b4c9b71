"""Free throws (chapter 8): the winner alone throws, once or twice."""

from __future__ import annotations

from dataclasses import replace

from companion.games.base import Outcome
from companion.games.hoops21 import inbounding
from companion.games.hoops21.dice_checks import check_dice, counted
from companion.games.hoops21.events import FreeThrow
from companion.games.hoops21.refusing import refusal
from companion.games.hoops21.scoring import scored
from companion.games.hoops21.state import NO_DICE, Contest, Counts, FreeThrows, State, balls
from companion.games.hoops21.tables import DICE, FREE_THROW_BALLS, FREE_THROW_POINT, FREE_THROWS, Side, index_of, other


def under_way(state: State) -> FreeThrows:
    """The free throws of phase `free_throw`, and of `reroll` after a missed one."""
    if state.free_throws is None:
        raise ValueError("no free throws")
    return state.free_throws


def check_free_throw(state: State, event: FreeThrow) -> None:
    team = under_way(state).team
    dice = event.dice[index_of(team)]
    if not event.given[index_of(team)]:
        raise refusal("HB-1.2", "missing_field", event="free_throw", field=team)
    if dice is None:
        raise refusal("HB-1.2", "value", event="free_throw", field=team)
    if event.given[index_of(other(team))]:
        raise refusal("HB-8.1", team=state.setup.name(team))
    check_dice(dice, DICE)


def apply_free_throw(state: State, event: FreeThrow) -> tuple[State, Outcome]:
    shooting = under_way(state)
    counts = counted(event.dice[index_of(shooting.team)] or ())
    if made(counts) or not state.setup.advanced or state.token != shooting.team:
        return decided(state, counts)
    contest = Contest("free_throw", (NO_DICE, NO_DICE)).with_dice(shooting.team, counts)
    state = replace(state, phase="reroll", contest=contest)
    return state, _outcome(shooting, counts, None, 0, state)


def made(counts: Counts) -> bool:
    return balls(counts) >= FREE_THROW_BALLS


def decided(state: State, counts: Counts) -> tuple[State, Outcome]:
    """A free throw is in or missed; then a second one, or inbounding (HB-8.2, HB-8.3)."""
    shooting = under_way(state)
    team, good = shooting.team, made(counts)
    names = ("ft_tried", "ft_made") if good else ("ft_tried",)
    state = replace(state, contest=None, stats=state.counted(team, *names))
    points = FREE_THROW_POINT if good else 0
    if good:
        state = scored(state, team, points)
    if state.phase != "over":
        state = _next(state, team, shooting.number if good else FREE_THROWS)
    return state, _outcome(shooting, counts, good, points, state)


def _next(state: State, team: Side, number: int) -> State:
    if number < FREE_THROWS:
        return replace(state, phase="free_throw", free_throws=FreeThrows(team, number + 1))
    return inbounding.start(state, other(team))


def _outcome(shooting: FreeThrows, counts: Counts, good: bool | None, points: int, state: State) -> Outcome:
    thrown = {"team": shooting.team, "number": shooting.number, "balls": balls(counts)}
    return {**thrown, "made": good, "points": points, "pawn": state.pawn}
