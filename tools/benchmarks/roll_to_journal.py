"""Benchmark of player waiting time: from the last frame with moving dice to the journal entry, in real time.

Everything is the product's own: reader process and pipe, session, journal on disk. Only the tray is simulated; it also
knows when its dice came to rest.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from random import Random
from statistics import median, quantiles
from typing import Any

from companion.clock import SystemClock
from companion.games.registry import GAMES
from companion.journal.store import Store
from companion.table import throws
from companion.table.matches import Matches
from companion.table.session import Session
from tools.games import SETTINGS
from vision import dice_sets
from vision.cameras.protocol import Camera, Clock, Frame, Paced
from vision.cameras.simulated_tray import SimulatedTray
from vision.dice_sets import Kind
from vision.watching.rest_detector import LIVE_TIMINGS
from vision.watching.supervisor import ProcessReader
from vision.watching.worker import ReaderSetup, TrayCommand, make_reader

GAME = SETTINGS["roll_to_journal"]
DEFAULT_THROWS = 100
"""Number of throws measured without tray events, and again with them."""

LIMIT_MEDIAN_MS, LIMIT_P99_MS = 250.0, 400.0
TRAY_REST_DELAY_S = 0.06
"""Seconds from the last movement to the tray's rest event: its own wait plus transmission."""

POLL_INTERVAL_S = 1 / 60
"""Interval in seconds at which the app polls its reader."""

STAYS = 0.4
"""Seconds between an entry and the next throw."""

READ_TIMEOUT_S = 5.0
"""Seconds after which a throw counts as not read."""


class MotionLoggingTray(Paced):
    """A drawn tray that logs the movement of its dice to a file.

    It writes `m` for the start of a movement and, once the dice rest, `r` for the last frame that showed them moving.
    Times are in seconds of the clock.
    """

    def __init__(self, tray: SimulatedTray, notes: Path, clock: Clock = time.monotonic) -> None:
        super().__init__(tray)
        self._tray = tray
        self._notes = notes
        self._now = clock
        self._moved_at: float | None = None

    def frame(self, timeout: float) -> Frame:
        frame = super().frame(timeout)
        if not self._tray.at_rest:
            if self._moved_at is None:
                self._note("m", self._now())
            self._moved_at = self._now()
        elif self._moved_at is not None:
            self._note("r", self._moved_at)
            self._moved_at = None
        return frame

    def _note(self, what: str, when: float) -> None:
        with self._notes.open("a", encoding="ascii") as notes:
            notes.write(f"{what} {when!r}\n")


def motion_logging_tray(notes: Path, seed: int) -> Camera:
    """Create the tray of the benchmark in the reader's process."""
    return MotionLoggingTray(SimulatedTray(seed), notes)


class _MotionLog:
    """A follower of the tray's log that, if enabled, sends the events of a real tray to the reader."""

    def __init__(self, notes: Path, on_motion: Callable[[bool], None] | None) -> None:
        self._notes = notes
        self._on_motion = on_motion
        self._read = 0
        self._due: float | None = None
        self.moved_at: float | None = None

    def forget(self) -> None:
        """Discard earlier rest times."""
        self.moved_at = None

    def read_new(self) -> None:
        """Read the log entries written since the last call."""
        with self._notes.open(encoding="ascii") as notes:
            notes.seek(self._read)
            while (line := notes.readline()).endswith("\n"):
                self._read = notes.tell()
                what, when = line.split()
                self.moved_at = None if what == "m" else float(when)
                self._due = None if what == "m" else float(when) + TRAY_REST_DELAY_S
                if what == "m" and self._on_motion is not None:
                    self._on_motion(True)
        if self._on_motion is not None and self._due is not None and time.monotonic() >= self._due:
            self._due = None
            self._on_motion(False)


def measure(
    throws: int = DEFAULT_THROWS, seed: int = 1, on_progress: Callable[[int, int], None] = lambda done, due: None
) -> dict[str, Any]:
    """Measure `throws` throws read from images alone, and as many with tray events.

    `on_progress` is called after each throw with the numbers of finished and total throws.
    """
    found = {}
    for number, (name, feels) in enumerate((("picture_alone", False), ("with_the_tray", True))):
        found[name] = _run(throws, seed, feels, partial(_report_progress, on_progress, number * throws, 2 * throws))
    return {
        "game": GAME,
        "still_frames": LIVE_TIMINGS.frames,
        "still_frames_told": LIVE_TIMINGS.felt_still_frames,
        "told_after_ms": 1000 * TRAY_REST_DELAY_S,
        **found,
        "limit_median_ms": LIMIT_MEDIAN_MS,
        "limit_p99_ms": LIMIT_P99_MS,
    }


