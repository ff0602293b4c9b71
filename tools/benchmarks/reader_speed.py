"""Benchmark of reading speed: milliseconds for an image compared with the networks alone, memory, and first reading."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import cv2
import numpy as np
import onnxruntime as ort

from tools import ROOT
from vision import dice_sets
from vision.cameras.protocol import Clock
from vision.decision.reader import Reader
from vision.drawing.tray import DrawnDie, draw_tray, make_ground
from vision.models import FOLDER
from vision.pictures import Picture

FEW_DICE_SIZE = (640, 480)
MANY_DICE_SIZE = (1280, 960)
"""Widths and heights of the timed images."""

LIMITS = {"few_ms": 40.0, "many_ms": 120.0, "memory_mb": 250.0, "first_reading_s": 1.5, "models_mb": 7.0}

_BODIES = ("white", "ivory", "red", "blue", "green", "black")

Feeds = list[tuple[ort.InferenceSession, dict[str, Any]]]


def draw_pip_tray(count: int, size: tuple[int, int], rng: np.random.Generator) -> tuple[Picture, list[DrawnDie]]:
    """Return a drawn tray of that width and height with `count` pip dice, a few pixels off a grid."""
    width, height = size
    columns = int(np.ceil(np.sqrt(count * width / height)))
    rows = -(-count // columns)
    step = min((width - 100) / columns, (height - 100) / rows)
    edge = float(min(48.0, 0.55 * step))
    dice = [
        DrawnDie(
            "pips",
            str(rng.choice(_BODIES)),
            int(rng.integers(1, 7)),
            60 + step * (place % columns + 0.5) + float(rng.uniform(-0.1, 0.1)) * step,
            60 + step * (place // columns + 0.5) + float(rng.uniform(-0.1, 0.1)) * step,
            float(rng.uniform(0, 6.28)),
            edge,
        )
        for place in range(count)
    ]
    return draw_tray(dice, rng, ground=make_ground(rng, (height, width))), dice


def time_reading(reader: Reader, pictures: Sequence[Picture], runs: int, clock: Clock, cpu: Clock) -> dict[str, Any]:
    """Return milliseconds for an image over `runs` runs, and those of the same networks on the same inputs alone.

    The two take turns, so that other load slows both. `cpu` counts the process's CPU seconds: on an idle machine, those
    of one thread equal the wall time.
    """
    feeds = [_inputs_of(reader, picture) for picture in pictures]
    ours: list[list[tuple[float, float]]] = []
    plain: list[list[tuple[float, float]]] = []
    for _ in range(runs):
        for times in (ours, plain):
            times.append([])
        for picture, given in zip(pictures, feeds, strict=True):
            ours[-1].append(_timed(partial(reader.read, picture), clock, cpu))
            plain[-1].append(_timed(partial(_run, given), clock, cpu))
    mine, theirs = _spread(ours, 0), _spread(plain, 0)
    return {
        "ms": mine,
        "cpu_ms": _spread(ours, 1),
        "plain_onnxruntime_ms": theirs,
        "plain_onnxruntime_cpu_ms": _spread(plain, 1),
        "times_plain": round(mine["median"] / theirs["median"], 2),
    }


def _timed(work: Callable[[], object], clock: Clock, cpu: Clock) -> tuple[float, float]:
    start, worked = clock(), cpu()
    work()
    return (clock() - start) * 1000, (cpu() - worked) * 1000


def _run(feeds: Feeds) -> None:
    for session, inputs in feeds:
        session.run(None, inputs)


def _inputs_of(reader: Reader, picture: Picture) -> Feeds:
    """Return the inputs of all networks for an image."""
    feeds: Feeds = []
    run = ort.InferenceSession.run

    def kept(session: ort.InferenceSession, outputs: Any, inputs: dict[str, Any], *more: Any) -> Any:
        feeds.append((session, inputs))
        return run(session, outputs, inputs, *more)

    ort.InferenceSession.run = kept
    try:
        reader.read(picture)
    finally:
        ort.InferenceSession.run = run
    return feeds


def _spread(times: Sequence[Sequence[tuple[float, float]]], which: int) -> dict[str, float]:
    """Return median and 10th and 90th percentile of all values, and the range of the runs' medians."""
    by_run = [[pair[which] for pair in run] for run in times]
    low, high = np.percentile(by_run, (10, 90))
    medians = [median(run) for run in by_run]
    return {
        "median": round(float(np.median(by_run)), 1),
        "p10": round(float(low), 1),
        "p90": round(float(high), 1),
        "between_runs": round(max(medians) - min(medians), 1),
    }


