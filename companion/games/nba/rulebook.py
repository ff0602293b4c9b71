"""Which event is legal when, and the order of all checks (section 15): the table that joins the chapters."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from companion.games.base import Outcome, Refusal
from companion.games.nba import activation, board, court, ending, logged, market, mismatch, solo, track, turns
from companion.games.nba import events as ev
from companion.games.nba.refusing import refusal
from companion.games.nba.state import State

Check = Callable[[State], None]


@dataclass(frozen=True, slots=True)
class Rule:
    """A row of section 15: level, phase column, then the event's own checks and its effect.

    `when` is `turn` (T), `actions` (A), `adjust`, `roll` (R), `tied` or `any`. `step` is what the event writes into
    `done` and how often a turn allows it; `more` what the row adds to the phase column.
    """

    check: Callable[[State, Any], None]
    apply: Callable[[State, Any], tuple[State, Outcome]]
    when: str
    level: str | None = None
    ultimate: bool = True
    overtime: bool = True
    step: Check | None = None
    more: Check | None = None


def _once(step: str) -> Check:
    def check(state: State) -> None:
        if step in state.done:
            raise refusal("NBA-4.4", step)

    return check


def _once_laid(type_: str) -> Check:
    def check(state: State) -> None:
        if type_ in state.done:
            raise refusal("NBA-7.1", f"second_{type_}")

    return check


def _tactics_bought(state: State) -> None:
    if state.done.count("buy_tactic") >= market.most_tactics(state):
        raise refusal("NBA-4.4", "buy_tactic")


def _searched(state: State) -> None:
    if solo.tactic_done(state):
        raise refusal("NBA-4.4", "ai_tactic")


RULES: dict[type[ev.Sound], Rule] = {
    ev.Attack: Rule(
        logged.check_attack, logged.apply_attack, "turn", "scores", ultimate=False, more=_once_laid("offence")
    ),
    ev.Defend: Rule(logged.check_defend, logged.apply_defend, "turn", "scores", more=_once_laid("defence")),
    ev.Adjust: Rule(track.check_adjust, track.apply_adjust, "adjust", "full", ultimate=False),
    ev.Replace: Rule(
        court.check_replace, court.apply_replace, "actions", "full", ultimate=False, step=_once("replace")
    ),
    ev.Prepare: Rule(board.check_prepare, board.apply_prepare, "actions", "full", step=_once("prepare")),
    ev.BuyPlayer: Rule(
        market.check_buy_player, market.apply_buy_player, "actions", "full", False, False, _once("buy_player")
    ),
    ev.BuyTactic: Rule(
        market.check_buy_tactic, market.apply_buy_tactic, "actions", "full", False, False, _tactics_bought
    ),
    ev.Activate: Rule(activation.check_activate, activation.apply_activate, "turn", "full"),
    ev.Reroll: Rule(activation.check_reroll, activation.apply_reroll, "roll", "full"),
    ev.Keep: Rule(activation.check_keep, activation.apply_keep, "roll", "full"),
    ev.EndTurn: Rule(turns.check_end_turn, turns.apply_end_turn, "turn"),
    ev.Mismatch: Rule(mismatch.check_mismatch, mismatch.apply_mismatch, "turn", more=mismatch.check_on),
    ev.AiRecruit: Rule(solo.check_recruit, solo.apply_recruit, "actions", "full", False, False, _once("ai_recruit")),
    ev.AiTactic: Rule(
        solo.check_tactic, solo.apply_tactic, "actions", "full", False, False, _searched, solo.check_recruited
    ),
    ev.Overtime: Rule(turns.check_overtime, turns.apply_overtime, "tied"),
    ev.AcceptDraw: Rule(ending.check_accept_draw, ending.apply_accept_draw, "tied"),
    ev.Ruling: Rule(ending.check_ruling, ending.apply_ruling, "any"),
    ev.Concede: Rule(ending.check_concede, ending.apply_concede, "any"),
}


def decide(state: State, event: ev.Event) -> None:
    """Raises `Refusal` with the first rule broken, in the order of NBA-1.7."""
    kind = event.kind if isinstance(event, ev.Malformed) else type(event)
    check_time(state, kind)
    if isinstance(event, ev.Malformed):
        raise Refusal("NBA-1.2", event.fault)
    RULES[kind].check(state, event)


def legal(state: State, event: ev.Event) -> Refusal | None:
    """Why an event is not legal now, or None if it is."""
    try:
        decide(state, event)
    except Refusal as reason:
        return reason
    return None


def apply(state: State, event: ev.Event) -> tuple[State, Outcome]:
    """The situation after a legal event, and what the event came to."""
    if isinstance(event, ev.Malformed):
        raise TypeError("a malformed event is never legal")
    return RULES[type(event)].apply(state, event)


def check_time(state: State, kind: type[ev.Sound]) -> None:
    """Whether events of this kind are legal now, whatever their fields: NBA-1.4, 1.6, then the phase column."""
    rule = RULES[kind]
    if state.phase == "over":
        raise refusal("NBA-1.4")
    if rule.level is not None and rule.level != state.setup.level:
        raise refusal("NBA-1.6", rule.level)
    _check_open(state, kind, rule)
    solo.check_turn(state, kind)
    if state.ultimate and not rule.ultimate:
        raise refusal("NBA-8.4", "never")
    if state.period and not rule.overtime:
        raise refusal("NBA-8.7")
    if rule.when == "adjust" and state.phase != "adjust":
        raise refusal("NBA-4.3")
    if rule.when == "actions" and state.phase == "activation":
        raise refusal("NBA-4.4", "late")
    for check in (rule.step, rule.more):
        if check is not None:
            check(state)


def _check_open(state: State, kind: type[ev.Sound], rule: Rule) -> None:
    """NBA-8.6, then NBA-4.5."""
    tied = state.phase == "tied"
    if rule.when == "tied" and not tied:
        raise refusal("NBA-8.6", "not_tied")
    if tied and rule.when != "tied" and kind is not ev.Concede:
        raise refusal("NBA-8.6", "tied")
    if rule.when == "roll" and state.phase != "roll":
        raise refusal("NBA-4.5", "no_roll")
    if rule.when in ("turn", "actions", "adjust") and state.phase == "roll":
        raise refusal("NBA-4.5", "roll")
