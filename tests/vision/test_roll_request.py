"""The roll request as a prior: its effects are in the roll's notes. See also test_count_prior.py."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.test_face_probabilities import classified
from tests.vision.test_named_colours import FixedColours, candidate
from tools.training.drawn_table import CameraViews, draw_dice
from vision import dice_sets
from vision.classification import classes
from vision.classification.colours import TrayLight
from vision.classification.face_nets import Classification
from vision.decision.reader import Reader
from vision.decision.trust import Subject, Trust
from vision.detection.finder import Candidate
from vision.pictures import Picture
from vision.roll import Doubt, Note, RollRequest, Status

EMPTY = np.full((480, 640, 3), 120, np.uint8)


class FixedDetectionsReader(Reader):
    """A reader with scripted network outputs at every picture size."""

    def __init__(self, seen: Sequence[tuple[Candidate, Classification]], dice_set: str = "pips") -> None:
        super().__init__(dice_sets.load(dice_set))
        self._seen = seen
        self._top_colour = FixedColours(seen)

    def detect(
        self, picture: Picture, request: RollRequest | None = None
    ) -> tuple[list[Candidate], list[Classification]]:
        return [one for one, _ in self._seen], [seen for _, seen in self._seen]


CLEAR = [(candidate(150, 150), classified({4: 0.97})), (candidate(400, 300), classified({2: 0.97}))]
TRACE = (replace(candidate(300, 400), score=0.5), classified({1: 0.5, classes.NOTHING: 0.45}))
TORN = classified({classes.NOTHING: 0.31, classes.UNKNOWN: 0.30, 2: 0.27})
"""A die that may show two, or nothing recognisable."""

TWO = RollRequest("pips", (("pips", 2),))


def test_a_faint_trace_is_asked_about_when_nobody_says_how_many_dice_are_due() -> None:
    roll = FixedDetectionsReader([*CLEAR, TRACE]).read(EMPTY)
    assert (roll.status, len(roll.dice), roll.notes) == (Status.ASK, 3, ())


def test_a_faint_trace_beside_all_the_dice_awaited_is_passed_over_and_that_is_said() -> None:
    roll = FixedDetectionsReader([*CLEAR, TRACE]).read(EMPTY, TWO)
    assert (roll.status, len(roll.dice), roll.notes) == (Status.OK, 2, (Note.FAINT_CANDIDATE_IGNORED,))


def test_a_trace_where_a_die_is_missing_is_asked_about() -> None:
    roll = FixedDetectionsReader([CLEAR[0], TRACE]).read(EMPTY, TWO)
    assert (roll.status, len(roll.dice), roll.notes) == (Status.ASK, 2, ())


def test_no_more_is_asked_about_than_is_missing() -> None:
    """Of five faint traces beside one of two dice, only the likeliest becomes a question."""
    traces = [(replace(candidate(90 * n, 420), score=0.5), TRACE[1]) for n in range(1, 6)]
    traces[3] = (replace(traces[3][0], score=0.7), TRACE[1])
    roll = FixedDetectionsReader([CLEAR[0], *traces]).read(EMPTY, TWO)
    assert (roll.status, len(roll.dice), roll.notes) == (Status.ASK, 2, (Note.FAINT_CANDIDATE_IGNORED,))
    (asked,) = (die for die in roll.dice if not die.certain)
    assert asked.box[0] + asked.box[2] / 2 == pytest.approx(360)


class Trusting:
    """A constant find confidence."""

    def __init__(self, die: float, read: float) -> None:
        self._trust = Trust(die, read)

    def chances(self, finds: Sequence[Subject]) -> list[Trust]:
        return [self._trust] * len(finds)


@pytest.mark.parametrize(
    ("read", "x", "doubts"),
    [(0.61, 150, [None]), (0.59, 150, [Doubt.FOREIGN]), (0.59, 26, [Doubt.CUT_OFF])],
)
def test_no_reading_is_certain_that_is_trusted_too_little(read: float, x: float, doubts: list[Doubt | None]) -> None:
    reader = FixedDetectionsReader([(candidate(x, 150), classified({4: 0.97}))])
    reader._trust = Trusting(0.9, read)  # type: ignore[assignment]
    assert [die.doubt for die in reader.read(EMPTY).dice] == doubts


def test_one_question_is_asked_about_what_is_rather_no_dice() -> None:
    things = [(candidate(90 * n, 420), classified({1: 0.6, 4: 0.3})) for n in range(1, 6)]
    for trusted, asked in ((0.4, 1), (0.55, 5)):
        reader = FixedDetectionsReader(things)
        reader._trust = Trusting(trusted, 0.1)  # type: ignore[assignment]
        assert len(reader.read(EMPTY).dice) == asked


BARE = classified({classes.PLAIN: 0.9, classes.UNKNOWN: 0.08})
"""An apparent die with an empty top: a side of the ball, a zero, or the tray's rim."""


