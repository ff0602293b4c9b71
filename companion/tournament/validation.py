"""Validates texts and the JSON objects of plans and events, field by field; each refusal names its reason."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, TypeVar
from unicodedata import category

from companion.games.base import Fields, Message, Refusal
from companion.tournament.values import NOBODY, SIDES

FIELDS = frozenset({
    "advance", "away", "bye", "chain", "choice", "clock", "club",
    "date", "days", "draw", "entry", "epoch", "final_legs",
    "forfeit", "game", "group", "groups", "handbook", "home", "id", "kind", "label", "legs", "loss", "match",
    "match_minutes", "minutes", "mode", "name", "number", "one", "order", "other", "pairs", "place", "player",
    "player_cost", "points", "question", "rest", "round", "rounds", "score", "seed", "side", "stage", "stages",
    "start", "table", "tables", "tactic", "tactic_cost", "thresholds", "turn_seconds", "why", "win", "winner",
})  # fmt: skip
"""Fields with a translation in the catalogues."""

PLACES = frozenset({
    "annul", "archive", "call", "clock", "correct", "count", "double_forfeit", "draw", "edit", "enter", "forfeit",
    "keep", "key", "plan", "points", "readmit", "result", "rule", "seed", "stages", "start", "swap", "table", "terms",
    "uncall", "undraw", "unseed", "unstart", "withdraw",
})  # fmt: skip
"""Objects that contain fields, with a translation in the catalogues."""


def refusal(reason: str, **args: object) -> Refusal:
    """Return the refusal for a reason; its `rule` is the reason's id.

    Known names of places and fields are translated; others are shown as they are.
    """
    if "field" in args and reason != "unknown_field":
        args["field"] = _word("field", args["field"], FIELDS)
    if "place" in args:
        args["place"] = _word("place", args["place"], PLACES)
    return Refusal(reason, Message(f"tournament.refusal.{reason}", args))


def _word(kind: str, value: object, known: frozenset[str]) -> Any:
    if not isinstance(value, str):
        return value
    name, _, number = value.partition("[")
    if name not in known:
        return value
    return Message(f"tournament.{kind}.{name}", {"number": number.rstrip("]")} if number else {})


# Rules for all typed texts: event fields, names, labels and reasons.


MAX_TEXT_LENGTH = 200
"""Maximum length of a text in characters."""
MAX_NAME_LENGTH = 60
"""Maximum length of the name of a table, a key holder or a user."""


_BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and symbols that look blank: fillers of Hangul syllables, and the empty Braille pattern."""


def is_displayable(text: str, most: int = MAX_TEXT_LENGTH) -> bool:
    """Return whether a text is short enough and fully visible.

    It must not contain control characters, direction marks or lone surrogates. Spaces of every width are
    allowed: French puts narrow ones before punctuation.
    """
    seen = (sign not in _BLANK and (sign.isprintable() or category(sign) == "Zs") for sign in text)
    return len(text) <= most and all(seen)


def check_text(text: object, place: str, field: str, *, most: int = MAX_TEXT_LENGTH, empty: bool = True) -> str:
    """Return the text unchanged. Raises: Refusal, with the place and the field, if it is no text or does not fit."""
    if not isinstance(text, str) or not is_displayable(text, most) or not (empty or text.strip()):
        raise refusal("bad_field", place=place, field=field, allowed=Message("tournament.allowed.text", {"most": most}))
    return text


# Readers of the fields in the JSON objects of plans and events.


Value = TypeVar("Value")
Reader = Callable[[object], Any]
"""A function that converts a JSON value to a typed value, or raises ValueError."""

MAX_NUMBER = 10**12


class InvalidPlanValue(ValueError):
    """A value that a reader rejects; `allowed` describes the valid values."""

    def __init__(self, id: str, **args: object) -> None:
        self.allowed = Message(f"tournament.allowed.{id}", args)
        super().__init__(self.allowed.id)


