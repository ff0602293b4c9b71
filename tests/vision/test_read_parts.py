"""Parts of the reading that need no net: which candidates stand for the same die."""

import numpy as np

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
