"""Underlined sixes and nines, read by a network trained for them only."""

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.test_face_probabilities import classified
from tests.vision.test_named_colours import candidate
from tools.benchmarks.scores import match_by_position
from tools.training.drawn_table import CameraViews, SeenDie, draw_dice
from vision.classification import classes
from vision.classification.face_nets import Classification, SixOrNine
from vision.decision.reader import Reader
from vision.detection.finder import Candidate
from vision.dice_sets import DiceSet, Kind
from vision.pictures import Picture
from vision.roll import Face

SIX, NINE, EITHER = classes.of_digit(6), classes.of_digit(9), classes.SIX_OR_NINE
GREY = np.full((80, 80, 3), 114, np.uint8)


@pytest.fixture(scope="module")
def figures() -> SixOrNine:
    return SixOrNine()


def lined(body: str) -> DiceSet:
    """Return a set of underlined sixes and nines on one body."""
    return DiceSet("lined", (Kind("lined", "digits", (body,), (Face(6), Face(9)) * 3, underlined=True),))


def throw(dice_set: DiceSet, seed: int) -> tuple[Picture, list[SeenDie]]:
    return draw_dice(dice_set.kinds, 8, np.random.default_rng([4_400_000, seed]), CameraViews((20.0, 60.0), 25.0))


@pytest.mark.parametrize("body", ["red", "blue", "yellow", "green", "brown"])
def test_underlined_dice_of_any_body_are_read(body: str) -> None:
    """Six throws of eight: none is certain and wrong, and more than nine of ten are read."""
    read = dice = 0
    reader = Reader(lined(body))
    for seed in range(6):
        picture, seen_dice = throw(lined(body), seed)
        truth = [seen.die for seen in seen_dice]
        for die, reading in zip(truth, match_by_position(truth, reader.read(picture).dice), strict=True):
            dice += 1
            if reading is not None and reading.certain:
                assert reading.face == die.face
                read += 1
    assert read > 0.9 * dice


def near(seen: SeenDie) -> Candidate:
    assert seen.die.box is not None
    left, top, wide, tall = seen.die.box
    return replace(candidate(left + wide / 2, top + tall / 2), edge=seen.edge)


@pytest.mark.parametrize("torn", [{SIX: 0.45, NINE: 0.45}, {SIX: 0.6, NINE: 0.3}, {SIX: 0.3, NINE: 0.6}])
def test_the_picture_tells_whatever_was_thought_before(torn: dict[int, float], figures: SixOrNine) -> None:
    picture, seen_dice = throw(lined("red"), 1)
    before = classified(torn)
    classifications = [
        classification for _, classification in figures.refined(picture, [(near(seen), before) for seen in seen_dice])
    ]
    named = [6 if seen.classes[SIX] > seen.classes[NINE] else 9 for seen in classifications]
    assert named == [seen.die.face.value for seen in seen_dice]
    assert all(seen.classes.sum() == pytest.approx(before.classes.sum(), abs=1e-4) for seen in classifications)


def test_a_look_that_names_the_wrong_figure_is_certain_no_more(figures: SixOrNine) -> None:
    picture, seen_dice = throw(lined("blue"), 2)
    for seen in seen_dice:
        other = NINE if seen.die.face.value == 6 else SIX
        ((_, classification),) = figures.refined(picture, [(near(seen), classified({other: 0.99}))])
        assert classification.classes[other] < 0.85


@pytest.mark.parametrize("chances", [{SIX: 0.2, NINE: 0.2, 12: 0.6}, {classes.PLAIN: 0.9}])
def test_what_is_another_face_is_left_as_it_is(chances: dict[int, float], figures: SixOrNine) -> None:
    seen = classified(chances)
    assert figures.refined(GREY, [(candidate(40, 40), seen)])[0][1] is seen


def test_where_the_net_sees_no_figure_the_others_are_believed(figures: SixOrNine) -> None:
    seen: Classification = classified({SIX: 0.97})
    assert figures.refined(GREY, [(candidate(40, 40), seen)])[0][1] is seen


def test_dice_without_a_line_are_never_sure_by_it() -> None:
    """The network needed for one kind of a set is not used for figures without a line."""
    bare = replace(lined("red").kinds[0], underlined=False)
    reader = Reader(DiceSet("bare", (bare,)))
    picture, seen_dice = throw(lined("red"), 3)
    truth = [seen.die for seen in seen_dice]
    for die, reading in zip(truth, match_by_position(truth, reader.read(picture).dice), strict=True):
        assert reading is None or not reading.certain or reading.face == die.face
