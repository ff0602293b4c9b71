"""FootClub's rules: each event with its fields, phases, checks, effect and sentence, in the order of chapter 18."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from companion.games.base import Fields, JsonObject, Refusal
from companion.games.engine import EventRule, Rulebook, ValidationOrder
from companion.games.event_schema import (
    EventField,
    InvalidValue,
    boolean,
    count,
    die,
    distinct_list_of,
    list_of,
    one_of,
    text,
)
from companion.games.footclub import (
    bonus,
    changes,
    describe,
    discipline,
    duel,
    legs,
    market,
    match_cards,
    match_flow,
    offensives,
    press,
    shootout,
    shot,
    team,
)
from companion.games.footclub import events as ev
from companion.games.footclub.cards import parse_ribbon, parse_section
from companion.games.footclub.refusals import refusal
from companion.games.footclub.state import State
from companion.games.footclub.tables import (
    COLOURS,
    MODES,
    OFFENSIVES,
    PHASES,
    POSTS,
    RIBBON_WIDTH,
    SHOOTERS,
    SIDES,
    TYPES,
    opponent,
)

CARD_KEYS = frozenset({"card", "ribbon", "section"})
SUB_KEYS = {"out", "in"}


def _substitution(value: object) -> ev.Substitution:
    if not isinstance(value, dict) or value.keys() != SUB_KEYS:
        raise InvalidValue
    return ev.Substitution(text(value["out"]), text(value["in"]))


def _lineup(value: object) -> tuple[tuple[str, ...], ...]:
    if not isinstance(value, dict) or not value.keys() <= set(POSTS):
        raise InvalidValue
    return tuple([_ids(value.get(post, [])) for post in POSTS])


def _counts(value: object) -> tuple[int, ...]:
    if not isinstance(value, dict) or not value.keys() <= set(TYPES):
        raise InvalidValue
    return tuple([count(value.get(type_, 0)) for type_ in TYPES])


_ids = list_of(text)
_side = one_of(*SIDES)
_type = one_of(*TYPES)
_mode = one_of(*MODES)
_pair = list_of(text, 2)


_SIDE = EventField("side", _side)


def _reference(fields: Fields, values: JsonObject) -> None:
    """Set the card that the event names. A malformed ribbon or section passes: the event's own checks apply FC-1.8."""
    values["card"] = _named(fields, values.get("kind", fields["event"]))


def _named(fields: Fields, type_: Any) -> ev.CardReference:
    given = [key for key in fields if key in CARD_KEYS]
    if len(given) != 1:
        raise refusal("FC-18.2", "card_reference")
    key = given[0]
    value = fields[key]
    if key == "card":
        if type(value) is not int or not 1 <= value <= 42:
            raise refusal("FC-18.2", "value", event=fields["event"], field="card")
        return ev.CardReference(number=value)
    width = RIBBON_WIDTH["pressing" if type_ == "press" else type_]
    if key == "ribbon":
        return ev.CardReference(ribbon=parse_ribbon(value, width))
    return ev.CardReference(section=parse_section(value, width))


def _refuse(case: str, **args: object) -> Refusal:
    return refusal("FC-18.1" if case == "event" else "FC-18.2", case, **args)


def _admit(state: State, rule: EventRule[State], event: ev.Event) -> None:
    """Check FC-3.9, FC-13.9, then the phase; a forfeit is always legal."""
    if not isinstance(event, ev.Forfeit):
        _check_waiting(state, event)
        _check_phase(state, event, rule)


def _check_waiting(state: State, event: ev.Event) -> None:
    """Check FC-3.9, then FC-13.9: actions required before anything else."""
    if not state.clubs:
        return
    blue, red = state.clubs
    named_or_changed = isinstance(event, (ev.NameCaptain, ev.Change))
    if (blue.lacks_captain or red.lacks_captain) and not named_or_changed:
        raise refusal("FC-3.9", club=state.setup.name("blue" if blue.lacks_captain else "red"))
    if (blue.is_too_small or red.is_too_small) and not isinstance(event, ev.NameCaptain):
        below = [club.side for club in (blue, red) if club.is_too_small]
        if not isinstance(event, ev.Change) or event.side not in below:
            raise refusal("FC-13.9", club=state.setup.name(below[0]))


