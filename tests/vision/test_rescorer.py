"""The second look at weak finds."""

from dataclasses import replace

import cv2
import numpy as np

from tests.vision.test_face_probabilities import classified
from vision import dice_sets
from vision.classification import classes
from vision.decision.reader import Reader
from vision.detection.finder import Candidate, CandidateRescorer, Finder
from vision.drawing.tray import DrawnDie, draw_tray


def scene(*places: tuple[float, float]) -> np.ndarray:
    """Return a rendered tray with a die at each place."""
    pips = dice_sets.load("pips").kinds[0]
    dice = [DrawnDie(pips, "white", 5, x, y, 0.3, 44) for x, y in places]
    return np.asarray(draw_tray(dice, np.random.default_rng(4)), np.uint8)


def test_a_die_is_seen_again_and_bare_cloth_is_not() -> None:
    picture, finder = scene((200.0, 200.0)), Finder()
    die = next(one for one in finder.find(picture) if abs(one.x - 200) < 10 and abs(one.y - 200) < 10)
    doubted = replace(die, score=0.5)
    cloth = replace(doubted, x=450.0, y=330.0)
    seen, nothing = CandidateRescorer().rescore(picture, [doubted, cloth])
    assert seen.score > 0.7
    assert nothing.score < 0.3
    assert replace(seen, score=0.5) == doubted


def test_a_die_that_was_seen_beside_its_place_is_put_there() -> None:
    picture, finder = scene((200.0, 200.0)), Finder()
    die = max(finder.find(picture), key=lambda one: one.score)
    beside = replace(die, x=die.x - 0.15 * die.edge, y=die.y + 0.1 * die.edge, edge=1.25 * die.edge, score=0.3)
    (seen,) = CandidateRescorer().rescore(picture, [beside])
    assert abs(seen.x - die.x) + abs(seen.y - die.y) < 0.12 * die.edge
    assert abs(seen.edge / die.edge - 1) < 0.12
    assert seen.score > 0.6
    assert seen.box == beside.box


def test_a_large_die_is_looked_at_as_well() -> None:
    picture, finder = scene((200.0, 200.0)), Finder()
    die = max(finder.find(picture), key=lambda one: one.score)
    large = np.asarray(cv2.resize(picture, None, fx=5, fy=5, interpolation=cv2.INTER_CUBIC), np.uint8)
    scaled = Candidate(die.x * 5, die.y * 5, die.edge * 5, die.box, 0.5, die.faces)
    assert CandidateRescorer().rescore(large, [scaled])[0].score > 0.7


def test_nothing_to_look_at() -> None:
    assert CandidateRescorer().rescore(scene(), []) == []


def test_what_alone_may_be_a_die_is_asked_about_but_not_in_a_tray_that_is_watched() -> None:
    trace = Candidate(200.0, 200.0, 44.0, (172.0, 172.0, 228.0, 228.0), 0.4, np.full(8, 0.125, np.float32))
    for one_tray, expected in ((False, 1), (True, 0)):
        reader = Reader(dice_sets.load("pips"), one_tray=one_tray)
        seen = classified({classes.UNKNOWN: 0.7, classes.NOTHING: 0.3})
        reader.detect = lambda picture, request, seen=seen: ([trace], [seen])  # type: ignore[misc,assignment]
        assert len(reader.read(scene()).dice) == expected
