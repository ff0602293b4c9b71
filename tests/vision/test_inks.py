"""Ink colours of marks, identified together with the body colour."""

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.test_face_probabilities import classified
from tests.vision.test_named_colours import candidate
from vision import dice_sets
from vision.classification import classes
from vision.classification.colours import with_measured_inks
from vision.classification.face_nets import Classification
from vision.dice_sets import BODIES, DiceSet
from vision.drawing.rendering import Light
from vision.drawing.tray import DrawnDie, draw_tray
from vision.pictures import Picture

NBA = dice_sets.load("nba")
LIGHTS = {"neutral": (1.0, 1.0, 1.0), "warm": (0.72, 0.95, 1.15), "cold": (1.2, 1.0, 0.8), "dim": (0.5, 0.5, 0.5)}
FACES = (("stop", "red", 2), ("stop", "white", 3), ("stop", "yellow", 4), ("stop", "blue", 6), ("block", "yellow", 3))
"""A kind, the ink of one of its faces, and that face."""


def torn(figure: int, body: str, *inks: str) -> Classification:
    """Return a look that cannot distinguish inks."""
    shares = np.full(len(BODIES), 1e-3, np.float32)
    shares[[BODIES.index(name) for name in inks]] = (1 - 1e-3 * (len(BODIES) - len(inks))) / len(inks)
    return replace(classified({classes.of_digit(figure): 0.98}, paint=body), inks=shares)


def of(seen: Classification, ink: str) -> float:
    return float(seen.inks[BODIES.index(ink)])


def drawn(kind: str, face: int, light: str = "neutral") -> Picture:
    die = DrawnDie(NBA.kind(kind), NBA.kind(kind).bodies[0], face, 300, 240, 0.4, 60)
    return draw_tray([die], np.random.default_rng(3), light=Light(tint=LIGHTS[light]))


@pytest.mark.parametrize("light", LIGHTS)
@pytest.mark.parametrize(("kind", "ink", "face"), FACES)
def test_the_ink_is_told_in_any_light(kind: str, ink: str, face: int, light: str) -> None:
    die = NBA.kind(kind)
    unsure = torn(die.faces[face - 1].value or 0, die.bodies[0], "red", "white", "yellow", "blue")
    seen = with_measured_inks(drawn(kind, face, light), candidate(300, 240), unsure, NBA.kinds)
    assert of(seen, ink) > 0.75
    assert seen.inks.sum() == pytest.approx(unsure.inks.sum(), abs=1e-5)


def test_what_the_net_rules_out_stays_so_and_what_it_half_believes_is_doubted() -> None:
    sure = classified({classes.of_digit(1): 0.98}, paint="brown", ink="red", sure=0.999)
    assert of(with_measured_inks(drawn("stop", 3), candidate(300, 240), sure, NBA.kinds), "red") > 0.9
    half = replace(sure, inks=np.where(np.arange(len(BODIES)) == BODIES.index("white"), 0.25, sure.inks * 0.75))
    seen = with_measured_inks(drawn("stop", 3), candidate(300, 240), half, NBA.kinds)
    assert of(seen, "white") > 0.85 > of(seen, "red")


@pytest.mark.parametrize(
    ("dice_set", "seen"),
    [
        (NBA, classified({classes.PLAIN: 0.98}, paint="brown")),
        (NBA, classified({classes.UNKNOWN: 0.98}, paint="brown")),
        (dice_sets.load("numerals"), torn(3, "brown", "red", "white")),
        (dice_sets.load("hoops21"), torn(3, "brown", "red", "white")),
    ],
)
def test_where_no_ink_tells_anything_the_look_is_left_as_it_is(dice_set: DiceSet, seen: Classification) -> None:
    assert with_measured_inks(drawn("stop", 3), candidate(300, 240), seen, dice_set.kinds) is seen


def test_a_find_outside_of_the_picture_is_left_as_it_is() -> None:
    unsure = torn(1, "brown", "red", "white")
    assert with_measured_inks(drawn("stop", 3), candidate(900, 240), unsure, NBA.kinds) is unsure


@pytest.mark.parametrize("colour", BODIES)
def test_any_colour_that_a_set_may_name_can_be_an_ink(colour: str) -> None:
    die = NBA.kind("stop")
    mine = replace(die, faces=(*die.faces[:2], replace(die.faces[2], colour=colour), *die.faces[3:]))
    unsure = torn(1, "brown", "red", "white")
    assert with_measured_inks(drawn("stop", 3), candidate(300, 240), unsure, [mine]).inks.sum() == pytest.approx(
        1, abs=1e-5
    )
