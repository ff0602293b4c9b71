"""Rendered clips with each disturbance: no roll missed, repeated, early or invented; the checker finds each fault."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import numpy as np
import pytest

from tests.vision.doubles import TruthReader, certain
from tools.benchmarks.clips import FAULTS, ClipResult, evaluate_clip, measure_clips, summarise
from tools.benchmarks.drawn_clips import DISTURBANCES, SCRIPTS, DrawnClip, Step, make_clip
from vision import dice_sets
from vision.cameras.simulated_tray import Sensor, SimulatedTray
from vision.pictures import Picture
from vision.roll import Roll, RollRequest, Status

THROW: Step = (0.6, lambda tray: tray.throw([("pips", 4, "white")]))


def watched(clip: DrawnClip) -> ClipResult:
    return evaluate_clip(clip, TruthReader(clip.tray))


def alone(*steps: Step, after: float = 1.2, rate: float = 15) -> DrawnClip:
    """Return a clip of these steps without any disturbance."""
    return DrawnClip(1, ("test",), SimulatedTray(1, sensor=Sensor(rate=rate)), steps, after)


def faults(outcome: ClipResult) -> dict[str, int]:
    return {fault: outcome.counts[fault] for fault in FAULTS if outcome.counts[fault]}


@pytest.mark.parametrize("name", SCRIPTS)
def test_whatever_people_do_each_settling_is_one_roll(name: str) -> None:
    outcome = watched(make_clip(3, dice_sets.load("pips"), [name], rate=15))
    assert outcome.events == []
    assert (outcome.counts["rolls"] == 0) is (name == "nobody")


@pytest.mark.parametrize("name", DISTURBANCES)
def test_whatever_disturbs_the_view_each_settling_is_one_roll(name: str) -> None:
    outcome = watched(make_clip(4, dice_sets.load("pips"), ["spinners", name], rate=15))
    assert outcome.events == []
    assert outcome.counts["rolls"] == 1


def test_the_same_seed_is_the_same_clip() -> None:
    first, second, other = (make_clip(seed, dice_sets.load("pips"), ["throws", *DISTURBANCES]) for seed in (5, 5, 6))
    pictures = [[clip.tray.frame(0.0).picture for _ in range(8)][-1] for clip in (first, second, other)]
    assert np.array_equal(pictures[0], pictures[1])
    assert not np.array_equal(pictures[0], pictures[2])


def test_a_hand_is_in_the_picture_from_the_frame_on_in_which_it_sets_out() -> None:
    tray = make_clip(3, dice_sets.load("pips"), ["nobody"]).tray
    tray.frame(0.0)
    before = tray.frame(0.0).picture
    tray.hand()
    now = tray.frame(0.0).picture
    assert not tray.at_rest
    assert np.abs(now.astype(int) - before).max() > 60


def test_sixteen_seeds_show_every_disturbance() -> None:
    seen_names = {name for seed in range(16) for name in make_clip(seed, dice_sets.load("pips")).names}
    assert seen_names == {*SCRIPTS, *DISTURBANCES}


def test_a_disturbance_that_is_none_is_refused() -> None:
    with pytest.raises(KeyError, match="earthquake"):
        make_clip(1, dice_sets.load("pips"), ["earthquake"])


class FixedReader:
    """A reader that sees the same die in every picture, or none."""

    def __init__(self, *, dice: bool = True) -> None:
        self._dice = dice

    def read(self, picture: Picture, request: RollRequest | None = None) -> Roll:
        return Roll(Status.OK, (certain(4, (100.0, 100.0, 44.0, 44.0)),)) if self._dice else Roll(Status.EMPTY)


def test_the_judge_sees_what_was_missed() -> None:
    assert faults(evaluate_clip(alone(THROW), FixedReader(dice=False))) == {"missed": 1}


def test_the_judge_sees_a_roll_of_an_empty_tray() -> None:
    outcome = evaluate_clip(alone((0.6, SimulatedTray.hand)), FixedReader())
    assert outcome.counts["from_nothing"] >= 1


def test_the_judge_sees_a_wrong_reading() -> None:
    outcome = evaluate_clip(
        DrawnClip(1, ("test",), SimulatedTray(1, sensor=Sensor(rate=15)), (THROW,), 1.2, starts_with_dice=True),
        FixedReader(),
    )
    assert (outcome.counts["right"], outcome.counts["wrong"]) == (1, 0)
    other: Step = (0.6, lambda tray: tray.throw([("pips", 2, "white")]))
    outcome = evaluate_clip(
        DrawnClip(1, ("test",), SimulatedTray(1, sensor=Sensor(rate=15)), (other,), 1.2, starts_with_dice=True),
        FixedReader(),
    )
    assert (outcome.counts["right"], outcome.counts["wrong"]) == (0, 1)


def test_the_figures_add_up() -> None:
    one, other = ClipResult(1, ("throws",)), ClipResult(2, ("throws", "sun"))
    one.counts.update(clips=1, rolls=2, right=2)
    one.latencies += [0.3, 0.5]
    other.counts.update(clips=1, rolls=1, wrong=1)
    other.add_fault("doubled", 2.5)
    figures = summarise([one, other])
    assert (figures["clips"], figures["rolls"], figures["doubled"], figures["wrong_when_certain"]) == (2, 3, 1, 1)
    assert figures["latency_ms"] == {"median": 400.0, "p95": 490.0}
    assert figures["by_disturbance"]["sun"]["doubled"] == 1
    assert figures["faults"] == ["clip 2 (throws, sun): doubled at 2.50 s"]


def test_the_bench_watches_as_many_clips_as_asked_for() -> None:
    progress: list[tuple[int, int]] = []
    ticks: Iterator[float] = (tick / 1000 for tick in count())
    figures = measure_clips(
        1, 7, lambda: FixedReader(dice=False), lambda: next(ticks), lambda *now: progress.append(now)
    )
    assert (figures["first_seed"], figures["clips"], figures["missed"], progress) == (7, 1, 0, [(1, 1)])
