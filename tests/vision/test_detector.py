"""All networks together on rendered trays: stable under rotation, and a die with a deviating tilt is doubted."""

from dataclasses import replace

import numpy as np
import pytest

from vision import dice_sets
from vision.classification.classes import CLASSES, NOTHING, STATES
from vision.classification.face_nets import Classification, agreeing
from vision.decision.detector import Detector
from vision.decision.reader import Reader
from vision.detection.finder import Candidate
from vision.dice_sets import BODIES
from vision.drawing.tray import DrawnDie, draw_tray, make_ground
from vision.pictures import Picture
from vision.roll import Doubt, Face, Note, RollRequest, Status

GROUND = make_ground(np.random.default_rng(1))

FLAT = (
    DrawnDie(face=2, x=140, y=130, yaw=0.4, edge=46),
    DrawnDie(face=5, x=350, y=110, yaw=1.1, edge=46),
    DrawnDie(face=6, x=510, y=390, yaw=0.2, edge=46),
    DrawnDie(face=3, x=130, y=380, yaw=0.9, edge=46),
)


def tray(*dice: DrawnDie) -> Picture:
    return draw_tray(dice, np.random.default_rng(1), ground=GROUND)


@pytest.fixture(scope="module")
def detector() -> Detector:
    return Detector()


@pytest.mark.parametrize("edge", [30, 46, 90])
@pytest.mark.parametrize("down", [(0.0, 2.0), (0.0, -0.3), (5.0, 1.0), (-0.2, -0.2)])
def test_a_die_seen_turned_is_where_it_was(detector: Detector, edge: int, down: tuple[float, float]) -> None:
    picture = tray(DrawnDie(face=3, x=400, y=170, yaw=0.5, edge=edge))
    candidates, classifications = detector.detect(picture)
    best = int(
        np.argmax(
            [
                one.score * classification.die_chance
                for one, classification in zip(candidates, classifications, strict=True)
            ]
        )
    )
    one, classification = candidates[best], classifications[best]
    turned, again = detector.classify_upright(picture, one, down)
    assert (turned.x, turned.y) == pytest.approx((one.x, one.y), abs=0.12 * one.edge)
    assert turned.edge == pytest.approx(one.edge, rel=0.15)
    assert again.classes.argmax() == classification.classes.argmax() == 3
    assert again.lean == pytest.approx(classification.lean, abs=0.2)


def test_a_die_at_the_very_rim_can_be_seen_turned(detector: Detector) -> None:
    picture = tray(DrawnDie(face=3, x=8, y=472, edge=60))
    for one in detector.detect(picture)[0]:
        assert np.isfinite(detector.classify_upright(picture, one, (0.0, -1.0))[1].classes).all()


@pytest.mark.parametrize(("right", "down"), [(-0.25, 0.05), (0.2, 0.2), (0.1, 0.27)])
def test_a_find_that_stands_beside_the_top_is_put_on_it(
    detector: Detector, monkeypatch: pytest.MonkeyPatch, right: float, down: float
) -> None:
    """The finder is fairly sure, but reports the die too large and off centre."""
    picture = tray(DrawnDie(face=3, x=400, y=170, yaw=0.5, edge=46))
    (best, *_), _ = detector.detect(picture)
    beside = replace(best, x=best.x + right * 46, y=best.y + down * 46, edge=1.37 * best.edge, score=0.65)
    monkeypatch.setattr(detector._finder, "find", lambda *_, **__: [beside])
    assert detector._classifier.classify(picture, [beside])[0].die_chance < 0.5
    (one,), (classification,) = detector.detect(picture)
    assert (one.x, one.y) == pytest.approx((best.x, best.y), abs=0.15 * best.edge)
    assert classification.die_chance > 0.9
    assert classification.classes.argmax() == 3