@pytest.mark.parametrize(
    ("one", "seen"),
    [
        (candidate(5, 300), BARE),
        (candidate(200, 300), BARE),
        (candidate(5, 300), classified({4: 0.97})),
        (candidate(-3, -3), classified({4: 0.97})),
        (replace(candidate(200, 300), edge=20, box=(190, 290, 210, 310)), classified({4: 0.5, 2: 0.45})),
    ],
)
def test_a_die_too_many_is_asked_about_wherever_it_lies_and_whatever_it_shows(
    one: Candidate, seen: Classification
) -> None:
    roll = FixedDetectionsReader([*CLEAR, (one, seen)]).read(EMPTY, TWO)
    assert (roll.status, len(roll.dice)) == (Status.ASK, 3)
    assert Note.FAINT_CANDIDATE_IGNORED not in roll.notes


def test_an_unsure_die_that_surely_is_one_is_not_passed_over() -> None:
    unsure = (candidate(300, 400), classified({1: 0.5, 4: 0.48}))
    roll = FixedDetectionsReader([*CLEAR, unsure]).read(EMPTY, TWO)
    assert (roll.status, len(roll.dice), roll.notes) == (Status.ASK, 3, ())


@pytest.mark.parametrize("due", [0, 1, 3])
def test_another_number_of_certain_dice_is_asked_about_and_that_is_said(due: int) -> None:
    roll = FixedDetectionsReader(CLEAR).read(EMPTY, RollRequest("pips", (("pips", due),)))
    assert (roll.status, roll.notes) == (Status.ASK, (Note.COUNT_MISMATCH,))
    assert all(die.certain for die in roll.dice)


@pytest.mark.parametrize(
    ("kinds", "count"),
    [((), None), ((("pips", 0),), 0), ((("pips", 2), ("ball", 0)), 2), ((("pips", None),), None)],
)
def test_no_dice_awaited_is_not_any_number_of_them(
    kinds: tuple[tuple[str, int | None], ...], count: int | None
) -> None:
    assert RollRequest("footclub", kinds).count == count
    roll = FixedDetectionsReader([]).read(EMPTY, RollRequest("footclub", kinds))
    assert (roll.status, roll.notes) == ((Status.ASK, (Note.COUNT_MISMATCH,)) if count else (Status.EMPTY, ()))


def test_a_watched_tray_without_the_dice_awaited_is_empty_nothing_was_thrown_yet() -> None:
    reader = FixedDetectionsReader([])
    reader._tray = TrayLight()
    assert reader.read(EMPTY, TWO).status is Status.EMPTY


def test_a_die_that_fills_much_of_a_picture_is_found_before_the_picture_is_said_to_be_empty() -> None:
    picture, seen_dice = draw_dice(dice_sets.load("pips").kinds, 1, np.random.default_rng(2), CameraViews((60, 60), 10))
    x, y, width, height = (round(part) for part in seen_dice[0].die.box or ())
    rim = round(0.15 * width)
    top, left = max(0, y - rim), max(0, x - rim)
    near = np.ascontiguousarray(picture[top : y + height + rim, left : x + width + rim])
    large = np.asarray(cv2.resize(near, None, fx=8, fy=8, interpolation=cv2.INTER_CUBIC), np.uint8)
    roll = Reader(dice_sets.load("pips")).read(large)
    assert [die.face for die in roll.dice] == [seen_dice[0].die.face]
    assert roll.dice[0].box[0] >= 0
    assert roll.dice[0].box[0] + roll.dice[0].box[2] <= large.shape[1]


