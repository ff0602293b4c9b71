"""The background around a die gives the local light level."""

import numpy as np
import pytest

from vision.classification.colours import brightening
from vision.detection.finder import Candidate
from vision.pictures import Picture

EDGE = 40
PLACES = ((100, 100), (260, 100), (420, 100), (260, 300))


def dice(*places: tuple[int, int]) -> list[Candidate]:
    half = EDGE / 2
    faces = np.full(8, 1 / 8, np.float32)
    return [Candidate(x, y, EDGE, (x - half, y - half, x + half, y + half), 0.9, faces) for x, y in places]


def table(ground: tuple[int, int, int], *, shadow: float = 1.0) -> Picture:
    """Return a background with white squares as dice, with its right part in a shadow."""
    picture = np.full((400, 560, 3), ground, np.float32)
    for x, y in PLACES:
        picture[y - EDGE // 2 : y + EDGE // 2, x - EDGE // 2 : x + EDGE // 2] = 235
    picture[:, 340:] *= shadow
    return picture.astype(np.uint8)


def test_on_an_even_ground_nothing_is_made_brighter() -> None:
    assert brightening(table((60, 140, 40)), dice(*PLACES)) == [1.0] * 4


@pytest.mark.parametrize("shadow", [0.5, 0.7])
def test_a_die_in_a_shadow_is_made_brighter_as_far_as_grounds_are_trusted(shadow: float) -> None:
    left, middle, shaded, other = brightening(table((60, 140, 40), shadow=shadow), dice(*PLACES))
    assert (left, middle, other) == (1.0, 1.0, 1.0)
    assert shaded == pytest.approx(shadow**-0.6, rel=0.02)


def test_another_ground_tells_nothing_of_the_light() -> None:
    picture = table((60, 140, 40))
    picture[:200, 340:] = (20, 20, 160)
    assert brightening(picture, dice(*PLACES)) == [1.0] * 4


def test_a_black_ground_and_a_single_die_tell_nothing() -> None:
    assert brightening(table((3, 3, 3), shadow=0.5), dice(*PLACES)) == [1.0] * 4
    assert brightening(table((60, 140, 40), shadow=0.5), dice(PLACES[2])) == [1.0]


def test_dice_outside_of_the_picture_or_close_together_do_no_harm() -> None:
    crowd = [(x, y) for x in range(80, 400, EDGE) for y in range(80, 320, EDGE)]
    assert len(brightening(table((60, 140, 40)), dice(*crowd, (-300, 50), (900, 900)))) == len(crowd) + 2
