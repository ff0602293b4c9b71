"""Reads texts and the JSON objects of plans and facts field by field, and refuses what does not fit with its reason."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar
from unicodedata import category

from companion.games.base import Fields, Message, Refusal
from companion.tournament.values import NOBODY, SIDES

FIELDS = frozenset({
    "advance", "away", "bye", "chain", "choice", "clock", "days", "draw", "entry", "epoch", "final_legs",
    "forfeit", "game", "group", "groups", "home", "id", "kind", "label", "legs", "loss", "match", "minutes",
    "name", "number", "order", "pairs", "player", "player_cost", "points", "question", "rest", "round",
    "rounds", "score", "seed", "side", "stage", "stages", "table", "tables", "tactic", "tactic_cost",
    "thresholds", "why", "win", "winner",
})  # fmt: skip
"""The fields that have a word in the catalogues."""

PLACES = frozenset({
    "annul", "archive", "call", "correct", "count", "double_forfeit", "draw", "enter", "forfeit", "keep",
    "key", "plan", "points", "readmit", "result", "rule", "seed", "stages", "start", "table", "terms",
    "uncall", "withdraw",
})  # fmt: skip
"""The places where fields stand, alike."""


def refusal(reason: str, **args: object) -> Refusal:
    """The refusal for a reason; its `rule` is the reason's id.

    A place and a field that a person knows are told in words; others as they are.
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


# What a text that a person typed may hold: the one place that says it, for facts, names, labels and reasons alike.


LONGEST = 200
"""Characters of a text at most."""
LONGEST_NAME = 60
"""Of the name of a table, and of whoever has a key or logs in."""


_BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and signs that leave a blank: fillers of Hangul syllables, and Braille without a dot."""


def fits(text: str, most: int = LONGEST) -> bool:
    """Whether all of it can be seen: no control sign, none that turns the direction of writing, no half character.

    Spaces of every width are taken: French puts narrow ones before its signs.
    """
    seen = (sign not in _BLANK and (sign.isprintable() or category(sign) == "Zs") for sign in text)
    return len(text) <= most and all(seen)


def checked(text: object, place: str, field: str, *, most: int = LONGEST, empty: bool = True) -> str:
    """The text as it is. Raises `Refusal` with the place and the field for one that is no text or does not fit."""
    if not isinstance(text, str) or not fits(text, most) or not (empty or text.strip()):
        raise refusal("bad_field", place=place, field=field, allowed=Message("tournament.allowed.text", {"most": most}))
    return text


# Reads the JSON objects of plans and facts field by field, and refuses what does not fit with the field's name.


Value = TypeVar("Value")
Reader = Callable[[object], Any]
"""Gives the typed value of a JSON value, or raises ValueError."""

MOST = 10**12


class Unfit(ValueError):
    """A value that a reader does not take; `allowed` says what it would."""

    def __init__(self, id: str, **args: object) -> None:
        self.allowed = Message(f"tournament.allowed.{id}", args)
        super().__init__(self.allowed.id)


def text(value: object) -> str:
    """A text of 1 to 200 characters that can all be seen (`texts`)."""
    if not isinstance(value, str) or not value.strip() or not fits(value):
        raise Unfit("text", most=LONGEST)
    return value


def remark(value: object) -> str:
    """A text that may be empty."""
    return "" if value == "" else text(value)


def name(value: object) -> str:
    """The id of an entry, a match or a question: a text without spaces that is not the sign for nobody."""
    found = text(value)
    if found == NOBODY or any(sign.isspace() for sign in found):
        raise Unfit("id")
    return found


def flag(value: object) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise Unfit("flag")
    return value


def whole(least: int = 0, most: int = MOST) -> Reader:
    """A reader of whole numbers of a range, both ends included."""

    def read(value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise Unfit("whole_from", least=least) if most == MOST else Unfit("whole", least=least, most=most)
        return value

    return read


def side(value: object) -> str:
    """`home` or `away`."""
    return one_of(SIDES)(value)  # type: ignore[no-any-return]


def one_of(words: tuple[str, ...]) -> Reader:
    """A reader of one of some words."""

    def read(value: object) -> str:
        if not isinstance(value, str) or value not in words:
            raise Unfit("word", words=", ".join(words))
        return value

    return read


def optional(reader: Reader) -> Reader:
    """A reader that also takes null."""
    return lambda value: None if value is None else reader(value)


def listed(reader: Reader, *, length: int | None = None) -> Reader:
    """A reader of lists, of a given length if one is named."""

    def read(value: object) -> tuple[object, ...]:
        if not isinstance(value, (list, tuple)):
            raise Unfit("list")
        if length is not None and len(value) != length:
            raise Unfit("list_of", length=length)
        return tuple(reader(each) for each in value)

    return read


def mapping(value: object) -> Fields:
    """Any JSON object, as it is."""
    if not isinstance(value, Mapping):
        raise Unfit("object")
    return value


def read(
    make: Callable[..., Value], readers: Mapping[str, Reader], required: tuple[str, ...], fields: Fields, place: str
) -> Value:
    """The value of a JSON object. Raises `Refusal` that names the place and the field."""
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
        except Unfit as unfit:
            raise refusal("bad_field", place=place, field=key, allowed=unfit.allowed) from None
    return make(**found)


def plain(value: object) -> object:
    """A value as JSON has it: tuples as lists."""
    if isinstance(value, (tuple, list)):
        return [plain(each) for each in value]
    if isinstance(value, Mapping):
        return {key: plain(each) for key, each in value.items()}
    return value
