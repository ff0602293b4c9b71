"""Benchmark of the app: start time, frame rate with a live camera, tap latency, and memory growth.

Runs off screen at 800 x 480 with real touch events. Reports wall time and CPU time: on a busy machine, only the CPU
time shows the cost of the app.
"""

from __future__ import annotations

import asyncio
import gc
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

from companion.clock import SystemClock
from companion.config import Config
from companion.games.base import Fields
from companion.games.moments import ResultMoment
from companion.games.registry import GAMES
from companion.journal.store import Store
from companion.table.autoplay import play
from companion.table.matches import Matches
from companion.table.moments import newest_moments
from tools import module_environment
from tools.benchmarks.tap_driver import LiveTray, TapDriver, tray_pictures
from tools.games import SETTINGS

SIZE = (800, 480)
SEED = 7
RUNS = 3
TAPS = 50
OTHER_TAPS = 30
"""Taps on each of the other tables."""
FRAMES_SECONDS = 4.0
EVENTS, WARM_UP = 1000, 200
SHEET_EVERY = 5
LIMITS = {"frames_per_second": 60, "tap_ms": 50, "tap_p99_ms": 120, "start_s": 2, "growth": 0.05}
"""Limits for the app (SCREENS 9, and the limits for the touchscreen)."""
BETWEEN = 0.32
"""Interval between two taps of a fast player, in seconds. A second tap before that is ignored (SCREENS 4.7)."""

GAME = SETTINGS["demo"]
"""Game for the measurement of frames and memory. Its table gets the most taps."""
TABLES: dict[str, tuple[str, str, int, bool]] = {
    table["name"]: (table["game"], table["phase"], table.get("sides", 2), table.get("facing", False))
    for table in SETTINGS["tables"]
}
"""Tables for the tap measurement: game, first phase, number of sides, whether players sit face to face."""

Taps = list[tuple[float, float]]
"""Wall time and CPU time of each tap, in milliseconds."""


def measure(runs: int = RUNS, taps: int = TAPS, events: int = EVENTS) -> dict[str, Any]:
    """Run all measurements, each `runs` times except memory. Without a display, the window is drawn off screen."""
    if not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        os.environ.setdefault("SDL_VIDEODRIVER", "offscreen")
    os.environ.setdefault("KIVY_NO_CONSOLELOG", "1")
    starts = [_start() for _ in range(runs)]
    with tempfile.TemporaryDirectory() as folder, Store.open(Path(folder) / "bench.sqlite", SystemClock()) as store:
        frames, moments, tapped, moment_taps, memory = _evening(Matches(store, GAMES), runs, taps, events)
    measured = {
        "size": list(SIZE),
        "runs": runs,
        "load": [round(value, 2) for value in os.getloadavg()],
        "start_s": {"wall": _spread([wall for wall, _ in starts]), "cpu": _spread([cpu for _, cpu in starts])},
        "frames_per_second": {
            "wall": _spread([rate for rate, _ in frames]),
            "cpu_ms": _spread([ms for _, ms in frames]),
        },
        "moment_frames_per_second": {
            "wall": _spread([rate for rate, _ in moments]),
            "cpu_ms": _spread([ms for _, ms in moments]),
        },
        "tap_ms": [_tap_percentiles(run) for run in tapped[GAME]],
        "tap_ms_all": {
            name: _tap_percentiles([one for run in played for one in run]) for name, played in tapped.items()
        },
        "moment_tap_ms": _tap_percentiles(moment_taps),
        "memory": memory,
        "limits": LIMITS,
    }
    return {**measured, "kept": _limits_met(measured)}


def _limits_met(measured: dict[str, Any]) -> dict[str, bool]:
    """Return for each limit whether the wall time kept it."""
    taps = [*measured["tap_ms_all"].values(), measured["moment_tap_ms"]]
    return {
        "frames_per_second": all(
            measured[name]["wall"]["median"] >= LIMITS["frames_per_second"]
            for name in ("frames_per_second", "moment_frames_per_second")
        ),
        "tap_ms": all(timing["wall"]["median"] <= LIMITS["tap_ms"] for timing in taps),
        "tap_p99_ms": all(timing["wall"]["p99"] <= LIMITS["tap_p99_ms"] for timing in taps),
        "start_s": measured["start_s"]["wall"]["median"] <= LIMITS["start_s"],
        "growth": measured["memory"]["growth"] <= LIMITS["growth"],
    }


