"""Kinds inferred from the requested number of dice of each kind: compared with full enumeration, and in the reader."""

import itertools
from collections import Counter
from collections.abc import Mapping, Sequence
from math import log, prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.vision.test_face_probabilities import classified
from tests.vision.test_named_colours import candidate, torn
from tests.vision.test_roll_request import FixedDetectionsReader
from vision.classification.classes import NOTHING, of_digit
from vision.classification.face_nets import Classification
from vision.classification.face_probabilities import Chances, kinds_given_count
from vision.detection.finder import Candidate
from vision.pictures import Picture
from vision.roll import DieReading, Note, Roll, RollRequest, Status

KINDS = ("block", "interception", "stop")
EXACTLY, ONE_SWAPPED, ANYHOW = 0.97, 0.029, 0.001


def in_one_light(dice: Sequence[Chances], due: Mapping[str, int]) -> list[dict[str, float]]:
    return kinds_given_count([(0.0, dice)], due)


def one_by_one(dice: Sequence[Mapping[str, float]], due: Mapping[str, int]) -> list[dict[str, float]]:
    """Compute the same answer from all assignments of kinds to the dice."""
    wanted = Counter({name: due.get(name, 0) for name in KINDS})
    swaps = [(less, more) for less in KINDS for more in KINDS if less != more and wanted[less]]
    prior: Counter[tuple[int, ...]] = Counter({tuple(wanted[name] for name in KINDS): EXACTLY})
    for less, more in swaps:
        prior[tuple(wanted[name] - (name == less) + (name == more) for name in KINDS)] += ONE_SWAPPED / len(swaps)
    every = list(itertools.product(KINDS, repeat=len(dice)))
    ways = Counter(tuple(arranged.count(name) for name in KINDS) for arranged in every)
    totals = [dict.fromkeys(KINDS, 0.0) for _ in dice]
    whole = 0.0
    for arranged in every:
        counts = tuple(arranged.count(name) for name in KINDS)
        before = prior[counts] / ways[counts] + ANYHOW / len(every)
        chance = before * prod(die[name] for die, name in zip(dice, arranged, strict=True))
        whole += chance
        for shares, name in zip(totals, arranged, strict=True):
            shares[name] += chance
    return [{name: share / whole for name, share in shares.items()} for shares in totals]


@given(st.lists(st.tuples(*[st.floats(0.01, 1.0)] * 3), min_size=1, max_size=5), st.data())
def test_it_is_what_counting_every_arrangement_comes_to(seen: list[tuple[float, ...]], data: st.DataObject) -> None:
    dice = [dict(zip(KINDS, chances, strict=True)) for chances in seen]
    first = data.draw(st.integers(0, len(dice)))
    second = data.draw(st.integers(0, len(dice) - first))
    due = {"block": first, "interception": second, "stop": len(dice) - first - second}
    for fast, slow in zip(in_one_light(dice, due), one_by_one(dice, due), strict=True):
        assert fast == pytest.approx(slow)
        assert sum(fast.values()) == pytest.approx(1)


def test_a_kind_that_is_ruled_out_is_not_told_whatever_is_due() -> None:
    (chances,) = in_one_light([{"block": 1.0, "stop": 1e-6}], {"stop": 1})
    assert chances == {"block": pytest.approx(1)}


def test_one_die_in_the_place_of_another_is_not_explained_away() -> None:
    clear = {"block": 0.99, "interception": 0.01}
    chances = in_one_light([clear, clear], {"block": 1, "interception": 1})
    assert all(likely["block"] > 0.7 for likely in chances)


@pytest.mark.parametrize("due", [{"block": 1}, {"block": 3}])
def test_another_number_of_dice_is_no_question_for_it(due: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="as many dice"):
        in_one_light([{"block": 1.0}, {"block": 0.5}], due)


def test_a_die_that_can_be_nothing_is_no_question_for_it() -> None:
    with pytest.raises(ValueError, match="each with a chance"):
        in_one_light([{"block": 0.0}], {"block": 1})


BETWEEN = (182, 192, 194)
"""Encoded colour (BGR) of either an ivory body in the shade or a grey one in the light."""

NBA = {"blue": (180, 80, 40), "between": BETWEEN, "grey": (128, 128, 128)}
PLACES = ((150, 150), (400, 150), (150, 350), (400, 350))


def tray(*bodies: str) -> Picture:
    """Return a dark tray with a square of each body's colour."""
    picture = np.full((480, 640, 3), 40, np.uint8)
    for body, (x, y) in zip(bodies, PLACES, strict=False):
        picture[y - 30 : y + 30, x - 30 : x + 30] = NBA[body]
    return picture


def figure(place: int, value: int, *bodies: str) -> tuple[Candidate, Classification]:
    """Return a figure on a body of one colour, or of one of two indistinguishable colours."""
    seen = classified({of_digit(value): 0.985}, paint=bodies[0], ink="white")
    if len(bodies) > 1:
        seen = Classification(seen.classes, 0.9, torn(*bodies).paints, seen.inks, seen.states, seen.lean)
    return candidate(*PLACES[place]), seen


