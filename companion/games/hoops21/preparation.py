"""The preparation of a hoops21 match before its jump ball: names, target points, token, court and dice."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.base import JsonObject, Message, Option
from companion.games.catalogue import CardSource
from companion.games.hoops21.scene import LETTERS
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
)
from companion.games.preparation import Memory, SetupColumn, SetupRow
from companion.games.wording import literal

TARGETS = (7, 11, 15, DEFAULT_TARGET)
_TOGETHER = {"name": "names", "face": "faces", "mark": "marks"}


class HoopsPreparation:
    """The preparation. Values that are not chosen follow the rules."""

    def __init__(self, memory: Memory, cards: CardSource) -> None:
        """`cards` is unused: this game has no cards."""
        self._memory = memory
        if not memory:
            memory.update(
                names={}, target=DEFAULT_TARGET, advanced=False, own=False, sections=DEFAULT_SECTIONS, arc=DEFAULT_ARC
            )
            memory.update(faces=dict(zip(SYMBOLS, DEFAULT_FACES, strict=True)), marks={})

    def columns(self) -> tuple[SetupColumn, ...]:
        return (*(self._side(side) for side in SIDES), SetupColumn(None, "", _message("match"), tuple(self._match())))

    def choose(self, row: str, value: object) -> None:
        kind, _, of = row.partition(".")
        memory = self._memory
        if kind in _TOGETHER:
            memory[_TOGETHER[kind]][of] = value
        elif kind == "half" and isinstance(value, int):
            memory["sections"], memory["arc"] = 2 * value, min(memory["arc"], value - 2)
        else:
            memory[row] = value

    def missing(self) -> tuple[Message, ...]:
        found = []
        faces = sum(self._memory["faces"].values())
        if self._memory["own"] and faces != DICE:
            found.append(_message("faces_sum", n=faces, due=DICE))
        return tuple(found)

    def header(self) -> JsonObject:
        memory = self._memory
        setup: JsonObject = {"target": memory["target"], "advanced_token": memory["advanced"]}
        if memory["own"]:
            half = memory["sections"] // 2
            marks = {at: mark for at, mark in memory["marks"].items() if mark and int(at) < half}
            setup["dice_faces"] = dict(memory["faces"])
            setup["court"] = {"sections": memory["sections"], "arc": memory["arc"], "modifiers": marks}
        names = {side: {"name": self._name(side)} for side in SIDES}
        return {"journal": 1, "game": "hoops21", "sides": names, "setup": setup}

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
        own = "own_on" if memory["own"] else "own_off"
        yield SetupRow("own", _message("own"), _message(own), "switch", "board", value=memory["own"])
        if memory["own"]:
            yield from self._material()

    def _material(self) -> Iterator[SetupRow]:
        """Yield the rows of a court and dice that differ from the rules."""
        memory, half = self._memory, self._memory["sections"] // 2
        halves = (MIN_SECTIONS // 2, MAX_SECTIONS // 2)
        yield SetupRow(
            "half", _message("half"), _message("half"), "count", value=half, minimum=halves[0], maximum=halves[1]
        )
        yield SetupRow("arc", _message("arc"), _message("arc"), "count", value=memory["arc"], maximum=half - 2)
        for symbol in SYMBOLS:
            label = _message("faces", symbol=Message(f"hoops21.symbol.{symbol}"))
            least, wrong = int(symbol == SYMBOLS[0]), sum(memory["faces"].values()) != DICE
            value = memory["faces"][symbol]
            yield SetupRow(
                f"face.{symbol}", label, label, "count", value=value, minimum=least, maximum=DICE, done=not wrong
            )
        for at in range(half):
            label = _message("mark", n=at)
            value = memory["marks"].get(str(at), 0)
            yield SetupRow(f"mark.{at}", label, label, "count", value=value, minimum=min(MARKS), maximum=max(MARKS))


def _message(name: str, **args: object) -> Message:
    return Message(f"app.hoops21.prepare.{name}", args)
