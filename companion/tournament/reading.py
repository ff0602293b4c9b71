"""Reads the JSON objects of plans and facts field by field, and refuses what does not fit with the field's name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from companion.games.base import Fields
from companion.tournament.refusing import refusal
from companion.tournament.values import NOBODY, SIDES

Value = TypeVar("Value")
Reader = Callable[[Any], Any]
"""Gives the typed value of a JSON value, or raises ValueError."""

MOST = 10**12
LONGEST = 200


def text(value: Any) -> str:
    """A text of 1 to 200 characters, none of them a control character."""
    if not isinstance(value, str) or not value.strip() or len(value) > LONGEST or not value.isprintable():
        raise ValueError
    return value


def remark(value: Any) -> str:
    """A text that may be empty."""
    return "" if value == "" else text(value)


def name(value: Any) -> str:
    """The id of an entry, a match or a question: a text without spaces that is not the sign for nobody."""
    found = text(value)
    if found == NOBODY or any(sign.isspace() for sign in found):
        raise ValueError
    return found


def flag(value: Any) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise ValueError
    return value


def whole(least: int = 0, most: int = MOST) -> Reader:
    """A reader of whole numbers of a range, both ends included."""

    def read(value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise ValueError
        return value

    return read


def side(value: Any) -> str:
    """`home` or `away`."""
    return one_of(SIDES)(value)  # type: ignore[no-any-return]


def one_of(words: tuple[str, ...]) -> Reader:
    """A reader of one of some words."""

    def read(value: Any) -> str:
        if not isinstance(value, str) or value not in words:
            raise ValueError
        return value

    return read


def optional(reader: Reader) -> Reader:
    """A reader that also takes null."""
    return lambda value: None if value is None else reader(value)


def listed(reader: Reader, *, length: int | None = None) -> Reader:
    """A reader of lists, of a given length if one is named."""

    def read(value: Any) -> tuple[Any, ...]:
        if not isinstance(value, (list, tuple)) or (length is not None and len(value) != length):
            raise ValueError
        return tuple(reader(each) for each in value)

    return read


def mapping(value: Any) -> Mapping[str, Any]:
    """Any JSON object, as it is."""
    if not isinstance(value, Mapping):
        raise ValueError
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
        except ValueError:
            raise refusal("bad_field", place=place, field=key) from None
    return make(**found)


def plain(value: Any) -> Any:
    """A value as JSON has it: tuples as lists."""
    if isinstance(value, (tuple, list)):
        return [plain(each) for each in value]
    if isinstance(value, Mapping):
        return {key: plain(each) for key, each in value.items()}
    return value
