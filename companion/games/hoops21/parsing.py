"""Makes typed events from the JSON objects of a journal (HB-1.2): the door for every event.

Match over and phase are looked at before the fields (HB-1.7), so a fault of the fields is kept and passes as `Faulty`.
"""

from __future__ import annotations

from typing import Any

from companion.games.base import Fields, Refusal
from companion.games.forms import Field, Form, Forms, Reader, Wrong, boolean, one_of
from companion.games.hoops21 import events as ev
from companion.games.hoops21.refusing import refusal
from companion.games.hoops21.tables import ACTIONS, INDEX, RESTARTS, SIDES, SYMBOLS


def _dice(value: Any) -> ev.Dice:
    """A dice list; what is no symbol is told by HB-1.6, when the dice are counted."""
    if not isinstance(value, list):
        raise Wrong
    return tuple([entry if isinstance(entry, str) and entry in INDEX else None for entry in value])  # type: ignore[misc]


def _dice_or_none(value: Any) -> ev.Dice | None:
    """The dice of a team that may not be due at all (HB-8.1)."""
    return _dice(value) if isinstance(value, list) else None


def _or_null(read: Reader) -> Reader:
    """A value that counts as absent when it is null."""
    return lambda value: None if value is None else read(value)


def _whole(value: Any) -> int:
    """Any whole number."""
    if type(value) is not int:
        raise Wrong
    return value


def _words(value: Any) -> str:
    """A text that is not blank."""
    if not isinstance(value, str) or not value.strip():
        raise Wrong
    return value


def _points(value: Any) -> tuple[int, ...]:
    """Points by side; a side that is not named gets none."""
    if not isinstance(value, dict) or not value.keys() <= set(SIDES):
        raise Wrong
    return tuple([_whole(value.get(side, 0)) for side in SIDES])


def _free_throw(**dice: ev.Dice | None) -> ev.FreeThrow:
    return ev.FreeThrow(
        (dice.get("orange"), dice.get("white")),
        ("orange" in dice, "white" in dice),
    )


def _inbound_end(**values: Any) -> ev.InboundEnd:
    if values["stolen"] and "section" not in values:
        raise _refuse("missing_field", event="inbound_end", field="section")
    return ev.InboundEnd(**values)


def _ruling(**values: Any) -> ev.Ruling:
    needed = {"throw": "section", "inbound": "team"}.get(values.get("restart", ""))
    if needed is not None and needed not in values:
        raise _refuse("missing_field", event="ruling", field=needed)
    return ev.Ruling(**values)


_side = one_of(*SIDES)
_BOTH = (Field("orange", _dice), Field("white", _dice))

_FORMS: dict[str, Form[ev.Event]] = {
    "jump_ball": Form(ev.JumpBall, _BOTH),
    "throw": Form(ev.Throw, _BOTH),
    "token": Form(ev.Token, (Field("use", boolean),)),
    "choose": Form(
        ev.Choose,
        (
            Field("symbol", _or_null(one_of(*SYMBOLS)), optional=True),
            Field("action", _or_null(one_of(*ACTIONS)), optional=True),
        ),
    ),
    "step_back": Form(ev.StepBack),
    "shot": Form(ev.Shot, _BOTH),
    "free_throw": Form(
        _free_throw, (Field("orange", _dice_or_none, optional=True), Field("white", _dice_or_none, optional=True))
    ),
    "inbound_throw": Form(ev.InboundThrow, (Field("team", _side), Field("dice", _dice))),
    "inbound_end": Form(_inbound_end, (Field("stolen", boolean), Field("section", _whole, optional=True))),
    "reroll": Form(ev.Reroll, (Field("kept", _dice), Field("rolled", _dice))),
    "stand": Form(ev.Stand),
    "ruling": Form(
        _ruling,
        (
            Field("text", _words),
            Field("points", _points, optional=True),
            Field("token", _side, optional=True),
            Field("restart", one_of(*RESTARTS), optional=True),
            Field("section", _whole, optional=True),
            Field("team", _side, optional=True),
        ),
    ),
    "concede": Form(ev.Concede, (Field("team", _side),)),
}


def _refuse(case: str, **args: Any) -> Refusal:
    return refusal("HB-1.2", case, **args)


_READER = Forms(_FORMS, _refuse, unlisted_refused=False)
EVENTS = tuple(_FORMS)


def parse(fields: Fields) -> ev.Event:
    """Raises `Refusal` HB-1.2 for an unknown event; any other fault of the fields waits for `decide`."""
    name, form = _READER.form(fields)
    try:
        return form.make(**_READER.values(name, form, fields))
    except Refusal as refused:
        return ev.Faulty(name, refused.rule, refused.message)
