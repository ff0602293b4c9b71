"""Benchmark of the watcher's speed: time from rest to roll, and the cost of a frame."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from statistics import median, quantiles
from typing import Any

import cv2
import numpy as np

from vision import dice_sets
from vision.cameras.protocol import Clock
from vision.cameras.simulated_tray import RATE, ActionRecord, SimulatedTray, random_throws
from vision.decision.reader import Reader
from vision.pictures import Picture
from vision.roll import Roll, Status
from vision.watching.rest_detector import LIVE_TIMINGS
from vision.watching.watcher import DiceReader, Watcher

LIMIT_MS = 1000.0
"""Maximum time from rest to roll, in milliseconds, that does not feel like waiting."""


LIMIT_FRAME_MS, LIMIT_SHARE = 4.0, 0.15
"""Maximum milliseconds of a frame without a reading, and maximum share of one core for all such frames."""


@dataclass(slots=True)
class _Run:
    """The measurements of one run of throws; times in milliseconds."""

    latencies: list[float] = field(default_factory=list)
    reads: list[float] = field(default_factory=list)
    frames: list[float] = field(default_factory=list)
    peer: list[float] = field(default_factory=list)
    busy: float = 0.0
    outcomes: Counter[str] = field(default_factory=Counter)


def measure_watch(
    runs: int = 3,
    throws: int = 4,
    make_reader: Callable[[], DiceReader] = lambda: Reader(dice_sets.load("pips"), one_tray=True),
    clock: Clock = time.perf_counter,
    work: Clock = time.thread_time,
) -> dict[str, Any]:
    """Watch `runs` times `throws` drawn throws of pip dice, with one OpenCV thread. Return medians and spreads.

    - `latency_ms`: tray time from the last die's rest to the frame that confirmed it, plus the time to read that frame.
    - `frame_ms`: time of a frame without a reading. Its baseline counts the pixels that differ between two frames.
    - `share_of_core`: CPU time (`work`) of such frames relative to their duration at the tray's rate.
    - `unthrown`: rolls reported of an empty tray.
    """
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        reader = make_reader()
        measured = [
            _run(Watcher(reader, timings=LIVE_TIMINGS), seed, throws, clock, work) for seed in range(1, runs + 1)
        ]
    finally:
        cv2.setNumThreads(threads)
    outcomes = sum((run.outcomes for run in measured), Counter[str]())
    frame_ms = _spread([run.frames for run in measured])
    frames = sum(len(run.frames) for run in measured)
    return {
        "runs": runs,
        "throws": runs * throws,
        "right": outcomes["right"],
        "asked": outcomes["asked"],
        "wrong": outcomes["wrong"],
        "unthrown": outcomes["unthrown"],
        "latency_ms": _spread([run.latencies for run in measured]),
        "limit_ms": LIMIT_MS,
        "read_ms": _spread([run.reads for run in measured]),
        "frame_ms": frame_ms,
        "limit_frame_ms": LIMIT_FRAME_MS,
        "share_of_core": round(sum(run.busy for run in measured) * RATE / frames, 4) if frames else None,
        "limit_share_of_core": LIMIT_SHARE,
        "peer_frame_ms": _spread([run.peer for run in measured]),
        "frames_per_second": None if frame_ms is None else round(1000 / frame_ms["median"], 1),
        "limit_frames_per_second": RATE,
    }


def frame_limits_met(measured: dict[str, Any]) -> dict[str, bool]:
    """Return which limits of the watcher were kept."""
    frame_ms, share = measured["frame_ms"], measured["share_of_core"]
    return {
        "frame_ms": frame_ms is not None and frame_ms["median"] <= LIMIT_FRAME_MS,
        "share_of_core": share is not None and share <= LIMIT_SHARE,
    }


def _run(watcher: Watcher, seed: int, throws: int, clock: Clock, work: Clock) -> _Run:
    """Run `throws` throws, each until its roll is reported or the next one is thrown."""
    tray = SimulatedTray(seed, programme=random_throws(seed, dice_sets.load("pips")))
    measured, before = _Run(), tray.frame(0.0).picture
    while sum(deed.action == "throw" for deed in tray.history) < throws or tray.dice:
        frame = tray.frame(0.0)
        start = clock()
        _plainest(frame.picture, before)
        measured.peer.append((clock() - start) * 1000)
        before = frame.picture
        start, worked = clock(), work()
        result = watcher.on_frame(frame)
        took, busy = (clock() - start) * 1000, work() - worked
        if result is None:
            measured.frames.append(took)
            measured.busy += busy
            continue
        deed = next((deed for deed in reversed(tray.history) if deed.action == "throw"), None)
        if deed is None or not tray.dice:
            measured.outcomes["unthrown"] += 1
            continue
        measured.reads.append(took)
        measured.latencies.append((frame.t - deed.t) * 1000 + took)
        measured.outcomes[_outcome(result.roll, deed)] += 1
    return measured


def _outcome(roll: Roll, deed: ActionRecord) -> str:
    if roll.status is not Status.OK:
        return "asked"
    right = Counter(die.face.value for die in roll.dice) == Counter(die.face for die in deed.dice)
    return "right" if right else "wrong"


def _plainest(now: Picture, before: Picture) -> bool:
    grey = [cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY) for picture in (now, before)]
    return int(np.count_nonzero(cv2.absdiff(*grey) > 25)) > 50


def _spread(runs: Sequence[Sequence[float]]) -> dict[str, float] | None:
    """Return median and 10th and 90th percentile of all values, and the range of the runs' medians.

    Returns None without values.
    """
    every = [figure for run in runs for figure in run]
    if not every:
        return None
    every = every if len(every) > 1 else 2 * every
    tenths = quantiles(every, n=10, method="inclusive")
    medians = [median(run) for run in runs if run]
    return {
        "median": round(median(every), 2),
        "p10": round(tenths[0], 2),
        "p90": round(tenths[-1], 2),
        "between_runs": round(max(medians) - min(medians), 2),
    }
