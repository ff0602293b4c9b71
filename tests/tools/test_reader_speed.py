"""The speed benchmark: correct timings, unchanged runtime settings, and memory of a fresh process."""

from __future__ import annotations

from itertools import count

import numpy as np
import onnxruntime as ort
import pytest

from tools.benchmarks.reader_speed import (
    FEW_DICE_SIZE,
    MANY_DICE_SIZE,
    draw_pip_tray,
    measure_fresh_process,
    models_size,
    time_reading,
)
from vision import dice_sets
from vision.decision.reader import Reader


@pytest.mark.parametrize(("dice", "size"), [(1, FEW_DICE_SIZE), (10, FEW_DICE_SIZE), (30, MANY_DICE_SIZE)])
def test_the_timed_trays_hold_their_dice(dice: int, size: tuple[int, int]) -> None:
    picture, drawn = draw_pip_tray(dice, size, np.random.default_rng(1))
    assert picture.shape == (size[1], size[0], 3)
    assert len(drawn) == dice
    assert all(30 < die.x < size[0] - 30 and 30 < die.y < size[1] - 30 for die in drawn)
    gaps = [np.hypot(a.x - b.x, a.y - b.y) for i, a in enumerate(drawn) for b in drawn[:i]]
    assert min(gaps, default=99.0) > drawn[0].edge


def test_the_reading_and_its_networks_alone_are_timed_in_turn() -> None:
    """Each call of the fake clock advances it by 1 s, so every timed step takes 1 s; the CPU clock advances by 2 s."""
    run = ort.InferenceSession.run
    pictures = [draw_pip_tray(2, FEW_DICE_SIZE, np.random.default_rng(seed))[0] for seed in (1, 2)]
    ticks, own = count(), count(step=2)
    reader = Reader(dice_sets.load("pips"))
    timed = time_reading(reader, pictures, 2, lambda: float(next(ticks)), lambda: float(next(own)))
    spread = {"median": 1000.0, "p10": 1000.0, "p90": 1000.0, "between_runs": 0.0}
    assert timed["ms"] == timed["plain_onnxruntime_ms"] == spread
    assert timed["cpu_ms"]["median"] == 2000.0
    assert timed["times_plain"] == 1.0
    assert next(ticks) == 2 * 2 * 2 * 2
    assert ort.InferenceSession.run is run


def test_a_fresh_process_reads_and_tells_its_memory() -> None:
    few, many = (
        draw_pip_tray(3, FEW_DICE_SIZE, np.random.default_rng(1))[0],
        draw_pip_tray(30, MANY_DICE_SIZE, np.random.default_rng(2))[0],
    )
    measured = measure_fresh_process(few, many, 1)
    assert 0 < measured["first_reading_s"] == measured["slowest_s"]
    assert 30 < measured["memory_mb"] <= measured["peak_memory_mb"] < 1000


def test_the_models_are_weighed() -> None:
    weighed = models_size()
    nets = {"finder", "second", "faces", "close", "six_or_nine", "top_colour", "pose", "cocked"}
    assert {f"{net}.onnx" for net in nets} == weighed["files"].keys()
    assert weighed["mb"] == pytest.approx(sum(weighed["files"].values()) / 1e6, abs=0.01)
