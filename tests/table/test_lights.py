"""Light scenes in all four games: turn, reading, question, last event; each moment is shown once."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from companion.games.base import Decision, DiceRequest, Message, SideScene
from companion.games.registry import GAMES
from companion.table.history import winner_of
from companion.table.panel import (
    LED_COLOURS,
    MatchStatus,
    ShownEvents,
    default_choice,
    default_choice_of_side,
    light_show,
    moment_of,
    scene_of,
)
from hardware.ports import Lamp, LightScene, Moment

BLUE, RED = SideScene("blue", "Valcendre", "blue", "B"), SideScene("red", "Port-Mélian", "red", "R")
TITLE = Message("footclub.await.ball")
DICE = (DiceRequest("blue", "pips", 2),)


def standing(*sides: str, dice: tuple[DiceRequest, ...] = (), **kwargs: Any) -> MatchStatus:
    return MatchStatus((BLUE, RED), Decision(TITLE, sides=sides, dice=dice), {"blue": 1, "red": 0}, **kwargs)


@pytest.mark.parametrize(
    ("now", "scene"),
    [
        (standing("blue"), LightScene.LEFT),
        (standing("red"), LightScene.RIGHT),
        (standing("blue", "red"), LightScene.BOTH),
        (standing(), LightScene.REST),
        (standing("blue", "red", dice=DICE), LightScene.LEFT),
        (standing("blue", dice=DICE, is_rolling=True), LightScene.READING),
        (standing("blue", is_rolling=True), LightScene.LEFT),
        (standing("blue", dice=DICE, is_camera_lost=True, is_rolling=True), LightScene.LOST),
        (standing("blue", is_camera_lost=True), LightScene.LEFT),
        (standing("blue", dice=DICE, has_question=True, is_camera_lost=True), LightScene.QUESTION),
        (standing("blue", is_finished=True, winner="blue", has_question=True), LightScene.WON_LEFT),
        (standing(is_finished=True, winner="red"), LightScene.WON_RIGHT),
        (standing(is_finished=True), LightScene.DRAWN),
    ],
)
def test_the_scene_is_what_needs_the_players_most(now: MatchStatus, scene: LightScene) -> None:
    assert scene_of(now) is scene
    turned = {LightScene.LEFT: LightScene.RIGHT, LightScene.WON_LEFT: LightScene.WON_RIGHT}
    turned |= {other: one for one, other in turned.items()}
    assert scene_of(replace(now, sides=(RED, BLUE))) is turned.get(scene, scene)


def test_light_is_white_while_dice_are_awaited() -> None:
    assert light_show(standing("blue", dice=DICE)).reading
    assert not light_show(standing("blue")).reading
    assert not light_show(standing("blue", dice=DICE, is_finished=True)).reading


def test_score_and_colours_stand_where_the_sides_sit() -> None:
    show = light_show(replace(standing("blue"), sides=(RED, BLUE)))
    assert show.score == (0, 1)
    assert show.colours == (LED_COLOURS["red"], LED_COLOURS["blue"])


def test_sound_is_asked_for_or_not() -> None:
    assert light_show(standing("blue")).sound
    assert not light_show(standing("blue"), sound=False).sound


def test_no_button_but_undo_shines_after_the_end() -> None:
    lamps = light_show(standing("blue", is_finished=True, can_undo=True)).lamps
    assert (lamps.undo, lamps.confirm, lamps.left, lamps.right) == (Lamp.ON, Lamp.OFF, Lamp.OFF, Lamp.OFF)


def test_the_referees_lamp_breathes_while_one_is_called() -> None:
    assert light_show(standing("blue", is_referee_called=True)).lamps.referee is Lamp.BREATHING
    assert light_show(standing("blue")).lamps.referee is Lamp.OFF


def test_moments_are_of_what_was_just_recorded() -> None:
    before, roll = standing("blue"), {"event": "roll"}
    for side, moment in (("blue", Moment.GOAL_LEFT), ("red", Moment.GOAL_RIGHT)):
        scored = replace(before, score={**before.score, side: 2})
        assert moment_of(before, scored, {"event": "shot"}, {}) is moment
        assert moment_of(before, scored, {"event": "ruling"}, {}) is None
        assert moment_of(before, replace(scored, is_finished=True), {"event": "shot"}, {}) is Moment.WON
        assert moment_of(scored, before, {"event": "ruling"}, {}) is None
    assert moment_of(before, before, roll, {"result": "foul"}) is Moment.FOUL
    assert moment_of(before, before, roll, {"card": "yellow"}) is Moment.FOUL
    assert moment_of(before, before, {"event": "recover"}, {"card": "supporters"}) is None
    assert moment_of(before, before, {"event": "foul_called"}, {}) is Moment.FOUL
    assert moment_of(before, before, roll, {"result": "success"}) is None


def test_what_stood_there_before_is_no_news() -> None:
    facts = ShownEvents([{"event": "a", "at": "1"}])
    assert facts.add_if_new(1, {"event": "b", "at": "2", "by": "touch"})
    assert not facts.add_if_new(1, {"event": "b", "at": "9", "by": "button"})
    assert not facts.add_if_new(0, {"event": "a"})
    assert facts.add_if_new(0, {"event": "c"})
    assert facts.add_if_new(1, {"event": "b"})
    facts.replace_all([{"event": "d"}])
    assert not facts.add_if_new(0, {"event": "d"})


def _now(game: Any, state: Any) -> MatchStatus:
    scene, finished = game.scene(state), game.finished(state)
    score = {side.side: points for side, points in zip(scene.sides, scene.board.score, strict=True)}
    winner = winner_of(game, state) if finished else None
    return MatchStatus((scene.sides[0], scene.sides[1]), game.decision(state), score, finished, winner)


@pytest.mark.parametrize("game_id", list(GAMES))
def test_every_state_of_a_match_has_its_lights(game_id: str) -> None:
    game, chance = GAMES[game_id], Random(8)
    state = game.initial_state(game.random_header(chance))
    scenes, moments, goals = set(), [], 0
    now = _now(game, state)
    for _ in range(3000):
        show = light_show(now)
        scenes.add(show.scene)
        if not now.is_finished:
            assert show.reading == bool(now.decision.dice)
            assert (show.lamps.confirm is Lamp.BREATHING) == (default_choice(now.decision) is not None)
            for side, lamp in zip(now.seats, (show.lamps.left, show.lamps.right), strict=True):
                if lamp is Lamp.ON:
                    assert default_choice_of_side(now.decision, side) is not None
        assert show.moment is None
        if now.is_finished:
            break
        fields = game.random_event(state, chance)
        state, outcome = game.apply(state, game.parse(fields))
        before, now = now, _now(game, state)
        gained = [side for side in now.seats if now.score[side] > before.score[side]]
        moment = moment_of(before, now, fields, outcome)
        if gained and fields["event"] != "ruling" and not now.is_finished:
            goals += 1
            assert moment is (Moment.GOAL_LEFT if gained[0] == now.seats[0] else Moment.GOAL_RIGHT)
        if moment is not None:
            moments.append(moment)
    assert now.is_finished
    assert goals > 0
    assert moments.count(Moment.WON) == 1
    assert {LightScene.LEFT, LightScene.RIGHT} <= scenes
    assert scenes & {LightScene.WON_LEFT, LightScene.WON_RIGHT, LightScene.DRAWN}