_FRESH_PROCESS_SCRIPT = """
import time
begun = time.perf_counter()
import json, sys
import cv2
cv2.setNumThreads(1)
from vision import dice_sets
from vision.pictures import load_picture
from vision.decision.reader import Reader
reader = Reader(dice_sets.load("pips"))
roll = reader.read(load_picture(sys.argv[1]))
first, first_cpu = time.perf_counter() - begun, time.process_time()
for _ in range(3):
    reader.read(load_picture(sys.argv[2]))
from vision.cameras.simulated_tray import SimulatedTray
from vision.watching.watcher import Watcher
tray, watcher = SimulatedTray(1), Watcher(reader)
tray.throw([("pips", 3, "white"), ("pips", 5, "red")])
for _ in range(90):
    watcher.on_frame(tray.frame(0.0))
with open("/proc/self/status", encoding="ascii") as status:
    sizes = {line.split(":")[0]: int(line.split()[1]) / 1024 for line in status if line.startswith(("VmRSS", "VmHWM"))}
print(json.dumps({"first": first, "first_cpu": first_cpu, "dice": len(roll.dice), **sizes}))
"""


def measure_fresh_process(few: Picture, many: Picture, runs: int) -> dict[str, Any]:
    """Return the start time and memory of a fresh process with one thread.

    The time is in seconds from the first import to the first reading (`few`). Memory in MB, also at its peak, is
    measured after images with many dice were read and a tray was watched for three seconds, as in the table's vision
    process. `cpu_s` is the process's CPU time, including the start of the interpreter.
    """
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / name for name in ("few.png", "many.png")]
        for path, picture in zip(paths, (few, many), strict=True):
            cv2.imwrite(str(path), picture)
        results = [_fresh(paths) for _ in range(runs)]
    return {
        "first_reading_s": round(median(one["first"] for one in results), 3),
        "slowest_s": round(max(one["first"] for one in results), 3),
        "cpu_s": round(median(one["first_cpu"] for one in results), 3),
        "memory_mb": round(median(one["VmRSS"] for one in results), 1),
        "peak_memory_mb": round(max(one["VmHWM"] for one in results), 1),
    }


def _fresh(paths: Sequence[Path]) -> dict[str, float]:
    done = subprocess.run(
        [sys.executable, "-c", _FRESH_PROCESS_SCRIPT, *map(str, paths)],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )
    result: dict[str, float] = json.loads(done.stdout)
    return result


def models_size() -> dict[str, Any]:
    """Return the size of the network files in MB (10^6 bytes)."""
    sizes = {path.name: path.stat().st_size for path in sorted(FOLDER.glob("*.onnx"))}
    return {"mb": round(sum(sizes.values()) / 1e6, 2), "files": sizes}


def measure_speed(runs: int, clock: Clock, cpu: Clock, pictures: int = 12, seed: int = 1_000_000) -> dict[str, Any]:
    """Run all measurements with one thread of ONNX Runtime and OpenCV, on trays drawn from `seed`.

    `waiting` is the recent number of runnable processes relative to the number of CPUs: above 1, wall times are
    unreliable.
    """
    rng = np.random.default_rng(seed)
    few = [draw_pip_tray(1 + number % 10, FEW_DICE_SIZE, rng)[0] for number in range(pictures)]
    many = [draw_pip_tray(30, MANY_DICE_SIZE, rng)[0] for _ in range(max(2, pictures // 3))]
    reader = Reader(dice_sets.load("pips"))
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        timed_few = time_reading(reader, few, runs, clock, cpu)
        timed_many = time_reading(reader, many, runs, clock, cpu)
    finally:
        cv2.setNumThreads(threads)
    return {
        "one_to_ten_dice_640": timed_few,
        "thirty_dice_1280": timed_many,
        "fresh_process": measure_fresh_process(few[4], many[0], runs),
        "models": models_size(),
        "limits": LIMITS,
        "waiting": round(os.getloadavg()[0] / (os.cpu_count() or 1), 2),
    }