def test_the_kinds_awaited_do_not_make_another_die_one_of_them() -> None:
    figure = (candidate(150, 150), classified({classes.of_digit(4): 0.97}))
    roll = FixedDetectionsReader([figure]).read(EMPTY, RollRequest("pips", (("pips", 1),)))
    assert roll.status is Status.ASK
    assert [die.doubt for die in roll.dice] == [Doubt.FOREIGN]


@pytest.mark.parametrize(("chance", "status"), [(0.88, Status.ASK), (0.96, Status.OK)])
def test_a_nine_is_asked_about_sooner_where_the_die_has_a_six_too(chance: float, status: Status) -> None:
    seen = classified({classes.of_digit(9): chance, classes.of_digit(6): 0.99 - chance}, paint="blue", ink="white")
    picture = EMPTY.copy()
    picture[110:190, 110:190] = (180, 80, 40)
    roll = FixedDetectionsReader([(candidate(150, 150), seen)], "nba").read(
        picture, RollRequest("nba", (("three_points", 1),))
    )
    assert (roll.status, roll.dice[0].face.value) == (status, 9)
    other = classified({classes.of_digit(6): 0.82, classes.of_digit(2): 0.17}, paint="blue", ink="white")
    assert FixedDetectionsReader([(candidate(150, 150), other)], "numerals").read(picture).status is Status.OK


def test_where_a_die_that_is_due_is_missing_the_reader_looks_for_fainter_ones() -> None:
    """A die as dark as its background: no die is invented, and none that is seen without a request is lost."""
    picture, _ = draw_dice(dice_sets.load("nba").kinds, 20, np.random.default_rng([1, 24]), CameraViews((20, 60), 25))
    reader = Reader(dice_sets.load("nba"))
    as_it_comes, _ = reader.detect(picture)
    harder, _ = reader.detect(picture, RollRequest("nba", (("block", len(as_it_comes) + 5),)))
    assert min(one.score for one in harder) < min(one.score for one in as_it_comes)
    assert len(harder) > len(as_it_comes)
    enough, _ = reader.detect(picture, RollRequest("nba", (("block", 1),)))
    assert len(enough) == len(as_it_comes)


def test_dice_that_a_pattern_of_the_ground_hides_are_found_at_other_sizes_of_the_picture() -> None:
    """Twenty dice on a bold pattern; some of them are only found with a request."""
    for number, found in ((3, 19), (360, 18), (389, 19)):
        rng = np.random.default_rng([4_000_000, number])
        picture, seen_dice = draw_dice(
            dice_sets.load("nba").kinds, int(rng.integers(20, 21)), rng, CameraViews((20, 60), 25)
        )
        due = RollRequest("nba", tuple(Counter(seen.die.kind or "" for seen in seen_dice).items()))
        reader = Reader(dice_sets.load("nba"))
        assert len(reader.read(picture).dice) < found
        assert len(reader.read(picture, due).dice) == found


def test_a_die_that_rather_shows_what_is_unknown_is_not_passed_over_if_it_may_be_one_of_the_set() -> None:
    dim = replace(candidate(300, 400), score=0.65)
    roll = FixedDetectionsReader([*CLEAR, (dim, TORN)]).read(EMPTY)
    assert (roll.status, len(roll.dice)) == (Status.ASK, 3)
    strange = classified({classes.NOTHING: 0.31, classes.UNKNOWN: 0.45, 2: 0.12})
    roll = FixedDetectionsReader([*CLEAR, (dim, strange)]).read(EMPTY)
    assert (roll.status, len(roll.dice)) == (Status.OK, 2)


def test_a_torn_face_of_the_set_is_asked_about_and_another_set_s_is_not() -> None:
    """An evidence of 0.62 suffices for a possible die of the set, but not for any other object."""
    torn = replace(candidate(300, 400), score=0.55)
    faint = {classes.NOTHING: 0.3}
    blank = replace(classified({classes.PLAIN: 0.68, **faint}, paint="blue"), min_view_chance=0.4)
    pip = replace(classified({2: 0.68, **faint}), min_view_chance=0.4)
    assert len(FixedDetectionsReader([(torn, blank)], "ball").read(EMPTY).dice) == 1
    assert len(FixedDetectionsReader([*CLEAR, (torn, pip)]).read(EMPTY).dice) == 3
    assert len(FixedDetectionsReader([*CLEAR, (torn, blank)]).read(EMPTY).dice) == 2
