"""The supervisor of the reader's process: a camera driver that hangs for ever must not stop the screen.

`ProcessReader` is a reader port as the table knows it. It lives in the application's process and never blocks.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import threading
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from vision.calibration_words import CalibrationOrder
from vision.cameras.protocol import Clock
from vision.roll import CameraState, RollRequest, TrayPicture
from vision.watching.worker import (
    Busy,
    Go,
    News,
    Order,
    ReaderSetup,
    Reading,
    ShowTray,
    Sign,
    Stirred,
    Stop,
    Stuck,
    TrayCommand,
    work,
)


@dataclass(frozen=True, slots=True)
class Supervision:
    """How a worker is looked after; times in seconds.

    `start`, `reading` and `silence`: how long it may say nothing while it starts or is busy, while it reads a roll, and
    otherwise. The next one is started at once after one that saw its camera for `steady`, else after `pause`, doubled
    each time. `spare`: whether another one stands by, all loaded, to open the camera as soon as this one fails.
    """

    start: float = 20.0
    reading: float = 20.0
    silence: float = 3.0
    pause: float = 1.0
    longest_pause: float = 30.0
    steady: float = 5.0
    spare: bool = False


REAL = Supervision(reading=2.2, silence=1.5, spare=True)
"""For a camera that players depend on: seen again within three seconds, whatever the driver does."""


class NewsQueue:
    """Messages of a worker for one reader, oldest first. Of pictures of the tray only the newest waits.

    Bounded whatever the reader does: rolls and states of the camera are few, pictures come ten a second.
    """

    def __init__(self) -> None:
        self._waiting: deque[News | Sign] = deque()
        self._came = threading.Condition()

    def __len__(self) -> int:
        return len(self._waiting)

    def put(self, news: News | Sign) -> None:
        """Add a message; one that supersedes a waiting one takes it out."""
        with self._came:
            if isinstance(news, TrayPicture | Sign):
                superseded = TrayPicture if isinstance(news, TrayPicture) else Sign
                self._waiting = deque(other for other in self._waiting if not isinstance(other, superseded))
            self._waiting.append(news)
            self._came.notify()

    def get(self, wait: float) -> News | Sign | None:
        """The oldest message, None if none comes within `wait` seconds."""
        with self._came:
            if not self._waiting and wait > 0:
                self._came.wait_for(lambda: bool(self._waiting), timeout=wait)
            return self._waiting.popleft() if self._waiting else None


class _Run:
    """One worker process, and a thread that takes its messages off the pipe: nobody waits for half a message."""

    def __init__(self, setup: ReaderSetup, now: float, stand_by: bool = False) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, far_end = context.Pipe()
        self._news = NewsQueue()
        self._process = context.Process(target=work, args=(far_end, setup, stand_by), name="vision", daemon=True)
        self._process.start()
        far_end.close()
        self._heard_at = now
        self._sign: Sign = Busy()
        threading.Thread(target=self._listen, name="vision-news", daemon=True).start()

    @property
    def alive(self) -> bool:
        return self._process.is_alive()

    @property
    def pid(self) -> int | None:
        """The process's number."""
        return self._process.pid

    def fault(self, now: float, limits: Supervision) -> str | None:
        """Why it must be given up, None if all is well."""
        if isinstance(self._sign, Stuck):
            return "cannot reach its camera"
        patience = limits.start if isinstance(self._sign, Busy) else limits.silence
        if isinstance(self._sign, Reading):
            patience = limits.reading
        if now - self._heard_at > patience:
            return "does not answer"
        return None if self.alive else "has stopped"

    def go(self, now: float) -> None:
        """Let one that stands by look."""
        self._heard_at = now
        self.send(Go())

    def take(self, now: float, wait: float) -> list[News]:
        """What has come since the last call, waiting `wait` seconds at most for the first."""
        taken: list[News] = []
        while True:
            news = self._news.get(0.0 if taken else wait)
            if news is None:
                return taken
            self._heard_at = now
            if isinstance(news, Sign):
                self._sign = news
            else:
                taken.append(news)

    def send(self, order: Order) -> None:
        """Give an order. One that no longer arrives is lost: the supervision will find that the worker is gone."""
        with contextlib.suppress(OSError):
            self._pipe.send(order)

    def end(self) -> None:
        """Stop for good: kindly if it listens, by force if it does not within a moment."""
        self.send(Stop())
        self._process.join(0.3)
        self.kill()
        self.reap()

    def kill(self) -> None:
        """Stop at once. The listening thread finds the pipe's end by itself."""
        self._process.kill()

    def reap(self) -> None:
        """Let a process that was killed be gone."""
        self._process.join(0.3)

    def _listen(self) -> None:
        with contextlib.suppress(EOFError, OSError):
            while True:
                self._news.put(self._pipe.recv())
        self._pipe.close()


