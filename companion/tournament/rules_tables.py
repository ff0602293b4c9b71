"""Tables: a match is called to one, the call is taken back, a table is closed and opened."""

from __future__ import annotations

from dataclasses import replace

from companion.tournament import facts as fa
from companion.tournament.course import course
from companion.tournament.naming import match_name
from companion.tournament.refusing import refusal
from companion.tournament.rules_results import match_of, open_match
from companion.tournament.state import State


def check_call(state: State, fact: fa.Call) -> None:
    """A match with both sides known, to a table that is free, of entries that are not playing."""
    _check_known(state, fact.table)
    match = open_match(state, fact.match)
    if match.status != "ready":
        raise refusal("not_ready", match=match_name(state, match), table=match.table)
    if fact.table in state.closed:
        raise refusal("table_closed", table=fact.table)
    if any(call.table == fact.table for call in state.calls.values()):
        raise refusal("table_busy", table=fact.table)
    matches = course(state).matches
    playing = {seat for id in state.calls for seat in matches[id].seats}
    if playing & set(match.seats):
        raise refusal("entry_busy", match=match_name(state, match))


def apply_call(state: State, fact: fa.Call) -> State:
    """The match is at the table."""
    return replace(state, calls={**state.calls, fact.match: fact})


def check_uncall(state: State, fact: fa.Uncall) -> None:
    """Only a match that was called."""
    match = match_of(state, fact.match)
    if fact.match not in state.calls:
        raise refusal("not_called", match=match_name(state, match))


def apply_uncall(state: State, fact: fa.Uncall) -> State:
    """The match waits again."""
    return replace(state, calls={id: call for id, call in state.calls.items() if id != fact.match})


def check_table(state: State, fact: fa.Table) -> None:
    """A table of the plan. One that is played at may be closed: the match there goes on to its end."""
    _check_known(state, fact.table)


def apply_table(state: State, fact: fa.Table) -> State:
    """The table is closed or open."""
    closed = set(state.closed) - {fact.table} | (set() if fact.open else {fact.table})
    return replace(state, closed=tuple(sorted(closed)))


def _check_known(state: State, table: int) -> None:
    if table > state.plan.tables:
        raise refusal("unknown_table", table=table, tables=state.plan.tables)