def read(*due: tuple[str, int]) -> Roll:
    """Read a blue die, a grey one, and one that may be ivory or grey."""
    seen = [figure(0, 6, "blue"), figure(1, 2, "ivory", "grey"), figure(2, 2, "grey")]
    return FixedDetectionsReader(seen, "nba").read(
        tray("blue", "between", "grey"), RollRequest("nba", due) if due else None
    )


def between(roll: Roll) -> DieReading:
    return next(die for die in roll.dice if die.box[0] > 300)


def test_without_a_number_awaited_alike_bodies_are_asked_about() -> None:
    roll = read()
    assert (roll.status, roll.notes, between(roll).certain) == (Status.ASK, (), False)


def test_the_number_awaited_tells_alike_bodies_apart_and_that_is_said() -> None:
    roll = read(("three_points", 1), ("interception", 1), ("block", 1))
    assert (roll.status, roll.notes) == (Status.OK, (Note.INFERRED_FROM_COUNT,))
    assert (between(roll).kind, between(roll).face.value) == ("interception", 2)
    roll = read(("three_points", 1), ("block", 2))
    assert (between(roll).kind, between(roll).certain) == ("block", True)


def test_it_does_not_where_one_of_each_is_due_or_another_number_lies_there() -> None:
    two = [figure(0, 2, "ivory", "grey"), figure(1, 2, "ivory", "grey")]
    roll = FixedDetectionsReader(two, "nba").read(
        tray("between", "between"), RollRequest("nba", (("interception", 1), ("block", 1)))
    )
    assert (roll.status, roll.notes) == (Status.ASK, ())
    assert read(("three_points", 1), ("interception", 2), ("block", 1)).status is Status.ASK


def test_a_die_that_is_seen_clearly_is_not_made_the_one_that_is_due() -> None:
    seen = [figure(0, 6, "blue"), figure(2, 2, "grey")]
    request = RollRequest("nba", (("three_points", 1), ("interception", 1), ("block", 0)))
    roll = FixedDetectionsReader(seen, "nba").read(tray("blue", "between", "grey"), request)
    assert (roll.status, roll.notes, [die.certain for die in roll.dice]) == (
        Status.ASK,
        (Note.COUNT_MISMATCH,),
        [True] * 2,
    )


def test_a_body_of_another_colour_is_not_made_one_that_is_due() -> None:
    seen = [figure(0, 6, "blue"), figure(1, 2, "green")]
    request = RollRequest("nba", (("three_points", 1), ("interception", 1)))
    roll = FixedDetectionsReader(seen, "nba").read(tray("blue", "between"), request)
    assert (roll.status, roll.notes, between(roll).certain) == (Status.ASK, (), False)


PALE = classified({2: 0.7, NOTHING: 0.28})
"""Two pips on a possible die."""


@pytest.mark.parametrize("due", [None, 0, 1, 3])
def test_a_pale_die_is_asked_about_unless_it_is_one_of_those_awaited(due: int | None) -> None:
    seen = [(candidate(*PLACES[0]), PALE), (candidate(*PLACES[1]), classified({5: 0.99}))]
    empty = np.full((480, 640, 3), 120, np.uint8)
    roll = FixedDetectionsReader(seen).read(empty, RollRequest("pips", (("pips", due),)))
    assert (roll.status, roll.notes) == (Status.ASK, ())
    roll = FixedDetectionsReader(seen).read(empty, RollRequest("pips", (("pips", 2),)))
    assert (roll.status, roll.notes) == (Status.OK, (Note.INFERRED_FROM_COUNT,))


def test_in_one_light_alike_bodies_are_told_apart_together() -> None:
    """A darker and a lighter die: both ivory, one of each, or both grey, in weak, medium or strong light."""
    ivory, grey = {"interception": 0.98, "block": 0.02}, {"interception": 0.02, "block": 0.98}
    lights = [(log(1 / 3), [ivory, ivory]), (log(1 / 3), [grey, ivory]), (log(1 / 3), [grey, grey])]
    due = {"interception": 1, "block": 1}
    mixed = [{name: sum(dice[at][name] for _, dice in lights) / 3 for name in ivory} for at in (0, 1)]
    darker, lighter = in_one_light(mixed, due)
    assert 0.7 < darker["block"] < 0.85
    darker, lighter = kinds_given_count(lights, due)
    assert min(darker["block"], lighter["interception"]) > 0.9
    darker, lighter = kinds_given_count([lights[0], (log(1e-6), lights[1][1])], due)
    assert max(darker["block"], lighter["block"]) < 0.8


def test_one_light_alone_is_the_question_without_lights() -> None:
    dice = [{"block": 0.7, "stop": 0.3}, {"block": 0.4, "stop": 0.6}]
    due = {"block": 1, "stop": 1}
    (one, other), same = kinds_given_count([(-3.0, dice)], due), in_one_light(dice, due)
    assert [one, other] == [pytest.approx(expected) for expected in same]
