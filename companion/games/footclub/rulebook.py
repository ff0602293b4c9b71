"""The rules of FootClub: each event with fields, phases, checks, effect and sentence, in the order of chapter 18."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from companion.games.base import Fields, JsonObject, Refusal
from companion.games.engine import CheckOrder, EventRule, Rulebook
from companion.games.footclub import (
    bonus,
    changes,
    course,
    describe,
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
from companion.games.footclub.cards import ribbon, section
from companion.games.footclub.refusing import refusal
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
)
from companion.games.forms import Field, Wrong, boolean, count, die, different, listed, one_of, text

CARD_KEYS = frozenset({"card", "ribbon", "section"})
SUB_KEYS = {"out", "in"}


def _substitution(value: object) -> ev.Substitution:
    if not isinstance(value, dict) or value.keys() != SUB_KEYS:
        raise Wrong
    return ev.Substitution(text(value["out"]), text(value["in"]))


def _lineup(value: object) -> tuple[tuple[str, ...], ...]:
    if not isinstance(value, dict) or not value.keys() <= set(POSTS):
        raise Wrong
    return tuple([_ids(value.get(post, [])) for post in POSTS])


def _counts(value: object) -> tuple[int, ...]:
    if not isinstance(value, dict) or not value.keys() <= set(TYPES):
        raise Wrong
    return tuple([count(value.get(type_, 0)) for type_ in TYPES])


_ids = listed(text)
_side = one_of(*SIDES)
_type = one_of(*TYPES)
_mode = one_of(*MODES)
_pair = listed(text, 2)


_SIDE = Field("side", _side)


def _reference(fields: Fields, values: JsonObject) -> None:
    """The card that the event names. A malformed ribbon or section passes: FC-1.8 is checked with the event's rules."""
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
        return ev.CardReference(ribbon=ribbon(value, width))
    return ev.CardReference(section=section(value, width))


def _refuse(case: str, **args: object) -> Refusal:
    return refusal("FC-18.1" if case == "event" else "FC-18.2", case, **args)


def _admit(state: State, rule: EventRule[State], event: ev.Event) -> None:
    """FC-3.9, FC-13.9, then the phase; a forfeit is always legal."""
    if not isinstance(event, ev.Forfeit):
        _check_waiting(state, event)
        _check_phase(state, event, rule)


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


def _check_phase(state: State, event: ev.Event, rule: EventRule[State]) -> None:
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
    finer = rule.elsewhere.get(state.phase) or rule.elsewhere.get(None)
    raise refusal(finer) if finer else refusal("FC-18.4")


