"""What a button means in a state of a match, and what lights show of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from companion.games.base import Awaits, Choice, Fields, Message, Outcome, SideScene
from companion.table.dice import Question
from hardware.ports import WHITE, Colour, Lamp, Lamps, Moment, Press, Role, Scene, Show
from vision.roll import Face


@dataclass(frozen=True, slots=True)
class Plays:
    """This choice is made, as if its button on the screen were tapped; what it asks for is asked then."""

    choice: Choice


@dataclass(frozen=True, slots=True)
class Answers:
    """The question about a die is answered: there was only one answer."""

    face: Face


@dataclass(frozen=True, slots=True)
class TakesBack:
    """The newest fact is taken back."""


@dataclass(frozen=True, slots=True)
class CallsReferee:
    """Somebody wants the referee, or no longer."""


@dataclass(frozen=True, slots=True)
class Needs:
    """The press does nothing; the sentence says what is needed instead."""

    message: Message


Meaning = Plays | Answers | TakesBack | CallsReferee | Needs


@dataclass(frozen=True, slots=True)
class Seen:
    """What there was to see for whoever pressed: what is awaited, what is asked, and who sits left and right."""

    awaits: Awaits
    sides: tuple[SideScene, SideScene]
    question: Question | None = None
    finished: bool = False

    def name(self, side: str) -> str:
        """A side's name as the players wrote it."""
        return next((scene.name for scene in self.sides if scene.side == side), side)


@dataclass(frozen=True, slots=True)
class Pressed:
    """A button of the panel or the tray, with what its presser saw: the state with this sequence."""

    press: Press
    seen: Seen
    sequence: int


def meaning(press: Press, seen: Seen) -> Meaning:
    """What a press means for whoever saw this."""
    if press.role is Role.REFEREE:
        return CallsReferee()
    if seen.question is not None:
        return _answer(press.role, seen.question)
    if press.role is Role.UNDO:
        return TakesBack()
    if seen.finished:
        return Needs(Message("button.need.finished"))
    if press.role is Role.CONFIRM:
        return _confirmed(press, seen)
    return _side_pressed(press, seen, seen.sides[0 if press.role is Role.LEFT else 1].side)


def usual_choice(awaits: Awaits) -> Choice | None:
    """The one rank-1 choice of the whole screen, if there is exactly one: the big button plays it (SCREENS 4.9)."""
    usual = [choice for choice in _legal(awaits) if choice.rank == 1]
    return usual[0] if len(usual) == 1 else None


def choice_of_side(awaits: Awaits, side: str) -> Choice | None:
    """What a side's own button plays: its one rank-1 choice; without any, its only choice."""
    mine = [choice for choice in _legal(awaits) if choice.side == side]
    usual = [choice for choice in mine if choice.rank == 1] or mine
    return usual[0] if len(usual) == 1 else None


def _legal(awaits: Awaits) -> Sequence[Choice]:
    return [choice for choice in awaits.choices if choice.barred is None and not choice.menu]


def _answer(role: Role, question: Question) -> Meaning:
    """OK to a question with one answer only; everything else must be told."""
    faces = (*question.candidates, *question.others)
    if role is Role.CONFIRM and question.kind == "face" and len(faces) == 1 and not question.spare:
        return Answers(faces[0])
    return Needs(Message("button.need.answer"))


def _confirmed(press: Press, seen: Seen) -> Meaning:
    choice = usual_choice(seen.awaits)
    if choice is not None:
        return _played(press, choice)
    if seen.awaits.dice:
        return Needs(Message("button.need.dice"))
    return Needs(Message("button.need.choice" if _legal(seen.awaits) else "button.need.wait"))


def _side_pressed(press: Press, seen: Seen, side: str) -> Meaning:
    choice = choice_of_side(seen.awaits, side)
    if choice is not None:
        return _played(press, choice)
    name = seen.name(side)
    if any(choice.side == side for choice in _legal(seen.awaits)):
        return Needs(Message("button.need.side_choice", {"name": name}))
    if any(dice.side in (side, None) for dice in seen.awaits.dice):
        return Needs(Message("button.need.side_dice", {"name": name}))
    return Needs(Message("button.need.side_waits", {"name": name}))


def _played(press: Press, choice: Choice) -> Meaning:
    """What must not happen by accident is held here, too."""
    if choice.held and not press.held:
        return Needs(Message("button.need.hold", {"choice": choice.label}))
    return Plays(choice)


# What lights show of a match: which scene follows from what is awaited, and which moment from what was just recorded.

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
