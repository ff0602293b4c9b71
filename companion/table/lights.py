"""What lights show of a match: which scene follows from what is awaited, and which moment from what was just recorded.

Pure, and alike for all games. Left and right are the seats at the screen.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from companion.games.base import Awaits, Fields, Outcome, SideScene
from companion.table.presses import choice_of_side, usual_choice
from hardware.ports import WHITE, Colour, Lamp, Lamps, Moment, Scene, Show

LED_COLOURS: dict[str, Colour] = {
    "blue": (20, 90, 255),
    "red": (255, 30, 15),
    "orange": (255, 110, 0),
    "white": WHITE,
    "violet": (140, 40, 255),
    "lime": (150, 255, 0),
}
"""A side's colour token as diodes show it: fuller than on the screen, where words must stay readable."""

FOULS = frozenset({"foul_called"})
"""Events that are a foul by themselves."""
CARDS = frozenset({"yellow", "red"})
JUDGED = frozenset({"ruling"})
"""Events that set points right; nobody has scored."""

WON_SCENES = (Scene.WON_LEFT, Scene.WON_RIGHT)
GOALS = (Moment.GOAL_LEFT, Moment.GOAL_RIGHT)


@dataclass(frozen=True, slots=True)
class Standing:
    """What there is to know of a match for its lights; `sides` sit left and right.

    `rolling`: dice are felt to move. `lost`: there is a camera, and it does not see.
    """

    sides: tuple[SideScene, SideScene]
    awaits: Awaits
    score: Mapping[str, int] = field(default_factory=dict)
    finished: bool = False
    winner: str | None = None
    asked: bool = False
    lost: bool = False
    rolling: bool = False
    undoable: bool = False
    referee: bool = False

    @property
    def seats(self) -> tuple[str, str]:
        return self.sides[0].side, self.sides[1].side


def shown(now: Standing, sound: bool = True) -> Show:
    """Everything lights show of a match as it stands, nothing of how it came about."""
    points = tuple(now.score.get(side, 0) for side in now.seats)
    colours = tuple(LED_COLOURS.get(scene.colour, WHITE) for scene in now.sides)
    return Show(
        scene=scene_of(now),
        reading=bool(now.awaits.dice) and not now.finished,
        score=(points[0], points[1]),
        colours=(colours[0], colours[1]),
        lamps=_lamps(now),
        sound=sound,
    )


def scene_of(now: Standing) -> Scene:
    """The scene: what needs the players most comes first."""
    if now.finished:
        return WON_SCENES[now.seats.index(now.winner)] if now.winner in now.seats else Scene.DRAWN
    if now.asked:
        return Scene.QUESTION
    if now.awaits.dice and now.lost:
        return Scene.LOST
    if now.awaits.dice and now.rolling:
        return Scene.READING
    left, right = (side in _awaited(now.awaits) for side in now.seats)
    if left and right:
        return Scene.BOTH
    return Scene.LEFT if left else Scene.RIGHT if right else Scene.REST


def moment_of(before: Standing, now: Standing, fields: Fields, outcome: Outcome) -> Moment | None:
    """What an event that was just recorded for the first time is worth showing."""
    if now.finished and not before.finished:
        return Moment.WON
    if fields.get("event") in JUDGED:
        return None
    for side, goal in zip(now.seats, GOALS, strict=True):
        if now.score.get(side, 0) > before.score.get(side, 0):
            return goal
    foul = fields.get("event") in FOULS or outcome.get("result") == "foul" or outcome.get("card") in CARDS
    return Moment.FOUL if foul else None


class Facts:
    """The facts of a match as lights have shown them: what stands there anew after an undo is no news."""

    def __init__(self, standing: list[Fields]) -> None:
        self._facts = [_plain(fields) for fields in standing]

    def news(self, place: int, fields: Fields) -> bool:
        """Whether the event recorded at this place among those that stand has not stood there before."""
        fact = _plain(fields)
        if place < len(self._facts) and self._facts[place] == fact:
            return False
        del self._facts[place:]
        self._facts.append(fact)
        return True

    def corrected(self, standing: list[Fields]) -> None:
        """The facts are others than they were told, none of them new."""
        self._facts = [_plain(fields) for fields in standing]


def _plain(fields: Fields) -> dict[str, object]:
    return {key: value for key, value in fields.items() if key not in ("at", "by", "note")}


def _awaited(awaits: Awaits) -> frozenset[str]:
    """Who is awaited: those whose dice come first, else those who may act."""
    first = min((dice.order for dice in awaits.dice), default=0)
    throwing = {dice.side for dice in awaits.dice if dice.order == first and dice.side is not None}
    return frozenset(throwing or awaits.sides)


def _lamps(now: Standing) -> Lamps:
    if now.finished:
        return Lamps(undo=Lamp.ON if now.undoable else Lamp.OFF, referee=_lit(now.referee))
    left, right = (_side_lamp(now.awaits, side) for side in now.seats)
    return Lamps(
        confirm=_lit(usual_choice(now.awaits) is not None and not now.asked),
        undo=Lamp.ON if now.undoable else Lamp.OFF,
        left=left,
        right=right,
        referee=_lit(now.referee),
    )


def _side_lamp(awaits: Awaits, side: str) -> Lamp:
    if side in _awaited(awaits):
        return Lamp.BREATHING
    return Lamp.ON if choice_of_side(awaits, side) is not None else Lamp.OFF


def _lit(on: bool) -> Lamp:
    return Lamp.BREATHING if on else Lamp.OFF
