"""Numbers whose colour a dice set leaves open: read as each of the set's inks, told by players, written down again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from vision.dice_sets import DiceSet, Kind
from vision.roll import Face

Likely = Sequence[tuple[int | None, str | None]]
"""Value and colour of the faces that a die probably has."""


def as_read(dice_set: DiceSet) -> DiceSet:
    """The set as a reader needs it: a number of unknown colour may be of any ink, so the ink in the picture decides."""
    return replace(dice_set, kinds=tuple(_in_every_ink(kind) for kind in dice_set.kinds))


def _in_every_ink(kind: Kind) -> Kind:
    if not kind.open_faces:
        return kind
    faces: dict[Face, None] = {}
    for index, face in enumerate(kind.faces):
        for ink in kind.inks if index in kind.open_faces else (face.colour,):
            faces[replace(face, colour=ink)] = None
    return replace(kind, faces=tuple(faces))


def as_printed(dice_set: DiceSet, likely: Mapping[str, Likely]) -> DiceSet:
    """The set as dice of one's own are made: every number has a colour. An open one has that which is `likely` for its
    kind, or else the ink that its die has least of; whoever makes the dice is told which (`Kind.open_faces`)."""
    return replace(dice_set, kinds=tuple(_in_one_ink(kind, likely.get(kind.name, ())) for kind in dice_set.kinds))


def _in_one_ink(kind: Kind, likely: Likely) -> Kind:
    faces = list(kind.faces)
    left = list(likely)
    for face in faces:
        if (face.value, face.colour) in left:
            left.remove((face.value, face.colour))
    for index in kind.open_faces:
        value = faces[index].value
        colour = next((colour for number, colour in left if number == value and colour in kind.inks), None)
        if colour is None:
            colour = min(kind.inks, key=[face.colour for face in faces].count)
        else:
            left.remove((value, colour))
        faces[index] = replace(faces[index], colour=colour)
    return replace(kind, faces=tuple(faces))


def in_question(kind: Kind, face: Face) -> bool:
    """Whether nobody knows yet that the kind has this face: its number has an open colour, and not yet this one."""
    return face not in kind.faces and any(kind.faces[index].value == face.value for index in kind.open_faces)


def confirmed(dice_set: DiceSet, name: str, face: Face) -> DiceSet:
    """The set with this face in place of the first of its value whose colour was open; as it was if none is."""
    kinds = list(dice_set.kinds)
    for place, kind in enumerate(kinds):
        if kind.name == name and in_question(kind, face):
            index = next(index for index in kind.open_faces if kind.faces[index].value == face.value)
            kinds[place] = replace(kind, faces=(*kind.faces[:index], face, *kind.faces[index + 1 :]))
    return replace(dice_set, kinds=tuple(kinds))


def to_toml(dice_set: DiceSet) -> str:
    """The set as a file that `vision.dice_sets.parse` reads."""
    return "\n".join(_section(kind) for kind in dice_set.kinds)


def _section(kind: Kind) -> str:
    lines = [f"[kinds.{kind.name}]", f'marks = "{kind.marks}"']
    lines += [f"{key} = {_list(values)}" for key, values in (("bodies", kind.bodies), ("inks", kind.inks)) if values]
    lines += ["underlined = true"] if kind.underlined else []
    faces = ", ".join(_table(face) for face in kind.faces)
    return "\n".join([*lines, f"faces = [{faces}]", ""])


def _list(values: Iterable[str]) -> str:
    return "[" + ", ".join(f'"{value}"' for value in values) + "]"


def _table(face: Face) -> str:
    parts = [] if face.value is None else [f"value = {face.value}"]
    parts += [f'{key} = "{text}"' for key, text in (("colour", face.colour), ("symbol", face.symbol)) if text]
    return "{ " + ", ".join(parts) + " }"
