"""The open match: started, resumed, closed, and polled independently of the page shown."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from companion.app.intervals import repeating
from companion.games.base import JsonObject, Message
from companion.games.preparation import Memory
from companion.games.registry import SPECS
from companion.journal.database import StoreError
from companion.journal.ledger import AnyLedger, InvalidLine
from companion.journal.store import StoredMatch
from companion.table.matches import Matches, MatchSummary, UnknownGame
from companion.table.opponents import Opponents
from companion.table.ports import ReaderPort
from companion.table.rematch import can_repeat, rematch
from companion.table.session import Session

if TYPE_CHECKING:
    from companion.app.audio_feedback import AudioFeedback
    from companion.app.context import AppContext
    from companion.app.hardware_buttons import HardwareButtons
    from companion.app.match_timer import MatchTimer
    from companion.app.tournament_follower import TournamentFollower


POLL_INTERVAL_S = 1 / 30
"""Seconds between two calls of `Session.poll`: one camera frame at 30 frames per second."""


class MatchRunner:
    """Poller of the open session on the app's clock. Pages subscribe to `session.outputs` and never poll.

    Calibration borrows the reader of a running match (`pause`), so its trial rolls are not events of the match.
    """

    def __init__(
        self,
        session: Callable[[], Session | None],
        attempt: Callable[[Callable[[], object]], object],
        play: Callable[[], object] = lambda: None,
    ) -> None:
        """Create the runner.

        - `session`: returns the open session, or None between two matches
        - `attempt`: runs a write to the journal and shows a refusal to the players
        - `play`: lets the opponents of the app act
        """
        self._session, self._attempt, self._play = session, attempt, play
        self._paused = False
        self._clock = repeating(self._poll, POLL_INTERVAL_S)

    def start(self) -> None:
        """Start polling; it runs until `stop`."""
        self._clock()

    def stop(self) -> None:
        """Stop polling."""
        self._clock.cancel()

    def pause(self) -> None:
        """Stop polling temporarily, so that another part can poll the reader."""
        self._paused = True

    def resume(self) -> None:
        """Resume polling after `pause`."""
        self._paused = False

    def _poll(self, *_: object) -> None:
        session = self._session()
        if session is not None and not self._paused:
            self._attempt(session.poll)
            self._attempt(self._play)


ReaderFactory = Callable[[str], ReaderPort | None]
"""Creates the reader for a game's dice; returns None if the table has no camera."""

log = logging.getLogger(__name__)


class MatchSessionHolder:
    """Base of the app context that holds the open session. The app provides matches, readers and error messages."""

    matches: Matches
    reader_factory: ReaderFactory | None
    session: Session | None = None
    opponents: Opponents | None = None
    """The opponents of the app in the open match."""
    text: Callable[[Message], str]
    show_error: Callable[[str], None]
    audio: AudioFeedback
    hardware_buttons: HardwareButtons
    tournament_follower: TournamentFollower
    match_timer: MatchTimer
    open_setups: dict[str, Memory]
    """The choices of each game's preparation whose match has not started, by game: going back loses none."""

    def start_match(self, game_id: str, header: JsonObject) -> Session:
        """Start a match; the previous one is closed in any case. Raises: Refusal, StorageError."""
        self.end_session()
        header = self.match_timer.with_limits(header)
        self.session = self._with_reader(game_id, partial(self.matches.start, game_id, header))
        self.open_setups.pop(game_id, None)
        self._attach_session(self.session)
        return self.session

    def resume(self, match: MatchSummary) -> Session | None:
        """Resume a match where it stopped. A damaged journal is resumed up to its last valid line.

        Returns None, after an error message, if that is not possible.
        """
        if self.session is not None and self.session.match_id == match.match_id:
            return self.session
        self.end_session()
        open_session: Callable[[ReaderPort | None], Session] = partial(self.matches.resume, match.match_id)
        if match.trouble is not None and match.last_good_line is not None:
            open_session = partial(self.matches.resume_until, match.match_id, match.last_good_line)
        try:
            self.session = self._with_reader(match.game_id, open_session)
        except (InvalidLine, StoreError) as fault:
            log.warning("match %s not resumed: %s", match.match_id, fault)
            self.show_error(self.text(fault.message))
        except UnknownGame:
            self.show_error(self.text(Message("app.unknown_game")))
        if self.session is not None:
            self._attach_session(self.session)
        return self.session

    def end_session(self) -> None:
        """Close the session. Its journal is complete."""
        if self.session is not None:
            self.hardware_buttons.detach()
            self.match_timer.detach()
            self.session.close()
            self.session = self.opponents = None

    def _attach_session(self, session: Session) -> None:
        """Connect voice, buttons, lights and clock to this match, and the tournament link if it belongs to one."""
        self.opponents = Opponents(session)
        self.audio.attach(session)
        self.hardware_buttons.attach(session)
        self.tournament_follower.attach(session)
        self.match_timer.attach(session)

    def _with_reader(self, game_id: str, open_session: Callable[[ReaderPort | None], Session]) -> Session:
        """Open a session with a reader for its game. If that fails, close the reader so that it releases the camera."""
        reader = self.reader_factory(game_id) if self.reader_factory else None
        try:
            return open_session(reader)
        except BaseException:
            if reader is not None:
                reader.close()
            raise


def open_match(app: AppContext, match: MatchSummary) -> None:
    """Open a match on the table page, or on its preparation page if it has not begun. Shows an error if it fails."""
    session = app.resume(match)
    if session is None:
        return
    screens = SPECS[match.game_id].screens
    app.open(
        screens.preparation_page if session.state.phase in screens.preparation_phases else "table", session=session
    )


def begin_rematch(app: AppContext, ledger: AnyLedger, *, with_all_choices: bool = True) -> Session | None:
    """Play a match again: same sides, same preparation. Returns None, after an error message, if that fails."""
    again = rematch(ledger, with_all_choices=with_all_choices)

    def start_prepared() -> None:
        session = app.start_match(ledger.game.id, again.header)
        for fields in again.events:
            session.record(fields)

    return app.session if app.attempt(start_prepared) else None


def start_rematch(app: AppContext, ledger: AnyLedger, *, with_all_choices: bool = True) -> None:
    """Play a match again, and open the table; without all choices, the page where the others are made."""
    session = begin_rematch(app, ledger, with_all_choices=with_all_choices)
    if session is not None:
        screens = SPECS[ledger.game.id].screens
        prepares = session.state.phase in screens.preparation_phases and not with_all_choices
        app.navigator.open_from_home(screens.preparation_page if prepares else "table", session=session)


def play_again(app: AppContext, match: StoredMatch) -> None:
    """Play a stored match again, and open the table."""
    ledger = ledger_of(app, match)
    if ledger is not None:
        start_rematch(app, ledger)


def last_match(app: AppContext, game_id: str | None = None) -> StoredMatch | None:
    """Return the newest finished match (of a game) that may be played again, or None."""
    for match in app.matches.store.matches():
        wanted = match.ended is not None and match.header_fits and game_id in (None, match.game)
        if wanted and can_repeat(match.header):
            return match
    return None


def ledger_of(app: AppContext, match: StoredMatch) -> AnyLedger | None:
    """Return the ledger of a stored match. Returns None, after an error message, if it cannot be read."""
    try:
        return app.matches.store.resume(match.id, app.matches.games).ledger
    except (InvalidLine, StoreError) as fault:
        log.warning("match %s not read: %s", match.id, fault)
        app.show_error(app.text(fault.message))
        return None
