"""Which event is legal in which phase, and the order of all checks (HB-1.7): the table that joins the chapters."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from companion.games.base import Outcome, Refusal
from companion.games.hoops21 import chart, contests, free_throws, inbounding, power_token, rulings, shots
from companion.games.hoops21 import events as ev
from companion.games.hoops21.refusing import refusal
from companion.games.hoops21.state import State
from companion.games.hoops21.tables import PHASES, Phase
from companion.games.hoops21.words import word

Check = Callable[[State, Any], None]
Apply = Callable[[State, Any], tuple[State, Outcome]]


def _nothing(state: State, event: object) -> None:
    """No own checks."""


@dataclass(frozen=True, slots=True)
class Rule:
    """An event's phases, its effect, its own checks; `before` is looked at before the fields are."""

    phases: frozenset[Phase]
    apply: Apply
    check: Check = _nothing
    before: Callable[[State], None] | None = None


def _rule(phases: tuple[Phase, ...], apply: Apply, check: Check = _nothing) -> Rule:
    return Rule(frozenset(phases), apply, check)


_UNDER_WAY: tuple[Phase, ...] = tuple(phase for phase in PHASES if phase != "over")

RULES: Mapping[str, Rule] = {
    "jump_ball": _rule(("jump_ball",), contests.apply_jump_ball, contests.check_jump_ball),
    "throw": _rule(("throw",), contests.apply_throw, contests.check_throw),
    "token": _rule(("tie",), power_token.apply_token),
    "choose": _rule(("choose",), chart.apply_choose, chart.check_choose),
    "step_back": _rule(("shot",), shots.apply_step_back, shots.check_step_back),
    "shot": _rule(("shot",), contests.apply_shot, contests.check_shot),
    "free_throw": _rule(("free_throw",), free_throws.apply_free_throw, free_throws.check_free_throw),
    "inbound_throw": _rule(("inbound",), inbounding.apply_throw, inbounding.check_throw),
    "inbound_end": _rule(("inbound",), inbounding.apply_end, inbounding.check_end),
    "reroll": Rule(
        frozenset({"tie", "reroll"}),
        power_token.apply_reroll,
        power_token.check_reroll,
        before=power_token.check_advanced,
    ),
    "stand": _rule(("reroll",), power_token.apply_stand),
    "ruling": _rule(_UNDER_WAY, rulings.apply_ruling, rulings.check_ruling),
    "concede": _rule(_UNDER_WAY, rulings.apply_concede),
}
"""By the name of the event (chapter 15)."""


def decide(state: State, event: ev.Event) -> None:
    """Raises `Refusal` with the first rule broken: match over, phase, fields, then the event's own rules (HB-1.7)."""
    if state.phase == "over":
        raise refusal("HB-1.4")
    rule = RULES[event.name]
    if state.phase not in rule.phases:
        raise refusal("HB-1.3", now=word("phase", state.phase))
    if rule.before is not None:
        rule.before(state)
    if isinstance(event, ev.Faulty):
        raise Refusal(event.rule, event.message)
    rule.check(state, event)


def legal(state: State, event: ev.Event) -> Refusal | None:
    """Why an event is not legal now, or None if it is."""
    try:
        decide(state, event)
    except Refusal as reason:
        return reason
    return None


def apply(state: State, event: ev.Event) -> tuple[State, Outcome]:
    """The situation after a legal event, and what the event came to."""
    return RULES[event.name].apply(state, event)