def _close_window(state: State, event: ev.Event) -> State:
    """The window for changes ends with any other event."""
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
        fields=(_SIDE, Field("coach", text), Field("goalkeeper", text)),
        check=market.check_staff,
        apply=market.apply_staff,
        sentence=describe.market_staff,
    ),
    "market_open": EventRule(
        event=ev.MarketOpen,
        phases=frozenset({"market"}),
        fields=(Field("first", _side), Field("pairs", listed(_pair, 3))),
        check=market.check_open,
        apply=market.apply_open,
        sentence=describe.market_open,
    ),
    "market_pick": EventRule(
        event=ev.MarketPick,
        phases=frozenset({"market"}),
        fields=(
            _SIDE,
            Field("revealed", _pair),
            Field("take", text),
            Field("pair", _pair),
            Field("next_pair", _pair, optional=True),
        ),
        check=market.check_pick,
        apply=market.apply_pick,
        sentence=describe.market_pick,
    ),
    "market_transfer": EventRule(
        event=ev.MarketTransfer,
        phases=frozenset({"pre_match"}),
        fields=(_SIDE, Field("offered", listed(text, 5)), Field("take", _pair)),
        check=legs.check_transfer,
        apply=legs.apply_transfer,
        sentence=describe.market_transfer,
    ),
    "team_sheet": EventRule(
        event=ev.TeamSheet,
        phases=frozenset({"pre_match"}),
        fields=(_SIDE, Field("lineup", _lineup), Field("captain", text)),
        check=team.check_team_sheet,
        apply=team.apply_team_sheet,
        sentence=describe.team_sheet,
    ),
    "tactics": EventRule(
        event=ev.Tactics,
        phases=_BEFORE_HALF,
        fields=(_SIDE, Field("cards", _counts, optional=True)),
        check=match_cards.check_tactics,
        apply=match_cards.apply_tactics,
        sentence=describe.tactics,
    ),
    "ball": EventRule(
        event=ev.Ball,
        phases=_BEFORE_HALF,
        fields=(Field("colour", one_of(*COLOURS)),),
        check=course.check_ball,
        apply=course.apply_ball,
        sentence=describe.ball,
    ),
    "supporter": EventRule(
        event=ev.LaySupporter,
        phases=frozenset({"preparation"}),
        fields=(_SIDE,),
        check=course.check_supporter,
        apply=course.apply_supporter,
        sentence=describe.supporter,
    ),
    "change": EventRule(
        event=ev.Change,
        phases=frozenset({"preparation"}),
        fields=(
            _SIDE,
            Field("subs", listed(_substitution)),
            Field("lineup", _lineup, optional=True),
            Field("captain", text, optional=True),
        ),
        elsewhere={None: "FC-12.1"},
        check=changes.check_change,
        apply=changes.apply_change,
        sentence=describe.change,
    ),
    "permute": EventRule(
        event=ev.Permute,
        phases=frozenset({"preparation"}),
        fields=(_SIDE, Field("players", different(text, 2))),
        elsewhere={None: "FC-12.8"},
        check=changes.check_permute,
        apply=changes.apply_permute,
        sentence=describe.permute,
    ),
    "captain": EventRule(
        event=ev.NameCaptain,
        phases=frozenset(PHASES),
        fields=(_SIDE, Field("player", text)),
        check=team.check_captain_named,
        apply=team.apply_captain_named,
        sentence=describe.captain,
    ),
    "press": EventRule(
        event=ev.Press,
        phases=_BALL_FOUGHT,
        fields=(_SIDE, Field("pay", listed(one_of("token", "supporter", "kop"), 2), optional=True)),
        also=CARD_KEYS,
        complete=_reference,
        elsewhere=_LEFT,
        check=pressing.check_press,
        apply=pressing.apply_press,
        sentence=describe.press,
    ),
    "tackle": EventRule(
        event=ev.Tackle,
        phases=_BALL_FOUGHT,
        fields=(_SIDE, Field("mode", _mode, optional=True)),
        also=CARD_KEYS,
        complete=_reference,
        elsewhere=_LEFT,
        check=duel.check_tackle,
        apply=duel.apply_tackle,
        sentence=describe.tackle,
    ),
    "leave": EventRule(
        event=ev.Leave,
        phases=_BALL_FOUGHT,
        fields=(_SIDE,),
        elsewhere=_LEFT,
        check=course.check_leave,
        apply=course.apply_leave,
        sentence=describe.leave,
    ),
    "roll": EventRule(
        event=ev.Roll,
        phases=frozenset({"duel"}),
        fields=(Field("dice", listed(die, 2)),),
        apply=duel.apply_roll,
        sentence=describe.roll,
    ),
    "offensive": EventRule(
        event=ev.StartOffensive,
        phases=frozenset({"attack"}),
        fields=(
            _SIDE,
            Field("kind", one_of(*OFFENSIVES)),
            Field("skill", one_of("none", "freshness", "supporter", "kop"), optional=True),
        ),
        also=CARD_KEYS,
        complete=_reference,
        elsewhere=_TOO_EARLY,
        check=offensives.check_offensive,
        apply=offensives.apply_offensive,
        sentence=describe.offensive,
    ),
    "attacking_support": EventRule(
        event=ev.AttackingSupport,
        phases=frozenset({"offensive"}),
        fields=(_SIDE,),
        elsewhere=_NOTHING_ADDED,
        check=bonus.check_attacking_support,
        apply=bonus.apply_attacking_support,
        sentence=describe.attacking_support,
    ),
    "spend": EventRule(
        event=ev.Spend,
        phases=frozenset({"offensive"}),
        fields=(_SIDE, Field("supporters", count, optional=True), Field("kop", boolean, optional=True)),
        needs=("supporters", "kop"),
        elsewhere=_NOTHING_ADDED,
        check=bonus.check_spend,
        apply=bonus.apply_spend,
        sentence=describe.spend,
    ),
    "defensive_support": EventRule(
        event=ev.DefensiveSupport,
        phases=frozenset({"offensive"}),
        fields=(_SIDE, Field("mode", _mode, optional=True)),
        also=CARD_KEYS,
        complete=_reference,
        elsewhere=_NOTHING_ADDED,
        check=bonus.check_defensive_support,
        apply=bonus.apply_defensive_support,
        sentence=describe.defensive_support,
    ),
    "shot": EventRule(
        event=ev.Shot,
        phases=frozenset({"offensive", "set_piece", "shootout"}),
        fields=(
            Field("defence", die, optional=True),
            Field("attack", die, optional=True),
            Field("player", text, optional=True),
        ),
        needs=("defence", "attack"),
        check=shot.check_shot,
        apply=shot.apply_shot,
        sentence=describe.shot,
    ),
    "recover": EventRule(
        event=ev.Recover,
        phases=frozenset({"corner"}),
        fields=(_SIDE, Field("card", _type)),
        check=course.check_recover,
        apply=course.apply_recover,
        sentence=describe.recover,
    ),
    "no_offensive": EventRule(
        event=ev.NoOffensive,
        phases=frozenset({"attack"}),
        fields=(_SIDE,),
        check=offensives.check_no_offensive,
        apply=course.apply_no_offensive,
        sentence=describe.no_offensive,
    ),
    "discard": EventRule(
        event=ev.Discard,
        phases=frozenset({"end_of_turn"}),
        fields=(_SIDE, Field("cards", listed(_type, least=1))),
        check=course.check_discard,
        apply=course.apply_discard,
        sentence=describe.discard,
    ),
    "extra_time": EventRule(
        event=ev.ExtraTime,
        phases=frozenset({"full_time"}),
        fields=(Field("play", boolean),),
        apply=course.apply_extra_time,
        sentence=describe.extra_time,
    ),
    "shooters": EventRule(
        event=ev.NameShooters,
        phases=frozenset({"shootout"}),
        fields=(_SIDE, Field("players", different(text, SHOOTERS))),
        check=shootout.check_shooters,
        apply=shootout.apply_shooters,
        sentence=describe.shooters,
    ),
    "shootout": EventRule(
        event=ev.StartShootout,
        phases=frozenset({"shootout"}),
        fields=(Field("first", _side),),
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
    CheckOrder(
        over="finished",
        when_over=lambda: refusal("FC-18.3"),
        admit=_admit,
        refuse=_refuse,
        fields_first=True,
        unlisted_refused=True,
    ),
    prepare=_close_window,
)
