"""Tilted dice among flat dice, with a camera pose estimated from them."""

from itertools import islice

import numpy as np
import pytest

from tools.training.throws import ThrowPlan, drawn_throws
from vision import dice_sets
from vision.decision.cocked import CockedDiceDetector
from vision.decision.reader import Reader
from vision.detection.fixed_camera import FixedCamera
from vision.drawing.tray import DrawnDie, draw_tray, make_ground
from vision.pictures import Picture
from vision.roll import Doubt, Status

ROLLS = (
    (DrawnDie(face=5, x=170, y=150, edge=46), DrawnDie(face=2, x=450, y=330, yaw=0.8, edge=46)),
    (DrawnDie(face=1, x=420, y=140, yaw=0.3, edge=46), DrawnDie(face=6, x=200, y=340, yaw=1.1, edge=46)),
)


def tray(*dice: DrawnDie) -> Picture:
    rng = np.random.default_rng(3)
    return draw_tray(dice, rng, ground=make_ground(rng, (480, 640)))


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader(dice_sets.load("pips"), one_tray=True)


@pytest.mark.parametrize("lean", [0.5, 0.7])
@pytest.mark.parametrize("towards", [0.4, 3.5])
def test_a_leaning_die_is_asked_about_and_its_faces_are_offered(reader: Reader, lean: float, towards: float) -> None:
    reader.camera = FixedCamera()
    assert [reader.read(tray(*dice)).status for dice in ROLLS] == [Status.OK, Status.OK]
    leaning = DrawnDie(face=4, x=330, y=250, edge=46, lean=lean, lean_towards=towards)
    roll = reader.read(tray(leaning, ROLLS[0][0]))
    assert roll.status is Status.ASK
    cocked = [die for die in roll.dice if die.doubt is Doubt.COCKED]
    assert cocked
    for die in cocked:
        assert np.hypot(die.box[0] + die.box[2] / 2 - 330, die.box[1] + die.box[3] / 2 - 250) < 45
        assert die.possible


def test_a_tray_without_dice_has_none_that_lean() -> None:
    assert CockedDiceDetector(FixedCamera()).detect(np.zeros((60, 80, 3), np.uint8), [], [], None) == []


def test_flat_dice_seen_far_from_aside_are_not_called_cocked() -> None:
    nba = dice_sets.load("nba")
    picture, dice = next(islice(drawn_throws(nba, ThrowPlan(seed=32_000_000)), 17, None))
    assert min(die.tilt for die in dice) > 50
    assert not [die for die in Reader(nba).read(picture).dice if die.doubt is Doubt.COCKED]