class ProcessReader:
    """A reader port whose work is done in a supervised process. No call waits for the worker.

    A worker that is silent for too long, or dead, is killed and another one started; the table hears that the camera is
    lost and, with its first frame, that it is back. Requests and wishes are given to the next one again.
    """

    def __init__(
        self, setup: ReaderSetup, *, clock: Clock = time.monotonic, supervision: Supervision | None = None
    ) -> None:
        self._setup = setup
        self._clock = clock
        self._limits = supervision or Supervision()
        self._orders: dict[type[Order], Order] = {}
        self._present = False
        self._name = ""
        self._seen_since = 0.0
        self._pause = 0.0
        self._start_at = 0.0
        self._closed = False
        self._spare: _Run | None = None
        self._spare_at = 0.0
        self._run: _Run | None = _Run(setup, clock())

    @property
    def pid(self) -> int | None:
        """The number of the process that works now, None between two of them."""
        return None if self._run is None else self._run.pid

    @property
    def spare(self) -> int | None:
        """The number of the process that stands by, None if there is none."""
        return None if self._spare is None else self._spare.pid

    def request(self, request: RollRequest) -> None:
        """Which dice are awaited from now on."""
        self._order(request)

    def show_tray(self, on: bool) -> None:
        """Whether pictures of the tray are wanted, ten a second at the most."""
        self._order(ShowTray(on))

    def stirred(self, moving: bool | None) -> None:
        """What the tray feels from now on: dice move in it (True), all lies still (False), it is gone (None).

        It never replaces the picture: what lies still there is read a few frames sooner after the tray has said so.
        """
        if self._run is not None:
            self._run.send(Stirred(moving))

    def calibrate(self, order: CalibrationOrder) -> None:
        """Set the camera up; a worker that has to be started anew begins with what was kept."""
        if self._run is not None:
            self._run.send(order)

    def command(self, command: TrayCommand) -> None:
        """Do something at the simulated tray."""
        if self._run is not None:
            self._run.send(command)

    def poll(self, wait: float = 0.0) -> list[News]:
        """What was seen since the last call, oldest first; `wait` is how many seconds to wait for the first news."""
        if self._closed:
            return []
        run, now = self._run, self._clock()
        if run is None:
            if now >= self._start_at:
                self._start(now)
            return []
        news = run.take(now, wait)
        self._follow(news, now)
        if self._seen_for(now) >= self._limits.steady:
            self._pause = 0.0
        fault = run.fault(now, self._limits)
        if fault is not None:
            return news + self._give_up(run, now, fault)
        if self._limits.spare and self._present and now >= self._spare_at:
            self._stand_by(now)
        return news

    def close(self) -> None:
        """End the worker. Takes little more than half a second at the most."""
        self._closed = True
        if self._spare is not None:
            self._spare.kill()
        if self._run is not None:
            self._run.end()
        if self._spare is not None:
            self._spare.reap()
        self._run = self._spare = None

    def _order(self, order: Order) -> None:
        self._orders[type(order)] = order
        if self._run is not None:
            self._run.send(order)

    def _follow(self, news: Sequence[News], now: float) -> None:
        for one in news:
            if isinstance(one, CameraState):
                self._seen_since = now if one.present and not self._present else self._seen_since
                self._present, self._name = one.present, one.name

    def _seen_for(self, now: float) -> float:
        return now - self._seen_since if self._present else 0.0

    def _start(self, now: float) -> None:
        spare, self._spare, self._spare_at = self._spare, None, now
        if spare is not None and spare.alive:
            self._run = spare
            spare.take(now, 0.0)
        else:
            self._run = _Run(self._setup, now)
        for order in self._orders.values():
            self._run.send(order)
        self._run.go(now)

    def _stand_by(self, now: float) -> None:
        """Have another one ready; one that ends by itself is replaced after a while."""
        if self._spare is None or not self._spare.alive:
            self._spare = _Run(self._setup, now, stand_by=True)
            self._spare_at = now + self._limits.longest_pause

    def _give_up(self, run: _Run, now: float, why: str) -> list[News]:
        run.kill()
        rest = run.take(now, 0.0)
        self._run, self._start_at = None, now + self._pause
        self._pause = min(max(self._limits.pause, 2 * self._pause), self._limits.longest_pause)
        was_present, self._present = self._present, False
        if not was_present:
            return rest
        return [*rest, CameraState(False, self._name, f"the reader's process {why} and is started again")]
