"""The faces of the six kinds of dice as data, and the readings that they allow (NBA-2.1 to NBA-2.6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from companion.games.base import Fields, Message
from companion.games.event_schema import FieldParser, InvalidValue, integer, list_of, one_of, text
from companion.games.nba.events import ReadDie
from companion.games.nba.refusals import refusal
from companion.games.nba.tables import (
    BODY_COLOURS,
    COLOURS,
    FACES_PER_DIE,
    MAX_DICE_PER_KIND,
    OFFENCE,
    RULEBOOK_FACES,
    SIX_NINE,
    SKILLS,
    UNKNOWN_COLOUR,
)

Faces = tuple[tuple[int, str | None], ...]
"""Value and number colour of each face; the colour is None on offence dice and for value 0."""


@dataclass(frozen=True, slots=True)
class NbaFace:
    """The upper face of a die: the body's colour in offence, the number's colour or None in defence (NBA-2.7)."""

    die: str
    value: int
    colour: str | None


@dataclass(frozen=True, slots=True)
class NbaDiceSet:
    """A dice set. `faces` are in the order of SKILLS."""

    id: str = "rulebook"
    six_nine: str = "underline"
    faces: tuple[Faces, ...] = tuple(RULEBOOK_FACES[kind] for kind in SKILLS)

    def of(self, kind: str) -> Faces:
        """Return the six faces of a kind of die."""
        return self.faces[SKILLS.index(kind)]

    @property
    def unknown(self) -> int:
        """The number of faces whose number has an unknown colour."""
        return sum(colour == UNKNOWN_COLOUR for faces in self.faces for _, colour in faces)


RULEBOOK_DICE = NbaDiceSet()


def read_dice_set(value: object) -> NbaDiceSet:
    """Read the dice set of the header; null is the set of record. Raises: Refusal by NBA-2.2."""
    if value is None:
        return RULEBOOK_DICE
    try:
        return _dice_set(value)
    except InvalidValue:
        raise refusal("NBA-2.2") from None


def _dice_set(value: object) -> NbaDiceSet:
    if not isinstance(value, dict):
        raise InvalidValue
    given = value.get("faces", {})
    if not isinstance(given, dict) or not given.keys() <= set(SKILLS):
        raise InvalidValue
    faces = tuple([_READ_FACES[kind](given[kind]) if kind in given else RULEBOOK_FACES[kind] for kind in SKILLS])
    return NbaDiceSet(text(value.get("id", "custom")), one_of(*SIX_NINE)(value.get("six_nine", "underline")), faces)


_value = integer(0, 9)
_colour = one_of(*COLOURS, UNKNOWN_COLOUR)


def _offence_face(value: object) -> tuple[int, None]:
    return _value(value), None


def _defence_face(value: object) -> tuple[int, str | None]:
    if not isinstance(value, dict):
        raise InvalidValue
    number = _value(value.get("value"))
    colour = value.get("colour")
    if number == 0:
        if colour is not None:
            raise InvalidValue
        return 0, None
    return number, _colour(colour)


_READ_FACES: Mapping[str, FieldParser] = {
    kind: list_of(_offence_face if kind in OFFENCE else _defence_face, FACES_PER_DIE) for kind in SKILLS
}


def die_face(die: ReadDie) -> NbaFace:
    """Return the die in its printed format (NBA-2.7). Only for a die that passed `check_dice`."""
    colour = die.colour if isinstance(die.colour, str) else None
    return NbaFace(die.kind, die.value, BODY_COLOURS.get(die.kind, colour))


def check_dice(dice_set: NbaDiceSet, dice: Sequence[ReadDie]) -> None:
    """Check each die by NBA-2.4, then NBA-2.6; after all dice NBA-2.5. Raises: Refusal."""
    for die in dice:
        if not is_possible(dice_set, die):
            raise refusal("NBA-2.4", die=Message(f"nba.skill.{die.kind}"), value=die.value)
        if needs_asking(dice_set, die.kind, die.value) and not die.asked:
            raise refusal("NBA-2.6", value=die.value)
    kinds = [die.kind for die in dice]
    if len(kinds) > MAX_DICE_PER_KIND and any(kinds.count(kind) > MAX_DICE_PER_KIND for kind in set(kinds)):
        raise refusal("NBA-2.5", most=MAX_DICE_PER_KIND)


def needs_asking(dice_set: NbaDiceSet, kind: str, value: int) -> bool:
    """Return True if a person must distinguish a 6 from a 9 (NBA-2.6)."""
    return dice_set.six_nine == "unmarked" and kind == "three_points" and value in (6, 9)


def is_possible(dice_set: NbaDiceSet, die: ReadDie) -> bool:
    """Return True if some face of the set can show what was read (NBA-2.4)."""
    colours = [colour for value, colour in dice_set.of(die.kind) if value == die.value]
    if not colours:
        return False
    if die.kind in OFFENCE:
        return die.colour is None or die.colour == BODY_COLOURS[die.kind]
    if die.value == 0:
        return die.colour is None
    return die.colour in COLOURS and (die.colour in colours or UNKNOWN_COLOUR in colours)


UNREAD = "unread"
"""Key of a die in the journal that was rolled but whose face nobody entered. Its value is the lowest of its kind."""


def was_read(die: Fields) -> bool:
    """Return False for a die of the journal whose face nobody entered."""
    return die.get(UNREAD) is not True
