"""Runs the open match: takes in what the reader saw and what was pressed, whatever page is shown."""

from __future__ import annotations

from collections.abc import Callable

from kivy.clock import Clock

from companion.table.session import Session

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