def _check_phase(state: State, event: ev.Event, rule: EventRule[State]) -> None:
    if isinstance(event, ev.NameCaptain):
        if not state.clubs or not state.club(event.side).lacks_captain:
            raise refusal("FC-3.10")
        return
    if isinstance(event, ev.Change) and state.window:
        return
    if isinstance(event, ev.StartOffensive) and event.kind == "counter_attack":
        if state.phase != "counter":
            raise refusal("FC-8.4")
        return
    _check_consent(state, event)
    if state.phase in rule.phases:
        return
    finer = rule.phase_rules.get(state.phase) or rule.phase_rules.get(None)
    raise refusal(finer) if finer else refusal("FC-18.4")


def _check_consent(state: State, event: ev.Event) -> None:
    """Check the events that depend on the option `consent`: its own two, and those that wait for them (FC-8.11)."""
    if isinstance(event, (ev.NoCounter, ev.GreenLight)) and not state.setup.consent:
        raise refusal("FC-18.4")
    if isinstance(event, (ev.Press, ev.Tackle, ev.Leave)) and state.phase == "counter" and state.setup.consent:
        raise refusal("FC-8.11", club=state.setup.name(opponent(event.side)))


def _close_window(state: State, event: ev.Event) -> State:
    """Close the window for changes at any other event."""
    if state.window and not isinstance(event, (ev.Change, ev.NameCaptain)):
        return replace(state, window=False)
    return state


_BALL_FOUGHT = frozenset({"preparation", "possession", "counter"})
_BEFORE_HALF = frozenset({"pre_match", "half_time", "extra_time_break"})
_LEFT: Mapping[str | None, str] = {"attack": "FC-14.7"}
_NOTHING_ADDED: Mapping[str | None, str] = {"set_piece": "FC-10.8"}
_TOO_EARLY: Mapping[str | None, str] = dict.fromkeys(_BALL_FOUGHT, "FC-14.8")

