"""How long players wait: from the last frame in which dice move to the entry in the journal, in real time.

Everything is the product's: the reader's process with its pipe, the session, the journal on disk. Only the tray is the
simulated one, which also knows when its dice came to rest.
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
from vision.watching.settle import LIVE
from vision.watching.supervisor import ProcessReader
from vision.watching.worker import ReaderSetup, TrayCommand, make_reader

GAME = SETTINGS["roll_to_journal"]
USUAL = 100
"""Throws measured without the tray's word, and as many with it."""

LIMIT_MEDIAN_MS, LIMIT_P99_MS = 250.0, 400.0
TOLD_AFTER = 0.06
"""Seconds from the last movement until a tray says that all lies still: its own wait, and the line."""

GLANCE = 1 / 60
"""Seconds between two looks of the app at what its reader has to tell."""

STAYS = 0.4
"""Seconds between an entry and the next throw."""

PATIENCE = 5.0
"""Seconds after which a throw counts as not read."""


class Noted(Paced):
    """A drawn tray that notes in a file when its dice begin to move (`m`) and, once they rest, when a frame last showed
    them moving (`r`), in seconds of the clock."""

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


def noted_tray(notes: Path, seed: int) -> Camera:
    """The tray of the measure, in the reader's process."""
    return Noted(SimulatedTray(seed), notes)


class _Feeler:
    """Follows the notes as they are written, and tells the reader what a tray would feel, if it is to."""

    def __init__(self, notes: Path, tell: Callable[[bool], None] | None) -> None:
        self._notes = notes
        self._tell = tell
        self._read = 0
        self._due: float | None = None
        self.moved_at: float | None = None

    def forget(self) -> None:
        """Whatever came to rest before does not count any more."""
        self.moved_at = None

    def follow(self) -> None:
        """Take in what was written since the last time."""
        with self._notes.open(encoding="ascii") as notes:
            notes.seek(self._read)
            while (line := notes.readline()).endswith("\n"):
                self._read = notes.tell()
                what, when = line.split()
                self.moved_at = None if what == "m" else float(when)
                self._due = None if what == "m" else float(when) + TOLD_AFTER
                if what == "m" and self._tell is not None:
                    self._tell(True)
        if self._tell is not None and self._due is not None and time.monotonic() >= self._due:
            self._due = None
            self._tell(False)


def measure(
    throws: int = USUAL, seed: int = 1, tell: Callable[[int, int], None] = lambda done, due: None
) -> dict[str, Any]:
    """Measures `throws` throws read by the picture alone and as many with the tray's word beside it.

    `tell` is called after each throw with how many are done and how many are due.
    """
    found = {}
    for number, (name, feels) in enumerate((("picture_alone", False), ("with_the_tray", True))):
        found[name] = _run(throws, seed, feels, partial(_tell_on, tell, number * throws, 2 * throws))
    return {
        "game": GAME,
        "still_frames": LIVE.frames,
        "still_frames_told": LIVE.told_frames,
        "told_after_ms": 1000 * TOLD_AFTER,
        **found,
        "limit_median_ms": LIMIT_MEDIAN_MS,
        "limit_p99_ms": LIMIT_P99_MS,
    }


def _tell_on(tell: Callable[[int, int], None], before: int, due: int, done: int) -> None:
    tell(before + done, due)


def kept(found: dict[str, Any]) -> dict[str, bool]:
    """Which limits were kept."""
    limits = {"median": LIMIT_MEDIAN_MS, "p99": LIMIT_P99_MS}
    return {
        f"journal_{part}_{point}": (found[part]["ms"] or {}).get(point, float("inf")) <= limit
        for part in ("picture_alone", "with_the_tray")
        for point, limit in limits.items()
    }


def _run(throws: int, seed: int, feels: bool, tell: Callable[[int], None]) -> dict[str, Any]:
    random, waits, asked, unread = Random(seed), list[float](), 0, 0
    with _table(seed, random) as (session, reader, notes):
        feeler = _Feeler(notes, reader.stirred if feels else None)
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
            tell(len(waits) + asked + unread)
    return {"throws": len(waits) + asked + unread, "asked": asked, "unread": unread, "ms": _points(waits)}


@contextmanager
def _table(seed: int, random: Random) -> Iterator[tuple[Session, ProcessReader, Path]]:
    """A match at a table of its own, on disk."""
    with tempfile.TemporaryDirectory(prefix="tapis-vert-bench-") as folder:
        notes = Path(folder) / "notes"
        notes.touch()
        reader = ProcessReader(ReaderSetup(partial(noted_tray, notes, seed), make_reader, GAME))
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


def _throw(session: Session, reader: ProcessReader, feeler: _Feeler, random: Random) -> float | None:
    """Clears the tray, throws the dice that are due; the milliseconds from their rest to the entry, None if they were
    asked about or not read."""
    reader.command(TrayCommand("clear", options={"by_hand": False}))
    _pass(session, feeler, STAYS)
    kinds = {kind.name: kind for kind in dice_sets.load(GAME).kinds}
    due = throws.dice_to_throw(session.game, session.state, session.decision())
    thrown = [kinds[await_.kind] for await_ in due for _ in range(await_.count)]
    dice = [(kind, random.randint(1, 6), _body(kind)) for kind in thrown]
    before = session.sequence
    feeler.forget()
    reader.command(TrayCommand("throw", (dice,)))
    end = time.monotonic() + PATIENCE
    while session.sequence == before and session.dice.question is None and time.monotonic() < end:
        feeler.follow()
        _glance(session)
    now = time.monotonic()
    feeler.follow()
    if session.sequence == before or feeler.moved_at is None:
        return None
    return 1000 * (now - feeler.moved_at)


def _body(kind: Kind) -> str:
    return kind.bodies[0] if kind.bodies else "white"


def _pass(session: Session, feeler: _Feeler, seconds: float) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        feeler.follow()
        _glance(session)


def _glance(session: Session) -> None:
    session.poll()
    time.sleep(GLANCE)


def _points(waits: list[float]) -> dict[str, float] | None:
    if not waits:
        return None
    hundredths = quantiles(waits if len(waits) > 1 else 2 * waits, n=100, method="inclusive")
    points = {"median": median(waits), "p90": hundredths[89], "p99": hundredths[98], "most": max(waits)}
    return {name: round(value, 1) for name, value in points.items()}
