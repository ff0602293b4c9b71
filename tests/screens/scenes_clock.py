"""The match clock by touch: chosen in the settings, shown at the table, run out, stopped, and resumed after a cut."""

from __future__ import annotations

from random import Random
from typing import Any

from companion.clock import ManualClock
from companion.games.hoops21 import HOOPS21
from tests.app.evening import SceneContext
from tests.screens.scenes import Scene
from tests.screens.scenes_legs import home

MINUTES, SECONDS = 30, 30


async def clock(evening: SceneContext) -> None:
    """A strict clock of 30 minutes and 30 seconds a turn, to both ends; then a quiet one, and none."""
    table, app = evening.table, evening.table.app
    time = ManualClock()
    app.match_timer._monotonic = time.monotonic
    await home(evening)
    await settings(evening)
    session = await match(evening)
    await evening.capture("04-clock")
    assert displayed_times(evening) == ("0:30", "30:00")
    await pass_time(evening, time, 25)
    assert displayed_times(evening) == ("0:05", "29:35")
    await evening.capture("04-clock-near")
    await pass_time(evening, time, 6)
    assert is_announced(evening, "app.clock.over.turn", session) or is_announced(
        evening, "app.clock.over.anybody", session
    )
    await evening.capture("04-clock-turn-over")
    await evening.tap("app.close")
    before = session.sequence
    await evening.tap("app.clock.title")
    await evening.capture("04-clock-sheet")
    await evening.tap("app.clock.pause")
    await pass_time(evening, time, 600)
    assert displayed_times(evening) == ("0:00", evening.translate("app.clock.stopped"))
    assert app.match_timer.clock.left("match") == MINUTES * 60 - 31
    await evening.capture("04-clock-stopped")
    await evening.tap("app.clock.title")
    await evening.tap("app.clock.resume")
    await pass_time(evening, time, MINUTES * 60)
    assert is_announced(evening, "app.clock.over.match", session)
    await evening.capture("04-clock-match-over")
    await evening.tap("app.close")
    assert session.sequence == before  # nobody played for the players
    await home(evening)
    time.advance(3600)  # the table was off
    await evening.tap("app.home.resume")
    assert app.match_timer.clock.left("match") == -31
    await home(evening)
    app.matches.store.remove(session.match_id)
    for mode in ("quiet", "off"):
        await choose_mode(evening, mode)
        session = await match(evening)
        assert (app.match_timer.clock is None) == (mode == "off")
        await pass_time(evening, time, MINUTES * 60 + 1)
        assert not app.navigator.sheets
        await evening.capture(f"04-clock-{mode}")
        await home(evening)
        app.matches.store.remove(session.match_id)
    await table.frames(3)


async def settings(evening: SceneContext) -> None:
    """Choose a strict clock with both limits in the settings."""
    await choose_mode(evening, "strict", capture=True)
    kept = evening.table.app.settings.config.clock
    assert (kept.mode, kept.match_minutes, kept.turn_seconds) == ("strict", MINUTES, SECONDS)


async def choose_mode(evening: SceneContext, mode: str, *, capture: bool = False) -> None:
    """Choose the mode in the settings, and both limits if `capture`."""
    await evening.tap("app.home.settings")
    await evening.tap("app.settings.room.seats")
    await evening.tap(f"app.clock.mode.{mode}")
    if capture:
        await evening.tap("app.clock.match_minutes", n=MINUTES)
        await evening.tap("app.clock.turn_seconds", n=SECONDS)
        await evening.capture("19-clock")
    await evening.tap("app.back")


async def match(evening: SceneContext) -> Any:
    """Start a match of hoops21 on the table page and return its session."""
    app = evening.table.app
    session = app.start_match("hoops21", HOOPS21.random_header(Random(1)))
    app.navigator.open_from_home("table", session=session)
    await evening.table.frames(6)
    return session


async def pass_time(evening: SceneContext, time: ManualClock, seconds: float) -> None:
    """Let time pass at the table."""
    time.advance(seconds)
    evening.table.app.match_timer.tick()
    button = next((widget for widget in evening.table.walk() if type(widget).__name__ == "ClockButton"), None)
    if button is not None:
        button._update()
    await evening.table.frames(3)


def displayed_times(evening: SceneContext) -> tuple[str, str]:
    """Return the times in the bar: of the turn and of the match."""
    button = next(widget for widget in evening.table.walk() if type(widget).__name__ == "ClockButton")
    return button.text, button.detail


def is_announced(evening: SceneContext, id: str, session: Any) -> bool:
    """Return True if the sentence of the end of a time is on the screen."""
    names = {side.side: side.name for side in session.scene().sides}
    name = ", ".join(names[side] for side in session.decision().sides)
    return any(evening.translate(id, name=name) in written for written in evening.table.texts())


SCENES: dict[str, Scene] = {"clock": clock}
