"""What a button means in a state of a match: one choice, an answer, a fact taken back, or what the screen must say.

Pure. A press does only what could mean nothing else; everything else is asked for on the screen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.games.base import Awaits, Choice, Message, SideScene
from companion.table.question import Question
from hardware.ports import Press, Role
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
