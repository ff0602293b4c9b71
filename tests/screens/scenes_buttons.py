"""The table with panel and tray: the mark of the big button, presses, the referee call, a lost device."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

from companion.games.base import Message
from companion.table.controls import Controls, Devices
from companion.table.health import Check, Health
from hardware.ports import HOLD_SECONDS, LightScene, PanelPress, PressSource, Role
from tests.app.evening import SceneContext
from tests.hardware.panel_rigs import GpioRig
from tests.screens import stage
from tests.screens.scenes import open_table, watched
from tests.screens.scenes_system import furnish, home
from tests.table.fake_device import FakeDevice
from vision.roll import Doubt

SceneOf = Callable[["SceneContext"], Awaitable[None]]
TAP_SECONDS = 0.12
"""Seconds of a button press."""
SEEN = 0.4
"""Seconds for which a player looks at a new state before a press."""


class PanelHand:
    """Presses the buttons of a real panel on simulated pins, next to a running app."""

    def __init__(self, evening: SceneContext) -> None:
        from companion.app.hardware_buttons import HardwareButtons

        self.evening, app = evening, evening.table.app
        self.rig = GpioRig()
        self.tray = FakeDevice()
        controls = Controls(Devices((self.rig.panel, self.tray)), self.rig.clock.monotonic)
        app.hardware_buttons = HardwareButtons(app, replace(app.idle_monitor.platform, controls=controls))
        app.hardware_buttons.start()

    async def at(self, name: str, reader: Any = None) -> Any:
        """Open a match in a situation and connect the panel."""
        session = await open_table(self.evening, name, reader)
        self.evening.table.app.hardware_buttons.attach(session)
        session_page = self.evening.table.app.navigator.page
        session_page.changed()
        await self.wait(SEEN)
        return session

    async def wait(self, seconds: float) -> None:
        """Advance the panel's time; the app polls it several times."""
        self.rig.clock.advance(seconds)
        await self.evening.table.seconds(0.1)
        await self.evening.table.frames(3)

    async def press(self, role: Role, seconds: float = TAP_SECONDS) -> None:
        self.rig.touch(role)
        await self.wait(seconds)
        self.rig.let_go(role)
        await self.wait(TAP_SECONDS)

    def press_tray(self, role: Role) -> None:
        self.tray.coming.append(PanelPress(role, False, PressSource.TRAY, self.rig.clock.monotonic()))


async def pressed(evening: SceneContext) -> None:
    """The marked choice is played and undone with a visible redo; a choice that needs the screen says so."""
    hand = PanelHand(evening)
    session = await hand.at("possession", watched())
    before = session.sequence
    marked = [tap for tap in evening.table.taps() if getattr(tap, "marked", False)]
    assert len(marked) == 1, "exactly one choice carries the mark"
    await evening.capture("buttons-marked")
    await hand.press(Role.CONFIRM)
    assert session.sequence == before + 1
    assert session.ledger.newest.fields["by"] == "button"
    await hand.wait(SEEN)
    await hand.press(Role.UNDO)
    assert session.ledger.all_events[-1].fields["by"] == "button"
    assert evening.table.has(evening.translate("app.table.redo"))
    await evening.capture("buttons-taken-back")
    session = await hand.at("duel", watched())
    before = session.sequence
    await hand.press(Role.CONFIRM)
    assert session.sequence == before
    assert evening.translate("button.need.dice") in evening.table.texts()
    await evening.capture("buttons-need")


async def over_sheets(evening: SceneContext) -> None:
    """A press changes nothing under an open sheet and only wakes a sleeping table."""
    hand = PanelHand(evening)
    session = await hand.at("possession", watched())
    before, app = session.sequence, evening.table.app
    await evening.tap("app.table.menu")
    await hand.press(Role.CONFIRM)
    assert evening.translate("button.need.sheet") in evening.table.texts()
    if evening.pictures is not None:
        await evening.table.picture(evening.pictures / f"buttons-over-sheet-{evening.tag}.png")
    await hand.press(Role.UNDO)
    assert session.sequence == before
    await evening.tap("app.close")
    app.idle_monitor.start_screen_saver()
    await evening.table.frames(3)
    await hand.press(Role.CONFIRM)
    assert session.sequence == before
    assert not app.navigator.sheets, "the press has woken the table"
    await hand.wait(SEEN)
    await hand.press(Role.CONFIRM)
    assert session.sequence == before + 1
    await hand.wait(SEEN)
    await home(evening)
    await hand.press(Role.UNDO)
    assert session.sequence == before + 1
    assert evening.translate("button.need.table") in evening.table.texts()


