"""The preparation of a hoops21 match before its jump ball: names, target points, token, material, readings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from types import MappingProxyType

from companion.games.base import JsonObject, Message, Option
from companion.games.catalogue import CardSource, Row
from companion.games.hoops21.catalogues import MATERIAL, court_of, faces_of
from companion.games.hoops21.scene import LETTERS
from companion.games.hoops21.tables import (
    DEFAULT_ARC,
    DEFAULT_FACES,
    DEFAULT_SECTIONS,
    DEFAULT_TARGET,
    SIDES,
    SYMBOLS,
)
from companion.games.preparation import Memory, SetupColumn, SetupRow, fixed_readings
from companion.games.wording import literal

TARGETS = (7, 11, 15, DEFAULT_TARGET)
RULES_MATERIAL = ""
"""The material of the rules: their faces and court, or another reading of these."""
FACES = (DEFAULT_FACES, (3, 1, 1, 1), (2, 2, 1, 1))
"""The readings of the faces of a die, by symbol."""
SECTIONS = (12, DEFAULT_SECTIONS, 20)
"""The readings of the court's length."""
ARCS = (3, DEFAULT_ARC, 5)
"""The readings of the arc's place. A court of 12 sections has no room for the last one (HB-2.1)."""
FIXED_READINGS = MappingProxyType(
    {
        "symbol": "HB-6.1",
        "marks": "HB-7.4",
        "tied_jump": "HB-3.3",
        "slam_defence": "HB-6.4",
        "die_less": "HB-6.5",
        "own_tie": "HB-4.4",
        "far_pass": "HB-6.3",
        "far_push": "HB-6.6",
        "missed": "HB-7.7",
        "crossing": "HB-9.2",
        "order": "HB-9.4",
        "spent": "HB-11.4",
        "ahead": "HB-11.6",
        "own_free_throw": "HB-11.1",
        "unforeseen": "HB-12.1",
    }
)
"""The points that the rulebook leaves open and that the rules of record fix (chapter 14), with the rule of each."""


