"""Labelled pictures: manifest parsing, comparison with readings, and confidence bounds of a sample."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.benchmarks.scores import (
    ReadingTally,
    die_outcome,
    lower_confidence_bound,
    match_by_position,
    mean,
    pair_dice,
    upper_confidence_bound,
)
from tools.training.manifests import dice_in, load_checked, load_manifest
from vision.decision.labels import ManifestError, TrueDie, outcome_of
from vision.roll import DieReading, Doubt, Face, Roll, Status


def reading(value: int, x: float = 0.0, doubt: Doubt | None = None, kind: str = "pips") -> DieReading:
    return DieReading(kind, Face(value), (x, 0, 20, 20), 0.9, doubt)


def true(value: int, x: float = 0.0, kind: str | None = None) -> TrueDie:
    return TrueDie(Face(value), kind, (x, 0, 20, 20))


def roll(*dice: DieReading) -> Roll:
    certain = all(die.certain for die in dice)
    return Roll(Status.EMPTY if not dice else Status.OK if certain else Status.ASK, dice)


def written(folder: Path, *lines: object) -> Path:
    path = folder / "pictures.jsonl"
    path.write_text("\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines) + "\n")
    return path


def test_a_manifest_names_pictures_dice_and_what_was_awaited(tmp_path: Path) -> None:
    kept = {"image": "a.jpg", "set": "footclub", "due": {"pips": 2}, "count": 2, "dice": [{"kind": "pips", "value": 3}]}
    photo = {"image": "b/c.jpg", "source": "a camera", "dice": [{"value": 1, "box": [1, 2, 3, 4]}], "n": 1}
    first, second = load_manifest(written(tmp_path, kept, "", photo))
    assert (first.path, first.dice_set, first.source) == (tmp_path / "a.jpg", "footclub", "unnamed")
    assert first.request is not None
    assert (first.request.count, first.request.kinds) == (2, (("pips", 2),))
    assert first.dice == (TrueDie(Face(3), "pips"),)
    assert (second.source, second.dice_set, second.request) == ("a camera", "pips", None)
    assert second.dice == (TrueDie(Face(1), None, (1, 2, 3, 4)),)
    assert first.dice[0].as_json() == {"kind": "pips", "value": 3, "colour": None, "symbol": None}


def test_boxes_follow_a_picture_that_was_kept_smaller(tmp_path: Path) -> None:
    die = {"value": 1, "box": [100, 40, 20, 20]}
    one, own = load_manifest(
        written(tmp_path, {"image": "a", "size": [1640, 1232], "dice": [die]}, {"image": "b", "dice": [die]})
    )
    assert dice_in(one, 820) == (TrueDie(Face(1), None, (50, 20, 10, 10)),)
    assert dice_in(own, 820) == own.dice == dice_in(one, 1640)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("{", "line 2: not JSON"),
        ("[1]", "line 2: must be an object"),
        ({"dice": []}, "line 2: image: is missing"),
        ({"image": 7, "dice": []}, "line 2: image: must be a text"),
        ({"image": "x"}, "line 2: dice: must be a list"),
        ({"image": "x", "dice": ["six"]}, "line 2: die 1: must be an object"),
        ({"image": "x", "dice": [{"value": 1}, {"value": "six"}]}, "line 2: die 2: value: must be a whole number"),
        ({"image": "x", "dice": [{"colour": 3}]}, "line 2: die 1: colour: must be a text"),
        ({"image": "x", "dice": [{"value": 1, "box": [1, 2, 3]}]}, "line 2: die 1: box: must be four numbers"),
        ({"image": "a\0b", "dice": []}, "line 2: image: 'a\\x00b' is no name that a file can have"),
        ('{"image": "x", "dice": [{"value": 1, "box": [1, 2, 3, NaN]}]}', "line 2: die 1: box: must be four numbers"),
        ('{"image": "x", "dice": [{"value": 1, "box": [1, 2, 3, 1e400]}]}', "line 2: die 1: box: must be four numbers"),
        ({"image": "x", "dice": [], "count": -1}, "line 2: count: must be a whole number"),
        ({"image": "x", "dice": [], "size": [640]}, "line 2: size: must be two whole numbers"),
        ({"image": "x", "dice": [], "due": {"pips": "two"}}, "line 2: due: must be an object"),
    ],
)
def test_a_fault_is_named_with_its_place(tmp_path: Path, line: object, expected: str) -> None:
    path = written(tmp_path, {"image": "a", "dice": []}, line)
    with pytest.raises(ManifestError) as caught:
        load_manifest(path)
    assert f"{path}, {expected}" in str(caught.value)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ({"set": "marbles"}, "line 2: set: there is no dice set 'marbles'"),
        ({"due": {"ball": 1}}, "line 2: due: 'ball' is no kind of the dice set pips: it has pips"),
        ({"dice": [{"kind": "pipz", "value": 1}]}, "line 2: die 1: kind: 'pipz' is no kind of the dice set pips"),
        ({"set": "ball", "dice": [{"colour": "mauve"}]}, "line 2: die 1: colour: 'mauve' is not among white, ivory"),
    ],
)
def test_a_name_that_the_dice_set_does_not_know_is_refused(
    tmp_path: Path, line: dict[str, object], expected: str
) -> None:
    path = written(tmp_path, {"image": "a", "due": {"any": 1}, "dice": []}, {"image": "x", "dice": []} | line)
    with pytest.raises(ManifestError) as caught:
        load_checked(path)
    assert f"{path}, {expected}" in str(caught.value)


def test_a_manifest_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ManifestError, match=r"none\.jsonl: No such file"):
        load_manifest(tmp_path / "none.jsonl")


def test_what_a_reading_comes_to() -> None:
    truth = (true(3), true(5, 40))
    assert outcome_of(roll(reading(5), reading(3)), truth) == "exact"
    assert outcome_of(roll(reading(5), reading(4)), truth) == "wrong"
    assert outcome_of(roll(reading(5)), truth) == "wrong"
    assert outcome_of(roll(), truth) == "wrong"
    assert outcome_of(roll(), ()) == "exact"
    assert outcome_of(roll(reading(5), reading(4, doubt=Doubt.FACE)), truth) == "asked"
    assert outcome_of(Roll(Status.ERROR), truth) == "error"


def test_the_kind_counts_where_it_is_known() -> None:
    assert outcome_of(roll(reading(2, kind="block")), (true(2, kind="stop"),)) == "wrong"
    assert outcome_of(roll(reading(2, kind="block")), (true(2),)) == "exact"


def test_dice_are_matched_by_place_each_once() -> None:
    truth = (true(1, 0), true(2, 50), true(3, 100))
    dice = (reading(2, 52), reading(2, 49), reading(1, 3))
    assert match_by_position(truth, dice) == [dice[2], dice[1], None]


def test_the_fate_of_a_die() -> None:
    die = true(4, kind="pips")
    readings = (reading(4), reading(5), reading(4, kind="ball"), reading(5, doubt=Doubt.FACE), None)
    assert [die_outcome(die, one) for one in readings] == ["right", "wrong", "wrong", "asked", "missed"]


def test_values_are_told_apart_from_finding() -> None:
    """Two of three dice are found, one of them read right; a fourth reading matches no die."""
    tally = ReadingTally()
    tally.add(roll(reading(1, 0), reading(5, 50), reading(6, 300)), (true(1, 0), true(2, 50), true(3, 100)))
    shares = tally.shares()
    assert (shares["wrong"], shares["found"], shares["value_right_when_found"]) == (1.0, 0.6667, 0.5)
    assert (shares["of_said_dice"], shares["false_certain_dice"]) == (0.6667, 1)


def test_a_picture_that_was_not_read_is_counted_apart() -> None:
    tally = ReadingTally()
    tally.add(roll(reading(1)), (true(1),))
    tally.add(Roll(Status.ERROR), ())
    shares = tally.shares()
    assert (shares["pictures"], shares["not_read"], shares["exact"], shares["best_guess_right"]) == (1, 1, 1.0, 1.0)


def test_without_boxes_dice_are_paired_by_what_they_show() -> None:
    tally = ReadingTally()
    tally.add(roll(reading(1), reading(5)), (TrueDie(Face(1)), TrueDie(Face(2)), TrueDie(Face(3))))
    assert (tally.found, tally.values_right, tally.false_certain) == (2, 1, 0)
    assert tally.die_outcomes == {"right": 1, "wrong": 1, "missed": 1}


def test_without_boxes_a_certain_reading_is_paired_first() -> None:
    truth = (TrueDie(Face(1)), TrueDie(Face(2)))
    unsure, sure, other = reading(1, doubt=Doubt.FACE), reading(1), reading(6)
    assert pair_dice(truth, (unsure, sure, other)) == [sure, other]
    assert pair_dice(truth, (unsure,)) == [unsure, None]


def test_dice_asked_about_may_have_the_right_best_guess() -> None:
    tally = ReadingTally()
    tally.add(roll(reading(1, doubt=Doubt.FACE), reading(3, doubt=Doubt.FACE)), (TrueDie(Face(1)), TrueDie(Face(2))))
    shares = tally.shares()
    assert (shares["dice_asked"], shares["dice_best_guess_right"]) == (1.0, 0.5)


def test_the_bounds_are_those_of_clopper_and_pearson() -> None:
    """The exact bound for none of n is 1 - 0.05^(1/n), about 3/n; for one of ten it is 39.4 %."""
    assert upper_confidence_bound(0, 3000) == pytest.approx(1 - 0.05 ** (1 / 3000), rel=1e-9)
    assert upper_confidence_bound(0, 3000) == pytest.approx(3 / 3000, rel=0.01)
    assert upper_confidence_bound(1, 10) == pytest.approx(0.39416, abs=1e-4)
    assert lower_confidence_bound(9, 10) == pytest.approx(1 - 0.39416, abs=1e-4)
    assert (upper_confidence_bound(5, 5), upper_confidence_bound(0, 0), lower_confidence_bound(0, 0)) == (1.0, 1.0, 0.0)


@given(st.integers(1, 100), st.data())
def test_a_bound_lies_beyond_the_share_and_shrinks_with_the_sample(of: int, data: st.DataObject) -> None:
    hits = data.draw(st.integers(0, of))
    assert lower_confidence_bound(hits, of) <= hits / of <= upper_confidence_bound(hits, of)
    assert upper_confidence_bound(10 * hits, 10 * of) <= upper_confidence_bound(hits, of) + 1e-12


def test_sources_count_equally_and_one_that_cannot_say_is_left_out() -> None:
    rows: list[dict[str, float | int | None]] = [{"exact": 1.0, "found": None}, {"exact": 0.5, "found": 0.25}]
    assert mean(rows, ("exact", "found", "asked")) == {"exact": 0.75, "found": 0.25, "asked": None}
