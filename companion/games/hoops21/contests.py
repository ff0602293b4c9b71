"""Throws and shots of both teams (chapters 3, 4 and 7): who leads, and whether that decides the contest."""

from __future__ import annotations

from dataclasses import replace

from companion.games.base import Outcome
from companion.games.hoops21 import chart, shots
from companion.games.hoops21.dice_checks import check_both_teams, count_symbols
from companion.games.hoops21.events import JumpBall, Shot, Throw
from companion.games.hoops21.state import ALL_DICE, Contest, State, balls, highest_count, playable_symbols
from companion.games.hoops21.tables import SIDES, Side, opponent


def check_jump_ball(state: State, event: JumpBall) -> None:
    check_both_teams(event.orange, event.white, ALL_DICE)


def apply_jump_ball(state: State, event: JumpBall) -> tuple[State, Outcome]:
    """Apply the jump ball (HB-3.2).

    The team with more balls attacks; the other one takes the token if nobody holds it.
    """
    orange, white = balls(count_symbols(event.orange)), balls(count_symbols(event.white))
    winner: Side | None = None
    if orange != white:
        winner = "orange" if orange > white else "white"
        state = replace(
            state,
            phase="throw",
            attack=winner,
            pawn=state.setup.court.beyond_half_line(winner),
            token=state.token or opponent(winner),
        )
    return state, {"balls": {"orange": orange, "white": white}, "winner": winner, "pawn": state.pawn}


def check_throw(state: State, event: Throw) -> None:
    check_both_teams(event.orange, event.white, state.dice_next)


def apply_throw(state: State, event: Throw) -> tuple[State, Outcome]:
    contest = Contest("throw", (count_symbols(event.orange), count_symbols(event.white)))
    return _resolve_or_wait(replace(state, dice_next=ALL_DICE), contest)


def check_shot(state: State, event: Shot) -> None:
    check_both_teams(event.orange, event.white, ALL_DICE)


def apply_shot(state: State, event: Shot) -> tuple[State, Outcome]:
    contest = Contest("shot", (count_symbols(event.orange), count_symbols(event.white)))
    shot_info = {"shooter": state.attack, "range": shots.shot_points(state), "modifier": shots.modifier(state)}
    state, outcome = _resolve_or_wait(state, contest)
    return state, {**shot_info, **outcome}


def leader(state: State, contest: Contest) -> Side | None:
    """Return the leading side, or None in a tie (HB-4.3, HB-7.6)."""
    if contest.kind == "shot":
        return shots.leader(state, contest)
    orange, white = map(highest_count, contest.dice)
    if orange == white:
        return None
    return "orange" if orange > white else "white"


def compare(state: State, contest: Contest) -> Outcome:
    """Return the counts or totals of both teams and the leader, as the log shows them."""
    outcome: Outcome = {}
    if contest.kind == "shot":
        outcome["attack_total"], outcome["defence_total"] = shots.totals(state, contest)
    else:
        for side in SIDES:
            counts = contest.counts_of(side)
            outcome[side] = {"count": highest_count(counts), "symbols": list(playable_symbols(counts))}
    return {**outcome, "leader": leader(state, contest)}


def resolve_contest(state: State, contest: Contest, winner: Side) -> tuple[State, Outcome]:
    """Resolve a won throw or shot."""
    if contest.kind == "shot":
        return shots.resolve_shot(state, contest, winner)
    return chart.resolve_throw(state, contest, winner)


def _resolve_or_wait(state: State, contest: Contest) -> tuple[State, Outcome]:
    """Resolve a throw at once, except in a tie, or if the token holder is behind and may reroll (HB-11.1)."""
    outcome = compare(state, contest)
    ahead: Side | None = outcome["leader"]
    if ahead is None:
        return replace(state, phase="tie", contest=contest), {**outcome, "winner": None}
    if state.setup.advanced and state.token == opponent(ahead):
        return replace(state, phase="reroll", contest=contest), {**outcome, "winner": None}
    state, end = resolve_contest(state, contest, ahead)
    return state, {**outcome, **end}


def is_lost_by_reroll(state: State) -> bool:
    """Return True if the winner who chooses now won a level throw because the other team had thrown again (HB-11.5).

    Deciding a tie leaves the token with the loser; a reroll hands it to the other team.
    """
    contest = state.open_contest
    return leader(state, contest) is None and state.token == contest.winner
