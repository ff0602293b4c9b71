"""Cameras that die, hang or vanish during a match: seen again within three seconds, no roll lost or recorded twice."""

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
from tests.camera.virtual import Place, camera
from vision.roll import CameraState
from vision.watching.supervisor import REAL, ProcessReader
from vision.watching.worker import News as Seen
from vision.watching.worker import ReaderSetup, make_reader

RATE = 8.0
"""Pictures a second: few, since the virtual camera reads them all when it is opened."""

WINDOW = 120
"""Pictures that it is given: the rest of a throw and the whole next one. After the last it would begin anew."""

STAYS = 5.0
"""Seconds that a throw lies there: longer than any fault lasts, or nobody could have seen it."""

LIMIT = 3.0
"""Seconds within which the camera must be seen again."""

Check = tuple[str, list[str]]


class Attentive(ProcessReader):
    """Who asks it for news waits a moment for them, as a screen does until its next frame."""

    def __init__(self, what: ReaderSetup) -> None:
        super().__init__(what, supervision=REAL)
        self._nothing = threading.Event()

    def poll(self, wait: float = 0.01) -> list[Seen]:
        if self.pid is None:
            self._nothing.wait(wait)
        return super().poll(wait)


@dataclass
class Table:
    """A match at a table whose camera has faults: what the screen was told, and when."""

    place: Place
    reader: ProcessReader
    session: Session
    told: list[tuple[float, bool, str]] = field(default_factory=list)

    def hear(self, news: News) -> None:
        """An output of the session, as the screen is."""
        state = self.session.dice.camera
        if news.kind is NewsKind.CAMERA and isinstance(state, CameraState):
            self.told.append((time.monotonic(), state.present, state.detail))

    def until(self, done: Callable[[], bool], seconds: float) -> bool:
        """Let the match go on until something has come about; False if it has not in that time."""
        end = time.monotonic() + seconds
        while not done():
            if time.monotonic() > end:
                return False
            self.session.poll()
        return True

    def seen_again(self, since: float) -> float:
        """How long after that second the screen was told that the camera is back; 20 at the most are waited for."""
        back = self.until(lambda: self.seen() and self.told[-1][0] >= since, 20.0)
        return self.told[-1][0] - since if back else float("inf")

    def seen(self) -> bool:
        """Whether the screen says that the camera is there."""
        return bool(self.told) and self.told[-1][1]


Fault = Callable[[Table, Random], tuple[float, list[str]]]
"""Makes it happen; gives the second from which the recovery counts, and what was wrong meanwhile."""


def survived(folder: Path, fault: str) -> Iterator[Check]:
    """One sort of fault several times in one match; then the journal must hold the throws, each once."""
    yield from _match(folder, fault, *FAULTS[fault])


def _match(folder: Path, name: str, fault: Fault, times: int) -> Iterator[Check]:
    random = Random(name)
    throws = [[("pips", random.randint(1, 6), "white") for _ in range(game.DICE)] for _ in range(times + 1)]
    reel = shoot(folder / f"{name} reel", 7, throws, rate=RATE, stays=STAYS)
    with _table(folder, name, reel) as table:
        wrong = [] if table.until(table.seen, 30.0) else ["the camera was never there"]
        for number in range(times):
            throw = reel.throws[number]
            # In the air, just come to rest, or read already: whatever it may meet.
            moment = throw.rests + random.randint(-4, 12)
            table.until(lambda moment=moment: table.place.at() >= moment, 60.0)
            if not table.until(lambda: table.seen() and table.reader.spare is not None, 20.0):
                wrong.append(f"nobody stood by for the fault {number + 1}")
            touched = game.touched(table.session)
            before = len(table.told)
            since, more = fault(table, random)
            game.touch(table.session)
            took = table.seen_again(since)
            lost = [state for state in table.told[before:] if not state[1]]
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
    place = Place(here, reel.folder, reel.count, reel.rate, WINDOW)
    reader = Attentive(ReaderSetup(partial(camera, place), make_reader))
    try:
        with Store.open(here / "matches.sqlite", SystemClock()) as store:
            table = Table(place, reader, game.begin(store, reader))
            table.session.outputs.subscribe(table.hear)
            yield table
    finally:
        reader.close()


def _killed(table: Table, random: Random) -> tuple[float, list[str]]:
    """The process dies at once."""
    return _signal(table, signal.SIGKILL)


def _stopped(table: Table, random: Random) -> tuple[float, list[str]]:
    """The process stands still as a whole."""
    return _signal(table, signal.SIGSTOP)


def _hung(table: Table, random: Random) -> tuple[float, list[str]]:
    """The driver takes a call and never comes back from it."""
    return _failing(table, "hung")


def _silent(table: Table, random: Random) -> tuple[float, list[str]]:
    """The driver answers, but no picture comes; nor does its `stop` ever return."""
    (table.place.folder / "endless").touch()
    return _failing(table, "silent")


def _vanished(table: Table, random: Random) -> tuple[float, list[str]]:
    """No picture comes, and no camera is listed for a while; what counts is the time from its return."""
    (table.place.folder / "absent").touch()
    _failing(table, "silent")
    table.until(lambda: any("no camera was found" in told[2] for told in table.told[-3:]), 10.0)
    wrong = [] if any("no camera" in told[2] for told in table.told) or not table.seen() else ["not said to be gone"]
    (table.place.folder / "absent").unlink()
    return time.monotonic(), wrong


def _failing(table: Table, how: str) -> tuple[float, list[str]]:
    """Fail in one way until the screen says so."""
    since = time.monotonic()
    with table.place.blocked(how):
        said = table.until(lambda: not table.seen(), 10.0)
    return since, [] if said else ["the loss was not noticed"]


def _signal(table: Table, which: signal.Signals) -> tuple[float, list[str]]:
    """Send the process that works a signal, and wait until the screen says that the camera is lost."""
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
"""Every sort of fault, and how often it is made to happen."""