async def questioned(evening: SceneContext) -> None:
    """A question with two answers is never answered by a button; panel and tray show that it waits."""
    hand, reader = PanelHand(evening), watched()
    session = await hand.at("duel", reader)
    before = session.sequence
    reader.throw((stage.die_at(3, 110, 120), stage.die_at(5, 400, 60, Doubt.COCKED, 3)))
    await evening.table.until(lambda: session.dice.question is not None)
    await hand.wait(SEEN)
    assert hand.tray.shows[-1].scene is LightScene.QUESTION
    for role in (Role.CONFIRM, Role.LEFT, Role.RIGHT, Role.UNDO):
        await hand.press(role)
    assert session.sequence == before
    assert session.dice.question is not None


async def referee(evening: SceneContext) -> None:
    """The referee is called by a button of the tray or the panel; the call is closed on the screen."""
    hand = PanelHand(evening)
    await hand.at("offensive", watched())
    hand.press_tray(Role.REFEREE)
    await hand.wait(TAP_SECONDS)
    assert evening.translate("button.referee") in evening.table.texts()
    await evening.capture("buttons-referee")
    await evening.tap("button.referee_settled")
    assert evening.translate("button.referee") not in evening.table.texts()


async def unplugged(evening: SceneContext) -> None:
    """A lost tray is reported at once and shown in the bar with the remedy; its return is reported too."""
    hand = PanelHand(evening)
    await hand.at("offensive", watched())
    hand.tray.be(online=False)
    await hand.wait(TAP_SECONDS)
    assert evening.translate("button.tray_gone") in evening.table.texts()
    await evening.capture("buttons-tray-lost")
    await evening.tap("button.offline")
    await evening.capture("buttons-tray-remedy")
    await evening.tap("app.close")
    hand.tray.be(online=True)
    await hand.wait(TAP_SECONDS)
    assert evening.translate("button.tray_back") in evening.table.texts()
    assert not evening.table.has(evening.translate("button.offline"))


async def tried(evening: SceneContext) -> None:
    """The live test: each button lights up its line, and no match is changed."""
    hand = PanelHand(evening)
    session = await hand.at("possession", watched())
    before = session.sequence
    parts = (
        Check("panel", Health.OK, ("gpiochip0",)),
        Check("tray", Health.MISSING, (Message("doctor.found.nothing"),), Message("doctor.next.no_tray")),
    )
    furnish(evening, diagnose=lambda: parts)
    await home(evening)
    await evening.tap("app.home.diagnostic")
    name = evening.translate("cli.part.panel").capitalize()
    await evening.table.until(lambda: any(tap.spoken_name().lower().startswith(name.lower()) for tap in _taps(evening)))
    await evening.table.tap_widget(next(t for t in _taps(evening) if t.spoken_name().lower().startswith(name.lower())))
    await evening.capture("buttons-part")
    await evening.tap("button.test")
    await evening.capture("buttons-test")
    await hand.press(Role.CONFIRM)
    await hand.press(Role.LEFT, HOLD_SECONDS + 0.2)
    device = evening.translate("button.device.panel")
    assert evening.translate("button.test.touched", device=device) in evening.table.texts()
    assert evening.translate("button.test.held", device=device) in evening.table.texts()
    await evening.capture("buttons-test-pressed")
    await evening.tap("app.close")
    assert session.sequence == before
    hand.press_tray(Role.UNDO)
    await hand.wait(TAP_SECONDS)
    assert session.sequence == before, "no match is on the screen"


def _taps(evening: SceneContext) -> list[Any]:
    return [tap for tap in evening.table.taps() if type(tap).__name__ == "PartTile"]


SCENES: dict[str, SceneOf] = {
    "buttons_pressed": pressed,
    "buttons_over_sheets": over_sheets,
    "buttons_questioned": questioned,
    "buttons_referee": referee,
    "buttons_unplugged": unplugged,
    "buttons_tried": tried,
}
