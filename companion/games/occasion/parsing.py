"""Makes typed events from the JSON objects of a journal (OC-1.2): the door for every event."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, cast

from companion.games.base import Fields, Message, Refusal
from companion.games.forms import Field, Form, Forms, Reader, Wrong, count, listed, one_of, text, whole
from companion.games.occasion import events as ev
from companion.games.occasion.card_reading import BadCard, chance_card, player_card
from companion.games.occasion.cards import Chance, PlayerCard
from companion.games.occasion.refusing import refusal
from companion.games.occasion.tables import EFFECTS, KINDS, MOST_ENERGY, MOVES, SHOWN, SIDES

_side = one_of(*SIDES)
_SIDE = Field("side", _side)


def _any_whole(value: Any) -> int:
    if type(value) is not int:
        raise Wrong
    return value


def _not_blank(value: Any) -> str:
    if not text(value).strip():
        raise Wrong
    return cast("str", value)


def _object(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise Wrong
    return value


def _goals(value: Any) -> tuple[int, int]:
    if not isinstance(value, dict) or not value.keys() <= set(SIDES):
        raise Wrong
    return _any_whole(value.get("home", 0)), _any_whole(value.get("away", 0))


def _side_or_none(value: Any) -> str | None:
    return None if value is None else cast("str", _side(value))


def _optional(name: str, read: Reader) -> Field:
    return Field(name, read, optional=True)


def _define(kind: str, id: str, card: dict[str, Any], side: Any = None) -> ev.DefineCard:
    made: PlayerCard | Chance | Message
    try:
        made = player_card(id, card) if kind == "player" else chance_card(id, card)
    except BadCard as fault:
        made = fault.message
    return ev.DefineCard(kind, id, made, side)


_FORMS: dict[str, Form[ev.Played]] = {
    "occasion_played": Form(ev.OccasionPlayed, (Field("card", text), _optional("zone", text))),
    "attack_move": Form(ev.AttackMove, (Field("player", text), Field("move", one_of(*MOVES)))),
    "defence_choice": Form(ev.DefenceChoice, (Field("choice", one_of("oppose", "let_pass")),)),
    "add_support": Form(ev.AddSupport, (_SIDE, Field("players", listed(text, least=1)))),
    "support_done": Form(ev.SupportDone, (_SIDE,)),
    "ability_used": Form(
        ev.AbilityUsed, (_SIDE, Field("player", text), Field("ability", text), Field("points", _any_whole))
    ),
    "reveal": Form(ev.Reveal, (_SIDE, Field("value", whole(0, MOST_ENERGY)))),
    "foul_called": Form(
        ev.FoulCalled,
        (_SIDE, Field("effect", one_of(*EFFECTS)), _optional("card", one_of(*SHOWN)), _optional("player", text)),
    ),
    "resolve": Form(ev.Resolve),
    "advance": Form(ev.Advance, (Field("zone", text),)),
    "goal_scored": Form(ev.GoalScored),
    "chance_missed": Form(ev.ChanceMissed),
    "turn_ended": Form(ev.TurnEnded),
    "match_ended": Form(ev.MatchEnded),
    "occasion_shown": Form(ev.OccasionShown, (_SIDE, Field("card", text))),
    "define_card": Form(_define, (Field("kind", one_of(*KINDS)), Field("id", text), Field("card", _object))),
    "cards_recovered": Form(ev.CardsRecovered, (_SIDE, _optional("players", listed(text)), _optional("energy", count))),
    "ruling": Form(
        ev.Ruling, (Field("text", _not_blank), _optional("goals", _goals), _optional("next_attack", _side_or_none))
    ),
    "concede": Form(ev.Concede, (_SIDE,)),
}

_MORE: Mapping[tuple[str, str], Field] = {
    ("defence_choice", "oppose"): Field("player", text),
    ("define_card", "player"): _SIDE,
}
"""Fields that an event has only with this value of its first field (OC-1.2)."""

_MADE: Mapping[str, type[ev.Played]] = {"define_card": ev.DefineCard}
"""The events whose form makes them by a function."""


def _refuse(case: str, **args: Any) -> Refusal:
    return refusal("OC-1.2", case, **args)


_READER = Forms(_FORMS, _refuse, unlisted_refused=False)
EVENTS = tuple(_FORMS)


def parse(fields: Fields) -> ev.Event:
    """Raises `Refusal` OC-1.2 for an unknown event. An event with a bad field comes out as `Malformed` (OC-1.7)."""
    name, form = _READER.form(fields)
    try:
        first = _READER.values(name, form, fields)
        more = _MORE.get((name, next(iter(first.values())))) if form.fields else None
        if more is not None:
            first = _READER.values(name, replace(form, fields=(*form.fields, more)), fields)
    except Refusal as fault:
        return ev.Malformed(_MADE.get(name, cast("type[ev.Played]", form.make)), fault.message)
    return form.make(**first)
