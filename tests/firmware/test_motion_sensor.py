"""The piezo sensor: landing and rolling dice count as motion, resting dice as still, at any resting level."""

from __future__ import annotations

from random import Random

from firmware.motion_sensor import MotionSensor
from firmware.settings import DEFAULTS

STEP = 4


def felt(stillness: MotionSensor, levels: list[int], start: int = 0) -> list[tuple[int, bool]]:
    """Return the changes between motion and rest, polled every few milliseconds."""
    changes, before = [], stillness.moving
    for index, level in enumerate(levels):
        if stillness.feed(level, start + index * STEP) != before:
            before = stillness.moving
            changes.append((start + index * STEP, before))
    return changes


def made() -> MotionSensor:
    piezo = DEFAULTS["piezo"]
    return MotionSensor(piezo["on"], piezo["off"], piezo["still_ms"])


def rolling(random: Random, milliseconds: int, rest: int) -> list[int]:
    """Return random knocks, each with a half-life of about 30 ms, plus the converter's noise."""
    levels, height = [], 0.0
    for _ in range(milliseconds // STEP):
        if random.random() < 0.12:
            height = max(height, random.uniform(300, 2500))
        height *= 0.91
        levels.append(min(4095, int(rest + height + random.randrange(8))))
    return levels


def test_a_throw_is_one_movement_that_ends_when_the_dice_lie() -> None:
    for seed in range(20):
        random, rest = Random(seed), Random(seed).randrange(0, 1500)
        quiet = [rest + random.randrange(8) for _ in range(250)]
        changes = felt(made(), [*quiet, rest + 900, *rolling(random, 1500, rest), *quiet, *quiet])
        assert [moving for _, moving in changes] == [True, False], seed
        (began, _), (ended, _) = changes
        assert began == 1000
        assert 1000 + 250 < ended < 1000 + 1500 + 700


def test_a_rest_that_creeps_is_no_movement() -> None:
    assert felt(made(), [level // 4 for level in range(12_000)]) == []


def test_dice_in_the_tray_may_shift_the_rest() -> None:
    stillness = made()
    assert [moving for _, moving in felt(stillness, [10] * 100 + [700] * 200)] == [True, False]
    assert [moving for _, moving in felt(stillness, [700] * 50 + [900] * 200, 10_000)] == [True, False]


def test_the_first_level_is_a_rest() -> None:
    assert felt(made(), [3000] * 100) == []
