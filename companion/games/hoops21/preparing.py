"""What a hoops21 match needs before its jump ball: names, points to reach, token; a court and dice of its own."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.base import JsonObject, Message, Option
from companion.games.catalogue import Cards
from companion.games.hoops21.scene import LETTERS
from companion.games.hoops21.tables import (
    ARC,
    DICE,
    FACES,
    FEWEST_SECTIONS,
    MARKS,
    MOST_SECTIONS,
    SECTIONS,
    SIDES,
    SYMBOLS,
    TARGET,
)
from companion.games.preparing import Column, Memory, Row
from companion.games.wording import literal

TARGETS = (7, 11, 15, TARGET)
_TOGETHER = {"name": "names", "face": "faces", "mark": "marks"}


class HoopsPreparing:
    """Whatever is not chosen is as the rules have it."""

    def __init__(self, memory: Memory, cards: Cards) -> None:
        """`cards` are of no use here: this game has no cards."""
        self._memory = memory
        if not memory:
            memory.update(names={}, target=TARGET, advanced=False, own=False, sections=SECTIONS, arc=ARC)
            memory.update(faces=dict(zip(SYMBOLS, FACES, strict=True)), marks={})

    def columns(self) -> tuple[Column, ...]:
        return (*(self._side(side) for side in SIDES), Column(None, "", _words("match"), tuple(self._match())))

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
            found.append(_words("faces_sum", n=faces, due=DICE))
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
        return self._memory["names"].get(side) or _words(f"usual.{side}")

    def _side(self, side: str) -> Column:
        name = self._name(side)
        title = name if isinstance(name, Message) else literal(name)
        row = Row(f"name.{side}", _words("name"), title, "text", value=self._memory["names"].get(side, ""))
        return Column(side, side, title, (row,), LETTERS[side])

    def _match(self) -> Iterator[Row]:
        memory = self._memory
        target = tuple(Option(points, literal(str(points))) for points in TARGETS)
        yield Row("target", _words("target"), literal(str(memory["target"])), value=memory["target"], options=target)
        token = tuple(Option(value, _words(f"token.{name}")) for value, name in ((False, "basic"), (True, "advanced")))
        yield Row("advanced", _words("token"), _words("token"), value=memory["advanced"], options=token)
        own = "own_on" if memory["own"] else "own_off"
        yield Row("own", _words("own"), _words(own), "switch", "board", value=memory["own"])
        if memory["own"]:
            yield from self._material()

    def _material(self) -> Iterator[Row]:
        """Court and dice that are not as the rules have them."""
        memory, half = self._memory, self._memory["sections"] // 2
        halves = (FEWEST_SECTIONS // 2, MOST_SECTIONS // 2)
        yield Row("half", _words("half"), _words("half"), "count", value=half, least=halves[0], most=halves[1])
        yield Row("arc", _words("arc"), _words("arc"), "count", value=memory["arc"], most=half - 2)
        for symbol in SYMBOLS:
            label = _words("faces", symbol=Message(f"hoops21.symbol.{symbol}"))
            least, wrong = int(symbol == SYMBOLS[0]), sum(memory["faces"].values()) != DICE
            value = memory["faces"][symbol]
            yield Row(f"face.{symbol}", label, label, "count", value=value, least=least, most=DICE, done=not wrong)
        for at in range(half):
            label = _words("mark", n=at)
            value = memory["marks"].get(str(at), 0)
            yield Row(f"mark.{at}", label, label, "count", value=value, least=min(MARKS), most=max(MARKS))


def _words(name: str, **args: object) -> Message:
    return Message(f"app.hoops21.prepare.{name}", args)