def _report_progress(on_progress: Callable[[int, int], None], before: int, due: int, done: int) -> None:
    on_progress(before + done, due)


def limits_met(found: dict[str, Any]) -> dict[str, bool]:
    """Return which limits were kept."""
    limits = {"median": LIMIT_MEDIAN_MS, "p99": LIMIT_P99_MS}
    return {
        f"journal_{part}_{point}": (found[part]["ms"] or {}).get(point, float("inf")) <= limit
        for part in ("picture_alone", "with_the_tray")
        for point, limit in limits.items()
    }


def _run(throws: int, seed: int, feels: bool, on_progress: Callable[[int], None]) -> dict[str, Any]:
    random, waits, asked, unread = Random(seed), list[float](), 0, 0
    with _table(seed, random) as (session, reader, notes):
        feeler = _MotionLog(notes, reader.on_motion if feels else None)
        while len(waits) + asked + unread < throws:
            if session.game.finished(session.state):
                break
            if not session.decision().dice:
                session.record(session.game.random_event(session.state, random))
                continue
            wait = _throw(session, reader, feeler, random)
            waits += [] if wait is None else [wait]
            asked += wait is None and session.dice.question is not None
            unread += wait is None and session.dice.question is None
            if wait is None:
                session.record(session.game.random_event(session.state, random))
            on_progress(len(waits) + asked + unread)
    return {"throws": len(waits) + asked + unread, "asked": asked, "unread": unread, "ms": _points(waits)}


@contextmanager
def _table(seed: int, random: Random) -> Iterator[tuple[Session, ProcessReader, Path]]:
    """Yield a match at a table of its own, on disk."""
    with tempfile.TemporaryDirectory(prefix="tapis-vert-bench-") as folder:
        notes = Path(folder) / "notes"
        notes.touch()
        reader = ProcessReader(ReaderSetup(partial(motion_logging_tray, notes, seed), make_reader, GAME))
        try:
            with Store.open(Path(folder) / "matches.sqlite", SystemClock()) as store:
                header = GAMES[GAME].random_header(random)
                session = Matches(store, GAMES).start(GAME, header, reader)
                end = time.monotonic() + 30.0
                while session.dice.camera is None and time.monotonic() < end:
                    _glance(session)
                yield session, reader, notes
        finally:
            reader.close()


def _throw(session: Session, reader: ProcessReader, feeler: _MotionLog, random: Random) -> float | None:
    """Clear the tray and throw the required dice. Return the milliseconds from rest to entry.

    Returns None if the dice were asked about or not read.
    """
    reader.command(TrayCommand("clear", options={"by_hand": False}))
    _pass(session, feeler, STAYS)
    kinds = {kind.name: kind for kind in dice_sets.load(GAME).kinds}
    due = throws.dice_to_throw(session.game, session.state, session.decision())
    thrown = [kinds[await_.kind] for await_ in due for _ in range(await_.count)]
    dice = [(kind, random.randint(1, 6), _body(kind)) for kind in thrown]
    before = session.sequence
    feeler.forget()
    reader.command(TrayCommand("throw", (dice,)))
    end = time.monotonic() + READ_TIMEOUT_S
    while session.sequence == before and session.dice.question is None and time.monotonic() < end:
        feeler.read_new()
        _glance(session)
    now = time.monotonic()
    feeler.read_new()
    if session.sequence == before or feeler.moved_at is None:
        return None
    return 1000 * (now - feeler.moved_at)


def _body(kind: Kind) -> str:
    return kind.bodies[0] if kind.bodies else "white"


def _pass(session: Session, feeler: _MotionLog, seconds: float) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        feeler.read_new()
        _glance(session)


def _glance(session: Session) -> None:
    session.poll()
    time.sleep(POLL_INTERVAL_S)


def _points(waits: list[float]) -> dict[str, float] | None:
    if not waits:
        return None
    hundredths = quantiles(waits if len(waits) > 1 else 2 * waits, n=100, method="inclusive")
    points = {"median": median(waits), "p90": hundredths[89], "p99": hundredths[98], "most": max(waits)}
    return {name: round(value, 1) for name, value in points.items()}
