"""Hardware buttons beside the screen. A press acts on the page that is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kivy.clock import Clock

from companion.app.intervals import repeating
from companion.app.platform import Platform
from companion.app.screens.table_state import Reason, seat_order
from companion.games.base import Choice, Message, SideScene
from companion.table.controls import Controls, DeviceNotice, Devices
from companion.table.panel import ButtonPress, PlayChoice, ShowHint, UndoEvent, action_of, default_choice
from companion.table.session import Session

if TYPE_CHECKING:
    from companion.app.context import AppContext
    from companion.app.screens.table import TablePage

POLL_INTERVAL_S = 1 / 30
"""Seconds between two polls of the devices; also the frame interval of lamp animations."""


class HardwareButtons:
    """Hardware buttons, one instance per app. Does nothing without devices."""

    def __init__(self, app: AppContext, platform: Platform) -> None:
        self._app = app
        self.controls = platform.controls or Controls(Devices(), Clock.get_time)
        self.controls.sound = lambda: app.preferences.effects
        self._poll_event = repeating(self.poll, POLL_INTERVAL_S)

    def start(self) -> None:
        """Start all devices."""
        self.controls.start()
        self._poll_event()

    def close(self) -> None:
        """Turn off the lights and ignore further presses."""
        self._poll_event.cancel()
        self.controls.close()

    def attach(self, session: Session) -> None:
        """Connect buttons and lights to this match."""
        self.controls.attach(session, lambda: self._seat_order(session))

    def detach(self) -> None:
        """Disconnect buttons and lights from the match."""
        self.controls.detach()

    def device_status(self) -> tuple[object, ...]:
        """Return the device status for the table's bar: whether the referee is called, and which devices are lost."""
        return self.controls.is_referee_called, self.controls.devices.lost_links

    def is_default_choice(self, choice: Choice, session: Session) -> bool:
        """True if the big button of a real device plays this choice, which then shows the mark (SCREENS 4.9)."""
        return self.controls.devices.has_button and default_choice(session.people_decision()) is choice

    def dismiss_referee_call(self) -> None:
        """End the referee call."""
        self.controls.call_referee(False)
        self._refresh_table()

    def poll(self, *_: object) -> None:
        """Handle the presses and device notices since the last call."""
        before = self.device_status()
        for event in self.controls.poll():
            if isinstance(event, DeviceNotice):
                self._show_device_message(event.message)
            else:
                self._handle_press(event)
        if self.device_status() != before:
            self._refresh_table()

    # Internals

    def _seat_order(self, session: Session) -> tuple[SideScene, SideScene]:
        page = self._table_page(session)
        if page is not None:
            return page.order
        return seat_order(session.scene(), self._app.preferences.swapped, session.decision().sides)

    def _table_page(self, session: Session | None) -> TablePage | None:
        """Return the open table page of this session, even if a sheet covers it; None otherwise."""
        from companion.app.screens.table import TablePage

        page = self._app.navigator.page
        return page if isinstance(page, TablePage) and page.session is session and page.parent else None

    def _handle_press(self, pressed: ButtonPress) -> None:
        from companion.app.idle_monitor import ScreenSaver

        app, navigator = self._app, self._app.navigator
        asleep = bool(navigator.sheets) and isinstance(navigator.sheets[-1], ScreenSaver)
        app.idle_monitor.wake()
        session = app.session
        page = self._table_page(session)
        if asleep or session is None or session.is_stale(pressed):
            return
        if page is None:
            self._refuse(None, Message("button.need.table"))
            return
        action = action_of(pressed.press, pressed.visible)
        if navigator.sheets and not (page.question_sheet in navigator.sheets and len(navigator.sheets) == 1):
            action = ShowHint(Message("button.need.sheet"))
        if isinstance(action, ShowHint):
            self._refuse(page, action.message)
        elif isinstance(action, UndoEvent):
            page.undo("button")
        elif isinstance(action, PlayChoice) and action.choice.prompts:
            page.choose(action.choice, pressed.sequence)
        else:
            page.try_write(lambda: session.apply_press(pressed))

    def _refuse(self, page: TablePage | None, message: Message) -> None:
        """Show and speak the reason of a refused press: on the table page, or above the sheet that covers it."""
        self.controls.flash_refusal()
        text = self._app.text(message)
        self._app.audio.announce_refusal(text)
        self._show(page, text)

    def _show_device_message(self, message: Message) -> None:
        """Show briefly that a device was lost or is back. The table's bar shows a lost device until it is back."""
        self._show(self._table_page(self._app.session), self._app.text(message))

    def _show(self, page: TablePage | None, text: str) -> None:
        from companion.app.widgets.sheet import show_toast

        if page is not None and not self._app.navigator.sheets:
            page.show_reason(Reason("", text, ""))
        else:
            show_toast(self._app.navigator, text)

    def _refresh_table(self) -> None:
        page = self._table_page(self._app.session)
        if page is not None:
            page.refresh()
