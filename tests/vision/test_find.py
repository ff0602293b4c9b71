"""Detection of small dice in a large picture."""

import numpy as np
import pytest

from tools.training.drawn_table import CameraViews, SeenDie, draw_dice
from vision import dice_sets
from vision.detection.finder import Candidate, Finder

SEEN = 0.4


@pytest.fixture(scope="module")
def finder() -> Finder:
    return Finder()


def is_at(one: Candidate, seen: SeenDie) -> bool:
    assert seen.die.box is not None
    left, top, wide, tall = seen.die.box
    return abs(one.x - left - wide / 2) < 8 and abs(one.y - top - tall / 2) < 8 and one.score > SEEN


@pytest.mark.parametrize("number", [14, 39])
def test_a_tiny_die_is_seen_wherever_it_lies_beside_another_one(finder: Finder, number: int) -> None:
    """Both pictures lose a die if the look at the larger scale covers only the other dice."""
    kinds = dice_sets.load("numerals").kinds
    picture, dice = draw_dice(kinds, 3, np.random.default_rng([777, number]), CameraViews((20.0, 20.0), 15.0))
    found = finder.find(picture)
    assert [sum(is_at(one, die) for one in found) for die in dice] == [1, 1, 1]
