"""Buttons beside the screen, as the app obeys them: what a press means is done on the page that shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kivy.clock import Clock

from companion.app.house import House
from companion.app.screens.table_state import Reason, seats
from companion.games.base import Choice, Message, SideScene
from companion.table.controls import Controls, Devices, Told
from companion.table.panel import Needs, Plays, Pressed, TakesBack, meaning, usual_choice
from companion.table.session import Session

if TYPE_CHECKING:
    from companion.app.context import AppContext
    from companion.app.screens.table import TablePage

PULSE = 1 / 30
"""Seconds between two looks at the devices; their lamps breathe at this pace."""


class Presses:
    """One for the app; nothing happens in a house without devices."""

    def __init__(self, app: AppContext, house: House) -> None:
        self._app = app
        self.controls = house.controls or Controls(Devices(), Clock.get_time)
        self.controls.sound = lambda: app.preferences.effects
        self._pulse = Clock.create_trigger(self.beat, PULSE, interval=True)

    def start(self) -> None:
        """Begins with the devices."""
        self.controls.start()
        self._pulse()

    def close(self) -> None:
        """Lights out; nothing that is pressed counts any more."""
        self._pulse.cancel()
        self.controls.close()

    def attend(self, session: Session) -> None:
        """Buttons and lights belong to this match from now on."""
        self.controls.attend(session, lambda: self._order(session))

    def leave(self) -> None:
        """They belong to no match."""
        self.controls.leave()

    def signs(self) -> tuple[object, ...]:
        """What the table's bar tells of the devices: whether the referee is called, which devices are missed."""
        return self.controls.referee, self.controls.devices.missed

    def marks(self, choice: Choice, session: Session) -> bool:
        """Whether the big button of a real device plays this choice, so that it carries the mark (SCREENS 4.9)."""
        return self.controls.devices.has_button and usual_choice(session.awaits()) is choice

    def settle_referee(self) -> None:
        """The referee has come, or is no longer needed."""
        self.controls.call_referee(False)
        self._look()

    def beat(self, *_: object) -> None:
        """Does what was pressed since the last time."""
        before = self.signs()
        for heard in self.controls.beat():
            if isinstance(heard, Told):
                self._tell(heard.message)
            else:
                self._obey(heard)
        if self.signs() != before:
            self._look()

    # Inside

    def _order(self, session: Session) -> tuple[SideScene, SideScene]:
        page = self._table(session)
        if page is not None:
            return page.order
        return seats(session.scene(), self._app.preferences.swapped, session.awaits().sides)

    def _table(self, session: Session | None) -> TablePage | None:
        """The page of the table if it is open, whatever lies over it."""
        from companion.app.screens.table import TablePage

        page = self._app.room.page
        return page if isinstance(page, TablePage) and page.session is session and page.parent else None

    def _obey(self, pressed: Pressed) -> None:
        from companion.app.standby import Saver

        app, room = self._app, self._app.room
        asleep = bool(room.sheets) and isinstance(room.sheets[-1], Saver)
        app.standby.wake()
        session = app.session
        page = self._table(session)
        if asleep or session is None or session.is_stale(pressed):
            return
        if page is None:
            self._refuse(None, Message("button.need.table"))
            return
        meant = meaning(pressed.press, pressed.seen)
        if room.sheets and not (page.sheet_of_doubt in room.sheets and len(room.sheets) == 1):
            meant = Needs(Message("button.need.sheet"))
        if isinstance(meant, Needs):
            self._refuse(page, meant.message)
        elif isinstance(meant, TakesBack):
            page.take_back("button")
        elif isinstance(meant, Plays) and meant.choice.asks:
            page.choose(meant.choice, pressed.sequence)
        else:
            page.written(lambda: session.press(pressed))

    def _refuse(self, page: TablePage | None, message: Message) -> None:
        """Says what is needed instead: at the table, or over the sheet that hides it."""
        self.controls.refuse()
        words = self._app.text(message)
        self._app.sounds.refuse(words)
        self._show(page, words)

    def _tell(self, message: Message) -> None:
        """A device has gone or come back: said for a moment; the table's bar says it as long as it is so."""
        self._show(self._table(self._app.session), self._app.text(message))

    def _show(self, page: TablePage | None, words: str) -> None:
        from companion.app.widgets.sheet import toast

        if page is not None and not self._app.room.sheets:
            page.tell(Reason("", words, ""))
        else:
            toast(self._app.room, words)

    def _look(self) -> None:
        page = self._table(self._app.session)
        if page is not None:
            page.look()
