"""The faces of the six kinds of dice as data, and which readings they allow (NBA-2.1 to NBA-2.6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from companion.games.base import Message
from companion.games.forms import Reader, Wrong, listed, one_of, text, whole
from companion.games.nba.events import ReadDie
from companion.games.nba.refusing import refusal
from companion.games.nba.tables import (
    BODY,
    COLOURS,
    FACES,
    MOST_OF_A_KIND,
    OFFENCE,
    RECORD_FACES,
    SIX_NINE,
    SKILLS,
    UNKNOWN,
)

Faces = tuple[tuple[int, str | None], ...]
"""Value and colour of the number of each face; the colour is None on offence dice and for value 0."""


@dataclass(frozen=True, slots=True)
class Face:
    """A die as it lies: body colour for offence, the number's colour or None for defence (NBA-2.7)."""

    die: str
    value: int
    colour: str | None


@dataclass(frozen=True, slots=True)
class DiceSet:
    """`faces` are in the order of SKILLS."""

    id: str = "rulebook"
    six_nine: str = "underline"
    faces: tuple[Faces, ...] = tuple(RECORD_FACES[kind] for kind in SKILLS)

    def of(self, kind: str) -> Faces:
        """The six faces of a kind of die."""
        return self.faces[SKILLS.index(kind)]

    @property
    def unknown(self) -> int:
        """How many faces have a number of unknown colour."""
        return sum(colour == UNKNOWN for faces in self.faces for _, colour in faces)


RULEBOOK = DiceSet()


def read_dice_set(value: object) -> DiceSet:
    """The dice set of the header; null is the set of record. Raises `Refusal` by NBA-2.2."""
    if value is None:
        return RULEBOOK
    try:
        return _dice_set(value)
    except Wrong:
        raise refusal("NBA-2.2") from None


def _dice_set(value: object) -> DiceSet:
    if not isinstance(value, dict):
        raise Wrong
    given = value.get("faces", {})
    if not isinstance(given, dict) or not given.keys() <= set(SKILLS):
        raise Wrong
    faces = tuple([_READ_FACES[kind](given[kind]) if kind in given else RECORD_FACES[kind] for kind in SKILLS])
    return DiceSet(text(value.get("id", "custom")), one_of(*SIX_NINE)(value.get("six_nine", "underline")), faces)


_value = whole(0, 9)
_colour = one_of(*COLOURS, UNKNOWN)


def _offence_face(value: object) -> tuple[int, None]:
    return _value(value), None


def _defence_face(value: object) -> tuple[int, str | None]:
    if not isinstance(value, dict):
        raise Wrong
    number = _value(value.get("value"))
    colour = value.get("colour")
    if number == 0:
        if colour is not None:
            raise Wrong
        return 0, None
    return number, _colour(colour)


_READ_FACES: Mapping[str, Reader] = {
    kind: listed(_offence_face if kind in OFFENCE else _defence_face, FACES) for kind in SKILLS
}


def lying(die: ReadDie) -> Face:
    """The die as it is printed (NBA-2.7). Only for a die that `check_dice` let pass."""
    colour = die.colour if isinstance(die.colour, str) else None
    return Face(die.kind, die.value, BODY.get(die.kind, colour))


def check_dice(dice_set: DiceSet, dice: Sequence[ReadDie]) -> None:
    """Raises `Refusal`: die by die NBA-2.4, then NBA-2.6; after all of them NBA-2.5."""
    for die in dice:
        if not possible(dice_set, die):
            raise refusal("NBA-2.4", die=Message(f"nba.skill.{die.kind}"), value=die.value)
        if needs_asking(dice_set, die.kind, die.value) and not die.asked:
            raise refusal("NBA-2.6", value=die.value)
    kinds = [die.kind for die in dice]
    if len(kinds) > MOST_OF_A_KIND and any(kinds.count(kind) > MOST_OF_A_KIND for kind in set(kinds)):
        raise refusal("NBA-2.5", most=MOST_OF_A_KIND)


def needs_asking(dice_set: DiceSet, kind: str, value: int) -> bool:
    """Whether a person must tell a 6 from a 9 (NBA-2.6)."""
    return dice_set.six_nine == "unmarked" and kind == "three_points" and value in (6, 9)


def possible(dice_set: DiceSet, die: ReadDie) -> bool:
    """Whether some face of the set can show what was read (NBA-2.4)."""
    colours = [colour for value, colour in dice_set.of(die.kind) if value == die.value]
    if not colours:
        return False
    if die.kind in OFFENCE:
        return die.colour is None or die.colour == BODY[die.kind]
    if die.value == 0:
        return die.colour is None
    return die.colour in COLOURS and (die.colour in colours or UNKNOWN in colours)
