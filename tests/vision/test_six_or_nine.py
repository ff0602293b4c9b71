"""Sixes and nines with a line below them, where a look at them leaves open which it is."""

import numpy as np
import pytest

from tests.vision.test_chances import look
from tests.vision.test_named_colours import candidate
from vision import classes, dice_sets
from vision.pictures import Picture
from vision.pipeline import Reader
from vision.read import FaceReader, Look
from vision.scores import matched
from vision.six_or_nine import told_apart
from vision.training.drawn_table import SeenDie, Views, draw_dice

SIX, NINE, EITHER = classes.of_digit(6), classes.of_digit(9), classes.SIX_OR_NINE
UNCLEAR = ((5_000_000, 42), (6_000_000, 15), (6_000_000, 35), (7_000_000, 75))
"""Throws of twenty in which the look at a nine left open whether it is a six: seeds and numbers."""

GREY = np.full((80, 80, 3), 114, np.uint8)
OPEN = look({SIX: 0.45, NINE: 0.45})


def throw(seed: int, number: int) -> tuple[Picture, list[SeenDie]]:
    """Twenty drawn dice of the NBA's."""
    rng = np.random.default_rng([seed, number])
    rng.integers(20, 21)
    return draw_dice(dice_sets.load("nba").kinds, 20, rng, Views((20.0, 60.0), 25.0))


@pytest.mark.parametrize(("seed", "number"), UNCLEAR)
def test_what_one_look_leaves_open_is_told_from_all_sides(seed: int, number: int) -> None:
    picture, lying = throw(seed, number)
    roll = Reader(dice_sets.load("nba")).read(picture)
    truth = [seen.die for seen in lying]
    turned = [
        (die.face, reading)
        for die, reading in zip(truth, matched(truth, roll.dice), strict=True)
        if die.face.value in (6, 9) and die.kind == "three_points"
    ]
    assert turned
    assert all(reading is not None and reading.certain and reading.face == face for face, reading in turned)


@pytest.mark.parametrize("torn", [OPEN, look({SIX: 0.6, NINE: 0.3}), look({SIX: 0.3, NINE: 0.6})])
def test_the_picture_tells_whatever_was_thought_before(torn: Look) -> None:
    picture, _ = throw(7_000_000, 75)
    candidates, looks = Reader(dice_sets.load("nba")).look(picture)
    figures = [i for i, seen in enumerate(looks) if int(seen.classes.argmax()) in (SIX, NINE)]
    before = [int(looks[i].classes.argmax()) for i in figures]
    told = told_apart(FaceReader(), picture, [candidates[i] for i in figures], [torn] * len(figures))
    assert len(figures) > 2
    assert [int(seen.classes.argmax()) for seen in told] == before
    assert all(seen.classes.sum() == pytest.approx(torn.classes.sum(), abs=1e-4) for seen in told)


@pytest.mark.parametrize("chances", [{EITHER: 0.6, SIX: 0.2, NINE: 0.2}, {SIX: 0.97}, {SIX: 0.2, NINE: 0.2, 12: 0.6}])
def test_what_is_unmarked_sure_or_another_figure_is_left_as_it_is(chances: dict[int, float]) -> None:
    seen = look(chances)
    assert told_apart(FaceReader(), GREY, [candidate(40, 40)], [seen])[0] is seen


def test_a_figure_that_no_side_tells_stays_open() -> None:
    assert told_apart(FaceReader(), GREY, [candidate(40, 40)], [OPEN])[0] is OPEN
