"""How soon the screen shows what happened: from an event on disk to the frame that draws it, beside its limit."""

from __future__ import annotations

import asyncio
import os
import tempfile
import time
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

from companion.clock import SystemClock
from companion.config import Config, Display
from companion.games.base import Fields
from companion.games.registry import GAMES
from companion.journal.store import Store
from companion.table.autoplay import play
from companion.table.matches import Matches

EVENTS = 80
LIMIT_MS = 50.0
"""Milliseconds from an event to its picture (SCREENS.md, section 9)."""

SIZE = (800, 480)
SEED = 7


def measure() -> dict[str, Any]:
    """Plays the first events of a match on the table screen; without a display the window is drawn off screen."""
    if not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        os.environ.setdefault("SDL_VIDEODRIVER", "offscreen")
    os.environ.setdefault("KIVY_NO_ARGS", "1")
    os.environ.setdefault("KIVY_NO_CONSOLELOG", "1")
    header, *events = play(GAMES["footclub"], Random(SEED))
    with tempfile.TemporaryDirectory() as folder, Store.open(Path(folder) / "bench.sqlite", SystemClock()) as store:
        times = _shown(Matches(store, GAMES), header, events[:EVENTS])
    ordered = sorted(times)
    return {
        "size": list(SIZE),
        "events": len(times),
        "shown_ms": {
            "median": round(median(ordered), 1),
            "p90": round(ordered[int(0.9 * len(ordered))], 1),
            "max": round(ordered[-1], 1),
        },
        "limit_ms": LIMIT_MS,
    }


def _shown(matches: Matches, header: Fields, events: list[Fields]) -> list[float]:
    """Milliseconds from each event to the frame after the page was composed anew."""
    from companion.app.app import TapisVertApp, prepare_window

    prepare_window(SIZE)
    app = TapisVertApp(matches, Config(display=Display(less_motion=True)))

    async def evening() -> list[float]:
        running = asyncio.ensure_future(app.async_run("asyncio"))
        while app.room is None or app.room.page is None:
            await asyncio.sleep(0)
        app.begin("footclub", dict(header))
        app.open("table", session=app.session)
        times = [await _one(app, fields) for fields in events]
        app.stop()
        await running
        return times

    return asyncio.run(evening())


async def _one(app: Any, fields: Fields) -> float:
    from kivy.core.window import Window

    page, shown = app.room.page, False

    def flipped(*_: object) -> None:
        nonlocal shown
        shown = page.seen[0] == app.session.sequence

    Window.bind(on_flip=flipped)
    start = time.perf_counter()
    app.session.record(fields)
    while not shown:
        await asyncio.sleep(0)
    spent = 1000 * (time.perf_counter() - start)
    Window.unbind(on_flip=flipped)
    return spent
