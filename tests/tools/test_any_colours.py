"""Random training dice: the attributes of a die are independent, whatever the product's dice sets look like."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Hashable, Sequence

import numpy as np
import pytest

from tools.training import own_dice, paints
from tools.training.labels import UNLABELLED
from tools.training.random_dice import RandomDie
from vision import dice_sets
from vision.classification.classes import PLAIN
from vision.dice_sets import BODIES
from vision.drawing.design import face_designs
from vision.roll import BALL_COLOURS

DICE = 2400


def bits(pairs: Sequence[tuple[Hashable, Hashable]]) -> float:
    """Return the mutual information of two attributes in bits."""
    of = len(pairs)
    first, second = (Counter(pair[place] for pair in pairs) for place in (0, 1))
    both = Counter(pairs)
    return sum(
        count / of * float(np.log2(count * of / (first[one] * second[other]))) for (one, other), count in both.items()
    )


@functools.cache
def dice_of(name: str) -> list[RandomDie]:
    rng = np.random.default_rng([37, len(name)])
    kinds = dice_sets.load(name).kinds
    return [own_dice.random_die_of(kinds, rng) for _ in range(DICE)]


@pytest.fixture(scope="module", params=["nba", "hoops21"])
def dice(request: pytest.FixtureRequest) -> list[RandomDie]:
    return dice_of(request.param)


def test_no_ink_and_no_mark_tells_the_body(dice: list[RandomDie]) -> None:
    """An ink may be excluded where it would be invisible: red on red, white on ivory.

    One face of each die is used, since all faces of a die are alike.
    """
    visible = [(die, face) for number, die in enumerate(dice) if die.shows[face := number % 6] != PLAIN]
    assert len(visible) > 0.5 * DICE
    inks = [(die.paint[face], die.ink[face]) for die, face in visible]
    assert UNLABELLED not in {ink for _, ink in inks}
    assert bits(inks) < 0.2
    assert bits([(die.paint[face], die.shows[face]) for die, face in visible]) < 0.02
    assert bits([(die.shows[face], die.ink[face]) for die, face in visible]) < 0.04
    commonest = max(Counter(ink for _, ink in inks).values())
    assert commonest < 0.3 * len(inks)


def test_every_ink_that_shows_lies_on_every_body() -> None:
    pairs = {
        (BODIES[die.paint[face]], BODIES[die.ink[face]])
        for die in dice_of("nba")
        for face in range(6)
        if die.shows[face] != PLAIN
    }
    bodies = {body for kind in dice_sets.load("nba").kinds for body in kind.bodies}
    assert {body for body, _ in pairs} == bodies
    for body in bodies:
        inks = {ink for other, ink in pairs if other == body}
        assert inks >= {"red", "blue", "yellow"} - {body}
        assert len(inks) >= 6


def test_marks_that_do_not_show_are_not_drawn() -> None:
    kinds = dice_sets.load("nba").kinds
    rng = np.random.default_rng(4)
    for _ in range(60):
        kind = kinds[int(rng.integers(len(kinds)))]
        body = own_dice.random_body_for(kind, kinds, rng)
        made, appearance = own_dice.in_any_colours(kind, body, rng)
        designs = face_designs(made, body)
        assert appearance.material.inks == tuple(face.ink for face in designs)
        assert all(paints.refined(face.ink, face.ground) for face in designs)


def test_no_side_of_a_ball_tells_its_top() -> None:
    """All six colours are on every ball, so the side opposite the top never has the top's colour: log2(6 / 5) =
    0.26."""
    balls = dice_of("ball")
    assert all({BODIES[paint] for paint in die.paint} == set(BALL_COLOURS) for die in balls)
    for side in range(1, 6):
        assert bits([(die.paint[0], die.paint[side]) for die in balls]) < 0.3
    assert bits([(number % 6, die.paint[number % 6]) for number, die in enumerate(balls)]) < 0.02


def test_what_is_drawn_tied_is_found_out() -> None:
    """As in the record set: red inks on grey and brown bodies only."""
    kinds = dice_sets.load("nba").kinds
    pairs = [(kind.name, face.colour) for kind in kinds for face in kind.faces if face.value]
    assert bits(pairs) > 0.4
