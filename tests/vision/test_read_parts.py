"""Parts of the reading that need no net: which candidates stand for the same die, body colours."""

import numpy as np
import pytest

from vision.colour import body_colour
from vision.drawing.tray import SIZE, DrawnDie, draw_tray
from vision.find import Candidate, suppressed


def candidate(x: float, y: float, edge: float, score: float, sure: float = 0.9) -> Candidate:
    faces = np.full(8, (1 - sure) / 7, np.float32)
    faces[2] = sure
    half = edge * 0.6
    return Candidate(x, y, edge, (x - half, y - half, x + half, y + half), score, faces)


def test_of_two_finds_of_one_die_the_better_stays() -> None:
    weak, strong = candidate(100, 100, 40, 0.4), candidate(104, 97, 44, 0.8)
    assert suppressed([weak, strong]) == [strong]


def test_dice_that_touch_both_stay() -> None:
    left, right = candidate(100, 100, 40, 0.8), candidate(141, 100, 40, 0.7)
    assert suppressed([left, right]) == [left, right]


def test_a_group_read_as_one_big_die_gives_way_to_the_dice() -> None:
    dice = [candidate(x, y, 30, 0.7) for x in (85, 115) for y in (85, 115)]
    group = candidate(100, 100, 75, 0.75, sure=0.4)
    assert group not in suppressed([group, *dice])


def test_a_pip_read_as_a_die_gives_way_to_the_die() -> None:
    die, pip = candidate(100, 100, 60, 0.8), candidate(112, 112, 13, 0.6)
    assert suppressed([pip, die]) == [die]


@pytest.mark.parametrize("body", ["white", "red", "blue", "green", "black", "yellow", "orange"])
def test_the_body_colour_is_named(body: str) -> None:
    ground = np.full((*SIZE, 3), 0.5, np.float32)
    picture = draw_tray([DrawnDie("pips", body, 6, edge=60)], np.random.default_rng(1), ground=ground)
    assert body_colour(picture, 320, 240, 60) == body


def test_a_place_outside_the_picture_has_no_colour() -> None:
    assert body_colour(np.zeros((50, 50, 3), np.uint8), -80, -80, 20) is None
