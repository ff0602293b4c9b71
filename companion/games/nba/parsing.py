"""Makes typed events from the JSON objects of a journal; a malformed one keeps its fault until its turn (NBA-1.7)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.games.base import Fields, Refusal
from companion.games.forms import (
    Field,
    Form,
    Forms,
    Reader,
    Wrong,
    boolean,
    count,
    different,
    listed,
    one_of,
    text,
    whole,
)
from companion.games.nba import events as ev
from companion.games.nba.refusing import refusal
from companion.games.nba.tables import DEFENCE, OFFENCE, POSITIONS, SKILLS, SLOTS


def _dice(*kinds: str) -> Reader:
    """A list of dice of these kinds; colours and impossible values are left to NBA-2.4."""

    def read(value: Any) -> ev.ReadDie:
        if not isinstance(value, dict) or type(value.get("value")) is not int:
            raise Wrong
        kind = value.get("die")
        if not isinstance(kind, str) or kind not in kinds:
            raise Wrong
        return ev.ReadDie(kind, value["value"], value.get("colour"), value.get("asked") is True)

    return listed(read)


def _optional_text(value: Any) -> str | None:
    return None if value is None else text(value)


def _court(value: Any) -> tuple[tuple[str, str], ...]:
    if not isinstance(value, dict) or not value or not value.keys() <= set(POSITIONS):
        raise Wrong
    return tuple([(position, text(value[position])) for position in POSITIONS if position in value])


def _some_indices(value: Any) -> tuple[int, ...]:
    indices: tuple[int, ...] = _indices(value)
    if not indices:
        raise Wrong
    return indices


def _award(value: Any) -> ev.Award:
    if not isinstance(value, dict) or type(value.get("points")) is not int:
        raise Wrong
    return ev.Award(text(value.get("side")), text(value.get("against")), value["points"])


def _sentence(value: Any) -> str:
    if text(value) == "":
        raise Wrong
    return str(value)


_ids = listed(text)
_indices: Reader = different(count)
_any_dice = _dice(*SKILLS)
_CARD = Field("card", text)
_PAID = Field("paid", _ids)
_SIDE = Field("side", text)


def _bought(card: str, paid: tuple[str, ...], slot: int | None = None, **source: str) -> ev.BuyPlayer:
    """`from` is no name that Python lets an argument have."""
    return ev.BuyPlayer(card, paid, source.get("from", "market"), slot)


_FORMS: dict[str, Form[ev.Sound]] = {
    "attack": Form(ev.Attack, (Field("dice", _dice(*OFFENCE)), Field("tactic", _optional_text, optional=True))),
    "defend": Form(
        ev.Defend,
        (
            Field("dice", _dice(*DEFENCE)),
            Field("tactic", _optional_text, optional=True),
            Field("fatigue", count, optional=True),
        ),
    ),
    "adjust": Form(
        ev.Adjust,
        (Field("revealed", _ids, optional=True), Field("tactics_replaced", whole(0, SLOTS), optional=True)),
    ),
    "replace": Form(ev.Replace, (Field("court", _court), Field("fatigue_removed", count, optional=True))),
    "prepare": Form(
        ev.Prepare,
        (Field("tactics", _ids, optional=True), Field("discard", _ids, optional=True)),
        needs=("tactics", "discard"),
    ),
    "buy_player": Form(
        _bought,
        (
            _CARD,
            _PAID,
            Field("from", one_of("market", "mini"), optional=True),
            Field("slot", whole(1, SLOTS), optional=True),
        ),
    ),
    "buy_tactic": Form(ev.BuyTactic, (_CARD, _PAID)),
    "activate": Form(ev.Activate, (Field("tactic", text), Field("dice", _any_dice))),
    "reroll": Form(ev.Reroll, (Field("dice", _some_indices), Field("to", _any_dice))),
    "keep": Form(ev.Keep, (Field("dice", _indices),)),
    "end_turn": Form(
        ev.EndTurn, (Field("eliminated", _ids, optional=True), Field("market_empty", boolean, optional=True))
    ),
    "mismatch": Form(
        ev.Mismatch,
        (
            _SIDE,
            Field("position", one_of(*POSITIONS)),
            Field("attack", _any_dice),
            Field("defence", _any_dice),
            Field("against", text, optional=True),
        ),
    ),
    "ai_recruit": Form(ev.AiRecruit, (Field("cards", _ids),)),
    "ai_tactic": Form(ev.AiTactic, (Field("market", listed(text)),)),
    "overtime": Form(ev.Overtime),
    "accept_draw": Form(ev.AcceptDraw),
    "ruling": Form(ev.Ruling, (Field("text", _sentence), Field("points", listed(_award), optional=True))),
    "concede": Form(ev.Concede, (_SIDE,)),
}

KINDS: Mapping[str, type[ev.Sound]] = {
    "attack": ev.Attack,
    "defend": ev.Defend,
    "adjust": ev.Adjust,
    "replace": ev.Replace,
    "prepare": ev.Prepare,
    "buy_player": ev.BuyPlayer,
    "buy_tactic": ev.BuyTactic,
    "activate": ev.Activate,
    "reroll": ev.Reroll,
    "keep": ev.Keep,
    "end_turn": ev.EndTurn,
    "mismatch": ev.Mismatch,
    "ai_recruit": ev.AiRecruit,
    "ai_tactic": ev.AiTactic,
    "overtime": ev.Overtime,
    "accept_draw": ev.AcceptDraw,
    "ruling": ev.Ruling,
    "concede": ev.Concede,
}
"""The events by name."""


def _refuse(case: str, **args: Any) -> Refusal:
    return refusal("NBA-1.2", case, **{key: value for key, value in args.items() if key == "field" or case == "event"})


_READER = Forms(_FORMS, _refuse, unlisted_refused=False)


def parse(fields: Fields) -> ev.Event:
    """Raises `Refusal` for an unknown event only; an event of wrong fields comes as `Malformed`."""
    name, form = _READER.form(fields)
    try:
        values = _READER.values(name, form, fields)
        _READER.check_needs(name, form, values)
        event = form.make(**values)
        _check_together(event)
    except Refusal as fault:
        return ev.Malformed(KINDS[name], fault.message)
    return event


def _check_together(event: ev.Sound) -> None:
    """What two fields of one event owe each other."""
    if isinstance(event, ev.Reroll) and len(event.to) != len(event.dice):
        raise _refuse("value", field="to")
    if isinstance(event, ev.BuyPlayer) and event.source == "market" and event.slot is None:
        raise _refuse("missing_field", field="slot")
    if isinstance(event, ev.AiTactic) and len(event.market) > SLOTS:
        raise _refuse("value", field="market")