class HoopsPreparation:
    """The preparation. Values that are not chosen follow the rules."""

    def __init__(self, memory: Memory, cards: CardSource) -> None:
        """`cards` hold the sets of material."""
        self._memory = memory
        self._sets: dict[str, Row] = {str(row["name"]): row for row in cards.rows(MATERIAL)}
        if not memory:
            memory.update(names={}, target=DEFAULT_TARGET, advanced=False, material=RULES_MATERIAL)
            memory.update(faces=DEFAULT_FACES, sections=DEFAULT_SECTIONS, arc=DEFAULT_ARC)

    def columns(self) -> tuple[SetupColumn, ...]:
        return (*(self._side(side) for side in SIDES), SetupColumn(None, "", _message("match"), tuple(self._match())))

    def choose(self, row: str, value: object) -> None:
        kind, _, of = row.partition(".")
        memory = self._memory
        if kind == "name":
            memory["names"][of] = value
        else:
            memory[row] = value
        memory["arc"] = min(memory["arc"], self._farthest_arc)

    def missing(self) -> tuple[Message, ...]:
        material = self._memory["material"]
        if material and material not in self._sets:
            return (_message("material_gone", set=material),)
        return ()

    def header(self) -> JsonObject:
        memory = self._memory
        setup: JsonObject = {"target": memory["target"], "advanced_token": memory["advanced"]}
        names = {side: {"name": self._name(side)} for side in SIDES}
        return {"journal": 1, "game": "hoops21", "sides": names, "setup": setup | self._material_setup()}

    def _material_setup(self) -> JsonObject:
        """Return the keys of the header's setup for the faces and the court, if they are not the usual ones."""
        memory = self._memory
        own = self._sets.get(memory["material"])
        if own is not None:
            return {"dice_faces": faces_of(own), "court": court_of(own)}
        setup: JsonObject = {}
        if tuple(memory["faces"]) != DEFAULT_FACES:
            setup["dice_faces"] = dict(zip(SYMBOLS, memory["faces"], strict=True))
        if (memory["sections"], memory["arc"]) != (DEFAULT_SECTIONS, DEFAULT_ARC):
            setup["court"] = {"sections": memory["sections"], "arc": memory["arc"]}
        return setup

    @property
    def _farthest_arc(self) -> int:
        return int(self._memory["sections"]) // 2 - 2

    def _name(self, side: str) -> Message | str:
        return self._memory["names"].get(side) or _message(f"usual.{side}")

    def _side(self, side: str) -> SetupColumn:
        name = self._name(side)
        title = name if isinstance(name, Message) else literal(name)
        row = SetupRow(f"name.{side}", _message("name"), title, "text", value=self._memory["names"].get(side, ""))
        return SetupColumn(side, side, title, (row,), LETTERS[side])

    def _match(self) -> Iterator[SetupRow]:
        memory = self._memory
        target = tuple(Option(points, literal(str(points))) for points in TARGETS)
        yield SetupRow(
            "target", _message("target"), literal(str(memory["target"])), value=memory["target"], options=target
        )
        token = tuple(
            Option(value, _message(f"token.{name}")) for value, name in ((False, "basic"), (True, "advanced"))
        )
        yield SetupRow("advanced", _message("token"), _message("token"), value=memory["advanced"], options=token)
        yield from self._material_rows()
        if memory["material"] == RULES_MATERIAL:
            yield from self._readings()
        yield from fixed_readings("app.hoops21.reading.", FIXED_READINGS)

    def _material_rows(self) -> Iterator[SetupRow]:
        """Yield the set of material, and the page where sets are stored."""
        chosen = self._memory["material"]
        usual = _message("of_rules", sections=self._memory["sections"], arc=self._memory["arc"])
        options = [Option(RULES_MATERIAL, _message("of_the_rules"), usual)]
        options += [Option(name, literal(name), _describe(row)) for name, row in self._sets.items()]
        detail = usual if chosen == RULES_MATERIAL else literal(chosen)
        yield SetupRow(
            "material",
            _message("material"),
            detail,
            "list",
            "board",
            value=chosen,
            options=tuple(options),
            done=chosen == RULES_MATERIAL or chosen in self._sets,
        )
        stored = _message("sets_stored", n=len(self._sets))
        yield SetupRow(
            "sets", _message("sets"), stored, "page", "cards", page="catalogue", page_args=(("kind", MATERIAL.name),)
        )

    def _readings(self) -> Iterator[SetupRow]:
        """Yield the readings of the faces and the court (chapter 14 of the rules)."""
        faces = tuple(Option(each, literal("-".join(map(str, each)))) for each in FACES)
        yield self._reading("faces", faces, DEFAULT_FACES, "HB-2.1")
        sections = tuple(Option(n, literal(n)) for n in SECTIONS)
        yield self._reading("sections", sections, DEFAULT_SECTIONS, "HB-2.3")
        arcs = tuple(Option(n, literal(n)) for n in ARCS if n <= self._farthest_arc)
        yield self._reading("arc", arcs, DEFAULT_ARC, "HB-2.5")

    def _reading(self, key: str, options: tuple[Option, ...], usual: object, rule: str) -> SetupRow:
        label = Message(f"app.hoops21.reading.{key}")
        row = SetupRow(key, label, label, value=self._memory[key], options=options, usual=usual, rule=rule)
        return replace(row, quotation=Message(f"app.hoops21.reading.{key}.words"))


def _describe(row: Row) -> Message:
    """Return the faces and the court of a set in one line."""
    faces = "-".join(str(row[f"faces.{symbol}"]) for symbol in SYMBOLS)
    return _message("set_detail", sections=2 * row["half"], arc=row["arc"], faces=faces)


def _message(name: str, **args: object) -> Message:
    return Message(f"app.hoops21.prepare.{name}", args)
