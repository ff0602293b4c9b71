"""Meaning of a button in each state of a match, and the light patterns for a match."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from companion.games.base import Choice, Decision, Fields, Message, Outcome, SideScene
from companion.table.dice import Question
from hardware.ports import WHITE, Colour, Lamp, Lamps, LightScene, Moment, PanelPress, Role, Show
from vision.roll import Face


@dataclass(frozen=True, slots=True)
class PlayChoice:
    """Play this choice, as if its on-screen button were tapped. Its questions are asked afterwards."""

    choice: Choice


@dataclass(frozen=True, slots=True)
class AnswerQuestion:
    """Answer the question about a die, which has only one possible answer."""

    face: Face


@dataclass(frozen=True, slots=True)
class UndoEvent:
    """Undo the newest event."""


@dataclass(frozen=True, slots=True)
class CallReferee:
    """Call the referee, or cancel the call."""


@dataclass(frozen=True, slots=True)
class ShowHint:
    """Do nothing, and show a message with what is needed instead."""

    message: Message


ButtonAction = PlayChoice | AnswerQuestion | UndoEvent | CallReferee | ShowHint


@dataclass(frozen=True, slots=True)
class VisibleState:
    """What the user saw when pressing: the awaited decision, the question, and the left and right sides."""

    decision: Decision
    sides: tuple[SideScene, SideScene]
    question: Question | None = None
    is_finished: bool = False

    def name_of_side(self, side: str) -> str:
        """Return a side's name as entered by the players."""
        return next((scene.name for scene in self.sides if scene.side == side), side)


@dataclass(frozen=True, slots=True)
class ButtonPress:
    """A button press on the panel or the tray, with the state that the user saw, identified by its sequence."""

    press: PanelPress
    visible: VisibleState
    sequence: int


def action_of(press: PanelPress, visible: VisibleState) -> ButtonAction:
    """Return the action of a press in the state that the user saw."""
    if press.role is Role.REFEREE:
        return CallReferee()
    if visible.question is not None:
        return _answer_action(press.role, visible.question)
    if press.role is Role.UNDO:
        return UndoEvent()
    if visible.is_finished:
        return ShowHint(Message("button.need.finished"))
    if press.role is Role.CONFIRM:
        return _confirm_action(press, visible)
    return _side_action(press, visible, visible.sides[0 if press.role is Role.LEFT else 1].side)


def default_choice(decision: Decision) -> Choice | None:
    """Return the only choice of prominence 1 on the screen, if there is exactly one: the OK button plays it
    (docs/screens/SCREENS.md, 4.9)."""
    prominent = [choice for choice in _legal_choices(decision) if choice.prominence == 1]
    return prominent[0] if len(prominent) == 1 else None


def default_choice_of_side(decision: Decision, side: str) -> Choice | None:
    """Return the choice of a side's own button: its only choice of prominence 1 or, without any, its only choice."""
    choices = [choice for choice in _legal_choices(decision) if choice.side == side]
    prominent = [choice for choice in choices if choice.prominence == 1] or choices
    return prominent[0] if len(prominent) == 1 else None


def _legal_choices(decision: Decision) -> Sequence[Choice]:
    """Return the choices that a button may play. A drawing of lots is left to the screen, which shows it."""
    return [
        choice
        for choice in decision.choices
        if choice.disabled_reason is None and not choice.menu and not choice.by_lot
    ]


def _answer_action(role: Role, question: Question) -> ButtonAction:
    """Accept OK for a question with a single answer. All others must be answered on the screen."""
    faces = (*question.candidates, *question.others)
    if role is Role.CONFIRM and question.kind == "face" and len(faces) == 1 and not question.may_be_no_die:
        return AnswerQuestion(faces[0])
    return ShowHint(Message("button.need.answer"))


def _confirm_action(press: PanelPress, visible: VisibleState) -> ButtonAction:
    choice = default_choice(visible.decision)
    if choice is not None:
        return _play_action(press, choice)
    if visible.decision.dice:
        return ShowHint(Message("button.need.dice"))
    return ShowHint(Message("button.need.choice" if _legal_choices(visible.decision) else "button.need.wait"))


def _side_action(press: PanelPress, visible: VisibleState, side: str) -> ButtonAction:
    choice = default_choice_of_side(visible.decision, side)
    if choice is not None:
        return _play_action(press, choice)
    name = visible.name_of_side(side)
    if any(choice.side == side for choice in _legal_choices(visible.decision)):
        return ShowHint(Message("button.need.side_choice", {"name": name}))
    if any(dice.side in (side, None) for dice in visible.decision.dice):
        return ShowHint(Message("button.need.side_dice", {"name": name}))
    return ShowHint(Message("button.need.side_waits", {"name": name}))


def _play_action(press: PanelPress, choice: Choice) -> ButtonAction:
    """Play a choice. Choices that need a hold on the screen need one here too."""
    if choice.needs_long_press and not press.is_long:
        return ShowHint(Message("button.need.hold", {"choice": choice.label}))
    return PlayChoice(choice)


# Light patterns of a match: the scene from the awaited decision, and the one-shot effect from the newest event.

LED_COLOURS: dict[str, Colour] = {
    "blue": (20, 90, 255),
    "red": (255, 30, 15),
    "orange": (255, 110, 0),
    "white": WHITE,
    "violet": (140, 40, 255),
    "lime": (150, 255, 0),
}
"""LED colours of the sides: more saturated than on the screen, where text must stay readable."""