def test_a_mark_that_was_taken_for_a_small_die_is_looked_at_as_large_as_the_others(
    detector: Detector, monkeypatch: pytest.MonkeyPatch
) -> None:
    picture = tray(*FLAT, DrawnDie(face=1, x=320, y=250, yaw=0.5, edge=46))
    found = detector._finder.find(picture)
    whole = min(found, key=lambda one: abs(one.x - 320) + abs(one.y - 250))
    others = [one for one in found if one is not whole]
    small = (whole.x - 12, whole.y - 12, whole.x + 12, whole.y + 12)
    mark = replace(whole, edge=0.5 * whole.edge, score=0.45, box=small)
    monkeypatch.setattr(detector._finder, "find", lambda *_, **__: [*others, mark])
    candidates, classifications = detector.detect(picture)
    (place,) = (i for i, one in enumerate(candidates) if abs(one.x - whole.x) + abs(one.y - whole.y) < 0.3 * whole.edge)
    assert candidates[place].edge == pytest.approx(whole.edge, rel=0.15)
    assert classifications[place].classes.argmax() == 1
    assert candidates[place].box == pytest.approx(whole.box, abs=0.15 * whole.edge)
    monkeypatch.setattr(detector._finder, "find", lambda *_, **__: [mark])
    (alone,), _ = detector.detect(picture)
    assert alone.edge < 0.7 * whole.edge


@pytest.mark.parametrize("towards", [0.0, 1.5, 3.0, 4.5])
def test_the_others_tell_that_a_die_is_cocked(towards: float) -> None:
    roll = Reader(dice_sets.load("pips")).read(
        tray(*FLAT, DrawnDie(face=4, x=320, y=250, edge=46, lean=0.75, lean_towards=towards))
    )
    flat = [die for die in roll.dice if die.certain]
    assert sorted(die.face.value or 0 for die in flat) == [2, 3, 5, 6]
    (leaning,) = (die for die in roll.dice if not die.certain)
    assert leaning.doubt in (Doubt.COCKED, Doubt.FACE, Doubt.FOREIGN)


def classified(face: int, chance: float, lean: tuple[float, float], nothing: float = 0.0) -> Classification:
    """Return a look that shows `face` with that probability, and nothing otherwise."""
    classes = np.full(CLASSES, (1 - chance - nothing) / (CLASSES - 2), np.float32)
    classes[face], classes[NOTHING] = chance, nothing
    evenly = np.full(len(BODIES), 1 / len(BODIES), np.float32)
    flat = np.eye(len(STATES), dtype=np.float32)[0]
    return Classification(classes, chance, evenly, evenly, flat, lean)


def find(x: float, score: float) -> Candidate:
    return Candidate(x, 200.0, 40.0, (x - 25, 175.0, x + 25, 225.0), score, np.full(8, 1 / 8, np.float32))


def test_a_mere_trace_makes_no_die_cocked() -> None:
    reader = Reader(dice_sets.load("pips"))
    seen = [classified(5, 0.99, (0.0, 0.0)), classified(3, 0.52, (0.0, 0.8), nothing=0.47)]
    roll = reader._decide(tray(), [find(150, 0.9), find(450, 0.6)], seen, RollRequest("pips", (("pips", 1),)))
    assert (roll.status, roll.notes) == (Status.OK, (Note.FAINT_CANDIDATE_IGNORED,))


def test_two_looks_that_name_different_faces_agree_on_nothing() -> None:
    assert agreeing(classified(5, 0.99, (0, 0)), classified(3, 0.7, (0, 0))).min_view_chance == 0.0
    assert agreeing(classified(5, 0.99, (0, 0)), classified(5, 0.7, (0, 0))).min_view_chance == pytest.approx(0.99)
    assert agreeing(
        classified(5, 0.99, (0, 0)), classified(3, 0.2, (0, 0), nothing=0.7)
    ).min_view_chance == pytest.approx(0.99)


def test_dice_that_all_lie_flat_are_read_as_before() -> None:
    roll = Reader(dice_sets.load("pips")).read(tray(*FLAT))
    assert {die.face for die in roll.dice} == {Face(2), Face(3), Face(5), Face(6)}
    assert all(die.certain for die in roll.dice)
