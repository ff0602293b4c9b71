"""The table as part of a tournament: polls the hub, announces match calls, and notifies the hub link of new lines."""

from __future__ import annotations

import logging
from datetime import datetime
from typing import TYPE_CHECKING

from companion.app.intervals import repeating
from companion.app.platform import Platform
from companion.messages.wire import Ruling
from companion.table.announcer import Cue
from companion.table.hub_port import HubSnapshot, TableMatch
from companion.table.ports import News, NewsKind
from companion.table.session import Session
from companion.table.tournament_desk import TournamentDesk, ended_message, ruling_message
from companion.tournament.headers import parse_mark

if TYPE_CHECKING:
    from companion.app.context import AppContext

log = logging.getLogger(__name__)

POLL_INTERVAL_S = 0.25
"""Seconds between two polls of the hub snapshot."""
PAGE = "tournament"
_IDLE_PAGES = ("home", PAGE)
"""Pages from which a match call opens the tournament page automatically."""
_JOURNAL_NEWS = (NewsKind.EVENT, NewsKind.UNDO, NewsKind.CORRECT)


class TournamentFollower:
    """Tournament follower, one instance per app. Does nothing without a hub."""

    def __init__(self, app: AppContext, platform: Platform) -> None:
        self._app = app
        self.desk = TournamentDesk(platform.hub, app.matches) if platform.hub is not None else None
        self.referee_lock = platform.referee_lock
        """The PIN lock of the table's referee."""
        self._last_snapshot: HubSnapshot | None = None
        self._poll_event = repeating(self.poll, POLL_INTERVAL_S)

    @property
    def joined(self) -> bool:
        """True if the table takes part in a tournament."""
        return self.desk is not None and self.desk.is_joined

    def start(self) -> None:
        """Start polling. Opens the tournament page if the table has joined one that is not over."""
        if self.desk is None:
            return
        self._last_snapshot = self.desk.hub.snapshot()
        self._adopt_referee_pin(self._last_snapshot)
        self._poll_event()
        if self.joined and not self._last_snapshot.ended:
            self._app.open(PAGE)

    def close(self) -> None:
        """Stop polling when the app ends."""
        self._poll_event.cancel()

    def attach(self, session: Session) -> None:
        """Notify the hub link of new journal lines of a tournament match, so that they are sent at once."""
        if self.desk is None or parse_mark(session.header) is None:
            return
        hub = self.desk.hub
        hub.notify_appended()

        def on_news(news: News) -> None:
            if news.kind in _JOURNAL_NEWS:
                hub.notify_appended()

        session.outputs.subscribe(on_news)

    def is_tournament_match(self, session: Session) -> bool:
        """True if a match belongs to a tournament that this table takes part in."""
        return self.joined and parse_mark(session.header) is not None

    def open_page(self) -> None:
        """Open the tournament page and discard the back stack."""
        self._app.navigator.open_from_home(PAGE)

    def poll(self, *_: object) -> None:
        """Announce a match that was just called to this table, a ruling, and the end of the tournament.

        A call and the end open the tournament page if the table is idle.
        """
        if self.desk is None:
            return
        snapshot, before = self.desk.hub.snapshot(), self._last_snapshot
        if snapshot is before:
            return
        self._last_snapshot = snapshot
        if snapshot.ruling is not None and snapshot.ruling != (before and before.ruling):
            self._announce_ruling(snapshot.ruling)
        self._adopt_referee_pin(snapshot)
        if snapshot.match is not None and snapshot.match.match != (before and before.match and before.match.match):
            self._announce_call(snapshot, snapshot.match)
        if snapshot.ended and before is not None and not before.ended and before.tournament == snapshot.tournament:
            self._announce(self._app.text(ended_message(snapshot)))

    def _adopt_referee_pin(self, snapshot: HubSnapshot) -> None:
        """Take over the referee's PIN of the tournament. A table that has left it has its own again."""
        if self.referee_lock is None:
            return
        try:
            self.referee_lock.adopt(snapshot.referee_pin)
        except OSError as fault:
            log.warning("the referee's PIN of the tournament is not kept: %s", fault)

    def format_time(self, at: datetime | int) -> str:
        """Format a time (or seconds since 1970) for the players, with its date if it is not today."""
        now = self._app.matches.store.clock.now()
        at = datetime.fromtimestamp(at, now.tzinfo) if isinstance(at, int) else at.astimezone(now.tzinfo)
        word = "app.tournament.time" if at.date() == now.date() else "app.tournament.day_time"
        digits = {"hour": f"{at.hour:02}", "minute": f"{at.minute:02}", "day": at.day, "month": f"{at.month:02}"}
        return self._app.translate(word, **digits)

    def _announce_ruling(self, ruling: Ruling) -> None:
        """Tell what the organiser decided: above a match in play, so that nobody plays on for nothing."""
        app, navigator = self._app, self._app.navigator
        message = app.text(ruling_message(ruling))
        app.idle_monitor.wake()
        app.audio.chime(Cue.QUESTION)
        app.audio.speak(message)
        if navigator.back_stack[-1].name == PAGE:
            return
        from companion.app.widgets.sheet import message_sheet, show_toast

        mark = parse_mark(app.session.header) if app.session is not None else None
        if mark is None or (mark.tournament, mark.match) != (ruling.tournament, ruling.match):
            show_toast(navigator, message)
            return
        app.show_sheet(
            message_sheet(
                app.translate("app.tournament.ruled.title"),
                [message, *([ruling.why] if ruling.why else [])],
                app.translate("app.tournament.title"),
                self.open_page,
            )
        )

    def _announce_call(self, snapshot: HubSnapshot, match: TableMatch) -> None:
        self._announce(format_call(self._app, snapshot, match))

    def _announce(self, message: str) -> None:
        app, navigator = self._app, self._app.navigator
        app.idle_monitor.wake()
        app.audio.chime(Cue.QUESTION)
        app.audio.speak(message)
        if not navigator.sheets and navigator.back_stack[-1].name in _IDLE_PAGES:
            self.open_page()
            return
        from companion.app.widgets.sheet import show_toast

        show_toast(navigator, message)


def format_call(app: AppContext, snapshot: HubSnapshot, match: TableMatch) -> str:
    """Return the match call as one sentence."""
    table = snapshot.table if snapshot.table is not None else ""
    return app.translate("app.tournament.called", table=table, home=match.home, away=match.away)
