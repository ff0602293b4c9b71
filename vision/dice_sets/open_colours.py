"""Numbers whose colour a dice set leaves open: read as each of the set's inks, told by players, written down again."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from vision.dice_sets import DiceSet, Kind
from vision.roll import Face


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


_LIKELY = {
    "interception": ((1, "yellow"), (1, "blue"), (2, "yellow"), (4, "blue")),
    "block": ((2, "yellow"), (2, "red")),
    "stop": ((1, "red"),),
}
"""What the record set's open numbers are if its faces are printed grouped by colour, as the hints of NBA-2.3 say."""


def as_printed(dice_set: DiceSet) -> DiceSet:
    """The set as dice of one's own are made: every number has a colour, an open one that which is likely (NBA-2.3), or
    else the ink that its die has least of. Whoever makes them is told which (`Kind.open_faces`)."""
    return replace(dice_set, kinds=tuple(_in_one_ink(kind) for kind in dice_set.kinds))


def _in_one_ink(kind: Kind) -> Kind:
    faces = list(kind.faces)
    likely = list(_LIKELY.get(kind.name, ()))
    for index in kind.open_faces:
        named = next((one for one in likely if one[0] == faces[index].value and one[1] in kind.inks), None)
        if named is not None:
            likely.remove(named)
        used = [face.colour for face in faces]
        colour = named[1] if named is not None else min(kind.inks, key=used.count)
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
