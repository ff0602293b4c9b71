"""The power token (chapters 5 and 11): it decides ties, or is spent to throw own dice again."""

from __future__ import annotations

from dataclasses import replace

from companion.games.base import Outcome
from companion.games.hoops21 import contests, free_throws
from companion.games.hoops21.dice_checks import check_symbols, counted
from companion.games.hoops21.events import Reroll, Stand, Token
from companion.games.hoops21.refusing import refusal
from companion.games.hoops21.state import State
from companion.games.hoops21.tables import other


def apply_token(state: State, event: Token) -> tuple[State, Outcome]:
    """The holder wins and hands it over, or keeps it and lets the others win (HB-5.1)."""
    holder, contest = state.holder, state.lying
    winner = holder if event.use else other(holder)
    state = replace(state, token=other(winner) if event.use else holder)
    after = state.token
    state, outcome = contests.decided(state, contest, winner)
    return state, {"holder": holder, "token": after, **outcome}


def check_advanced(state: State) -> None:
    """Dice are thrown again with the advanced token only (HB-11.1)."""
    if not state.setup.advanced:
        raise refusal("HB-11.1")


def check_reroll(state: State, event: Reroll) -> None:
    lying = state.lying.of(state.holder)
    check_symbols(event.kept)
    check_symbols(event.rolled)
    total = len(event.kept) + len(event.rolled)
    if total != sum(lying):
        raise refusal("HB-1.6", "again", n=sum(lying), given=total)
    if not event.rolled:
        raise refusal("HB-11.2", "none")
    if any(kept > lay for kept, lay in zip(counted(event.kept), lying, strict=True)):
        raise refusal("HB-11.2", "kept")


def apply_reroll(state: State, event: Reroll) -> tuple[State, Outcome]:
    """The token goes to the other team at once, then all is compared again (HB-11.4, HB-11.5)."""
    holder = state.holder
    counts = counted(event.kept + event.rolled)
    contest = state.lying.with_dice(holder, counts)
    state = replace(state, token=other(holder))
    outcome: Outcome = {"team": holder, "token": state.token}
    if contest.kind == "free_throw":
        state, end = free_throws.decided(state, counts)
    else:
        compared = contests.compared(state, contest)
        outcome.update(compared)
        state, end = contests.decided(state, contest, compared["leader"] or other(holder))
    return state, {**outcome, **end}


def apply_stand(state: State, event: Stand) -> tuple[State, Outcome]:
    """The dice stay as they lie; the holder is behind, or has missed its free throw (HB-11.3)."""
    holder, contest = state.holder, state.lying
    if contest.kind == "free_throw":
        return free_throws.decided(state, contest.of(holder))
    return contests.decided(state, contest, other(holder))