FOUL_EVENTS = frozenset({"foul_called"})
"""Events that are always a foul."""
FOUL_CARDS = frozenset({"yellow", "red"})
RULING_EVENTS = frozenset({"ruling"})
"""Events that adjust the score without a goal."""

WON_SCENES = (LightScene.WON_LEFT, LightScene.WON_RIGHT)
GOAL_MOMENTS = (Moment.GOAL_LEFT, Moment.GOAL_RIGHT)


@dataclass(frozen=True, slots=True)
class MatchStatus:
    """Match status for the lights. `sides` are left and right.

    - `is_rolling`: a sensor detects moving dice
    - `is_camera_lost`: there is a camera, but it delivers no pictures in which dice can be seen
    """

    sides: tuple[SideScene, SideScene]
    decision: Decision
    score: Mapping[str, int] = field(default_factory=dict)
    is_finished: bool = False
    winner: str | None = None
    has_question: bool = False
    is_camera_lost: bool = False
    is_rolling: bool = False
    can_undo: bool = False
    is_referee_called: bool = False

    @property
    def seats(self) -> tuple[str, str]:
        return self.sides[0].side, self.sides[1].side


def light_show(status: MatchStatus, sound: bool = True) -> Show:
    """Return the complete light pattern of the current status, regardless of history."""
    points = tuple(status.score.get(side, 0) for side in status.seats)
    colours = tuple(LED_COLOURS.get(scene.colour, WHITE) for scene in status.sides)
    return Show(
        scene=scene_of(status),
        reading=bool(status.decision.dice) and not status.is_finished,
        score=(points[0], points[1]),
        colours=(colours[0], colours[1]),
        lamps=_lamps(status),
        sound=sound,
    )


def scene_of(status: MatchStatus) -> LightScene:
    """Return the scene. Whatever needs the players most takes precedence."""
    if status.is_finished:
        return WON_SCENES[status.seats.index(status.winner)] if status.winner in status.seats else LightScene.DRAWN
    if status.has_question:
        return LightScene.QUESTION
    if status.decision.dice and status.is_camera_lost:
        return LightScene.LOST
    if status.decision.dice and status.is_rolling:
        return LightScene.READING
    left, right = (side in _awaited_sides(status.decision) for side in status.seats)
    if left and right:
        return LightScene.BOTH
    return LightScene.LEFT if left else LightScene.RIGHT if right else LightScene.REST


def moment_of(before: MatchStatus, status: MatchStatus, fields: Fields, outcome: Outcome) -> Moment | None:
    """Return the one-shot effect of an event recorded for the first time, if any."""
    if status.is_finished and not before.is_finished:
        return Moment.WON
    if fields.get("event") in RULING_EVENTS:
        return None
    for side, goal in zip(status.seats, GOAL_MOMENTS, strict=True):
        if status.score.get(side, 0) > before.score.get(side, 0):
            return goal
    is_foul = fields.get("event") in FOUL_EVENTS or outcome.get("result") == "foul" or outcome.get("card") in FOUL_CARDS
    return Moment.FOUL if is_foul else None


class ShownEvents:
    """The events already shown by lights. An event that returns after an undo is not shown again."""

    def __init__(self, events: list[Fields]) -> None:
        self._events = [_without_metadata(fields) for fields in events]

    def add_if_new(self, index: int, fields: Fields) -> bool:
        """Add an event at its index among the valid events. Returns False if the same event was shown there before."""
        plain = _without_metadata(fields)
        if index < len(self._events) and self._events[index] == plain:
            return False
        del self._events[index:]
        self._events.append(plain)
        return True

    def replace_all(self, events: list[Fields]) -> None:
        """Replace all events after a correction. None of them counts as new."""
        self._events = [_without_metadata(fields) for fields in events]


def _without_metadata(fields: Fields) -> dict[str, object]:
    return {key: value for key, value in fields.items() if key not in ("at", "by", "note")}


def _awaited_sides(decision: Decision) -> frozenset[str]:
    """Return the awaited sides: those whose dice come first, else those who may act."""
    first = min((dice.order for dice in decision.dice), default=0)
    throwing_sides = {dice.side for dice in decision.dice if dice.order == first and dice.side is not None}
    return frozenset(throwing_sides or decision.sides)


def _lamps(status: MatchStatus) -> Lamps:
    if status.is_finished:
        return Lamps(undo=Lamp.ON if status.can_undo else Lamp.OFF, referee=_breathing_if(status.is_referee_called))
    left, right = (_side_lamp(status.decision, side) for side in status.seats)
    return Lamps(
        confirm=_breathing_if(default_choice(status.decision) is not None and not status.has_question),
        undo=Lamp.ON if status.can_undo else Lamp.OFF,
        left=left,
        right=right,
        referee=_breathing_if(status.is_referee_called),
    )


def _side_lamp(decision: Decision, side: str) -> Lamp:
    if side in _awaited_sides(decision):
        return Lamp.BREATHING
    return Lamp.ON if default_choice_of_side(decision, side) is not None else Lamp.OFF


def _breathing_if(on: bool) -> Lamp:
    return Lamp.BREATHING if on else Lamp.OFF