def _spread(values: Sequence[float]) -> dict[str, float]:
    return {"median": round(median(values), 2), "least": round(min(values), 2), "most": round(max(values), 2)}


def _tap_percentiles(taps: Taps) -> dict[str, Any]:
    """Return median and 99th percentile of wall time and CPU time."""
    summary: dict[str, Any] = {"taps": len(taps)}
    for name, values in (("wall", [wall for wall, _ in taps]), ("cpu", [cpu for _, cpu in taps])):
        ordered = sorted(values)
        summary[name] = {
            "median": round(median(ordered), 1),
            "p99": round(ordered[min(len(ordered) - 1, int(0.99 * len(ordered)))], 1),
        }
    return summary


def _start() -> tuple[float, float]:
    """Return wall time and CPU time from the start of a process to its home page on the screen, in seconds."""
    with tempfile.TemporaryDirectory() as folder:
        before, begun = os.times(), time.perf_counter()
        command = [sys.executable, "-m", "tools.benchmarks.app_start", folder]
        with subprocess.Popen(
            command, env=module_environment(), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        ) as process:
            assert process.stdout is not None
            first_line = process.stdout.readline()
            wall = time.perf_counter() - begun
            process.wait()
        if first_line.strip() != "home":
            raise RuntimeError("the app did not come to its home page")
        after = os.times()
        return wall, after.children_user + after.children_system - before.children_user - before.children_system


Evening = tuple[list[tuple[float, float]], list[tuple[float, float]], dict[str, list[Taps]], Taps, dict[str, Any]]
"""Frames, frames while a result is shown large, taps by table, taps while a result is shown large, and memory."""


def _evening(matches: Matches, runs: int, taps: int, events: int) -> Evening:
    from companion.app.app import TapisVertApp, prepare_window

    prepare_window(SIZE)
    tray = tray_pictures(SEED)
    app = TapisVertApp(matches, Config(), reader_factory=lambda _: LiveTray(tray))

    async def evening() -> Evening:
        running = asyncio.ensure_future(app.async_run("asyncio"))
        while getattr(app, "context", None) is None or app.context.navigator.page is None:
            await asyncio.sleep(0)
        await asyncio.sleep(1.0)  # players look at the home page for a moment before the first tap
        rest = _start_match(app.context, Random(SEED), GAME, "duel")
        frames = [await _frames() for _ in range(runs)]
        result = _play_until_moment(app.context.session, rest)
        moments = [await _frames_with_moments(app.context, result) for _ in range(runs)]
        memory = await _memory(app.context, events)  # before other measurements enlarge the process
        tapped = {}
        for name, table in TABLES.items():
            first = name == GAME
            times = range(runs if first else 1)
            tapped[name] = [await _taps(app.context, SEED + run, taps if first else OTHER_TAPS, table) for run in times]
        moment_taps = await _taps(app.context, SEED, taps, TABLES[GAME], result)
        app.stop()
        await running
        return frames, moments, tapped, moment_taps, memory

    return asyncio.run(evening())


def _start_match(
    app: Any, random: Random, game: str, until_phase: str, sides: int = 2, facing: bool = False
) -> list[Fields]:
    """Start a match on the table and play it to the phase `until_phase`. Return the events that would follow."""
    app.navigator.go_home()
    app.preferences = replace(app.preferences, seats="facing" if facing else "beside")
    while True:
        header, *events = play(GAMES[game], random)
        session = app.start_match(game, dict(header))
        if len(session.scene().sides) == sides:
            break
    while events and session.state.phase != until_phase:
        session.record(events.pop(0))
    app.open("table", session=session)
    return events


async def _frames() -> tuple[float, float]:
    """Return the frames per second with a live tray, and the CPU milliseconds of each frame."""
    from kivy.core.window import Window

    count = 0

    def flipped(*_: object) -> None:
        nonlocal count
        count += 1

    await asyncio.sleep(0.5)
    Window.bind(on_flip=flipped)
    start, cpu = time.perf_counter(), time.process_time()
    await asyncio.sleep(FRAMES_SECONDS)
    spent, worked = time.perf_counter() - start, time.process_time() - cpu
    Window.unbind(on_flip=flipped)
    return count / spent, 1000 * worked / max(1, count)


