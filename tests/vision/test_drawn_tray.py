"""The simulated tray: dice come to rest apart and inside, the truth is kept, and a seed gives the same film."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import hypot

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.vision.doubles import TruthReader
from vision import dice_sets
from vision.cameras.protocol import CameraLost, EndOfSource, SourceError
from vision.cameras.simulated_dice import RADIUS, Felt, SimulatedBody, advance, throw_in
from vision.cameras.simulated_tray import EDGE, Sensor, SimulatedTray, TrayAction, random_throws
from vision.roll import Roll
from vision.watching.watcher import watch


@settings(max_examples=40)
@given(seed=st.integers(0, 2**32 - 1), count=st.integers(1, 12))
def test_thrown_dice_come_to_rest_inside_and_apart(seed: int, count: int) -> None:
    felt, chance = Felt(), np.random.default_rng(seed)
    dice = [SimulatedBody("pips", 1, "white", EDGE, 0.0, 0.0) for _ in range(count)]
    for die in dice:
        throw_in(die, felt, chance)
    for _ in range(40):
        advance(dice, felt, 0.25)
    assert all(die.at_rest for die in dice)
    for die in dice:
        left, top, right, bottom = felt.bounds(die)
        assert left - 1 <= die.x <= right + 1
        assert top - 1 <= die.y <= bottom + 1
    for one, other in combinations(dice, 2):
        assert hypot(one.x - other.x, one.y - other.y) >= 2 * RADIUS * EDGE - 1.0


def test_a_die_slides_as_far_as_it_is_pushed() -> None:
    tray = SimulatedTray(2)
    tray.throw([("pips", 4, "white")])
    run_to_rest(tray)
    before = tray.dice[0]
    middle = 320 - before.x, 240 - before.y
    scale = 30 / hypot(*middle)
    tray.nudge(0, middle[0] * scale, middle[1] * scale, face=2)
    run_to_rest(tray)
    after = tray.dice[0]
    assert hypot(after.x - before.x, after.y - before.y) == pytest.approx(30, abs=8)
    assert (before.face, after.face) == (4, 2)


def run_to_rest(tray: SimulatedTray, most: int = 600) -> None:
    for _ in range(most):
        tray.frame(1.0)
        if tray.at_rest:
            return
    raise AssertionError("the tray never came to rest")


def film(tray: SimulatedTray, frames: int) -> list[int]:
    return [hash(tray.frame(1.0).picture.tobytes()) for _ in range(frames)]


def test_the_same_seed_and_commands_are_the_same_film() -> None:
    films = []
    for seed in (7, 7, 8):
        tray = SimulatedTray(seed)
        tray.throw([("pips", 3, "red"), ("ball", 2, "white")])
        films.append(film(tray, 40))
    assert films[0] == films[1]
    assert films[0] != films[2]


def test_time_is_virtual_and_even() -> None:
    tray = SimulatedTray(1)
    assert [tray.frame(1.0).t for _ in range(4)] == pytest.approx([0, 1 / 30, 2 / 30, 3 / 30])


def test_dice_in_flight_are_blurred_and_resting_ones_are_not() -> None:
    tray = SimulatedTray(11, sensor=Sensor(noise=0.0))
    empty = tray.frame(1.0).picture
    tray.throw([("pips", 6, "white")])
    steepest = []
    for _ in range(70):
        moved = not tray.at_rest
        picture = tray.frame(1.0).picture.astype(int)
        on_die = np.abs(picture - empty).max(axis=2) > 60
        if on_die.sum() > 600:
            steepest.append((moved, int(np.percentile(np.abs(np.diff(picture[..., 1], axis=1))[on_die[:, 1:]], 97))))
    flying = [step for moved, step in steepest[:6]]
    resting = [step for moved, step in steepest if not moved]
    assert np.mean(flying) < 0.8 * np.mean(resting)


def test_the_truth_of_every_throw_is_kept() -> None:
    tray = SimulatedTray(3)
    tray.throw([("pips", 5, "white"), ("ball", 2, "black")])
    run_to_rest(tray)
    tray.clear(by_hand=False)
    tray.throw([("pips", 1, "red")])
    run_to_rest(tray)
    assert [(deed.action, [(die.kind, die.face, die.body) for die in deed.dice]) for deed in tray.history] == [
        ("throw", [("pips", 5, "white"), ("ball", 2, "black")]),
        ("clear", []),
        ("throw", [("pips", 1, "red")]),
    ]


def test_a_cocked_die_leans_on_the_rim() -> None:
    tray = SimulatedTray(3)
    tray.throw([("pips", 5, "white"), ("pips", 2, "red")], cocked=True)
    run_to_rest(tray)
    assert [die.cocked for die in tray.dice] == [True, False]
    assert tray.dice[0].x == pytest.approx(Felt().rim + RADIUS * EDGE, abs=3)


def test_a_lost_camera_gives_nothing_and_comes_back() -> None:
    tray = SimulatedTray(3)
    tray.lose(0.5)
    for _ in range(15):
        with pytest.raises(CameraLost):
            tray.frame(1.0)
    assert tray.frame(1.0).t == pytest.approx(0.5)


def test_a_covered_lens_is_dark() -> None:
    tray = SimulatedTray(3)
    bright = tray.frame(1.0).picture.mean()
    tray.cover(0.2)
    assert tray.frame(1.0).picture.mean() < 10 < bright


def test_a_token_is_seen_and_goes_with_the_dice() -> None:
    tray = SimulatedTray(3, sensor=Sensor(noise=0.0))
    empty = tray.frame(1.0).picture.astype(int)
    tray.add_thing(320, 240)
    assert np.abs(tray.frame(1.0).picture.astype(int) - empty)[235:245, 315:325].max(axis=2).min() > 30
    tray.clear(by_hand=False)
    assert np.abs(tray.frame(1.0).picture.astype(int) - empty).max() < 10


def test_a_face_that_no_die_has_is_refused() -> None:
    with pytest.raises(ValueError, match="no face 7"):
        SimulatedTray(1).throw([("pips", 7, "white")])


def test_the_programme_is_followed_when_all_is_still_and_then_the_source_ends() -> None:
    tray = SimulatedTray(3, programme=[lambda t: t.throw([("pips", 2, "white")]), SimulatedTray.clear], pause=0.5)
    assert rolls_of(tray)
    with pytest.raises(EndOfSource):
        tray.frame(1.0)
    assert [deed.action for deed in tray.history] == ["throw", "clear"]


def test_random_throws_are_of_the_set_and_number_asked_for() -> None:
    tray = SimulatedTray(4, programme=random_throws(4, dice_sets.load("footclub"), count=3))
    while len([deed for deed in tray.history if deed.action == "throw"]) < 4:
        tray.frame(1.0)
    throws = [deed.dice for deed in tray.history if deed.action == "throw"]
    assert {len(dice) for dice in throws} == {3}
    assert {die.kind for dice in throws for die in dice} == {"pips", "ball"}


def test_a_set_that_cannot_be_drawn_is_refused() -> None:
    faces = ", ".join(f"{{ value = {value} }}" for value in range(7, 13))
    tens = dice_sets.parse(f'[kinds.tens]\nmarks = "digits"\nfaces = [{faces}]', "tens", "tens.toml")
    with pytest.raises(SourceError, match="cannot draw the dice of the set 'tens': no artwork for face 4 of tens, 10"):
        random_throws(1, tens)


@pytest.mark.parametrize("name", dice_sets.names())
def test_the_dice_of_every_set_are_thrown(name: str) -> None:
    dice_set = dice_sets.load(name)
    tray = SimulatedTray(5, programme=random_throws(5, dice_set, count=4), sensor=Sensor(rate=10))
    while not tray.history:
        tray.frame(1.0)
    assert len(tray.dice) == 4
    assert {die.kind for die in tray.dice} <= {kind.name for kind in dice_set.kinds}


def rolls_of(tray: SimulatedTray) -> list[Roll]:
    with tray:
        return [result.roll for result in watch(tray, TruthReader(tray))]


def expected(tray: SimulatedTray) -> list[tuple[bool, list[int]]]:
    """Return the expected rolls from ground truth.

    Each throw and nudge is reported once; without a clearing in between, later ones are the same roll again.
    """
    lines, again = [], False
    for deed in tray.history:
        if deed.action != "clear":
            lines.append((again, sorted(die.face for die in deed.dice)))
        again = deed.action != "clear"
    return lines


def roll_values(rolls: list[Roll]) -> list[tuple[bool, list[int]]]:
    return [(roll.again, sorted(die.face.value or 0 for die in roll.dice)) for roll in rolls]


def test_fifty_throws_are_fifty_rolls() -> None:
    def play() -> Iterator[TrayAction]:
        chance = np.random.default_rng(50)
        for _ in range(50):
            bodies = chance.choice(["white", "red", "black", "green", "blue", "ivory"], int(chance.integers(1, 5)))
            dice = [("pips", int(chance.integers(1, 7)), str(body)) for body in bodies]
            yield lambda tray, dice=dice: tray.throw(dice)
            yield lambda tray: tray.clear(by_hand=False)

    tray = SimulatedTray(50, programme=play(), pause=0.45, sensor=Sensor(rate=10))
    rolls = rolls_of(tray)
    assert len(rolls) == 50
    assert not any(roll.again for roll in rolls)
    assert roll_values(rolls) == expected(tray)


def test_nudges_second_throws_hands_and_tokens() -> None:
    def play() -> Iterator[TrayAction]:
        for seed in range(2):
            yield lambda tray, n=seed: tray.throw([("pips", n + 1, "white"), ("ball", 6 - n, "white")])
            yield SimulatedTray.hand
            yield lambda tray: tray.nudge(0, *np.subtract((320, 240), (tray.dice[0].x, tray.dice[0].y)) * 0.15)
            yield lambda tray: tray.add_thing(600, 440)
            yield lambda tray: tray.throw([("pips", 3, "red")])
            yield lambda tray: tray.cover(0.5)
            yield SimulatedTray.clear

    tray = SimulatedTray(9, programme=play(), pause=0.6, sensor=Sensor(rate=15))
    rolls = rolls_of(tray)
    assert roll_values(rolls) == expected(tray)
    assert [roll.again for roll in rolls] == [False, True, True] * 2


def test_a_spinner_is_waited_for() -> None:
    tray = SimulatedTray(
        9, programme=[lambda t: t.throw([("pips", 3, "white"), ("pips", 5, "red")], spins=3.0)], sensor=Sensor(rate=15)
    )
    (roll,) = rolls_of(tray)
    assert roll.t is not None
    assert roll.t > 4.0
    assert roll.t >= tray.history[0].t - 0.05
    assert sorted(die.face.value or 0 for die in roll.dice) == [3, 5]
