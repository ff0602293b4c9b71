"""Where certainty begins: what the nets say of a drawn tray is changed here and there, and the reading follows."""

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.test_face_probabilities import look
from vision import dice_sets
from vision.classification.classes import NOTHING, PLAIN, UNKNOWN
from vision.classification.face_nets import Look
from vision.decision.reader import Reader
from vision.decision.thresholds import Thresholds
from vision.detection.finder import Candidate
from vision.drawing.tray import DrawnDie, draw_tray, make_ground
from vision.roll import Doubt

PLACES = (200.0, 440.0)


def doubts_of(dice_set: str, seen: dict[int, float], least: float, scores: tuple[float, ...]) -> list[Doubt | None]:
    """How balls on a tray are read, left to right: the one on the right is seen as `seen` with that `least`, and the
    finder gives them `scores`."""
    reader = Reader(dice_sets.load(dice_set))
    as_it_is = reader.look
    chances = look(seen).classes
    places = PLACES[-len(scores) :]

    def changed(picture: np.ndarray, request: object) -> tuple[list[Candidate], list[Look]]:
        candidates, looks = as_it_is(picture, None)
        near = [min(range(len(candidates)), key=lambda i: abs(candidates[i].x - x)) for x in places]
        found = [replace(candidates[i], score=score) for i, score in zip(near, scores, strict=True)]
        kept = [looks[i] for i in near]
        return found, [*kept[:-1], replace(kept[-1], classes=chances, least=least)]

    reader.look = changed  # type: ignore[method-assign,assignment]
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


def test_what_looks_like_a_plain_face_to_some_looks_only_is_asked_about() -> None:
    assert doubts_of("ball", {PLAIN: 0.6, UNKNOWN: 0.38, NOTHING: 0.01}, 0.04, (0.9, 0.9)) == [None, FACE]


@pytest.mark.parametrize(("plain", "least", "doubt"), [(0.98, 0.97, None), (0.96, 0.7, FACE), (0.88, 0.85, FACE)])
def test_a_blank_face_hardly_found_is_certain_if_every_look_sees_it(
    plain: float, least: float, doubt: Doubt | None
) -> None:
    assert doubts_of("ball", {PLAIN: plain, NOTHING: 0.99 - plain}, least, (0.9, 0.55)) == [None, doubt]


@pytest.mark.parametrize(("least", "score", "doubt"), [(0.98, 0.4, FOREIGN), (0.96, 0.4, FOREIGN), (0.98, 0.3, FACE)])
def test_a_find_that_is_distinct_beside_a_firm_one_is_a_die(least: float, score: float, doubt: Doubt | None) -> None:
    assert doubts_of("ball", {PLAIN: 0.985, NOTHING: 0.01}, least, (0.9, score)) == [None, doubt]


def test_by_itself_it_is_asked_about() -> None:
    assert doubts_of("ball", {PLAIN: 0.985, NOTHING: 0.01}, 0.98, (0.4,)) == [FOREIGN]


@pytest.mark.parametrize(
    ("dice_set", "score", "turned", "lonely", "sure"),
    [
        ("numerals", 0.9, True, True, "turned"),
        ("numerals", 0.9, False, True, "sure_if_lonely"),
        ("footclub", 0.9, False, False, "sure"),
        ("footclub", 0.5, False, False, "sure_if_faint"),
        ("ball", 0.9, False, False, "sure_if_plain"),
        ("ball", 0.9, False, True, "sure_if_lonely"),
    ],
)
def test_the_strictest_of_the_reasons_counts(
    dice_set: str, score: float, turned: bool, lonely: bool, sure: str
) -> None:
    kinds = dice_sets.load(dice_set).kinds
    limits = Thresholds()
    told = limits.needed(score, look({3: 0.9}), kinds, turned=turned, lonely=lonely, due=False)
    assert told == (getattr(limits, sure), limits.agreed)
