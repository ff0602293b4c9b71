"""Buttons act only if their meaning is unique, in every state of every game."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from companion.games.base import Choice, Decision, DiceRequest, DisabledReason, Message, SideScene
from companion.games.registry import GAMES
from companion.language import LANGUAGES, Language
from companion.table.dice import Question
from companion.table.panel import (
    AnswerQuestion,
    CallReferee,
    PlayChoice,
    ShowHint,
    UndoEvent,
    VisibleState,
    action_of,
    default_choice_of_side,
)
from hardware.ports import PanelPress, PressSource, Role
from tests.table.readings import pips
from vision.roll import Face

BLUE, RED = SideScene("blue", "Valcendre", "blue", "B"), SideScene("red", "Port-Mélian", "red", "R")
AWAITED = Message("footclub.await.ball")


def choice(side: str | None = None, **kwargs: object) -> Choice:
    return Choice({"event": "x"}, Message("x"), side, **kwargs)  # type: ignore[arg-type]


def decision(*choices: Choice, dice: tuple[DiceRequest, ...] = ()) -> Decision:
    return Decision(AWAITED, sides=("blue", "red"), dice=dice, choices=choices)


def press(role: Role, is_long: bool = False) -> PanelPress:
    return PanelPress(role, is_long, PressSource.PANEL, 0.0)


def meant(role: Role, awaited: Decision, is_long: bool = False, **seen: object) -> object:
    return action_of(press(role, is_long), VisibleState(awaited, (BLUE, RED), **seen))  # type: ignore[arg-type]


def asked(*faces: int, spare: bool = False) -> Question:
    return Question("face", (pips(1),), 0, candidates=tuple(Face(value) for value in faces), may_be_no_die=spare)


def test_confirm_plays_the_one_usual_choice() -> None:
    usual = choice("blue", prominence=1)
    assert meant(Role.CONFIRM, decision(choice("blue"), usual, choice("red"))) == PlayChoice(usual)


@pytest.mark.parametrize(
    ("awaited", "need"),
    [
        (decision(choice("blue", prominence=1), choice("red", prominence=1)), "button.need.choice"),
        (decision(choice("blue"), choice("red")), "button.need.choice"),
        (decision(dice=(DiceRequest("blue", "pips", 2),)), "button.need.dice"),
        (decision(), "button.need.wait"),
        (
            decision(choice("blue", prominence=1, disabled_reason=DisabledReason("FC-1", Message("y")))),
            "button.need.wait",
        ),
        (decision(choice("blue", prominence=1, menu=True)), "button.need.wait"),
    ],
)
def test_confirm_does_nothing_where_it_could_mean_two_things_or_none(awaited: Decision, need: str) -> None:
    found = meant(Role.CONFIRM, awaited)
    assert isinstance(found, ShowHint)
    assert found.message.id == need


def test_what_is_held_on_the_screen_is_held_on_the_button() -> None:
    end = choice(prominence=1, needs_long_press=True)
    found = meant(Role.CONFIRM, decision(end))
    assert isinstance(found, ShowHint)
    assert found.message.id == "button.need.hold"
    assert meant(Role.CONFIRM, decision(end), is_long=True) == PlayChoice(end)


def test_a_sides_button_plays_that_sides_choice_only() -> None:
    mine, theirs = choice("red", prominence=1), choice("blue", prominence=1)
    awaited = decision(mine, theirs, choice("red"), choice(None, prominence=1))
    assert meant(Role.RIGHT, awaited) == PlayChoice(mine)
    assert meant(Role.LEFT, awaited) == PlayChoice(theirs)
    only = choice("blue", prominence=3)
    assert meant(Role.LEFT, decision(only)) == PlayChoice(only)


@pytest.mark.parametrize(
    ("awaited", "need"),
    [
        (decision(choice("red"), choice("red")), "button.need.side_choice"),
        (decision(choice("red", prominence=1), choice("red", prominence=1)), "button.need.side_choice"),
        (decision(choice("blue"), dice=(DiceRequest("red", "pips", 1),)), "button.need.side_dice"),
        (decision(choice("blue")), "button.need.side_waits"),
    ],
)
def test_a_sides_button_says_what_is_missing(awaited: Decision, need: str) -> None:
    found = meant(Role.RIGHT, awaited)
    assert isinstance(found, ShowHint)
    assert (found.message.id, found.message.args) == (need, {"name": "Port-Mélian"})


def test_a_question_is_never_guessed() -> None:
    usual = decision(choice("blue", prominence=1))
    for role in (Role.CONFIRM, Role.LEFT, Role.RIGHT):
        found = meant(role, usual, question=asked(4, 2))
        assert isinstance(found, ShowHint)
        assert found.message.id == "button.need.answer"
    assert isinstance(meant(Role.CONFIRM, usual, question=asked(4, spare=True)), ShowHint)
    assert isinstance(meant(Role.CONFIRM, usual, question=replace(asked(4), kind="extra")), ShowHint)
    assert isinstance(meant(Role.LEFT, usual, question=asked(4)), ShowHint)
    assert meant(Role.CONFIRM, usual, question=asked(4)) == AnswerQuestion(Face(4))


def test_the_referee_may_be_called_always_and_undo_waits_for_a_question_only() -> None:
    for seen in ({}, {"question": asked(4, 2)}, {"is_finished": True}):
        assert meant(Role.REFEREE, decision(), **seen) == CallReferee()
    for seen in ({}, {"is_finished": True}):
        assert meant(Role.UNDO, decision(), **seen) == UndoEvent()
    for question in (asked(4, 2), asked(4)):
        assert isinstance(meant(Role.UNDO, decision(), question=question), ShowHint)


def test_nothing_is_played_after_the_end() -> None:
    found = meant(Role.CONFIRM, decision(choice(prominence=1)), is_finished=True)
    assert isinstance(found, ShowHint)
    assert found.message.id == "button.need.finished"


@pytest.mark.parametrize("game_id", list(GAMES))
def test_in_every_state_of_a_match_a_press_is_legal_or_explained(game_id: str) -> None:
    game, chance = GAMES[game_id], Random(5)
    languages = [Language(code) for code in LANGUAGES]
    state = game.initial_state(game.random_header(chance))
    played = explained = 0
    for _ in range(250):
        if game.finished(state):
            state = game.initial_state(game.random_header(chance))
        scene, awaited = game.scene(state), game.decision(state)
        sides = (scene.sides[0], scene.sides[1])
        for role in (Role.CONFIRM, Role.LEFT, Role.RIGHT):
            found = action_of(press(role), VisibleState(awaited, sides))
            if isinstance(found, PlayChoice):
                played += 1
                assert found.choice in awaited.choices
                if role is not Role.CONFIRM:
                    assert found.choice.side == sides[role is Role.RIGHT].side
                    assert default_choice_of_side(awaited, found.choice.side or "") == found.choice
                if not found.choice.prompts:
                    game.parse({**found.choice.event, "by": "button"})  # complete: no prompt is left
            else:
                assert isinstance(found, ShowHint)
                explained += 1
                assert all(language.text(found.message) != found.message.id for language in languages)
        state, _ = game.apply(state, game.parse(game.random_event(state, chance)))
    assert played > 10
    assert explained > 10
