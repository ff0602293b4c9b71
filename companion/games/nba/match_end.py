"""The ways to end a match: by points, draw or concession, with the ranking of three and four sides; also rulings."""

from __future__ import annotations

from dataclasses import replace

from companion.games.base import Outcome
from companion.games.nba import events as ev
from companion.games.nba.card_lookup import check_side, invalid_field
from companion.games.nba.refusals import refusal
from companion.games.nba.state import Result, State


def end_period(state: State) -> State:
    """Return the state after the last ultimate turn: over, or tied with two sides (NBA-8.5, 8.6, 11.3)."""
    if len(state.teams) > 2:
        order = ranking(state)
        ahead = ranking_key(state, order[0]) > ranking_key(state, order[1])
        return replace(state, phase="over", result=Result(order[0] if ahead else None, order))
    one, two = state.matches[0]
    if one == two:
        return replace(state, phase="tied")
    return replace(state, phase="over", result=Result(state.setup.sides[0 if one > two else 1]))


def ranking(state: State) -> tuple[str, ...]:
    """Return the sides by matches won, then by difference, then in header order (NBA-11.3)."""
    return tuple(sorted(state.setup.sides, key=lambda side: ranking_key(state, side), reverse=True))


def ranking_key(state: State, side: str) -> tuple[int, int]:
    """Return the matches won, and points scored minus conceded."""
    results = [(state.points(side, other), state.points(other, side)) for other in state.setup.opponents(side)]
    return sum(own > theirs for own, theirs in results), sum(own - theirs for own, theirs in results)


def check_accept_draw(state: State, event: ev.AcceptDraw) -> None:
    """Check nothing beyond the phase."""


def apply_accept_draw(state: State, event: ev.AcceptDraw) -> tuple[State, Outcome]:
    """End the match with a draw (NBA-8.6)."""
    return replace(state, phase="over", result=Result(None)), {"winner": None}


def check_concede(state: State, event: ev.Concede) -> None:
    """Check NBA-1.2, then NBA-15.2. Raises: Refusal."""
    check_side(state, event.side)
    if len(state.teams) > 2:
        raise refusal("NBA-15.2")


def apply_concede(state: State, event: ev.Concede) -> tuple[State, Outcome]:
    """End the match: the other side wins; dice zones do not change (NBA-15.2)."""
    winner = state.setup.next_side(event.side)
    state = replace(state, phase="over", active=None, last=None, done=(), roll=None, result=Result(winner))
    return state, {"winner": winner}


def check_ruling(state: State, event: ev.Ruling) -> None:
    """Check NBA-1.2, then NBA-15.1. Raises: Refusal."""
    for award in event.points:
        check_side(state, award.side)
        check_side(state, award.against, "against")
        if award.side == award.against:
            raise invalid_field("against")
    if not event.text.strip():
        raise refusal("NBA-15.1", "text")
    if any(min(points) < 0 for points in _after(state, event).matches):
        raise refusal("NBA-15.1", "negative")


def apply_ruling(state: State, event: ev.Ruling) -> tuple[State, Outcome]:
    state = _after(state, event)
    return state, {"score": {side: state.score(side) for side in state.setup.sides}}


def _after(state: State, event: ev.Ruling) -> State:
    for award in event.points:
        state = replace(state, matches=state.with_points(award.side, award.against, award.points))
    return state
