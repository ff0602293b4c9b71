"""Which event is legal in which phase, and the order of all checks (chapter 18): the table that joins the chapters."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from companion.games.base import Outcome, Refusal
from companion.games.footclub import (
    bonus,
    changes,
    course,
    discipline,
    duel,
    legs,
    market,
    match_cards,
    offensives,
    pressing,
    shootout,
    shot,
    team,
)
from companion.games.footclub import events as ev
from companion.games.footclub.refusing import refusal
from companion.games.footclub.state import State
from companion.games.footclub.tables import PHASES, Phase


@dataclass(frozen=True, slots=True)
class Rule:
    """An event's phases, its own checks and its effect. `elsewhere` gives a finer refusal than FC-18.4 by phase."""

    phases: frozenset[Phase]
    check: Callable[[State, Any], None]
    apply: Callable[[State, Any], tuple[State, Outcome]]
    elsewhere: Mapping[Phase, str] | None = None


def _nothing(state: State, event: object) -> None:
    """No own checks."""


def _rule(
    phases: tuple[Phase, ...],
    check: Callable[[State, Any], None],
    apply: Callable[[State, Any], tuple[State, Outcome]],
    elsewhere: Mapping[Phase, str] | None = None,
) -> Rule:
    return Rule(frozenset(phases), check, apply, elsewhere)


_BALL_FOUGHT: tuple[Phase, ...] = ("preparation", "possession", "counter")
_BEFORE_HALF: tuple[Phase, ...] = ("pre_match", "half_time", "extra_time_break")
_LEFT: Mapping[Phase, str] = {"attack": "FC-14.7"}
_NOTHING_ADDED: Mapping[Phase, str] = {"set_piece": "FC-10.8"}
_TOO_EARLY: Mapping[Phase, str] = dict.fromkeys(_BALL_FOUGHT, "FC-14.8")
_EVERYWHERE = {
    ev.Permute: "FC-12.8",
    ev.Change: "FC-12.1",
    ev.NameCaptain: "FC-3.10",
}
"""Finer refusals than FC-18.4 whatever the phase."""

RULES: dict[type[ev.Event], Rule] = {
    ev.MarketStaff: _rule(("market",), market.check_staff, market.apply_staff),
    ev.MarketOpen: _rule(("market",), market.check_open, market.apply_open),
    ev.MarketPick: _rule(("market",), market.check_pick, market.apply_pick),
    ev.MarketTransfer: _rule(("pre_match",), legs.check_transfer, legs.apply_transfer),
    ev.TeamSheet: _rule(("pre_match",), team.check_team_sheet, team.apply_team_sheet),
    ev.Tactics: _rule(_BEFORE_HALF, match_cards.check_tactics, match_cards.apply_tactics),
    ev.Ball: _rule(_BEFORE_HALF, course.check_ball, course.apply_ball),
    ev.LaySupporter: _rule(("preparation",), course.check_supporter, course.apply_supporter),
    ev.Change: _rule(("preparation",), changes.check_change, changes.apply_change),
    ev.Permute: _rule(("preparation",), changes.check_permute, changes.apply_permute),
    ev.NameCaptain: _rule(PHASES, team.check_captain_named, team.apply_captain_named),
    ev.Press: _rule(_BALL_FOUGHT, pressing.check_press, pressing.apply_press, _LEFT),
    ev.Tackle: _rule(_BALL_FOUGHT, duel.check_tackle, duel.apply_tackle, _LEFT),
    ev.Leave: _rule(_BALL_FOUGHT, course.check_leave, course.apply_leave, _LEFT),
    ev.Roll: _rule(("duel",), _nothing, duel.apply_roll),
    ev.StartOffensive: _rule(("attack",), offensives.check_offensive, offensives.apply_offensive, _TOO_EARLY),
    ev.AttackingSupport: _rule(
        ("offensive",), bonus.check_attacking_support, bonus.apply_attacking_support, _NOTHING_ADDED
    ),
    ev.Spend: _rule(("offensive",), bonus.check_spend, bonus.apply_spend, _NOTHING_ADDED),
    ev.DefensiveSupport: _rule(
        ("offensive",), bonus.check_defensive_support, bonus.apply_defensive_support, _NOTHING_ADDED
    ),
    ev.Shot: _rule(("offensive", "set_piece", "shootout"), shot.check_shot, shot.apply_shot),
    ev.Recover: _rule(("corner",), course.check_recover, course.apply_recover),
    ev.NoOffensive: _rule(("attack",), offensives.check_no_offensive, course.apply_no_offensive),
    ev.Discard: _rule(("end_of_turn",), course.check_discard, course.apply_discard),
    ev.ExtraTime: _rule(("full_time",), _nothing, course.apply_extra_time),
    ev.NameShooters: _rule(("shootout",), shootout.check_shooters, shootout.apply_shooters),
    ev.StartShootout: _rule(("shootout",), shootout.check_start, shootout.apply_start),
    ev.Forfeit: _rule(PHASES, _nothing, discipline.apply_forfeit),
}


def decide(state: State, event: ev.Event) -> None:
    """Raises `Refusal` with the first rule broken, in the order of chapter 18."""
    if state.phase == "finished":
        raise refusal("FC-18.3")
    if isinstance(event, ev.Forfeit):
        return
    _check_waiting(state, event)
    rule = RULES[type(event)]
    _check_phase(state, event, rule)
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
    if state.window and not isinstance(event, (ev.Change, ev.NameCaptain)):
        state = replace(state, window=False)
    return RULES[type(event)].apply(state, event)


def _check_waiting(state: State, event: ev.Event) -> None:
    """FC-3.9, then FC-13.9: what must be done before anything else."""
    if not state.clubs:
        return
    blue, red = state.clubs
    named_or_changed = isinstance(event, (ev.NameCaptain, ev.Change))
    if (blue.vacant or red.vacant) and not named_or_changed:
        raise refusal("FC-3.9", club=state.setup.name("blue" if blue.vacant else "red"))
    if (blue.below or red.below) and not isinstance(event, ev.NameCaptain):
        below = [club.side for club in (blue, red) if club.below]
        if not isinstance(event, ev.Change) or event.side not in below:
            raise refusal("FC-13.9", club=state.setup.name(below[0]))


def _check_phase(state: State, event: ev.Event, rule: Rule) -> None:
    if isinstance(event, ev.NameCaptain):
        if not state.clubs or not state.club(event.side).vacant:
            raise refusal("FC-3.10")
        return
    if isinstance(event, ev.Change) and state.window:
        return
    if isinstance(event, ev.StartOffensive) and event.kind == "counter_attack":
        if state.phase != "counter":
            raise refusal("FC-8.4")
        return
    if state.phase in rule.phases:
        return
    finer = (rule.elsewhere or {}).get(state.phase) or _EVERYWHERE.get(type(event))
    raise refusal(finer) if finer else refusal("FC-18.4")
