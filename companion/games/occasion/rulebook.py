"""Which event is legal in which phase, and the order of all checks (OC-1.7): the table that joins the chapters."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from companion.games.base import Outcome, Refusal
from companion.games.occasion import attacking, defending, resolving, turns
from companion.games.occasion import events as ev
from companion.games.occasion.refusing import refusal
from companion.games.occasion.state import State
from companion.games.occasion.tables import IN_PLAY, Phase


@dataclass(frozen=True, slots=True)
class Rule:
    """An event's phases, its own checks and its effect (chapter 13)."""

    phases: frozenset[Phase]
    check: Callable[[State, Any], None]
    apply: Callable[[State, Any], tuple[State, Outcome]]


def _nothing(state: State, event: object) -> None:
    """No own checks."""


def _rule(
    phases: tuple[Phase, ...],
    apply: Callable[[State, Any], tuple[State, Outcome]],
    check: Callable[[State, Any], None] = _nothing,
) -> Rule:
    return Rule(frozenset(phases), check, apply)


RULES: dict[type[ev.Played], Rule] = {
    ev.OccasionPlayed: _rule(("choose_occasion",), attacking.apply_occasion_played, attacking.check_occasion_played),
    ev.AttackMove: _rule(("attack_move",), attacking.apply_attack_move, attacking.check_attack_move),
    ev.DefenceChoice: _rule(("defence",), defending.apply_defence_choice, defending.check_defence_choice),
    ev.AddSupport: _rule(("support",), defending.apply_add_support, defending.check_add_support),
    ev.SupportDone: _rule(("support",), defending.apply_support_done, defending.check_support_done),
    ev.AbilityUsed: _rule(("support",), defending.apply_ability_used, defending.check_ability_used),
    ev.Reveal: _rule(("reveal",), resolving.apply_reveal, resolving.check_reveal),
    ev.FoulCalled: _rule(("reveal", "verdict"), resolving.apply_foul_called, resolving.check_foul_called),
    ev.Resolve: _rule(("verdict",), resolving.apply_resolve),
    ev.Advance: _rule(("advance",), attacking.apply_advance, attacking.check_advance),
    ev.GoalScored: _rule(("shot",), turns.apply_goal_scored),
    ev.ChanceMissed: _rule(("shot",), turns.apply_chance_missed),
    ev.TurnEnded: _rule(("choose_occasion", "attack_move"), turns.apply_turn_ended),
    ev.MatchEnded: _rule(("choose_occasion",), turns.apply_match_ended),
    ev.OccasionShown: _rule(IN_PLAY, attacking.apply_occasion_shown, attacking.check_occasion_shown),
    ev.DefineCard: _rule(IN_PLAY, turns.apply_define_card, turns.check_define_card),
    ev.CardsRecovered: _rule(IN_PLAY, turns.apply_cards_recovered, turns.check_cards_recovered),
    ev.Ruling: _rule(IN_PLAY, turns.apply_ruling, turns.check_ruling),
    ev.Concede: _rule(IN_PLAY, turns.apply_concede),
}


def decide(state: State, event: ev.Event) -> None:
    """Raises `Refusal` with the first rule broken, in the order of OC-1.7."""
    if state.phase == "over":
        raise refusal("OC-1.4")
    rule = RULES[event.of if isinstance(event, ev.Malformed) else type(event)]
    if state.phase not in rule.phases:
        raise refusal("OC-1.3")
    if isinstance(event, ev.Malformed):
        raise Refusal("OC-1.2", event.fault)
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
    if isinstance(event, ev.Malformed):
        raise ValueError("a malformed event was let pass")
    return RULES[type(event)].apply(state, event)
