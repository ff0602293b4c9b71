"""Throws and shots of both teams (chapters 3, 4 and 7): who leads, and whether that decides it."""

from __future__ import annotations

from dataclasses import replace

from companion.games.base import Outcome
from companion.games.hoops21 import chart, shots
from companion.games.hoops21.dice_checks import check_both, counted
from companion.games.hoops21.events import JumpBall, Shot, Throw
from companion.games.hoops21.state import ALL_DICE, Contest, State, balls, candidates, highest
from companion.games.hoops21.tables import SIDES, Side, other


def check_jump_ball(state: State, event: JumpBall) -> None:
    check_both(event.orange, event.white, ALL_DICE)


def apply_jump_ball(state: State, event: JumpBall) -> tuple[State, Outcome]:
    """More balls are the attack; the others take the token if nobody holds it (HB-3.2)."""
    orange, white = balls(counted(event.orange)), balls(counted(event.white))
    winner: Side | None = None
    if orange != white:
        winner = "orange" if orange > white else "white"
        state = replace(
            state,
            phase="throw",
            attack=winner,
            pawn=state.setup.court.beyond(winner),
            token=state.token or other(winner),
        )
    return state, {"balls": {"orange": orange, "white": white}, "winner": winner, "pawn": state.pawn}


def check_throw(state: State, event: Throw) -> None:
    check_both(event.orange, event.white, state.dice_next)


def apply_throw(state: State, event: Throw) -> tuple[State, Outcome]:
    contest = Contest("throw", (counted(event.orange), counted(event.white)))
    return _thrown(replace(state, dice_next=ALL_DICE), contest)


def check_shot(state: State, event: Shot) -> None:
    check_both(event.orange, event.white, ALL_DICE)


def apply_shot(state: State, event: Shot) -> tuple[State, Outcome]:
    contest = Contest("shot", (counted(event.orange), counted(event.white)))
    told = {"shooter": state.attack, "range": shots.points(state), "modifier": shots.modifier(state)}
    state, outcome = _thrown(state, contest)
    return state, {**told, **outcome}


def leader(state: State, contest: Contest) -> Side | None:
    """Who is ahead; None on a tie (HB-4.3, HB-7.6)."""
    if contest.kind == "shot":
        return shots.leader(state, contest)
    orange, white = map(highest, contest.dice)
    if orange == white:
        return None
    return "orange" if orange > white else "white"


def compared(state: State, contest: Contest) -> Outcome:
    """The counts or totals of both teams and who leads, as the log shows them."""
    outcome: Outcome = {}
    if contest.kind == "shot":
        outcome["attack_total"], outcome["defence_total"] = shots.totals(state, contest)
    else:
        for side in SIDES:
            counts = contest.of(side)
            outcome[side] = {"count": highest(counts), "symbols": list(candidates(counts))}
    return {**outcome, "leader": leader(state, contest)}


def decided(state: State, contest: Contest, winner: Side) -> tuple[State, Outcome]:
    """A throw or a shot is won."""
    if contest.kind == "shot":
        return shots.decided(state, contest, winner)
    return chart.decided(state, contest, winner)


def _thrown(state: State, contest: Contest) -> tuple[State, Outcome]:
    """Decided at once, but for a tie, and for a holder of the token who is behind and may throw again (HB-11.1)."""
    outcome = compared(state, contest)
    ahead: Side | None = outcome["leader"]
    if ahead is None:
        return replace(state, phase="tie", contest=contest), {**outcome, "winner": None}
    if state.setup.advanced and state.token == other(ahead):
        return replace(state, phase="reroll", contest=contest), {**outcome, "winner": None}
    state, end = decided(state, contest, ahead)
    return state, {**outcome, **end}
