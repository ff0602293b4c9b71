"""The table as one of a tournament: what the hub tells is looked at, a call to a match heard, new lines hinted at."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from kivy.clock import Clock

from companion.app.house import House
from companion.table.announcing import Cue
from companion.table.hub_port import HubLook, TableMatch
from companion.table.ports import News, NewsKind
from companion.table.session import Session
from companion.table.tournament_desk import TournamentDesk
from companion.tournament.headers import mark_of

if TYPE_CHECKING:
    from companion.app.context import AppContext

LOOK = 0.25
"""Seconds between two looks at what the hub told."""
PAGE = "tournament"
_IDLE = ("home", PAGE)
"""Pages from which a call to a match leads to it by itself."""
_WRITTEN = (NewsKind.ENTRY, NewsKind.UNDO, NewsKind.CORRECT)


class Kiosk:
    """One for the app; without a hub in the house nothing happens and nothing is offered."""

    def __init__(self, app: AppContext, house: House) -> None:
        self._app = app
        self.desk = TournamentDesk(house.hub, app.matches) if house.hub is not None else None
        self.referee = house.referee
        """The lock of the table's referee."""
        self._seen: HubLook | None = None
        self._pulse = Clock.create_trigger(self.beat, LOOK, interval=True)

    @property
    def joined(self) -> bool:
        """Whether the table takes part in a tournament."""
        return self.desk is not None and self.desk.joined

    def start(self) -> None:
        """Begins with what is known, on the tournament's page if there is one."""
        if self.desk is None:
            return
        self._seen = self.desk.hub.look()
        self._pulse()
        if self.joined:
            self._app.open(PAGE)

    def close(self) -> None:
        """The app ends: no call leads anywhere any more."""
        self._pulse.cancel()

    def attend(self, session: Session) -> None:
        """What is written in a match of a tournament is hinted at, so that it is sent at once."""
        if self.desk is None or mark_of(session.header) is None:
            return
        hub = self.desk.hub
        hub.grew()

        def hint(news: News) -> None:
            if news.kind in _WRITTEN:
                hub.grew()

        session.outputs.subscribe(hint)

    def plays(self, session: Session) -> bool:
        """Whether a match belongs to a tournament that this table takes part in."""
        return self.joined and mark_of(session.header) is not None

    def go(self) -> None:
        """To the tournament's page; what led there is done with."""
        self._app.room.go_home_to(PAGE)

    def beat(self, *_: object) -> None:
        """A match that has just been called to this table is told, and shown where nobody is busy."""
        if self.desk is None:
            return
        look, before = self.desk.hub.look(), self._seen
        if look is before:
            return
        self._seen = look
        if look.match is not None and look.match.match != (before and before.match and before.match.match):
            self._call(look, look.match)

    def moment(self, at: datetime | int) -> str:
        """A time (also in seconds since 1970) as the players read it, with its day if that is another one."""
        now = self._app.matches.store.clock.now()
        at = datetime.fromtimestamp(at, now.tzinfo) if isinstance(at, int) else at.astimezone(now.tzinfo)
        word = "app.tournament.time" if at.date() == now.date() else "app.tournament.day_time"
        digits = {"hour": f"{at.hour:02}", "minute": f"{at.minute:02}", "day": at.day, "month": f"{at.month:02}"}
        return self._app.say(word, **digits)

    def _call(self, look: HubLook, match: TableMatch) -> None:
        app, room = self._app, self._app.room
        words = called(app, look, match)
        app.standby.wake()
        app.sounds.chime(Cue.QUESTION)
        app.sounds.speak(words)
        if not room.sheets and room.trail[-1].name in _IDLE:
            self.go()
            return
        from companion.app.widgets.sheet import toast

        toast(room, words)


def called(app: AppContext, look: HubLook, match: TableMatch) -> str:
    """The call to a match in one sentence."""
    table = look.table if look.table is not None else ""
    return app.say("app.tournament.called", table=table, home=match.home, away=match.away)
