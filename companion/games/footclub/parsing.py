"""Makes typed events from the JSON objects of a journal, with FC-18.1 and FC-18.2: the door for every event."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

from companion.games.base import Fields
from companion.games.footclub import events as ev
from companion.games.footclub.card_reading import is_count, ribbon, section
from companion.games.footclub.refusing import refusal
from companion.games.footclub.tables import COLOURS, MODES, OFFENSIVES, POSTS, RIBBON_WIDTH, SHOOTERS, SIDES, TYPES

ALWAYS = frozenset({"event", "at", "by", "note"})
CARD_KEYS = ("card", "ribbon", "section")
SUB_KEYS = {"out", "in"}

Reader = Callable[[Any], Any]


class _Wrong(Exception):
    """A value of a wrong type or outside its range."""


def _one_of(*values: str) -> Reader:
    known = frozenset(values)

    def read(value: Any) -> str:
        if not isinstance(value, str) or value not in known:
            raise _Wrong
        return value

    return read


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise _Wrong
    return value


def _die(value: Any) -> int:
    if type(value) is not int or not 1 <= value <= 6:
        raise _Wrong
    return value


def _count(value: Any) -> int:
    if not is_count(value):
        raise _Wrong
    return cast("int", value)


def _boolean(value: Any) -> bool:
    if not isinstance(value, bool):
        raise _Wrong
    return value


def _list(read: Reader, length: int | None = None) -> Reader:
    def read_list(value: Any) -> tuple[Any, ...]:
        if not isinstance(value, list) or (length is not None and len(value) != length):
            raise _Wrong
        return tuple([read(entry) for entry in value])

    return read_list


def _filled(read: Reader) -> Reader:
    read_list = _list(read)

    def read_filled(value: Any) -> Any:
        if not value:
            raise _Wrong
        return read_list(value)

    return read_filled


def _different(length: int) -> Reader:
    read_list = _list(_text, length)

    def read_different(value: Any) -> Any:
        ids = read_list(value)
        if len(set(ids)) < length:
            raise _Wrong
        return ids

    return read_different


def _substitution(value: Any) -> ev.Substitution:
    if not isinstance(value, dict) or value.keys() != SUB_KEYS:
        raise _Wrong
    return ev.Substitution(_text(value["out"]), _text(value["in"]))


def _lineup(value: Any) -> tuple[tuple[str, ...], ...]:
    if not isinstance(value, dict) or not value.keys() <= set(POSTS):
        raise _Wrong
    return tuple([_ids(value.get(post, [])) for post in POSTS])


def _counts(value: Any) -> tuple[int, ...]:
    if not isinstance(value, dict) or not value.keys() <= set(TYPES):
        raise _Wrong
    return tuple([_count(value.get(type_, 0)) for type_ in TYPES])


_ids = _list(_text)
_side = _one_of(*SIDES)
_type = _one_of(*TYPES)
_mode = _one_of(*MODES)
_pair = _list(_text, 2)


@dataclass(frozen=True, slots=True)
class _Field:
    name: str
    read: Reader
    optional: bool = False


@dataclass(frozen=True, slots=True)
class _Form:
    """The vocabulary of one event. `needs` are fields of which one must say something (`spend`, `shot`)."""

    make: Callable[..., ev.Event]
    fields: tuple[_Field, ...]
    card: bool = False
    needs: tuple[str, ...] = ()

    @property
    def known(self) -> frozenset[str]:
        return ALWAYS.union(CARD_KEYS if self.card else (), (field.name for field in self.fields))


_SIDE = _Field("side", _side)

_FORMS: dict[str, _Form] = {
    "market_staff": _Form(ev.MarketStaff, (_SIDE, _Field("coach", _text), _Field("goalkeeper", _text))),
    "market_open": _Form(ev.MarketOpen, (_Field("first", _side), _Field("pairs", _list(_pair, 3)))),
    "market_pick": _Form(
        ev.MarketPick,
        (
            _SIDE,
            _Field("revealed", _pair),
            _Field("take", _text),
            _Field("pair", _pair),
            _Field("next_pair", _pair, optional=True),
        ),
    ),
    "market_transfer": _Form(ev.MarketTransfer, (_SIDE, _Field("offered", _list(_text, 5)), _Field("take", _pair))),
    "team_sheet": _Form(ev.TeamSheet, (_SIDE, _Field("lineup", _lineup), _Field("captain", _text))),
    "tactics": _Form(ev.Tactics, (_SIDE, _Field("cards", _counts, optional=True))),
    "ball": _Form(ev.Ball, (_Field("colour", _one_of(*COLOURS)),)),
    "supporter": _Form(ev.LaySupporter, (_SIDE,)),
    "change": _Form(
        ev.Change,
        (
            _SIDE,
            _Field("subs", _list(_substitution)),
            _Field("lineup", _lineup, optional=True),
            _Field("captain", _text, optional=True),
        ),
    ),
    "permute": _Form(ev.Permute, (_SIDE, _Field("players", _different(2)))),
    "captain": _Form(ev.NameCaptain, (_SIDE, _Field("player", _text))),
    "press": _Form(
        ev.Press, (_SIDE, _Field("pay", _list(_one_of("token", "supporter", "kop"), 2), optional=True)), card=True
    ),
    "tackle": _Form(ev.Tackle, (_SIDE, _Field("mode", _mode, optional=True)), card=True),
    "leave": _Form(ev.Leave, (_SIDE,)),
    "roll": _Form(ev.Roll, (_Field("dice", _list(_die, 2)),)),
    "offensive": _Form(
        ev.StartOffensive,
        (
            _SIDE,
            _Field("kind", _one_of(*OFFENSIVES)),
            _Field("skill", _one_of("none", "freshness", "supporter", "kop"), optional=True),
        ),
        card=True,
    ),
    "attacking_support": _Form(ev.AttackingSupport, (_SIDE,)),
    "spend": _Form(
        ev.Spend,
        (_SIDE, _Field("supporters", _count, optional=True), _Field("kop", _boolean, optional=True)),
        needs=("supporters", "kop"),
    ),
    "defensive_support": _Form(ev.DefensiveSupport, (_SIDE, _Field("mode", _mode, optional=True)), card=True),
    "shot": _Form(
        ev.Shot,
        (
            _Field("defence", _die, optional=True),
            _Field("attack", _die, optional=True),
            _Field("player", _text, optional=True),
        ),
        needs=("defence", "attack"),
    ),
    "recover": _Form(ev.Recover, (_SIDE, _Field("card", _type))),
    "no_offensive": _Form(ev.NoOffensive, (_SIDE,)),
    "discard": _Form(ev.Discard, (_SIDE, _Field("cards", _filled(_type)))),
    "extra_time": _Form(ev.ExtraTime, (_Field("play", _boolean),)),
    "shooters": _Form(ev.NameShooters, (_SIDE, _Field("players", _different(SHOOTERS)))),
    "shootout": _Form(ev.StartShootout, (_Field("first", _side),)),
    "forfeit": _Form(ev.Forfeit, (_SIDE,)),
}
_KNOWN = {name: form.known for name, form in _FORMS.items()}
EVENTS = tuple(_FORMS)


def parse(fields: Fields) -> ev.Event:
    """Raises `Refusal`: FC-18.1 for an unknown event, FC-18.2 for missing, unknown or wrong fields.

    A malformed ribbon or section passes: FC-1.8 has its place among the event's own checks.
    """
    name = fields.get("event")
    form = _FORMS.get(name) if isinstance(name, str) else None
    if form is None:
        raise refusal("FC-18.1", "event", event=name)
    known = _KNOWN[cast("str", name)]
    for key in fields:
        if key not in known:
            raise refusal("FC-18.2", "unknown_field", event=name, field=key)
    values: dict[str, Any] = {}
    for field in form.fields:
        if field.name in fields:
            try:
                values[field.name] = field.read(fields[field.name])
            except _Wrong:
                raise refusal("FC-18.2", "value", event=name, field=field.name) from None
        elif not field.optional:
            raise refusal("FC-18.2", "missing_field", event=name, field=field.name)
    if form.card:
        values["card"] = _reference(fields, values.get("kind", name))
    if form.needs and not any(values.get(key) for key in form.needs):
        raise refusal("FC-18.2", "missing_field", event=name, field=" / ".join(form.needs))
    return form.make(**values)


def _reference(fields: Fields, type_: Any) -> ev.CardReference:
    given = [key for key in CARD_KEYS if key in fields]
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
