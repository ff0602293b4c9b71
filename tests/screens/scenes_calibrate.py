"""Screen 15: calibration by touch of a simulated table with a tilted, unfocused camera, from the first step on."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from companion.commands.simulated_table import SimulatedTable
from companion.games.base import Message
from companion.table.ports import ReaderPort
from tests.app.evening import Scene, SceneContext
from vision.watching.worker import InlineReader, TrayCommand

MAX_FRAMES = 4000
"""Maximum number of frames of a step on a busy machine."""

STEPS = (
    ("calibration.next.corners", "calibration.next.light", "15-light"),
    ("calibration.next.light", "calibration.without_card", "15-card-missing"),
    ("calibration.lay_card", "calibration.next.card", "15-card"),
    ("calibration.next.card", "calibration.keep", "15-try"),
    ("calibration.throw_one", "calibration.yes", "15-read"),
    ("calibration.yes", None, "15-right"),
    ("calibration.keep", "calibration.done", "15-kept"),
)
"""From the corners on: the tapped widget, the result of the step, and its screenshot."""


def eyes(folder: Path, game: str, **hang: Any) -> ReaderPort:
    """Return a simulated table in this process, with the given camera mounting."""
    table = SimulatedTable(
        game, Random(5), calibration=folder / "calibration.json", run=partial(InlineReader, frames=3)
    )
    table._reader.command(TrayCommand("hang", options=hang))
    table._reader.command(TrayCommand("focus", (6.5,)))
    return table


async def wait_for_step(evening: SceneContext, message_id: str) -> None:
    """Wait until the step is done: its next button is there."""
    await evening.table.until(lambda: evening.table.has(evening.translate(message_id)), MAX_FRAMES)


async def calibrate(evening: SceneContext) -> None:
    """Do every step of screen 15: drag a corner, lay a card, throw and correct a die, and check the saved result."""
    app, tap, capture = evening.table.app, evening.tap, evening.capture
    app.reader_factory = lambda game: eyes(evening.folder, game, across=0.05, down=-0.04, zoom=0.8, shift=(20, -12))
    await tap("app.home.calibration")
    await capture("15-focusing")
    await wait_for_step(evening, "calibration.next.picture")
    await capture("15-picture")
    await tap("calibration.next.picture")
    await wait_for_step(evening, "calibration.next.corners")
    await capture("15-corners")
    bench = app.navigator.page.bench
    found = bench.done["corners"].corners
    await drag(evening, 0, (-30.0, 24.0))
    await wait_for_step(evening, "calibration.next.corners")
    moved = bench.done["corners"].corners
    assert abs(moved[0][0] - found[0][0]) > 10
    assert (
        max(abs(a - b) for one, two in zip(moved[1:], found[1:], strict=True) for a, b in zip(one, two, strict=True))
        < 0.1
    )
    await capture("15-corners-dragged")
    await tap("calibration.again.corners")
    await wait_for_step(evening, "calibration.next.corners")
    assert max(abs(a - b) for a, b in zip(bench.done["corners"].corners[0], found[0], strict=True)) < 1.0
    for button, awaited, seen in STEPS:
        await tap(button)
        if awaited:
            await wait_for_step(evening, awaited)
        await capture(seen)
    assert (evening.folder / "calibration.json").exists()
    await tap("calibration.done")
    assert app.navigator.back_stack[-1].name == "home"


async def without_camera(evening: SceneContext) -> None:
    """Without a camera the page links to the diagnostic page and back."""
    evening.table.app.reader_factory = None
    await evening.tap("app.home.calibration")
    await evening.capture("15-no-camera")
    await evening.tap("calibration.to_diagnostic")
    assert evening.table.app.navigator.back_stack[-1].name == "diagnostic"
    await evening.tap("app.back")
    await evening.tap("app.back")


async def drift(evening: SceneContext) -> None:
    """A match at a calibrated table: its health is shown, and a moved camera does not stop the match.

    The camera picture links to screen 15 with the match's own camera, and back to the match.
    """
    from companion.games.footclub.squads import header, sample_clubs

    app, table = evening.table.app, evening.table
    await calibrate(evening)
    made: list[Any] = []

    def readers(game: str) -> ReaderPort:
        made.append(eyes(evening.folder, game, across=0.05, down=-0.04, zoom=0.8, shift=(20, -12)))
        return made[-1]

    app.reader_factory = readers
    session = app.start_match("footclub", header(*sample_clubs()[:2]))
    app.open("table", session=session)
    await table.until(lambda: session.dice.health is not None, MAX_FRAMES)
    await evening.capture("15-health-at-the-table")
    assert session.dice.health.status == "good"
    before = session.dice.health.score
    assert before > 80
    made[0]._reader.command(TrayCommand("hang", options={"shift": (40, -2)}))
    await table.until(lambda: session.dice.health.drifted, MAX_FRAMES)
    assert session.dice.notice == Message("calibration.drifted.seen")
    await evening.capture("15-drifted")
    await evening.tap("app.table.camera")
    await evening.capture("15-camera-sheet")
    await evening.tap("calibration.open")
    assert app.navigator.page.bench.in_match
    await wait_for_step(evening, "calibration.next.picture")
    await evening.tap("app.back")
    assert app.navigator.back_stack[-1].name == "table"
    app.end_session()


async def drag(evening: SceneContext, corner: int, way: tuple[float, float]) -> None:
    """Drag a corner handle by this many screen pixels."""
    from kivy.base import EventLoop

    from companion.app.screens.calibration import TrayView

    table = evening.table
    view = next(child for child in table.walk() if isinstance(child, TrayView))
    x, y = view.to_window(*view.place_of(corner))
    finger = table.finger(x, y)
    EventLoop.post_dispatch_input("begin", finger)
    await table.frames(2)
    there = table.finger(x + way[0], y + way[1])
    finger.move((there.sx, there.sy))
    EventLoop.post_dispatch_input("update", finger)
    await table.frames(2)
    finger.update_time_end()
    EventLoop.post_dispatch_input("end", finger)
    await table.frames(2)


SCENES: dict[str, Scene] = {"calibrate": calibrate, "calibrate-blind": without_camera, "calibrate-drift": drift}
