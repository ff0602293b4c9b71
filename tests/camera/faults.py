"""Cameras that crash, hang or vanish during a match: recovery within three seconds, no roll lost or recorded twice."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random

from companion.clock import SystemClock
from companion.journal.store import Store
from companion.table.ports import News, NewsKind
from companion.table.session import Session
from tests.camera import game
from tests.camera.film import Reel, shoot
from tests.camera.virtual import VirtualCameraFolder, camera
from vision.roll import CameraState
from vision.watching.supervisor import LIVE_SUPERVISION, ProcessReader
from vision.watching.worker import ReaderNews as Seen
from vision.watching.worker import ReaderSetup, make_reader

RATE = 8.0
"""Pictures per second; low, since the virtual camera loads all pictures when it is opened."""

WINDOW = 120
"""Pictures loaded at once: the rest of a throw and the whole next one. After the last the virtual camera starts over.

"""

STAYS = 5.0
"""Seconds that a throw lies still: longer than any fault, so that it can be read."""

LIMIT = 3.0
"""Maximum seconds until the camera is recovered."""

Check = tuple[str, list[str]]


class WaitingReader(ProcessReader):
    """A reader that waits a moment in each poll, as a screen polls once per frame."""

    def __init__(self, what: ReaderSetup) -> None:
        super().__init__(what, supervision=LIVE_SUPERVISION)
        self._nothing = threading.Event()

    def poll(self, wait: float = 0.01) -> list[Seen]:
        if self.pid is None:
            self._nothing.wait(wait)
        return super().poll(wait)


@dataclass
class Table:
    """A match at a table with a faulty camera; records the news of the screen with their times."""

    place: VirtualCameraFolder
    reader: ProcessReader
    session: Session
    camera_states: list[tuple[float, bool, str]] = field(default_factory=list)

    def hear(self, news: News) -> None:
        """Receive news as an output of the session, like the screen."""
        state = self.session.dice.camera
        if news.kind is NewsKind.CAMERA and isinstance(state, CameraState):
            self.camera_states.append((time.monotonic(), state.present, state.detail))

    def until(self, done: Callable[[], bool], seconds: float) -> bool:
        """Run the match until a condition is true; return False on a timeout."""
        end = time.monotonic() + seconds
        while not done():
            if time.monotonic() > end:
                return False
            self.session.poll()
        return True

    def seen_again(self, since: float) -> float:
        """Return the seconds from `since` until the screen reported the camera again; waits 20 s at most."""
        back = self.until(lambda: self.seen() and self.camera_states[-1][0] >= since, 20.0)
        return self.camera_states[-1][0] - since if back else float("inf")

    def seen(self) -> bool:
        """Return True if the screen shows the camera as connected."""
        return bool(self.camera_states) and self.camera_states[-1][1]


Fault = Callable[[Table, Random], tuple[float, list[str]]]
"""Causes the fault; returns the time from which the recovery counts, and the problems seen meanwhile."""


def survived(folder: Path, fault: str) -> Iterator[Check]:
    """Cause one kind of fault several times in one match; the journal must then contain each throw once."""
    yield from _match(folder, fault, *FAULTS[fault])


def _match(folder: Path, name: str, fault: Fault, times: int) -> Iterator[Check]:
    random = Random(name)
    throws = [[("pips", random.randint(1, 6), "white") for _ in range(game.DICE)] for _ in range(times + 1)]
    reel = shoot(folder / f"{name} reel", 7, throws, rate=RATE, stays=STAYS)
    with _table(folder, name, reel) as table:
        wrong = [] if table.until(table.seen, 30.0) else ["the camera was never there"]
        for number in range(times):
            throw = reel.throws[number]
            # The fault hits a throw in motion, just at rest, or already read.
            moment = throw.rests + random.randint(-4, 12)
            table.until(lambda moment=moment: table.place.at() >= moment, 60.0)
            if not table.until(lambda: table.seen() and table.reader.spare is not None, 20.0):
                wrong.append(f"nobody stood by for the fault {number + 1}")
            touched = game.touched(table.session)
            before = len(table.camera_states)
            since, more = fault(table, random)
            game.touch(table.session)
            took = table.seen_again(since)
            lost = [state for state in table.camera_states[before:] if not state[1]]
            more += [] if took <= LIMIT else [f"seen again after {took:.2f} s"]
            more += [] if lost else ["the screen was not told"]
            more += [] if game.touched(table.session) == touched + 1 else ["touch did not go on"]
            yield f"{name} {number + 1}: seen again after {took:.2f} s", more
        table.until(lambda: table.place.at() >= reel.throws[-1].gone - 1, 60.0)
        recorded = game.thrown(table.session)
        wrong += ["the virtual camera ran out of pictures"] if table.place.fault("wrapped") else []
    due = [[face for _, face in throw.faces] for throw in reel.throws]
    wrong += [] if recorded == due else [f"thrown {due}, recorded {recorded}"]
    yield f"{name}: {len(due)} throws recorded, each once", wrong


@contextmanager
def _table(folder: Path, name: str, reel: Reel) -> Iterator[Table]:
    here = folder / f"{name} camera"
    here.mkdir()
    place = VirtualCameraFolder(here, reel.folder, reel.count, reel.rate, WINDOW)
    reader = WaitingReader(ReaderSetup(partial(camera, place), make_reader))
    try:
        with Store.open(here / "matches.sqlite", SystemClock()) as store:
            table = Table(place, reader, game.start_session(store, reader))
            table.session.outputs.subscribe(table.hear)
            yield table
    finally:
        reader.close()


def _killed(table: Table, random: Random) -> tuple[float, list[str]]:
    """The process is killed."""
    return _signal(table, signal.SIGKILL)


def _stopped(table: Table, random: Random) -> tuple[float, list[str]]:
    """The process is stopped (SIGSTOP)."""
    return _signal(table, signal.SIGSTOP)


def _hung(table: Table, random: Random) -> tuple[float, list[str]]:
    """A driver call never returns."""
    return _failing(table, "hung")


def _silent(table: Table, random: Random) -> tuple[float, list[str]]:
    """The driver responds but delivers no picture; its `stop` never returns."""
    (table.place.folder / "endless").touch()
    return _failing(table, "silent")


def _vanished(table: Table, random: Random) -> tuple[float, list[str]]:
    """No picture arrives and no camera is listed for a while; the recovery time counts from its return."""
    (table.place.folder / "absent").touch()
    _failing(table, "silent")
    table.until(lambda: any("no camera was found" in entry[2] for entry in table.camera_states[-3:]), 10.0)
    wrong = (
        []
        if any("no camera" in entry[2] for entry in table.camera_states) or not table.seen()
        else ["not said to be gone"]
    )
    (table.place.folder / "absent").unlink()
    return time.monotonic(), wrong


def _failing(table: Table, how: str) -> tuple[float, list[str]]:
    """Activate one failure mode until the screen reports it."""
    since = time.monotonic()
    with table.place.blocked(how):
        noticed = table.until(lambda: not table.seen(), 10.0)
    return since, [] if noticed else ["the loss was not noticed"]


def _signal(table: Table, which: signal.Signals) -> tuple[float, list[str]]:
    """Send a signal to the active process, and wait until the screen reports a lost camera."""
    since, pid = time.monotonic(), table.reader.pid
    if pid is None:
        return since, ["no process worked"]
    os.kill(pid, which)
    return since, [] if table.until(lambda: not table.seen(), 10.0) else ["the loss was not noticed"]


FAULTS: dict[str, tuple[Fault, int]] = {
    "killed": (_killed, 4),
    "stopped": (_stopped, 3),
    "hung": (_hung, 3),
    "silent": (_silent, 3),
    "vanished": (_vanished, 3),
}
"""All kinds of fault, with their number of repetitions."""
