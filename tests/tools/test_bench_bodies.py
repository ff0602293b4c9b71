"""The benchmark of the NBA dice bodies: its pictures, its counts, and no die that is certain and wrong."""

from __future__ import annotations

import pytest

from tools.benchmarks.bodies import LIGHTS, body_outcome, drawn_throws, measure
from tools.benchmarks.runner import BENCHES
from vision import dice_sets
from vision.decision.labels import TrueDie
from vision.drawing.design import INK_NAMES
from vision.roll import DieReading, Doubt, Face

BOX = (0.0, 0.0, 40.0, 40.0)


def test_every_ink_lies_on_every_body_in_eight_lights() -> None:
    lights, pairs, dice = set(), set(), 0
    for light, _, truth, inks in drawn_throws(500):
        lights.add(light)
        pairs |= {(die.kind, ink) for die, ink in zip(truth, inks, strict=True)}
        dice += len(truth)
    assert dice == 500
    assert lights == set(LIGHTS)
    assert len(lights) == 8
    kinds = {kind.name for kind in dice_sets.load("nba").kinds}
    assert all(len({ink for other, ink in pairs if other == kind and ink in INK_NAMES}) >= 6 for kind in kinds)


@pytest.mark.parametrize(
    ("reading", "came_to"),
    [
        (None, "missed"),
        (DieReading("block", Face(1, "red"), BOX, 0.9), "wrong"),
        (DieReading("block", Face(1, "red"), BOX, 0.9, Doubt.FACE), "asked"),
        (DieReading("interception", Face(2), BOX, 0.9), "right"),
    ],
)
def test_the_body_alone_counts(reading: DieReading | None, came_to: str) -> None:
    assert body_outcome(TrueDie(Face(1, "red"), "interception", BOX), reading) == came_to


def test_none_of_a_few_dice_is_certain_and_wrong() -> None:
    figures = measure(90)
    assert figures["drawn"]["dice"] == 90
    assert figures["drawn"]["wrong_ones"] == []
    assert figures["kept"] == {"none_certain_and_wrong": True}
    assert figures["drawn"]["right"] > 0.7
    assert "bodies" in BENCHES
