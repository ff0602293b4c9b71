"""Benchmark of the watcher on drawn clips: counts missed, duplicate, early and spurious rolls against the truth."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from statistics import median
from typing import Any

import cv2
import numpy as np

from tools.benchmarks.drawn_clips import DrawnClip, make_clip
from vision import dice_sets
from vision.cameras.protocol import Clock
from vision.cameras.simulated_tray import SimulatedDie, SimulatedTray
from vision.decision.reader import Reader
from vision.roll import Roll, Status
from vision.watching.rest_detector import LIVE_TIMINGS
from vision.watching.watcher import DiceReader, SettledRoll, Watcher

DEFAULT_CLIPS = 200
"""Number of clips of a full benchmark."""

OWED = 1.0
"""Seconds at rest after which a roll must have been reported before the dice move again."""

FAULTS = ("missed", "doubled", "early", "from_nothing", "again_wrong")
"""Faults of the watcher.

- `missed`: a roll at rest was not reported.
- `doubled`: a roll was reported twice.
- `early`: a roll was reported during movement, or from an earlier state.
- `from_nothing`: a roll was reported of an empty tray.
- `again_wrong`: `again` was set for a new roll, or not set for an old one.
"""


@dataclass(slots=True)
class _RestingThrow:
    """The content of the tray between two actions."""

    dice: tuple[SimulatedDie, ...]
    owed: bool = False
    reported: Roll | None = None


@dataclass(slots=True)
class ClipResult:
    """The result of one clip.

    - `latencies`: seconds of tray time.
    - `reads`, `frames`: milliseconds of the clock.
    - `events`: one sentence for each fault.
    """

    seed: int
    names: tuple[str, ...]
    counts: Counter[str] = field(default_factory=Counter)
    latencies: list[float] = field(default_factory=list)
    reads: list[float] = field(default_factory=list)
    frames: list[float] = field(default_factory=list)
    events: list[str] = field(default_factory=list)

    def add_fault(self, what: str, t: float, more: str = "") -> None:
        """Count a fault at second `t`."""
        self.counts[what] += 1
        self.events.append(f"clip {self.seed} ({', '.join(self.names)}): {what} at {t:.2f} s{more}")


class _ClipChecker:
    """The judge of one clip: compares the watcher's reports with the truth."""

    def __init__(self, tray: SimulatedTray, outcome: ClipResult) -> None:
        self._tray = tray
        self._outcome = outcome
        self._throw = _RestingThrow(tray.dice)
        self._deeds = len(tray.history)
        self._reported_since_empty = False
        self._rest_since: float | None = None

    @property
    def rested(self) -> float:
        """Return the seconds since the last movement."""
        return 0.0 if self._rest_since is None else self._tray.t - self._rest_since

    def observe(self) -> None:
        """Record the truth of the latest frame."""
        tray = self._tray
        if len(tray.history) != self._deeds:
            self.close()
            self._deeds, self._throw = len(tray.history), _RestingThrow(tray.dice)
            self._reported_since_empty = self._reported_since_empty and bool(tray.dice)
        if not tray.at_rest:
            self._rest_since = None
        elif self._rest_since is None:
            self._rest_since = tray.t
        self._throw.owed = self._throw.owed or (bool(self._throw.dice) and self.rested >= OWED)

    def close(self) -> None:
        """Check that a roll was reported if it was due, before the content of the tray changes."""
        if self._throw.owed and self._throw.reported is None:
            self._outcome.add_fault("missed", self._tray.t)

    def check_report(self, result: SettledRoll) -> None:
        """Judge a report for this frame."""
        roll, lay, t, outcome = result.roll, self._throw, self._tray.t, self._outcome
        outcome.counts["rolls"] += 1
        before, lay.reported = lay.reported, roll
        if not lay.dice and self._rest_since is not None:
            outcome.add_fault("from_nothing", t)
        elif self._rest_since is None or (roll.t is not None and roll.t < self._rest_since - 1e-6):
            outcome.add_fault("early", t)
        elif before is None:
            outcome.latencies.append(t - self._rest_since)
            if roll.again is not self._reported_since_empty:
                outcome.add_fault("again_wrong", t, f": said {roll.again}")
            outcome.counts[_reading(roll, lay.dice)] += 1
        elif roll.again and before.status is not Status.OK and roll.status is Status.OK:
            outcome.counts["settled_later"] += 1
            outcome.counts["wrong"] += _reading(roll, lay.dice) == "wrong"
        else:
            outcome.add_fault("doubled", t)
        self._reported_since_empty = self._reported_since_empty or bool(lay.dice)


