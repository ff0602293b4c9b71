"""The clock of the open match: it follows the turns and is kept on disk. A strict one announces the end of a time."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from companion.app.intervals import repeating
from companion.app.platform import Platform
from companion.games.base import JsonObject
from companion.games.registry import SPECS
from companion.table.announcer import Cue
from companion.table.match_clock import ClockFile, Limit, MatchClock
from companion.table.session import Session
from companion.tournament.clock import CLOCK, TimeLimits, time_limits

if TYPE_CHECKING:
    from companion.app.context import AppContext

log = logging.getLogger(__name__)

TICK_INTERVAL_S = 0.5
"""Seconds between two looks at the clock."""
SAVE_INTERVAL_S = 5.0
"""Seconds of play after which the times are written to disk; at most this much is lost in a power cut."""


class MatchTimer:
    """The match clock, one instance per app. `clock` is None for a match without limits."""

    def __init__(self, app: AppContext, platform: Platform) -> None:
        self._app, self._monotonic = app, platform.monotonic
        self.clock: MatchClock | None = None
        self._session: Session | None = None
        self._saved: tuple[float, bool] = (0.0, False)
        self._tick_event = repeating(self.tick, TICK_INTERVAL_S)

    def close(self) -> None:
        """Keep the times and stop."""
        self.detach()
        self._tick_event.cancel()

    def with_limits(self, header: JsonObject) -> JsonObject:
        """Return the header of a new match with the limits of the table's settings, unless it has its own."""
        settings = self._app.settings.config.clock
        limits = TimeLimits(settings.mode, settings.match_minutes, settings.turn_seconds)
        return header if CLOCK in header or not limits.is_active else {**header, CLOCK: limits.fields()}

    def attach(self, session: Session) -> None:
        """Start the clock of a match, from the times before a restart if there are any."""
        limits = time_limits(session.header)
        self._session, self.clock = session, None
        if not limits.is_active:
            return
        self.clock = MatchClock(limits, self._monotonic, self._file.load(session.match_id))
        self._follow()
        self._tick_event()

    def detach(self) -> None:
        """Keep the times and end the clock of the match."""
        self._save()
        self._tick_event.cancel()
        self._session, self.clock = None, None

    def pause(self, wanted: bool) -> None:
        """Stop the clock or let it go on, as the players ask."""
        if self.clock is not None:
            self.clock.pause(wanted)
            self._save()

    def tick(self, *_: object) -> None:
        """Follow the match, announce what has run out, and keep the times."""
        clock = self.clock
        if clock is None:
            return
        self._follow()
        for limit in clock.new_ends():
            self._announce(limit)
        if abs(clock.elapsed.match_s - self._saved[0]) >= SAVE_INTERVAL_S:
            self._save()

    # Internals

    @property
    def _file(self) -> ClockFile:
        return ClockFile(self._app.matches.store.path.parent)

    def _follow(self) -> None:
        """Tell the clock the turn in play: a turn is one of the game, or the part of it that one side plays."""
        session, clock = self._session, self.clock
        if session is None or clock is None:
            return
        game = session.game
        preparing = session.state.phase in SPECS[game.id].screens.preparation_phases
        if preparing or game.finished(session.state):
            clock.follow(None)
            return
        turn = SPECS[game.id].turns(session.scene().board)
        clock.follow("/".join([session.state.phase, *map(str, turn), *session.decision().sides]))

    def _announce(self, limit: Limit) -> None:
        """Say that a time has run out, if the clock is strict. It plays for nobody."""
        app, session, clock = self._app, self._session, self.clock
        if session is None or clock is None or clock.limits.mode != "strict":
            return
        names = {side.side: side.name for side in session.scene().sides}
        acting = ", ".join(names[side] for side in session.decision().sides if side in names)
        word = f"app.clock.over.{limit}" if limit == "match" or acting else "app.clock.over.anybody"
        sentence = app.translate(word, name=acting)
        app.audio.chime(Cue.REFUSAL)
        app.audio.speak(sentence)
        app.show_error(sentence)

    def _save(self) -> None:
        session, clock = self._session, self.clock
        if session is None or clock is None:
            return
        elapsed = clock.elapsed
        self._saved = (elapsed.match_s, elapsed.paused)
        try:
            self._file.save(session.match_id, elapsed)
        except OSError as fault:
            log.warning("the times of the match are not kept: %s", fault)
