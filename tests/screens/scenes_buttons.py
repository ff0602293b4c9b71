"""The table with panel and tray beside it: the mark of the big button, presses, the referee, a device that is lost."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

from companion.games.base import Message
from companion.table.controls import Controls, Devices
from companion.table.health import Check, Health
from hardware.ports import HOLD_SECONDS, Press, Role, Scene, Source
from tests.app.evening import Evening
from tests.hardware.panel_rigs import GpioRig
from tests.screens import stage
from tests.screens.scenes import open_table, watched
from tests.screens.scenes_house import furnish, home
from tests.table.feeler import Feeler
from vision.roll import Doubt

SceneOf = Callable[["Evening"], Awaitable[None]]
SHORT = 0.12
"""Seconds for which a finger stays on a button."""
SEEN = 0.4
"""Seconds for which a player looks at a new state before pressing anything."""


class Hand:
    """A finger on the buttons of a real panel on simulated pins, beside a running app."""

    def __init__(self, evening: Evening) -> None:
        from companion.app.hardware_buttons import HardwareButtons

        self.evening, app = evening, evening.table.app
        self.rig = GpioRig()
        self.tray = Feeler()
        controls = Controls(Devices((self.rig.panel, self.tray)), self.rig.clock.monotonic)
        app.hardware_buttons = HardwareButtons(app, replace(app.idle_monitor.platform, controls=controls))
        app.hardware_buttons.start()

    async def at(self, name: str, reader: Any = None) -> Any:
        """A match in a situation, with the hand at its panel."""
        session = await open_table(self.evening, name, reader)
        self.evening.table.app.hardware_buttons.attach(session)
        session_page = self.evening.table.app.navigator.page
        session_page.changed()
        await self.wait(SEEN)
        return session

    async def wait(self, seconds: float) -> None:
        """The panel's time passes; the app looks at it a few times."""
        self.rig.clock.advance(seconds)
        await self.evening.table.seconds(0.1)
        await self.evening.table.frames(3)

    async def press(self, role: Role, seconds: float = SHORT) -> None:
        self.rig.touch(role)
        await self.wait(seconds)
        self.rig.let_go(role)
        await self.wait(SHORT)

    def press_tray(self, role: Role) -> None:
        self.tray.coming.append(Press(role, False, Source.TRAY, self.rig.clock.monotonic()))


async def pressed(evening: Evening) -> None:
    """The marked choice is played, taken back with its way back in sight; what a press needs instead is said."""
    hand = Hand(evening)
    session = await hand.at("possession", watched())
    before = session.sequence
    marked = [tap for tap in evening.table.taps() if getattr(tap, "marked", False)]
    assert len(marked) == 1, "exactly one choice carries the mark"
    await evening.look("buttons-marked")
    await hand.press(Role.CONFIRM)
    assert session.sequence == before + 1
    assert session.ledger.newest.fields["by"] == "button"
    await hand.wait(SEEN)
    await hand.press(Role.UNDO)
    assert session.ledger.all_events[-1].fields["by"] == "button"
    assert evening.table.has(evening.words("app.table.redo"))
    await evening.look("buttons-taken-back")
    session = await hand.at("duel", watched())
    before = session.sequence
    await hand.press(Role.CONFIRM)
    assert session.sequence == before
    assert evening.words("button.need.dice") in evening.table.words()
    await evening.look("buttons-need")


async def over_sheets(evening: Evening) -> None:
    """A press changes nothing under an open sheet, and only wakes a table that sleeps."""
    hand = Hand(evening)
    session = await hand.at("possession", watched())
    before, app = session.sequence, evening.table.app
    await evening.tap("app.table.menu")
    await hand.press(Role.CONFIRM)
    assert evening.words("button.need.sheet") in evening.table.words()
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
    assert evening.words("button.need.table") in evening.table.words()


async def questioned(evening: Evening) -> None:
    """A question of two answers is never answered by a button; the panel and the tray say that it waits."""
    hand, reader = Hand(evening), watched()
    session = await hand.at("duel", reader)
    before = session.sequence
    reader.throw((stage.lying(3, 110, 120), stage.lying(5, 400, 60, Doubt.COCKED, 3)))
    await evening.table.until(lambda: session.dice.question is not None)
    await hand.wait(SEEN)
    assert hand.tray.shown[-1].scene is Scene.QUESTION
    for role in (Role.CONFIRM, Role.LEFT, Role.RIGHT, Role.UNDO):
        await hand.press(role)
    assert session.sequence == before
    assert session.dice.question is not None


async def referee(evening: Evening) -> None:
    """Called by its button from the tray or the panel; settled on the screen."""
    hand = Hand(evening)
    await hand.at("offensive", watched())
    hand.press_tray(Role.REFEREE)
    await hand.wait(SHORT)
    assert evening.words("button.referee") in evening.table.words()
    await evening.look("buttons-referee")
    await evening.tap("button.referee_settled")
    assert evening.words("button.referee") not in evening.table.words()


async def unplugged(evening: Evening) -> None:
    """A tray that is lost is said at once, has its sign in the bar with the remedy, and is said when it is back."""
    hand = Hand(evening)
    await hand.at("offensive", watched())
    hand.tray.be(online=False)
    await hand.wait(SHORT)
    assert evening.words("button.tray_gone") in evening.table.words()
    await evening.look("buttons-tray-lost")
    await evening.tap("button.offline")
    await evening.look("buttons-tray-remedy")
    await evening.tap("app.close")
    hand.tray.be(online=True)
    await hand.wait(SHORT)
    assert evening.words("button.tray_back") in evening.table.words()
    assert not evening.table.has(evening.words("button.offline"))


async def tried(evening: Evening) -> None:
    """The live test: each line lights up for its button, and no match is touched."""
    hand = Hand(evening)
    session = await hand.at("possession", watched())
    before = session.sequence
    parts = (
        Check("panel", Health.OK, ("gpiochip0",)),
        Check("tray", Health.MISSING, (Message("doctor.found.nothing"),), Message("doctor.next.no_tray")),
    )
    furnish(evening, diagnose=lambda: parts)
    await home(evening)
    await evening.tap("app.home.diagnostic")
    name = evening.words("cli.part.panel").capitalize()
    await evening.table.until(lambda: any(tap.spoken_name().lower().startswith(name.lower()) for tap in _taps(evening)))
    await evening.table.tap_widget(next(t for t in _taps(evening) if t.spoken_name().lower().startswith(name.lower())))
    await evening.look("buttons-part")
    await evening.tap("button.test")
    await evening.look("buttons-test")
    await hand.press(Role.CONFIRM)
    await hand.press(Role.LEFT, HOLD_SECONDS + 0.2)
    device = evening.words("button.device.panel")
    assert evening.words("button.test.touched", device=device) in evening.table.words()
    assert evening.words("button.test.held", device=device) in evening.table.words()
    await evening.look("buttons-test-pressed")
    await evening.tap("app.close")
    assert session.sequence == before
    hand.press_tray(Role.UNDO)
    await hand.wait(SHORT)
    assert session.sequence == before, "no match is on the screen"


def _taps(evening: Evening) -> list[Any]:
    return [tap for tap in evening.table.taps() if type(tap).__name__ == "PartTile"]


SCENES: dict[str, SceneOf] = {
    "buttons_pressed": pressed,
    "buttons_over_sheets": over_sheets,
    "buttons_questioned": questioned,
    "buttons_referee": referee,
    "buttons_unplugged": unplugged,
    "buttons_tried": tried,
}
