"""A match runs while other pages are open: pictures are consumed, dice recorded, a lost camera replaced."""

from __future__ import annotations

import os
import signal
import sys
import time
from functools import partial
from random import Random
from typing import Any

from companion.commands.simulated_table import SimulatedTable
from tests.app.evening import Scene, SceneContext
from tests.screens.scenes import open_table, watched
from tests.screens.stage import die_at, tray_jpeg
from vision.roll import TrayPicture
from vision.watching.supervisor import LIVE_SUPERVISION, ProcessReader

ELSEWHERE = (
    *(
        "calibration",
        "catalogue",
        "catalogues",
        "diagnostic",
        "exchange",
        "games",
        "history",
        "home",
        "market",
        "matches",
        "report",
        "settings",
    ),
    *("squad", "statistics", "timeline"),
)
"""Pages that can be opened during a match and that do not edit a choice."""
RECOVERY_S = 3.0
"""Maximum seconds until a killed camera process is replaced (from the issue about match ownership)."""


async def on_every_page(evening: SceneContext) -> None:
    """On each page, 20 s of pictures and one throw: no picture waits, and the throw is in the journal."""
    for name in ELSEWHERE:
        reader = watched()
        session = await open_table(evening, "duel", reader)
        evening.table.app.open(name, session=session, kind="footclub-clubs")
        await evening.table.frames(4)
        assert type(evening.table.app.navigator.page).__name__ != "TablePage", name
        before, picture = session.sequence, TrayPicture(tray_jpeg(()))
        for _ in range(20):
            reader.news += [picture] * 10  # one second of pictures
            await evening.table.frames(4)
            assert reader.news == [], f"{name}: {len(reader.news)} pictures wait"
        reader.throw([die_at(4, 100, 100), die_at(2, 300, 200)])
        await evening.table.frames(4)
        assert session.sequence > before, f"{name}: the throw was not recorded"


async def with_a_killed_camera(evening: SceneContext) -> None:
    """The camera process is killed while the settings are open; another process replaces it."""
    pids: list[int | None] = []
    run = partial(ProcessReader, supervision=LIVE_SUPERVISION)
    reader: Any = SimulatedTable("footclub", Random(3), run=run)
    session = await open_table(evening, "duel", reader)
    process = reader._reader
    await evening.table.until(lambda: session.dice.camera is not None and session.dice.camera.present, frames=6000)
    await evening.table.until(lambda: process.spare is not None, frames=6000)
    await evening.table.seconds(4.0)  # the standby process has loaded
    evening.table.app.open("settings")
    await evening.table.frames(4)
    pids.append(process.pid)
    assert process.pid is not None
    os.kill(process.pid, signal.SIGKILL)
    killed = time.monotonic()
    await evening.table.until(lambda: not session.dice.camera.present, frames=6000)
    await evening.table.until(lambda: session.dice.camera.present, frames=6000)
    took = time.monotonic() - killed
    assert process.pid not in pids
    print(f"seen again after {took:.2f} s (wanted: {RECOVERY_S})", file=sys.stderr)


SCENES: dict[str, Scene] = {"running_on_every_page": on_every_page, "running_killed_camera": with_a_killed_camera}