def _reading(roll: Roll, dice: tuple[SimulatedDie, ...]) -> str:
    if roll.status is not Status.OK:
        return "asked"
    return "right" if Counter(die.face.value for die in roll.dice) == Counter(die.face for die in dice) else "wrong"


def evaluate_clip(clip: DrawnClip, reader: DiceReader, clock: Clock = time.perf_counter) -> ClipResult:
    """Play a clip to its end with a new watcher, as patient as at a table, and compare its reports with the truth."""
    tray, outcome = clip.tray, ClipResult(clip.seed, clip.names)
    steps = list(clip.steps)
    if clip.starts_with_dice:
        steps.pop(0)[1](tray)
        tray.frame(0.0)
        while not tray.at_rest:
            tray.frame(0.0)
    watcher, judge = Watcher(reader, timings=LIVE_TIMINGS, limit_light=tray.limit_light), _ClipChecker(tray, outcome)
    while steps or judge.rested < clip.watch_after_s:
        if steps and judge.rested >= steps[0][0]:
            steps.pop(0)[1](tray)
        frame = tray.frame(0.0)
        judge.observe()
        start = clock()
        result = watcher.on_frame(frame)
        took = 1000 * (clock() - start)
        (outcome.frames if result is None else outcome.reads).append(took)
        if result is not None:
            judge.check_report(result)
    judge.close()
    outcome.counts["clips"] += 1
    outcome.counts["frames"] += len(outcome.frames) + len(outcome.reads)
    return outcome


def measure_clips(
    clips: int = DEFAULT_CLIPS,
    seed: int = 0,
    make_reader: Callable[[], DiceReader] = lambda: Reader(dice_sets.load("pips"), one_tray=True),
    clock: Clock = time.perf_counter,
    on_progress: Callable[[int, int], None] = lambda done, due: None,
) -> dict[str, Any]:
    """Watch `clips` drawn clips of pip dice, with seeds from `seed` on and one OpenCV thread. Return `summarise`.

    `on_progress` is called after each clip with the numbers of finished and total clips.
    """
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        dice_set, reader, outcomes = dice_sets.load("pips"), make_reader(), []
        for number in range(clips):
            outcomes.append(evaluate_clip(make_clip(seed + number, dice_set), reader, clock))
            on_progress(number + 1, clips)
    finally:
        cv2.setNumThreads(threads)
    return {"first_seed": seed, **summarise(outcomes)}


def summarise(outcomes: Iterable[ClipResult]) -> dict[str, Any]:
    """Return the totals of all clips and of each disturbance, with one sentence for each fault."""
    every = list(outcomes)
    total = sum((outcome.counts for outcome in every), Counter[str]())
    latencies = [1000 * latency for outcome in every for latency in outcome.latencies]
    reads = [read for outcome in every for read in outcome.reads]
    names = sorted({name for outcome in every for name in outcome.names})
    return {
        "clips": total["clips"],
        "frames": total["frames"],
        "rolls": total["rolls"],
        **{fault: total[fault] for fault in FAULTS},
        "right": total["right"],
        "asked": total["asked"],
        "wrong_when_certain": total["wrong"],
        "settled_later": total["settled_later"],
        "latency_ms": _points(latencies),
        "read_ms": _points(reads),
        "by_disturbance": {name: _part([one for one in every if name in one.names]) for name in names},
        "faults": [event for outcome in every for event in outcome.events],
    }


def _part(outcomes: list[ClipResult]) -> dict[str, int]:
    counts = sum((outcome.counts for outcome in outcomes), Counter[str]())
    return {key: counts[key] for key in ("clips", "rolls", *FAULTS)} | {"wrong_when_certain": counts["wrong"]}


def _points(figures: list[float]) -> dict[str, float] | None:
    if not figures:
        return None
    return {"median": round(median(figures), 1), "p95": round(float(np.percentile(figures, 95)), 1)}