def text(value: object) -> str:
    """Read a visible text of 1 to 200 characters (`is_displayable`)."""
    if not isinstance(value, str) or not value.strip() or not is_displayable(value):
        raise InvalidPlanValue("text", most=MAX_TEXT_LENGTH)
    return value


def remark(value: object) -> str:
    """Read a text that may be empty."""
    return "" if value == "" else text(value)


def date(value: object) -> str:
    """Read a date as ISO 8601, or an empty text."""
    return _moment(value, "%Y-%m-%d", "date")


def time_of_day(value: object) -> str:
    """Read hours and minutes ("19:30"), or an empty text."""
    return _moment(value, "%H:%M", "time")


def _moment(value: object, form: str, allowed: str) -> str:
    if value == "":
        return ""
    try:
        # the same text again, so that only one spelling is stored
        if isinstance(value, str) and datetime.strptime(value, form).strftime(form) == value:
            return value
    except ValueError:
        pass
    raise InvalidPlanValue(allowed)


def identifier(value: object) -> str:
    """Read the id of an entry, a match or a question: a text without spaces that is not `NOBODY`."""
    found = text(value)
    if found == NOBODY or any(sign.isspace() for sign in found):
        raise InvalidPlanValue("id")
    return found


def identifier_or_none(value: object) -> str:
    """Read an id, or an empty text."""
    return "" if value == "" else identifier(value)


def flag(value: object) -> bool:
    """Read a boolean."""
    if not isinstance(value, bool):
        raise InvalidPlanValue("flag")
    return value


def whole_number(least: int = 0, most: int = MAX_NUMBER) -> Reader:
    """Return a reader of integers in a range, both ends included."""

    def read(value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise (
                InvalidPlanValue("whole_from", least=least)
                if most == MAX_NUMBER
                else InvalidPlanValue("whole", least=least, most=most)
            )
        return value

    return read


def side(value: object) -> str:
    """Read `home` or `away`."""
    return one_of(SIDES)(value)  # type: ignore[no-any-return]


def one_of(choices: tuple[str, ...]) -> Reader:
    """Return a reader of one of several words."""

    def read(value: object) -> str:
        if not isinstance(value, str) or value not in choices:
            raise InvalidPlanValue("word", words=", ".join(choices))
        return value

    return read


def optional(reader: Reader) -> Reader:
    """Return a reader that also accepts null."""
    return lambda value: None if value is None else reader(value)


def list_of(reader: Reader, *, length: int | None = None) -> Reader:
    """Return a reader of lists, of a fixed length if given."""

    def read(value: object) -> tuple[object, ...]:
        if not isinstance(value, (list, tuple)):
            raise InvalidPlanValue("list")
        if length is not None and len(value) != length:
            raise InvalidPlanValue("list_of", length=length)
        return tuple(reader(each) for each in value)

    return read


def json_object(value: object) -> Fields:
    """Read any JSON object, unchanged."""
    if not isinstance(value, Mapping):
        raise InvalidPlanValue("object")
    return value


def read_object(
    make: Callable[..., Value], readers: Mapping[str, Reader], required: tuple[str, ...], fields: Fields, place: str
) -> Value:
    """Read a JSON object and make a value of it. Raises: Refusal, with the place and the field."""
    for key in fields:
        if key not in readers:
            raise refusal("unknown_field", place=place, field=key)
    for key in required:
        if key not in fields:
            raise refusal("missing_field", place=place, field=key)
    found = {}
    for key, given in fields.items():
        try:
            found[key] = readers[key](given)
        except InvalidPlanValue as unfit:
            raise refusal("bad_field", place=place, field=key, allowed=unfit.allowed) from None
    return make(**found)


def to_json(value: object) -> object:
    """Return a value as JSON: tuples become lists."""
    if isinstance(value, (tuple, list)):
        return [to_json(each) for each in value]
    if isinstance(value, Mapping):
        return {key: to_json(each) for key, each in value.items()}
    return value
