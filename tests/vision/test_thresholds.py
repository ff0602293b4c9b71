"""Certainty thresholds: the reading follows changes in the network outputs for a rendered tray."""

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.test_face_probabilities import classified
from vision import dice_sets
from vision.classification.classes import NOTHING, PLAIN, UNKNOWN
from vision.classification.face_nets import Classification
from vision.decision.reader import Reader
from vision.decision.thresholds import Thresholds
from vision.detection.finder import Candidate
from vision.drawing.tray import DrawnDie, draw_tray, make_ground
from vision.roll import Doubt

PLACES = (200.0, 440.0)


def doubts_of(dice_set: str, seen: dict[int, float], least: float, scores: tuple[float, ...]) -> list[Doubt | None]:
    """Return the doubts of balls on a tray, left to right.

    The rightmost ball has the output `seen` with `least`; the finder gives all of them `scores`.
    """
    reader = Reader(dice_sets.load(dice_set))
    as_it_is = reader.detect
    chances = classified(seen).classes
    places = PLACES[-len(scores) :]

    def changed(picture: np.ndarray, request: object) -> tuple[list[Candidate], list[Classification]]:
        candidates, classifications = as_it_is(picture, None)
        near = [min(range(len(candidates)), key=lambda i: abs(candidates[i].x - x)) for x in places]
        found = [replace(candidates[i], score=score) for i, score in zip(near, scores, strict=True)]
        kept = [classifications[i] for i in near]
        return found, [*kept[:-1], replace(kept[-1], classes=chances, min_view_chance=least)]

    reader.detect = changed  # type: ignore[method-assign,assignment]
    rng = np.random.default_rng(3)
    dice = [DrawnDie("ball", "white", 5, x, 240, 0.5, 46) for x in places]
    roll = reader.read(draw_tray(dice, rng, ground=make_ground(rng)))
    return [die.doubt for die in sorted(roll.dice, key=lambda die: die.box[0])]


FACE, FOREIGN = Doubt.FACE, Doubt.FOREIGN


@pytest.mark.parametrize(
    ("dice_set", "plain", "doubt"), [("ball", 0.55, None), ("ball", 0.48, FACE), ("footclub", 0.55, FACE)]
)
def test_grain_hides_no_mark_where_all_dice_are_plain(dice_set: str, plain: float, doubt: Doubt | None) -> None:
    seen = {PLAIN: plain, UNKNOWN: 0.98 - plain, NOTHING: 0.01}
    assert doubts_of(dice_set, seen, 0.2, (0.9, 0.9)) == [None, doubt]


@pytest.mark.parametrize(
    ("dice_set", "turned", "sure"),
    [("numerals", True, "turned"), ("footclub", False, "sure"), ("ball", False, "sure_if_plain")],
)
def test_the_strictest_of_the_reasons_counts(dice_set: str, turned: bool, sure: str) -> None:
    limits = Thresholds()
    assert limits.min_mark_for(dice_sets.load(dice_set).kinds, turned=turned) == getattr(limits, sure)
