"""The network that names the top colours of all dice together, and its input pictures."""

import numpy as np
import pytest

from tools.benchmarks.scores import match_by_position
from tools.training.drawn_table import CameraViews, SeenDie, draw_dice
from vision import dice_sets
from vision.classification.face_nets import COLOUR_CROP, TopColour, colour_crops, whole_picture
from vision.decision.reader import Reader
from vision.detection.exposure import normalise_levels
from vision.detection.finder import Candidate
from vision.dice_sets import BODIES
from vision.pictures import Picture

BALL = dice_sets.load("ball")


@pytest.fixture(scope="module")
def net() -> TopColour:
    return TopColour()


def throw(seed: int, count: int = 5, name: str = "ball") -> tuple[Picture, list[SeenDie]]:
    rng = np.random.default_rng([4_500_000, seed])
    return draw_dice(dice_sets.load(name).kinds, count, rng, CameraViews((24.0, 70.0), 25.0))


def found(seen_dice: list[SeenDie]) -> list[Candidate]:
    boxes = [seen.die.box for seen in seen_dice]
    return [
        Candidate(
            left + wide / 2,
            top + tall / 2,
            seen.edge,
            (left, top, left + wide, top + tall),
            1.0,
            np.zeros(8, np.float32),
        )
        for seen, (left, top, wide, tall) in zip(seen_dice, filter(None, boxes), strict=True)
    ]


def test_each_die_has_one_chance_for_every_name(net: TopColour) -> None:
    picture, seen_dice = throw(1)
    chances = net.chances(picture, found(seen_dice))
    assert chances.shape == (5, len(BODIES))
    assert chances.sum(1) == pytest.approx(np.ones(5), abs=1e-4)
    assert net.chances(picture, []).shape == (0, len(BODIES))


def test_plain_faces_are_named(net: TopColour) -> None:
    right = dice = 0
    for seed in range(20):
        picture, seen_dice = throw(seed)
        chances = net.chances(picture, found(seen_dice))
        dice += len(seen_dice)
        right += sum(
            BODIES[int(row.argmax())] == seen.die.face.colour for row, seen in zip(chances, seen_dice, strict=True)
        )
    assert right >= 0.97 * dice


def test_what_is_told_does_not_hang_on_the_order(net: TopColour) -> None:
    picture, seen_dice = throw(2)
    dice = found(seen_dice)
    assert net.chances(picture, dice[::-1])[::-1] == pytest.approx(net.chances(picture, dice), abs=1e-5)


def test_dice_tell_of_each_other(net: TopColour) -> None:
    """All dice influence each other: a die alone has other probabilities."""
    picture, seen_dice = throw(3)
    dice = found(seen_dice)
    together = net.chances(picture, dice)
    alone = np.concatenate([net.chances(picture, [one]) for one in dice])
    assert np.abs(together - alone).max() > 1e-4


def test_a_crop_holds_the_die_and_the_whole_picture() -> None:
    picture, seen_dice = throw(4)
    whole = whole_picture(picture)
    (crop,) = colour_crops(picture, whole, found(seen_dice)[0], [0.0])
    assert crop.shape == (COLOUR_CROP, COLOUR_CROP, 6)
    assert crop.dtype == np.uint8
    assert np.array_equal(crop[..., 3:], whole)
    assert not np.array_equal(crop[..., :3], whole)


def test_a_small_die_is_named_in_the_light_that_it_lies_in() -> None:
    """On a table of one colour, contrast stretching turns orange into yellow."""
    rng = np.random.default_rng([8_000_000, 634])
    picture, seen_dice = draw_dice(BALL.kinds, int(rng.integers(1, 7)), rng, CameraViews((20.0, 100.0), 25.0))
    assert normalise_levels(picture).spread is not None
    read = match_by_position([seen.die for seen in seen_dice], Reader(BALL).read(picture).dice)
    assert [reading and reading.face for reading in read] == [seen.die.face for seen in seen_dice]


def burnt(picture: Picture) -> Picture:
    """Return the picture at one and a half times the exposure."""
    return np.clip(picture * 1.4, 0, 255).astype(np.uint8)


def test_colours_that_burn_out_are_told_or_asked_about() -> None:
    reader, read, dice = Reader(BALL), 0, 0
    for seed in range(40, 56):
        picture, seen_dice = throw(seed, 6)
        truth = [seen.die for seen in seen_dice]
        for die, reading in zip(truth, match_by_position(truth, reader.read(burnt(picture)).dice), strict=True):
            dice += 1
            if reading is not None and reading.certain:
                assert reading.face == die.face, (seed, die.face.colour)
                read += 1
    assert read > 0.9 * dice
