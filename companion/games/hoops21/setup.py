"""Reads the header of a hoops21 journal into an immutable setup (HB-1.1, HB-2.1)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from companion.games.base import Fields, Refusal
from companion.games.event_schema import FieldParser, InvalidValue, boolean, integer
from companion.games.hoops21.court import Court
from companion.games.hoops21.refusals import refusal
from companion.games.hoops21.tables import (
    DEFAULT_ARC,
    DEFAULT_FACES,
    DEFAULT_SECTIONS,
    DEFAULT_TARGET,
    DICE,
    MARKS,
    MAX_SECTIONS,
    MIN_SECTIONS,
    SIDES,
    SYMBOLS,
    Side,
    side_index,
)

DEFAULT_COURT = Court()


@dataclass(frozen=True, slots=True)
class Setup:
    """The header of a match. `names` are (orange, white), `faces` those of a die by symbol."""

    names: tuple[str, str]
    target: int = DEFAULT_TARGET
    advanced: bool = False
    faces: tuple[int, ...] = DEFAULT_FACES
    court: Court = DEFAULT_COURT

    def name(self, side: Side) -> str:
        return self.names[side_index(side)]


def read_header(header: Fields) -> Setup:
    """Read the header. Raises: Refusal by HB-1.1 for an invalid header or setup value."""
    if type(header.get("journal")) is not int or header.get("journal") != 1 or header.get("game") != "hoops21":
        raise refusal("HB-1.1", "header")
    names = _names(header.get("sides"))
    setup = header.get("setup", {})
    if not isinstance(setup, dict):
        raise _wrong("setup")
    return Setup(
        names,
        _value(setup, "setup", "target", integer(1), DEFAULT_TARGET),
        _value(setup, "setup", "advanced_token", boolean, False),
        _value(setup, "setup", "dice_faces", _faces, DEFAULT_FACES),
        _court(setup.get("court", {})),
    )


def _wrong(key: str) -> Refusal:
    return refusal("HB-1.1", "value", key=key)


def _value(values: Fields, where: str, key: str, read: FieldParser, default: Any) -> Any:
    """Read an optional value. Raises: Refusal that names it."""
    if key not in values:
        return default
    try:
        return read(values[key])
    except InvalidValue:
        raise _wrong(f"{where}.{key}") from None


def _names(sides: object) -> tuple[str, str]:
    if not isinstance(sides, dict) or set(sides) != set(SIDES):
        raise refusal("HB-1.1", "sides")
    orange, white = (entry.get("name") if isinstance(entry, dict) else None for entry in (sides[s] for s in SIDES))
    if not isinstance(orange, str) or not isinstance(white, str):
        raise refusal("HB-1.1", "sides")
    return orange, white


def _faces(value: object) -> tuple[int, ...]:
    if not isinstance(value, dict) or set(value) != set(SYMBOLS):
        raise InvalidValue
    count = integer(0, DICE)
    faces = tuple([count(value[symbol]) for symbol in SYMBOLS])
    if sum(faces) != DICE or faces[0] < 1:
        raise InvalidValue
    return faces


def _court(value: object) -> Court:
    """Read a court and check it as a whole."""
    if not isinstance(value, dict):
        raise _wrong("setup.court")
    sections = _value(value, "setup.court", "sections", _even, DEFAULT_SECTIONS)
    arc = _value(value, "setup.court", "arc", integer(0), DEFAULT_ARC)
    if arc > sections // 2 - 2:
        raise refusal("HB-1.1", "arc", sections=sections, most=sections // 2 - 2)
    marks = _value(value, "setup.court", "modifiers", _marks(sections // 2), (0,) * (sections // 2))
    return Court(sections, arc, marks)


def _even(value: object) -> int:
    sections: int = integer(MIN_SECTIONS, MAX_SECTIONS)(value)
    if sections % 2:
        raise InvalidValue
    return sections


def _marks(half: int) -> Callable[[Any], tuple[int, ...]]:
    """Return a reader of marks by distance, whose keys are distances as texts (HB-2.6)."""
    distances = [str(distance) for distance in range(half)]

    def read(value: object) -> tuple[int, ...]:
        if not isinstance(value, dict) or not value.keys() <= set(distances):
            raise InvalidValue
        marks = tuple([value.get(distance, 0) for distance in distances])
        if any(type(mark) is not int or mark not in MARKS for mark in marks):
            raise InvalidValue
        return marks

    return read