def _play_until_moment(session: Any, rest: list[Fields]) -> Sequence[ResultMoment]:
    """Record events until one of them has a result to show large, and return that result."""
    while rest and not newest_moments(session):
        session.record(rest.pop(0))
    return newest_moments(session)


async def _frames_with_moments(app: Any, result: Sequence[ResultMoment]) -> tuple[float, float]:
    """Return frames per second and CPU milliseconds of each frame while a result stands over the table all the time."""
    from kivy.clock import Clock
    from kivy.core.window import Window

    page = app.navigator.page
    showing = asyncio.ensure_future(_show_again(page.moments, result))
    drawing = Clock.schedule_interval(lambda *_: Window.canvas.ask_update(), 0)  # a still picture is not drawn again
    try:
        return await _frames()
    finally:
        drawing.cancel()
        showing.cancel()
        page.moments.clear()


async def _show_again(layer: Any, result: Sequence[ResultMoment]) -> None:
    """Show a result as if it came every second."""
    while True:
        layer.show(result)
        await asyncio.sleep(1.0)


async def _taps(
    app: Any, seed: int, count: int, table: tuple[str, str, int, bool], result: Sequence[ResultMoment] = ()
) -> Taps:
    """Play a match with fast taps. Return for each tap the time until the frame with its effect.

    `result` is shown large over the table before every tap.
    """
    random = Random(seed)
    _start_match(app, random, *table)
    finger, times = TapDriver(app, random), Taps()
    await asyncio.sleep(0.5)
    while len(times) < count:
        session = app.session  # none if the finger has left the table
        target = None if session is None or session.game.finished(session.state) else finger.target()
        if target is None:
            _start_match(app, random, *table)
        else:
            moments = getattr(app.navigator.page, "moments", None)  # other pages have none
            if result and moments is not None:
                moments.show(result)
                await _drawn()
            times.append(await _tap(finger, target))
        await asyncio.sleep(BETWEEN + random.random() * 0.1)
    return times


async def _tap(finger: TapDriver, target: Any) -> tuple[float, float]:
    """Return the time from the release of the finger to the next frame, which shows the result of the tap."""
    from kivy.base import EventLoop

    touch = finger.touch(target)
    EventLoop.post_dispatch_input("begin", touch)
    await asyncio.sleep(0.05)
    start, cpu = time.perf_counter(), time.process_time()
    touch.update_time_end()
    EventLoop.post_dispatch_input("end", touch)
    await _drawn()
    return 1000 * (time.perf_counter() - start), 1000 * (time.process_time() - cpu)


async def _memory(app: Any, events: int) -> dict[str, Any]:
    """Return the memory use after some events and after many more, with every event drawn, over several matches.

    Now and then a sheet is opened over the table and closed again.
    """
    random, rest, sizes = Random(SEED), list[Fields](), []
    for number in range(WARM_UP + events + 1):
        if number >= WARM_UP and (number - WARM_UP) % max(1, events // 10) == 0:
            gc.collect()
            sizes.append(_resident())
        while not rest:
            rest = _start_match(app, random, GAME, "preparation")
        app.session.record(rest.pop(0))
        app.navigator.page.refresh()
        await asyncio.sleep(0)
        await _drawn()
        if number % SHEET_EVERY == 0:
            await _open_a_sheet(app)
    return {
        "events": events,
        "megabytes": [round(size / 2**20, 1) for size in sizes],
        "growth": round(median(sizes[-3:]) / median(sizes[:3]) - 1, 4),
    }


async def _open_a_sheet(app: Any) -> None:
    """Open the first choice that asks for input, and close it again."""
    session = app.session
    for choice in session.decision().choices:
        if choice.prompts and choice.disabled_reason is None and choice.prompts[0].kind in ("place", "pick"):
            app.navigator.page.choose(choice, session.sequence)
            await _drawn()
            app.back()
            await _drawn()
            return


async def _drawn() -> None:
    """Wait for the next frame, which is drawn even if nothing has changed."""
    from kivy.core.window import Window

    frame_drawn = asyncio.get_running_loop().create_future()

    def flipped(*_: object) -> None:
        if not frame_drawn.done():
            frame_drawn.set_result(None)

    Window.bind(on_flip=flipped)
    Window.canvas.ask_update()
    await frame_drawn
    Window.unbind(on_flip=flipped)


def _resident() -> int:
    """Return the resident memory of the process in bytes."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")
