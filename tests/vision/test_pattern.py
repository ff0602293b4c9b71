"""Checked cloth and tiles are not mistaken for plain dice faces, and dice are not mistaken for a pattern."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision import dice_sets
from vision.classification.classes import CLASSES, PLAIN, STATES
from vision.classification.face_nets import Classification
from vision.decision.reader import Reader
from vision.detection.finder import Candidate, is_pattern
from vision.dice_sets import BODIES
from vision.drawing.tray import DrawnDie, draw_tray, make_ground
from vision.pictures import Picture
from vision.roll import Doubt, Status

EDGE = 36.0
RED = (40, 30, 160)


def cloth(angle: float, edge: float = EDGE, light: float = 1.0) -> Picture:
    """Return a woven cloth with red checks of `edge` pixels, one of them at the picture's centre.

    The cloth is brighter (`light`) towards one side.
    """
    down, right = np.mgrid[:480, :640].astype(float) - np.array([240, 320])[:, None, None]
    along = (np.cos(angle) * right + np.sin(angle) * down) / edge + 0.5
    across = (np.cos(angle) * down - np.sin(angle) * right) / edge + 0.5
    threads = ((np.floor(along) % 2 == 0).astype(float) + (np.floor(across) % 2 == 0)) / 2
    colours = np.array((225, 225, 225)) * (1 - threads[..., None]) + np.array(RED) * threads[..., None]
    shade = 1 - (1 - light) * (right[..., None] + 320) / 640
    grain = np.random.default_rng(5).normal(0, 5, colours.shape)
    return np.clip(colours * shade + grain, 0, 255).astype(np.uint8)


def find(x: float = 320.0, y: float = 240.0, edge: float = EDGE) -> Candidate:
    box = (x - edge / 2, y - edge / 2, x + edge / 2, y + edge / 2)
    return Candidate(x, y, edge, box, 0.95, np.full(8, 1 / 8, np.float32))


def table(*middles: tuple[float, float], angle: float = 0.2) -> Picture:
    """Return a plain table with red squares, placed like dice."""
    picture = np.full((480, 640, 3), 150, np.uint8)
    for middle in middles:
        corners = cv2.boxPoints((middle, (EDGE, EDGE), np.degrees(angle)))
        cv2.fillPoly(picture, [np.round(corners).astype(np.int32)], RED)
    grain = np.random.default_rng(6).normal(0, 5, picture.shape)
    return np.clip(picture + grain, 0, 255).astype(np.uint8)


@pytest.mark.parametrize("angle", [0.0, 0.3, 0.78])
@pytest.mark.parametrize("edge", [16.0, 36.0, 70.0])
@pytest.mark.parametrize("light", [1.0, 0.5])
def test_a_check_of_a_cloth_is_a_pattern(angle: float, edge: float, light: float) -> None:
    assert is_pattern(cloth(angle, edge, light), find(edge=edge * 1.1))


def test_a_check_at_the_rim_of_the_picture_is_one_too() -> None:
    assert is_pattern(cloth(0.0), find(x=320 - 8 * EDGE, y=240 - 4 * EDGE))


@pytest.mark.parametrize(
    "beside",
    [(), ((400.0, 240.0),), ((248.0, 240.0), (392.0, 240.0)), ((392.0, 240.0), (320.0, 312.0))],
    ids=["alone", "two", "three in a row", "three at a corner"],
)
def test_few_dice_side_by_side_are_none(beside: tuple[tuple[float, float], ...]) -> None:
    assert not is_pattern(table((320.0, 240.0), *beside), find())


def test_a_find_that_the_rim_cuts_off_is_none() -> None:
    assert not is_pattern(cloth(0.0), find(x=4.0))
    assert not is_pattern(cloth(0.0), find(y=479.0))


def test_nothing_is_no_pattern() -> None:
    assert not is_pattern(np.full((480, 640, 3), 120, np.uint8), find())
    assert not is_pattern(table(), find())


def test_drawn_balls_that_lie_as_they_fell_are_none() -> None:
    rng = np.random.default_rng(9)
    places = [(float(x), float(y)) for x in range(80, 640, 96) for y in range(70, 480, 85)]
    dice = [
        DrawnDie("ball", "white", 2, x + rng.uniform(-20, 20), y + rng.uniform(-15, 15), rng.uniform(0, 6), 40)
        for x, y in places
    ]
    picture = draw_tray(dice, rng, ground=make_ground(np.random.default_rng(1)))
    assert [die for die in dice if is_pattern(picture, find(die.x, die.y, 40.0))] == []


def plain() -> Classification:
    classes = np.full(CLASSES, 0.001, np.float32)
    classes[PLAIN] = 0.98
    paints = np.full(len(BODIES), 0.001, np.float32)
    paints[BODIES.index("red")] = 0.98
    evenly = np.full(len(BODIES), 1 / len(BODIES), np.float32)
    return Classification(classes, 0.98, paints, evenly, np.eye(len(STATES), dtype=np.float32)[0], (0.0, 0.0))


@pytest.mark.parametrize(("name", "angle"), [("ball", 0.3), ("nba", 0.0)])
def test_a_check_is_asked_about_however_sure_the_nets_are(name: str, angle: float) -> None:
    reader = Reader(dice_sets.load(name))
    alone = reader._decide(table((320.0, 240.0), angle=angle), [find()], [plain()], None)
    assert alone.status is Status.OK
    among = reader._decide(cloth(angle), [find()], [plain()], None)
    assert (among.status, among.dice[0].doubt) == (Status.ASK, Doubt.FOREIGN)
