"""The open match: begun, taken up, let go, and polled whatever page is shown."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from kivy.clock import Clock

from companion.games.base import JsonObject, Message
from companion.games.registry import SPECS
from companion.journal.database import StoreError
from companion.journal.ledger import InvalidLine
from companion.table.matches import Matches, MatchSummary, UnknownGame
from companion.table.ports import ReaderPort
from companion.table.session import Session

if TYPE_CHECKING:
    from companion.app.audio_feedback import AudioFeedback
    from companion.app.context import AppContext
    from companion.app.hardware_buttons import HardwareButtons
    from companion.app.tournament_follower import TournamentFollower


POLL_INTERVAL_S = 1 / 30
"""Seconds between two calls of `Session.poll`: one picture of a camera at 30 frames a second."""


class MatchRunner:
    """Polls the open session on the app's clock. Pages listen to `session.outputs` and never poll.

    Calibration borrows the reader of a running match (`pause`): its trial throws are no events of the match.
    """

    def __init__(self, session: Callable[[], Session | None]) -> None:
        """`session` gives the match that is open now, None between two matches."""
        self._session = session
        self._paused = False
        self._clock = Clock.create_trigger(self._poll, POLL_INTERVAL_S, interval=True)

    def start(self) -> None:
        """Poll until `stop`."""
        self._clock()

    def stop(self) -> None:
        """Poll no more."""
        self._clock.cancel()

    def pause(self) -> None:
        """Leave the reader to somebody else, who polls it."""
        self._paused = True

    def resume(self) -> None:
        """Take the reader back."""
        self._paused = False

    def _poll(self, *_: object) -> None:
        session = self._session()
        if session is not None and not self._paused:
            session.poll()


ReaderFactory = Callable[[str], ReaderPort | None]
"""Gives the reader for a game's dice, None when the table has no eyes."""

log = logging.getLogger(__name__)


class MatchSessionHolder:
    """The part of the app that holds the open session. The app gives it matches, readers and a way to tell players."""

    matches: Matches
    reader_factory: ReaderFactory | None
    session: Session | None = None
    text: Callable[[Message], str]
    show_error: Callable[[str], None]
    audio: AudioFeedback
    hardware_buttons: HardwareButtons
    tournament_follower: TournamentFollower

    def start_match(self, game_id: str, header: JsonObject) -> Session:
        """Starts a match. Raises Refusal, or StorageError; the one before is let go in any case."""
        self.end_session()
        self.session = self._with_reader(game_id, partial(self.matches.start, game_id, header))
        self._attach_session(self.session)
        return self.session

    def resume(self, match: MatchSummary) -> Session | None:
        """Takes up a match where it stopped, one with a damaged journal up to its last good line.

        None, and the players told, if that cannot be.
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
        """Lets go of the match; its journal has it all."""
        if self.session is not None:
            self.hardware_buttons.detach()
            self.session.close()
            self.session = None

    def _attach_session(self, session: Session) -> None:
        """The voice, the buttons and the lights belong to this match; a tournament follows its own."""
        self.audio.attach(session)
        self.hardware_buttons.attach(session)
        self.tournament_follower.attach(session)

    def _with_reader(self, game_id: str, open_session: Callable[[ReaderPort | None], Session]) -> Session:
        """A session with the reader of its game; without the session the reader goes, or it would keep the camera."""
        reader = self.reader_factory(game_id) if self.reader_factory else None
        try:
            return open_session(reader)
        except BaseException:
            if reader is not None:
                reader.close()
            raise


def open_match(app: AppContext, match: MatchSummary) -> None:
    """Opens the table, or a match that is still prepared on the page of that; players are told if it fails."""
    session = app.resume(match)
    if session is None:
        return
    screens = SPECS[match.game_id].screens
    app.open(screens.prepare if session.state.phase in screens.early else "table", session=session)