RULES: dict[str, EventRule[State]] = {
    "market_staff": EventRule(
        event=ev.MarketStaff,
        phases=frozenset({"market"}),
        fields=(_SIDE, EventField("coach", text), EventField("goalkeeper", text)),
        check=market.check_staff,
        apply=market.apply_staff,
        sentence=describe.market_staff,
    ),
    "market_open": EventRule(
        event=ev.MarketOpen,
        phases=frozenset({"market"}),
        fields=(EventField("first", _side), EventField("pairs", list_of(_pair, 3))),
        check=market.check_open,
        apply=market.apply_open,
        sentence=describe.market_open,
    ),
    "market_pick": EventRule(
        event=ev.MarketPick,
        phases=frozenset({"market"}),
        fields=(
            _SIDE,
            EventField("revealed", _pair),
            EventField("take", text),
            EventField("pair", _pair),
            EventField("next_pair", _pair, optional=True),
        ),
        check=market.check_pick,
        apply=market.apply_pick,
        sentence=describe.market_pick,
    ),
    "market_transfer": EventRule(
        event=ev.MarketTransfer,
        phases=frozenset({"pre_match"}),
        fields=(_SIDE, EventField("offered", list_of(text, 5)), EventField("take", _pair)),
        check=legs.check_transfer,
        apply=legs.apply_transfer,
        sentence=describe.market_transfer,
    ),
    "team_sheet": EventRule(
        event=ev.TeamSheet,
        phases=frozenset({"pre_match"}),
        fields=(_SIDE, EventField("lineup", _lineup), EventField("captain", text)),
        check=team.check_team_sheet,
        apply=team.apply_team_sheet,
        sentence=describe.team_sheet,
    ),
    "tactics": EventRule(
        event=ev.Tactics,
        phases=_BEFORE_HALF,
        fields=(_SIDE, EventField("cards", _counts, optional=True)),
        check=match_cards.check_tactics,
        apply=match_cards.apply_tactics,
        sentence=describe.tactics,
    ),
    "ball": EventRule(
        event=ev.Ball,
        phases=_BEFORE_HALF,
        fields=(EventField("colour", one_of(*COLOURS)),),
        check=match_flow.check_ball,
        apply=match_flow.apply_ball,
        sentence=describe.ball,
    ),
    "supporter": EventRule(
        event=ev.LaySupporter,
        phases=frozenset({"preparation"}),
        fields=(_SIDE,),
        check=match_flow.check_supporter,
        apply=match_flow.apply_supporter,
        sentence=describe.supporter,
    ),
    "change": EventRule(
        event=ev.Change,
        phases=frozenset({"preparation"}),
        fields=(
            _SIDE,
            EventField("subs", list_of(_substitution)),
            EventField("lineup", _lineup, optional=True),
            EventField("captain", text, optional=True),
        ),
        phase_rules={None: "FC-12.1"},
        check=changes.check_change,
        apply=changes.apply_change,
        sentence=describe.change,
    ),
    "permute": EventRule(
        event=ev.Permute,
        phases=frozenset({"preparation"}),
        fields=(_SIDE, EventField("players", distinct_list_of(text, 2))),
        phase_rules={None: "FC-12.8"},
        check=changes.check_permute,
        apply=changes.apply_permute,
        sentence=describe.permute,
    ),
    "captain": EventRule(
        event=ev.NameCaptain,
        phases=frozenset(PHASES),
        fields=(_SIDE, EventField("player", text)),
        check=team.check_captain_named,
        apply=team.apply_captain_named,
        sentence=describe.captain,
    ),
    "press": EventRule(
        event=ev.Press,
        phases=_BALL_FOUGHT,
        fields=(_SIDE, EventField("pay", list_of(one_of("token", "supporter", "kop"), 2), optional=True)),
        extra_fields=CARD_KEYS,
        complete_values=_reference,
        phase_rules=_LEFT,
        check=press.check_press,
        apply=press.apply_press,
        sentence=describe.press,
    ),
    "tackle": EventRule(
        event=ev.Tackle,
        phases=_BALL_FOUGHT,
        fields=(_SIDE, EventField("mode", _mode, optional=True)),
        extra_fields=CARD_KEYS,
        complete_values=_reference,
        phase_rules=_LEFT,
        check=duel.check_tackle,
        apply=duel.apply_tackle,
        sentence=describe.tackle,
    ),
    "leave": EventRule(
        event=ev.Leave,
        phases=_BALL_FOUGHT,
        fields=(_SIDE,),
        phase_rules=_LEFT,
        check=match_flow.check_leave,
        apply=match_flow.apply_leave,
        sentence=describe.leave,
    ),
    "roll": EventRule(
        event=ev.Roll,
        phases=frozenset({"duel"}),
        fields=(EventField("dice", list_of(die, 2)),),
        apply=duel.apply_roll,
        sentence=describe.roll,
    ),
    "offensive": EventRule(
        event=ev.StartOffensive,
        phases=frozenset({"attack"}),
        fields=(
            _SIDE,
            EventField("kind", one_of(*OFFENSIVES)),
            EventField("skill", one_of("none", "freshness", "supporter", "kop"), optional=True),
        ),
        extra_fields=CARD_KEYS,
        complete_values=_reference,
        phase_rules=_TOO_EARLY,
        check=offensives.check_offensive,
        apply=offensives.apply_offensive,
        sentence=describe.offensive,
    ),
    "no_counter": EventRule(
        event=ev.NoCounter,
        phases=frozenset({"counter"}),
        fields=(_SIDE,),
        check=offensives.check_no_counter,
        apply=offensives.apply_no_counter,
        sentence=describe.no_counter,
    ),
    "green_light": EventRule(
        event=ev.GreenLight,
        phases=frozenset({"offensive"}),
        fields=(_SIDE,),
        check=bonus.check_green_light,
        apply=bonus.apply_green_light,
        sentence=describe.green_light,
    ),
    "attacking_support": EventRule(
        event=ev.AttackingSupport,
        phases=frozenset({"offensive"}),
        fields=(_SIDE,),
        phase_rules=_NOTHING_ADDED,
        check=bonus.check_attacking_support,
        apply=bonus.apply_attacking_support,
        sentence=describe.attacking_support,
    ),
    "spend": EventRule(
        event=ev.Spend,
        phases=frozenset({"offensive"}),
        fields=(_SIDE, EventField("supporters", count, optional=True), EventField("kop", boolean, optional=True)),
        any_of=("supporters", "kop"),
        phase_rules=_NOTHING_ADDED,
        check=bonus.check_spend,
        apply=bonus.apply_spend,
        sentence=describe.spend,
    ),
    "defensive_support": EventRule(
        event=ev.DefensiveSupport,
        phases=frozenset({"offensive"}),
        fields=(_SIDE, EventField("mode", _mode, optional=True)),
        extra_fields=CARD_KEYS,
        complete_values=_reference,
        phase_rules=_NOTHING_ADDED,
        check=bonus.check_defensive_support,
        apply=bonus.apply_defensive_support,
        sentence=describe.defensive_support,
    ),
    "shot": EventRule(
        event=ev.Shot,
        phases=frozenset({"offensive", "set_piece", "shootout"}),
        fields=(
            EventField("defence", die, optional=True),
            EventField("attack", die, optional=True),
            EventField("player", text, optional=True),
        ),
        any_of=("defence", "attack"),
        check=shot.check_shot,
        apply=shot.apply_shot,
        sentence=describe.shot,
    ),
    "recover": EventRule(
        event=ev.Recover,
        phases=frozenset({"corner"}),
        fields=(_SIDE, EventField("card", _type)),
        check=match_flow.check_recover,
        apply=match_flow.apply_recover,
        sentence=describe.recover,
    ),
    "no_offensive": EventRule(
        event=ev.NoOffensive,
        phases=frozenset({"attack"}),
        fields=(_SIDE,),
        check=offensives.check_no_offensive,
        apply=match_flow.apply_no_offensive,
        sentence=describe.no_offensive,
    ),
    "discard": EventRule(
        event=ev.Discard,
        phases=frozenset({"end_of_turn"}),
        fields=(_SIDE, EventField("cards", list_of(_type, min_length=1))),
        check=match_flow.check_discard,
        apply=match_flow.apply_discard,
        sentence=describe.discard,
    ),
    "extra_time": EventRule(
        event=ev.ExtraTime,
        phases=frozenset({"full_time"}),
        fields=(EventField("play", boolean),),
        apply=match_flow.apply_extra_time,
        sentence=describe.extra_time,
    ),
    "shooters": EventRule(
        event=ev.NameShooters,
        phases=frozenset({"shootout"}),
        fields=(_SIDE, EventField("players", distinct_list_of(text, SHOOTERS))),
        check=shootout.check_shooters,
        apply=shootout.apply_shooters,
        sentence=describe.shooters,
    ),
    "shootout": EventRule(
        event=ev.StartShootout,
        phases=frozenset({"shootout"}),
        fields=(EventField("first", _side),),
        check=shootout.check_start,
        apply=shootout.apply_start,
        sentence=describe.shootout,
    ),
    "forfeit": EventRule(
        event=ev.Forfeit,
        phases=frozenset(PHASES),
        fields=(_SIDE,),
        apply=discipline.apply_forfeit,
        sentence=describe.forfeit,
    ),
}

RULEBOOK: Rulebook[State] = Rulebook(
    RULES,
    ValidationOrder(
        finished_phase="finished",
        finished_refusal=lambda: refusal("FC-18.3"),
        precondition=_admit,
        refuse=_refuse,
        fields_first=True,
        refuses_unknown_fields=True,
    ),
    before_apply=_close_window,
)
