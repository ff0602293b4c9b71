"""The dice sets that the reader knows: kinds, body colours and faces, stored in the TOML files of this folder."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from vision.files import FileTooLarge, parse_toml, read_limited
from vision.messages import ReaderMessage, VisionError
from vision.roll import BALL_COLOURS, Face

MARKS = ("pips", "plain", "digits", "symbols")
"""The marks on a kind's faces: pips, a plain colour, digits, or drawn symbols."""

MAX_DICE_SET_BYTES = 100_000
"""Maximum size of a dice set's file. The built-in ones have up to 3,000 bytes."""

_LARGEST = 10**9

_LONGEST = 40
"""Maximum length of a kind's name. Longer names do not fit on a screen or on a sheet of stickers."""

BODIES = (
    "white",
    "ivory",
    "yellow",
    "orange",
    "red",
    "pink",
    "violet",
    "blue",
    "turquoise",
    "green",
    "brown",
    "grey",
    "black",
)
"""The body colours that the reader distinguishes, in the order of the face network's outputs."""

FOLDER = Path(__file__).parent

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
"""A name that TOML takes without quotes."""


class DiceSetError(VisionError, ValueError):
    """A dice set that does not exist or is invalid. The message names file, section and key."""


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of dice.

    - `bodies`: its possible body colours (empty: any).
    - `faces`: its six sides in order.
    - `underlined`: a line below the figure distinguishes 6 from 9.
    - `inks`: the possible colours of its numbers. A number above 0 whose face has no colour has one of them, not known
      which.
    """

    name: str
    marks: str
    bodies: tuple[str, ...]
    faces: tuple[Face, ...]
    underlined: bool = False
    inks: tuple[str, ...] = ()

    @property
    def open_faces(self) -> tuple[int, ...]:
        """Indices in `faces` of the numbers with unknown colour."""
        return tuple(index for index, face in enumerate(self.faces) if self.inks and face.value and not face.colour)


@dataclass(frozen=True, slots=True)
class DiceSet:
    """The kinds of dice that may be in an image."""

    name: str
    kinds: tuple[Kind, ...]

    def with_marks(self, marks: str) -> tuple[Kind, ...]:
        """Return the kinds whose faces have `marks`."""
        return tuple(kind for kind in self.kinds if kind.marks == marks)

    def kind(self, name: str) -> Kind:
        """Return the kind called `name`. Raises: KeyError."""
        for kind in self.kinds:
            if kind.name == name:
                return kind
        raise KeyError(name)


def names() -> list[str]:
    """Return the names of the built-in sets."""
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


def load(name: str) -> DiceSet:
    """Load the built-in set called `name`, or the TOML file at that path. Raises: DiceSetError."""
    if name in names():
        return parse((FOLDER / f"{name}.toml").read_text("utf-8"), name, f"{name}.toml")
    path = Path(name)
    if path.suffix.lower() != ".toml":
        raise DiceSetError("vision.dice_set.unknown", name=name, known=", ".join(names()))
    try:
        text = read_limited(path, MAX_DICE_SET_BYTES).decode("utf-8-sig")
    except FileTooLarge as error:
        raise DiceSetError("vision.dice_set.too_large", name=name, most=MAX_DICE_SET_BYTES // 1000) from error
    except OSError as error:
        raise DiceSetError("vision.dice_set.unreadable", name=name, reason=error) from error
    except UnicodeDecodeError as error:
        raise DiceSetError("vision.dice_set.not_utf8", name=name) from error
    except ValueError as error:
        raise DiceSetError("vision.dice_set.name", name=name) from error
    return parse(text, path.stem, name)


def parse(text: str, name: str, source: str) -> DiceSet:
    """Parse a set from TOML text. `source` appears in messages. Raises: DiceSetError."""
    try:
        data = parse_toml(text)
    except (ValueError, RecursionError) as error:  # an integer of more than 4300 digits raises a plain ValueError
        raise DiceSetError("vision.dice_set.syntax", source=source, reason=error) from error
    _Section(source, ReaderMessage("vision.dice_set.file"), data).only("kinds")
    kinds = data.get("kinds")
    if not isinstance(kinds, dict) or not kinds:
        raise DiceSetError("vision.dice_set.no_kind", source=source)
    return DiceSet(name, tuple(_kind(source, key, section) for key, section in kinds.items()))


@dataclass(frozen=True, slots=True)
class _Section:
    """Part of a TOML file: its file `source`, its place `where`, and its `data`."""

    source: str
    where: ReaderMessage
    data: Mapping[str, object]

    def only(self, *known: str) -> None:
        """Reject unknown keys."""
        for key in self.data:
            if key not in known:
                names = ", ".join(sorted(known))
                raise DiceSetError("vision.dice_set.key", source=self.source, where=self.where, key=key, known=names)

    def wrong(self, key: str, fault: str, **args: object) -> DiceSetError:
        """Return the error for an invalid value of a key: `vision.dice_set.wrong.FAULT`."""
        why = ReaderMessage(f"vision.dice_set.wrong.{fault}", args)
        return DiceSetError("vision.dice_set.value", source=self.source, where=self.where, key=key, fault=why)

    def colours(self, key: str) -> tuple[str, ...]:
        """Return a list of body colours, empty if the key is missing."""
        given = self.data.get(key, [])
        if not isinstance(given, list) or not all(isinstance(colour, str) for colour in given):
            raise self.wrong(key, "colours")
        for colour in given:
            if colour not in BODIES:
                raise self.wrong(key, "not_among", value=colour, known=", ".join(BODIES))
        return tuple(given)


def _kind(source: str, name: str, data: object) -> Kind:
    if not name.strip() or len(name) > _LONGEST or not name.isprintable():
        raise DiceSetError("vision.dice_set.kind_name", source=source, name=name, most=_LONGEST)
    if not isinstance(data, dict):
        raise DiceSetError("vision.dice_set.not_section", source=source, name=name)
    section = _Section(source, ReaderMessage(f"[kinds.{name}]"), data)
    section.only("marks", "bodies", "faces", "underlined", "inks")
    marks = data.get("marks")
    if marks not in MARKS:
        raise section.wrong("marks", "one_of", known=", ".join(MARKS), value=_describe_value(marks))
    bodies, inks = section.colours("bodies"), section.colours("inks")
    if inks and marks != "digits":
        raise section.wrong("inks", "inks", marks=marks)
    underlined = data.get("underlined", False)
    if not isinstance(underlined, bool):
        raise section.wrong("underlined", "switch", value=_describe_value(underlined))
    return Kind(name, marks, bodies, _faces(section, marks, inks), underlined, inks)


def _faces(section: _Section, marks: str, inks: tuple[str, ...]) -> tuple[Face, ...]:
    given = section.data.get("faces")
    if not isinstance(given, list) or len(given) != 6:
        raise section.wrong("faces", "six")
    parts = [
        replace(section, where=ReaderMessage("vision.dice_set.face", {"where": section.where, "n": number}), data=face)
        for number, face in enumerate(given, 1)
    ]
    faces = tuple(_face(part, marks) for part in parts)
    for part, face in zip(parts, faces, strict=True):
        if inks and face.colour is not None and face.colour not in inks:
            raise part.wrong("colour", "not_an_ink", value=face.colour, known=", ".join(inks))
    if len(set(faces)) == 1:
        raise section.wrong("faces", "same")
    return faces


def _face(section: _Section, marks: str) -> Face:
    if not isinstance(section.data, dict):
        raise DiceSetError("vision.dice_set.not_table", source=section.source, where=section.where)
    section.only("value", "colour", "symbol")
    value, colour, symbol = (section.data.get(key) for key in ("value", "colour", "symbol"))
    if value is not None and (isinstance(value, bool) or not isinstance(value, int)):
        raise section.wrong("value", "whole", value=_describe_value(value))
    if value is not None and abs(value) > _LARGEST:
        raise section.wrong("value", "range", least=-_LARGEST, most=_LARGEST)
    for key, text in (("colour", colour), ("symbol", symbol)):
        if text is not None and not isinstance(text, str):
            raise section.wrong(key, "text", value=_describe_value(text))
    face = Face(value, colour, symbol)
    _check_mark(section, marks, face)
    return face


def _check_mark(section: _Section, marks: str, face: Face) -> None:
    """Reject a face that a kind with these marks cannot have."""
    if marks == "pips" and face.value not in range(1, 7):
        raise section.wrong("value", "pips", value=face.value)
    if marks == "plain" and face.colour not in BALL_COLOURS:
        raise section.wrong("colour", "plain", known=", ".join(BALL_COLOURS), value=face.colour)
    if face.colour is not None and face.colour not in BODIES:
        raise section.wrong("colour", "not_among", value=face.colour, known=", ".join(BODIES))
    if marks == "digits" and face.value is None:
        raise section.wrong("value", "no_digit")
    if marks == "symbols" and not face.symbol:
        raise section.wrong("symbol", "no_symbol")


def _describe_value(value: object) -> str | ReaderMessage:
    """Return a short text of an invalid value. Python does not convert integers of thousands of digits to text."""
    if isinstance(value, int) and abs(value) > _LARGEST:
        return ReaderMessage("vision.dice_set.wrong.large")
    if isinstance(value, list | dict):
        return ReaderMessage(f"vision.dice_set.wrong.{'list' if isinstance(value, list) else 'table'}")
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


Likely = Sequence[tuple[int | None, str | None]]
"""Value and colour of the faces that a die probably has."""


def with_every_ink(dice_set: DiceSet) -> DiceSet:
    """Return the set for a reader: a number of unknown colour may have any ink, and the image decides which."""
    return replace(dice_set, kinds=tuple(_in_every_ink(kind) for kind in dice_set.kinds))


def _in_every_ink(kind: Kind) -> Kind:
    if not kind.open_faces:
        return kind
    faces: dict[Face, None] = {}
    for index, face in enumerate(kind.faces):
        for ink in kind.inks if index in kind.open_faces else (face.colour,):
            faces[replace(face, colour=ink)] = None
    return replace(kind, faces=tuple(faces))


def with_one_ink(dice_set: DiceSet, likely: Mapping[str, Likely]) -> DiceSet:
    """Return the set for making one's own dice: every number gets a colour.

    A number of unknown colour gets the one in `likely` for its kind, or else the ink that its die has least of.
    `Kind.open_faces` lists these numbers.
    """
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


def is_open(kind: Kind, face: Face) -> bool:
    """Return True if it is unknown whether the kind has this face: its number has an open colour, not yet this one."""
    return face not in kind.faces and any(kind.faces[index].value == face.value for index in kind.open_faces)


def with_confirmed(dice_set: DiceSet, name: str, face: Face) -> DiceSet:
    """Return the set with this face in place of the first one of its value with an open colour.

    The set is unchanged if there is none.
    """
    kinds = list(dice_set.kinds)
    for place, kind in enumerate(kinds):
        if kind.name == name and is_open(kind, face):
            index = next(index for index in kind.open_faces if kind.faces[index].value == face.value)
            kinds[place] = replace(kind, faces=(*kind.faces[:index], face, *kind.faces[index + 1 :]))
    return replace(dice_set, kinds=tuple(kinds))


def to_toml(dice_set: DiceSet) -> str:
    """Return the set as text that `vision.dice_sets.parse` reads."""
    return "\n".join(_section(kind) for kind in dice_set.kinds)


def _section(kind: Kind) -> str:
    name = kind.name if _BARE_KEY.fullmatch(kind.name) else _quoted(kind.name)
    lines = [f"[kinds.{name}]", f'marks = "{kind.marks}"']
    lines += [f"{key} = {_list(values)}" for key, values in (("bodies", kind.bodies), ("inks", kind.inks)) if values]
    lines += ["underlined = true"] if kind.underlined else []
    faces = ", ".join(_table(face) for face in kind.faces)
    return "\n".join([*lines, f"faces = [{faces}]", ""])


def _quoted(text: str) -> str:
    """Return a text as a TOML string. JSON escapes the same signs, except for DEL."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _list(values: Iterable[str]) -> str:
    return "[" + ", ".join(map(_quoted, values)) + "]"


def _table(face: Face) -> str:
    parts = [] if face.value is None else [f"value = {face.value}"]
    parts += [f"{key} = {_quoted(text)}" for key, text in (("colour", face.colour), ("symbol", face.symbol)) if text]
    return "{ " + ", ".join(parts) + " }"
