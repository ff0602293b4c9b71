"""How a match ends: by points, by a draw, by concession, with the ranking of three and four; rulings on the way."""

from __future__ import annotations

from dataclasses import replace

from companion.games.base import Outcome
from companion.games.nba import events as ev
from companion.games.nba.known import check_side, wrong
from companion.games.nba.refusing import refusal
from companion.games.nba.state import Result, State


def finished_period(state: State) -> State:
    """After the last ultimate turn: over, or tied with two sides (NBA-8.5, 8.6, 11.3)."""
    if len(state.teams) > 2:
        order = ranking(state)
        ahead = standing(state, order[0]) > standing(state, order[1])
        return replace(state, phase="over", result=Result(order[0] if ahead else None, order))
    one, two = state.matches[0]
    if one == two:
        return replace(state, phase="tied")
    return replace(state, phase="over", result=Result(state.setup.sides[0 if one > two else 1]))


def ranking(state: State) -> tuple[str, ...]:
    """The sides by matches won, then by difference, then in header order (NBA-11.3)."""
    return tuple(sorted(state.setup.sides, key=lambda side: standing(state, side), reverse=True))


def standing(state: State, side: str) -> tuple[int, int]:
    """Matches won and points scored minus conceded."""
    results = [(state.points(side, other), state.points(other, side)) for other in state.setup.opponents(side)]
    return sum(own > theirs for own, theirs in results), sum(own - theirs for own, theirs in results)


def check_accept_draw(state: State, event: ev.AcceptDraw) -> None:
    """Nothing beyond its phase."""


def apply_accept_draw(state: State, event: ev.AcceptDraw) -> tuple[State, Outcome]:
    """NBA-8.6."""
    return replace(state, phase="over", result=Result(None)), {"winner": None}


def check_concede(state: State, event: ev.Concede) -> None:
    """NBA-1.2, then NBA-15.2."""
    check_side(state, event.side)
    if len(state.teams) > 2:
        raise refusal("NBA-15.2")


def apply_concede(state: State, event: ev.Concede) -> tuple[State, Outcome]:
    """The other side wins; dice zones stay as they are (NBA-15.2)."""
    winner = state.setup.after(event.side)
    state = replace(state, phase="over", active=None, last=None, done=(), roll=None, result=Result(winner))
    return state, {"winner": winner}


def check_ruling(state: State, event: ev.Ruling) -> None:
    """NBA-1.2, then NBA-15.1."""
    for award in event.points:
        check_side(state, award.side)
        check_side(state, award.against, "against")
        if award.side == award.against:
            raise wrong("against")
    if not event.text.strip():
        raise refusal("NBA-15.1", "text")
    if any(min(points) < 0 for points in _after(state, event).matches):
        raise refusal("NBA-15.1", "negative")


def apply_ruling(state: State, event: ev.Ruling) -> tuple[State, Outcome]:
    state = _after(state, event)
    return state, {"score": {side: state.score(side) for side in state.setup.sides}}


def _after(state: State, event: ev.Ruling) -> State:
    for award in event.points:
        state = replace(state, matches=state.scored(award.side, award.against, award.points))
    return state
