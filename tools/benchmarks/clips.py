"""Watches drawn clips whose truth is known, and counts what was missed, said twice, said too early or of nothing."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from statistics import median
from typing import Any

import cv2
import numpy as np

from tools.benchmarks.drawn_clips import Clip, make_clip
from vision import dice_sets
from vision.cameras.protocol import Clock
from vision.cameras.simulated_tray import Lying, SimulatedTray
from vision.decision.reader import Reader
from vision.roll import Roll, Status
from vision.watching.settle import LIVE
from vision.watching.watcher import ReadsDice, Settled, Watcher

USUAL = 200
"""Clips of a whole measure."""

OWED = 1.0
"""Dice that lay undisturbed for so many seconds must have been said before they move again."""

FAULTS = ("missed", "doubled", "early", "from_nothing", "again_wrong")
"""What must not happen: a resting throw not said, said twice, said while something moved or read from before, a roll of
an empty tray, and `again` where it is a new roll or the other way round."""


@dataclass(slots=True)
class _Lay:
    """What lies in the tray between two deeds."""

    dice: tuple[Lying, ...]
    owed: bool = False
    said: Roll | None = None


@dataclass(slots=True)
class Outcome:
    """What became of one clip. `latencies` in seconds of the tray, `reads` and `frames` in milliseconds of the clock;
    `events` are sentences about each fault."""

    seed: int
    names: tuple[str, ...]
    counts: Counter[str] = field(default_factory=Counter)
    latencies: list[float] = field(default_factory=list)
    reads: list[float] = field(default_factory=list)
    frames: list[float] = field(default_factory=list)
    events: list[str] = field(default_factory=list)

    def fault(self, what: str, t: float, more: str = "") -> None:
        """Count a fault of second `t`."""
        self.counts[what] += 1
        self.events.append(f"clip {self.seed} ({', '.join(self.names)}): {what} at {t:.2f} s{more}")


class _Judge:
    """Follows the truth of one clip beside the watcher."""

    def __init__(self, tray: SimulatedTray, outcome: Outcome) -> None:
        self._tray = tray
        self._outcome = outcome
        self._lay = _Lay(tray.lying)
        self._deeds = len(tray.history)
        self._said_since_empty = False
        self._rest_since: float | None = None

    @property
    def rested(self) -> float:
        """For how many seconds nothing has moved."""
        return 0.0 if self._rest_since is None else self._tray.t - self._rest_since

    def look(self) -> None:
        """Take in the truth of the frame that was just drawn."""
        tray = self._tray
        if len(tray.history) != self._deeds:
            self.close()
            self._deeds, self._lay = len(tray.history), _Lay(tray.lying)
            self._said_since_empty = self._said_since_empty and bool(tray.lying)
        if not tray.at_rest:
            self._rest_since = None
        elif self._rest_since is None:
            self._rest_since = tray.t
        self._lay.owed = self._lay.owed or (bool(self._lay.dice) and self.rested >= OWED)

    def close(self) -> None:
        """What lies there is going to change: it must have been said, if it was owed."""
        if self._lay.owed and self._lay.said is None:
            self._outcome.fault("missed", self._tray.t)

    def hear(self, settled: Settled) -> None:
        """Judge what was said on this frame."""
        roll, lay, t, outcome = settled.roll, self._lay, self._tray.t, self._outcome
        outcome.counts["rolls"] += 1
        before, lay.said = lay.said, roll
        if not lay.dice and self._rest_since is not None:
            outcome.fault("from_nothing", t)
        elif self._rest_since is None or (roll.t is not None and roll.t < self._rest_since - 1e-6):
            outcome.fault("early", t)
        elif before is None:
            outcome.latencies.append(t - self._rest_since)
            if roll.again is not self._said_since_empty:
                outcome.fault("again_wrong", t, f": said {roll.again}")
            outcome.counts[_reading(roll, lay.dice)] += 1
        elif roll.again and before.status is not Status.OK and roll.status is Status.OK:
            outcome.counts["settled_later"] += 1
            outcome.counts["wrong"] += _reading(roll, lay.dice) == "wrong"
        else:
            outcome.fault("doubled", t)
        self._said_since_empty = self._said_since_empty or bool(lay.dice)


def _reading(roll: Roll, dice: tuple[Lying, ...]) -> str:
    if roll.status is not Status.OK:
        return "asked"
    return "right" if Counter(die.face.value for die in roll.dice) == Counter(die.face for die in dice) else "wrong"


def judge_clip(clip: Clip, reader: ReadsDice, clock: Clock = time.perf_counter) -> Outcome:
    """Plays a clip to its end before a new watcher, as patient as at a table, and compares what it says with the
    truth."""
    tray, outcome = clip.tray, Outcome(clip.seed, clip.names)
    steps = list(clip.steps)
    if clip.late:
        steps.pop(0)[1](tray)
        tray.frame(0.0)
        while not tray.at_rest:
            tray.frame(0.0)
    watcher, judge = Watcher(reader, patience=LIVE, limit_light=tray.limit_light), _Judge(tray, outcome)
    while steps or judge.rested < clip.after:
        if steps and judge.rested >= steps[0][0]:
            steps.pop(0)[1](tray)
        frame = tray.frame(0.0)
        judge.look()
        start = clock()
        settled = watcher.see(frame)
        took = 1000 * (clock() - start)
        (outcome.frames if settled is None else outcome.reads).append(took)
        if settled is not None:
            judge.hear(settled)
    judge.close()
    outcome.counts["clips"] += 1
    outcome.counts["frames"] += len(outcome.frames) + len(outcome.reads)
    return outcome


def measure_clips(
    clips: int = USUAL,
    seed: int = 0,
    make_reader: Callable[[], ReadsDice] = lambda: Reader(dice_sets.load("pips"), one_tray=True),
    clock: Clock = time.perf_counter,
    tell: Callable[[int, int], None] = lambda done, due: None,
) -> dict[str, Any]:
    """Watches `clips` drawn clips of pip dice from `seed` on, on one thread of OpenCV: the figures of `summed_up`.

    `tell` is called after each clip with how many are done and how many are due.
    """
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        dice_set, reader, outcomes = dice_sets.load("pips"), make_reader(), []
        for number in range(clips):
            outcomes.append(judge_clip(make_clip(seed + number, dice_set), reader, clock))
            tell(number + 1, clips)
    finally:
        cv2.setNumThreads(threads)
    return {"first_seed": seed, **summed_up(outcomes)}


def summed_up(outcomes: Iterable[Outcome]) -> dict[str, Any]:
    """The figures of all clips and of each disturbance; faults each with a sentence."""
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


def _part(outcomes: list[Outcome]) -> dict[str, int]:
    counts = sum((outcome.counts for outcome in outcomes), Counter[str]())
    return {key: counts[key] for key in ("clips", "rolls", *FAULTS)} | {"wrong_when_certain": counts["wrong"]}


def _points(figures: list[float]) -> dict[str, float] | None:
    if not figures:
        return None
    return {"median": round(median(figures), 1), "p95": round(float(np.percentile(figures, 95)), 1)}
