"""The power token (chapters 5 and 11): it decides ties, or is spent to reroll own dice."""

from __future__ import annotations

from dataclasses import replace

from companion.games.base import Outcome
from companion.games.hoops21 import contests, free_throws
from companion.games.hoops21.dice_checks import check_symbols, count_symbols
from companion.games.hoops21.events import Reroll, Stand, Token
from companion.games.hoops21.refusals import refusal
from companion.games.hoops21.state import State
from companion.games.hoops21.tables import opponent


def apply_token(state: State, event: Token) -> tuple[State, Outcome]:
    """Apply the token: the holder wins and hands it over, or keeps it and lets the other team win (HB-5.1)."""
    holder, contest = state.token_holder, state.open_contest
    winner = holder if event.use else opponent(holder)
    state = replace(state, token=opponent(winner) if event.use else holder)
    after = state.token
    state, outcome = contests.resolve_contest(state, contest, winner)
    return state, {"holder": holder, "token": after, **outcome}


def check_advanced(state: State) -> None:
    """Check that the advanced token is played, which rerolls need (HB-11.1). Raises: Refusal."""
    if not state.setup.advanced:
        raise refusal("HB-11.1")


def check_reroll(state: State, event: Reroll) -> None:
    on_table = state.open_contest.counts_of(state.token_holder)
    check_symbols(event.kept)
    check_symbols(event.rolled)
    total = len(event.kept) + len(event.rolled)
    if total != sum(on_table):
        raise refusal("HB-1.6", "again", n=sum(on_table), given=total)
    if not event.rolled:
        raise refusal("HB-11.2", "none")
    if any(kept > available for kept, available in zip(count_symbols(event.kept), on_table, strict=True)):
        raise refusal("HB-11.2", "kept")


def apply_reroll(state: State, event: Reroll) -> tuple[State, Outcome]:
    """Apply a reroll: the token goes to the other team at once, then all is compared again (HB-11.4, HB-11.5)."""
    holder = state.token_holder
    counts = count_symbols(event.kept + event.rolled)
    contest = state.open_contest.with_dice(holder, counts)
    state = replace(state, token=opponent(holder))
    outcome: Outcome = {"team": holder, "token": state.token}
    if contest.kind == "free_throw":
        state, end = free_throws.resolve_free_throw(state, counts)
    else:
        compared = contests.compare(state, contest)
        outcome.update(compared)
        state, end = contests.resolve_contest(state, contest, compared["leader"] or opponent(holder))
    return state, {**outcome, **end}


def apply_stand(state: State, event: Stand) -> tuple[State, Outcome]:
    """Let the dice stand; the holder is behind, or has missed its free throw (HB-11.3)."""
    holder, contest = state.token_holder, state.open_contest
    if contest.kind == "free_throw":
        return free_throws.resolve_free_throw(state, contest.counts_of(holder))
    return contests.resolve_contest(state, contest, opponent(holder))
