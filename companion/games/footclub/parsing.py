"""Makes typed events from the JSON objects of a journal, with FC-18.1 and FC-18.2: the door for every event."""

from __future__ import annotations

from typing import Any

from companion.games.base import Fields, Refusal
from companion.games.footclub import events as ev
from companion.games.footclub.card_reading import ribbon, section
from companion.games.footclub.refusing import refusal
from companion.games.footclub.tables import COLOURS, MODES, OFFENSIVES, POSTS, RIBBON_WIDTH, SHOOTERS, SIDES, TYPES
from companion.games.forms import Field, Form, Forms, Wrong, boolean, count, die, different, listed, one_of, text

CARD_KEYS = frozenset({"card", "ribbon", "section"})
SUB_KEYS = {"out", "in"}


def _substitution(value: Any) -> ev.Substitution:
    if not isinstance(value, dict) or value.keys() != SUB_KEYS:
        raise Wrong
    return ev.Substitution(text(value["out"]), text(value["in"]))


def _lineup(value: Any) -> tuple[tuple[str, ...], ...]:
    if not isinstance(value, dict) or not value.keys() <= set(POSTS):
        raise Wrong
    return tuple([_ids(value.get(post, [])) for post in POSTS])


def _counts(value: Any) -> tuple[int, ...]:
    if not isinstance(value, dict) or not value.keys() <= set(TYPES):
        raise Wrong
    return tuple([count(value.get(type_, 0)) for type_ in TYPES])


_ids = listed(text)
_side = one_of(*SIDES)
_type = one_of(*TYPES)
_mode = one_of(*MODES)
_pair = listed(text, 2)


_SIDE = Field("side", _side)

_FORMS: dict[str, Form[ev.Event]] = {
    "market_staff": Form(ev.MarketStaff, (_SIDE, Field("coach", text), Field("goalkeeper", text))),
    "market_open": Form(ev.MarketOpen, (Field("first", _side), Field("pairs", listed(_pair, 3)))),
    "market_pick": Form(
        ev.MarketPick,
        (
            _SIDE,
            Field("revealed", _pair),
            Field("take", text),
            Field("pair", _pair),
            Field("next_pair", _pair, optional=True),
        ),
    ),
    "market_transfer": Form(ev.MarketTransfer, (_SIDE, Field("offered", listed(text, 5)), Field("take", _pair))),
    "team_sheet": Form(ev.TeamSheet, (_SIDE, Field("lineup", _lineup), Field("captain", text))),
    "tactics": Form(ev.Tactics, (_SIDE, Field("cards", _counts, optional=True))),
    "ball": Form(ev.Ball, (Field("colour", one_of(*COLOURS)),)),
    "supporter": Form(ev.LaySupporter, (_SIDE,)),
    "change": Form(
        ev.Change,
        (
            _SIDE,
            Field("subs", listed(_substitution)),
            Field("lineup", _lineup, optional=True),
            Field("captain", text, optional=True),
        ),
    ),
    "permute": Form(ev.Permute, (_SIDE, Field("players", different(text, 2)))),
    "captain": Form(ev.NameCaptain, (_SIDE, Field("player", text))),
    "press": Form(
        ev.Press, (_SIDE, Field("pay", listed(one_of("token", "supporter", "kop"), 2), optional=True)), also=CARD_KEYS
    ),
    "tackle": Form(ev.Tackle, (_SIDE, Field("mode", _mode, optional=True)), also=CARD_KEYS),
    "leave": Form(ev.Leave, (_SIDE,)),
    "roll": Form(ev.Roll, (Field("dice", listed(die, 2)),)),
    "offensive": Form(
        ev.StartOffensive,
        (
            _SIDE,
            Field("kind", one_of(*OFFENSIVES)),
            Field("skill", one_of("none", "freshness", "supporter", "kop"), optional=True),
        ),
        also=CARD_KEYS,
    ),
    "attacking_support": Form(ev.AttackingSupport, (_SIDE,)),
    "spend": Form(
        ev.Spend,
        (_SIDE, Field("supporters", count, optional=True), Field("kop", boolean, optional=True)),
        needs=("supporters", "kop"),
    ),
    "defensive_support": Form(ev.DefensiveSupport, (_SIDE, Field("mode", _mode, optional=True)), also=CARD_KEYS),
    "shot": Form(
        ev.Shot,
        (
            Field("defence", die, optional=True),
            Field("attack", die, optional=True),
            Field("player", text, optional=True),
        ),
        needs=("defence", "attack"),
    ),
    "recover": Form(ev.Recover, (_SIDE, Field("card", _type))),
    "no_offensive": Form(ev.NoOffensive, (_SIDE,)),
    "discard": Form(ev.Discard, (_SIDE, Field("cards", listed(_type, least=1)))),
    "extra_time": Form(ev.ExtraTime, (Field("play", boolean),)),
    "shooters": Form(ev.NameShooters, (_SIDE, Field("players", different(text, SHOOTERS)))),
    "shootout": Form(ev.StartShootout, (Field("first", _side),)),
    "forfeit": Form(ev.Forfeit, (_SIDE,)),
}


def _refuse(case: str, **args: Any) -> Refusal:
    return refusal("FC-18.1" if case == "event" else "FC-18.2", case, **args)


_READER = Forms(_FORMS, _refuse)
EVENTS = tuple(_FORMS)


def parse(fields: Fields) -> ev.Event:
    """Raises `Refusal`: FC-18.1 for an unknown event, FC-18.2 for missing, unknown or wrong fields.

    A malformed ribbon or section passes: FC-1.8 has its place among the event's own checks.
    """
    name, form = _READER.form(fields)
    values = _READER.values(name, form, fields)
    if form.also:
        values["card"] = _reference(fields, values.get("kind", name))
    _READER.check_needs(name, form, values)
    return form.make(**values)


def _reference(fields: Fields, type_: Any) -> ev.CardReference:
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
