"""What may be recorded of a tournament and when: `decide` gives the refusal or None, `apply` the state after a fact.

`apply` never refuses: what stands in the journal was decided before. Each refusal names its reason (`refusing`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from companion.games.base import Refusal
from companion.tournament import facts as fa
from companion.tournament import rules_draw, rules_entries, rules_results, rules_tables
from companion.tournament.state import State, begin
from companion.tournament.values import Plan

_RULES: dict[type[fa.Fact], tuple[Callable[[State, Any], None], Callable[[State, Any], State]]] = {
    fa.Enter: (rules_entries.check_enter, rules_entries.apply_enter),
    fa.Withdraw: (rules_entries.check_withdraw, rules_entries.apply_withdraw),
    fa.Readmit: (rules_entries.check_readmit, rules_entries.apply_readmit),
    fa.Start: (rules_entries.check_start, rules_entries.apply_start),
    fa.Draw: (rules_draw.check_draw, rules_draw.apply_draw),
    fa.Seed: (rules_draw.check_seed, rules_draw.apply_seed),
    fa.Rule: (rules_draw.check_rule, rules_draw.apply_rule),
    fa.Result: (rules_results.check_result, rules_results.apply_result),
    fa.Correct: (rules_results.check_correct, rules_results.apply_correct),
    fa.Forfeit: (rules_results.check_forfeit, rules_results.apply_forfeit),
    fa.DoubleForfeit: (rules_results.check_forfeit, rules_results.apply_double_forfeit),
    fa.Annul: (rules_results.check_annul, rules_results.apply_annul),
    fa.Keep: (rules_results.check_keep, rules_results.apply_keep),
    fa.Call: (rules_tables.check_call, rules_tables.apply_call),
    fa.Uncall: (rules_tables.check_uncall, rules_tables.apply_uncall),
    fa.Table: (rules_tables.check_table, rules_tables.apply_table),
}


def decide(state: State, fact: fa.Fact) -> Refusal | None:
    """Why the fact cannot be recorded now, or None if it can. What could not be read again is not recorded either."""
    try:
        fa.parse(fa.printed(fact))
        _RULES[type(fact)][0](state, fact)
    except Refusal as reason:
        return reason
    return None


def apply(state: State, fact: fa.Fact) -> State:
    """The state after a fact that was decided."""
    return replace(_RULES[type(fact)][1](state, fact), seq=state.seq + 1)


def play(plan: Plan, told: Iterable[fa.Fact]) -> State:
    """The state after the facts of a journal. Raises the `Refusal` of the first that cannot be."""
    state = begin(plan)
    for fact in told:
        reason = decide(state, fact)
        if reason is not None:
            raise reason
        state = apply(state, fact)
    return state
