"""The reader in a process of its own, supervised: a camera driver that hangs for ever must not stop the screen.

`ProcessReader` holds the other end of the pipe in the application's process and never blocks; `InlineReader` has the
same interface in one process, for demos and tests. Both are what the table knows as a reader port.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import queue
import signal
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection

import cv2

from vision import dice_sets
from vision.cameras.paced import Paced
from vision.cameras.protocol import Camera, Clock, SourceError
from vision.eye import Deal, Eye, MakeReader, News
from vision.pipeline import Reader
from vision.roll import CameraState, RollRequest
from vision.sources import camera_of
from vision.watch import ReadsDice


@dataclass(frozen=True, slots=True)
class Alive:
    """The worker's heartbeat."""


@dataclass(frozen=True, slots=True)
class Stop:
    """The worker is to end."""


@dataclass(frozen=True, slots=True)
class ShowTray:
    """Whether pictures of the tray are wanted."""

    on: bool


@dataclass(frozen=True, slots=True)
class Stirred:
    """What the tray feels from now on: dice move in it, all lies still, or (None) it is gone."""

    moving: bool | None


Order = RollRequest | ShowTray | Stirred | Deal | Stop


@dataclass(frozen=True, slots=True)
class Sight:
    """What a worker is to look through and read with. Both are called in the worker's process: they must be picklable,
    functions of a module or partials of such."""

    camera: Callable[[], Camera]
    reader: MakeReader
    dice_set: str = "pips"


@dataclass(frozen=True, slots=True)
class Supervision:
    """How long a worker may be silent, in seconds: while it starts, and later; and how long to wait before the next one
    is started, doubled each time until a camera is seen."""

    start: float = 20.0
    silence: float = 3.0
    pause: float = 1.0
    longest_pause: float = 30.0


HEARTBEAT = 0.5
"""Seconds between two heartbeats."""

TURN = 0.25
"""Seconds that a worker waits for one frame."""


def make_reader(dice_set: str) -> ReadsDice:
    """The real reader of a dice set. Raises DiceSetError."""
    return Reader(dice_sets.load(dice_set), one_tray=True)


def make_camera(source: str, dice_set: str, fps: float | None = None) -> Camera:
    """The camera of that name (see `sources.camera_of`), at the speed of the clock on the wall."""
    return Paced(camera_of(source, dice_sets.load(dice_set), fps=fps))


def sight(source: str, dice_set: str) -> Sight:
    """What the product looks through: a named source and the real reader."""
    return Sight(partial(make_camera, source, dice_set), make_reader, dice_set)


def obey(eye: Eye, order: Order) -> bool:
    """Carry out an order; False if it was to stop."""
    if isinstance(order, RollRequest):
        eye.request(order)
    elif isinstance(order, ShowTray):
        eye.show_tray(order.on)
    elif isinstance(order, Stirred):
        eye.stirred(order.moving)
    elif isinstance(order, Deal):
        eye.deal(order)
    return not isinstance(order, Stop)


def work(pipe: Connection, what: Sight, clock: Clock = time.monotonic) -> None:
    """The worker's whole life: frames in, news out, until it is told to stop or nobody listens any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group; the application says when to stop
    cv2.setNumThreads(1)
    try:
        eye = Eye(what.camera(), what.reader, clock, what.dice_set)
        pipe.send(Alive())
        try:
            _look(pipe, eye, clock)
        finally:
            eye.close()
    except (SourceError, dice_sets.DiceSetError) as error:
        pipe.send(CameraState(False, what.dice_set, str(error)))
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return


def _look(pipe: Connection, eye: Eye, clock: Clock) -> None:
    beat = clock()
    while True:
        while pipe.poll(TURN if eye.ended else 0.0):
            if not obey(eye, pipe.recv()):
                return
        for news in eye.turn(TURN):
            pipe.send(news)
        if clock() - beat >= HEARTBEAT:
            beat = clock()
            pipe.send(Alive())


class _Run:
    """One worker process, and a thread that takes its messages off the pipe: nobody waits for half a message."""

    def __init__(self, what: Sight, now: float) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, far_end = context.Pipe()
        self._news: queue.SimpleQueue[News | Alive] = queue.SimpleQueue()
        self._process = context.Process(target=work, args=(far_end, what), name="vision", daemon=True)
        self._process.start()
        far_end.close()
        self.heard_at = now
        self.spoke = False
        threading.Thread(target=self._listen, name="vision-news", daemon=True).start()

    @property
    def alive(self) -> bool:
        return self._process.is_alive()

    @property
    def pid(self) -> int | None:
        """The process's number."""
        return self._process.pid

    def take(self, now: float, wait: float) -> list[News]:
        """What has come since the last call, waiting `wait` seconds at most for the first."""
        taken: list[News] = []
        while True:
            try:
                news = self._news.get(timeout=wait) if wait > 0 and not taken else self._news.get_nowait()
            except queue.Empty:
                return taken
            self.heard_at, self.spoke = now, True
            if not isinstance(news, Alive):
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
        self._process.join(0.3)

    def kill(self) -> None:
        """Stop at once. The listening thread finds the pipe's end by itself."""
        self._process.kill()

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

    def __init__(self, what: Sight, *, clock: Clock = time.monotonic, supervision: Supervision | None = None) -> None:
        self._what = what
        self._clock = clock
        self._limits = supervision or Supervision()
        self._orders: dict[type[Order], Order] = {}
        self._present = False
        self._name = ""
        self._pause = self._limits.pause
        self._start_at = 0.0
        self._closed = False
        self._run: _Run | None = _Run(what, clock())

    @property
    def pid(self) -> int | None:
        """The number of the process that works now, None between two of them."""
        return None if self._run is None else self._run.pid

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

    def deal(self, deal: Deal) -> None:
        """Do something at the simulated tray."""
        if self._run is not None:
            self._run.send(deal)

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
        for one in news:
            if isinstance(one, CameraState):
                self._present, self._name = one.present, one.name
                self._pause = self._limits.pause if one.present else self._pause
        silent = now - run.heard_at > (self._limits.silence if run.spoke else self._limits.start)
        if silent or not run.alive:
            news += self._give_up(run, now, "does not answer" if silent else "has stopped")
        return news

    def close(self) -> None:
        """End the worker. Takes little more than half a second at the most."""
        self._closed = True
        if self._run is not None:
            self._run.end()
            self._run = None

    def _order(self, order: Order) -> None:
        self._orders[type(order)] = order
        if self._run is not None:
            self._run.send(order)

    def _start(self, now: float) -> None:
        self._run = _Run(self._what, now)
        for order in self._orders.values():
            self._run.send(order)

    def _give_up(self, run: _Run, now: float, why: str) -> list[News]:
        run.kill()
        rest = run.take(now, 0.0)
        self._run, self._start_at = None, now + self._pause
        self._pause = min(2 * self._pause, self._limits.longest_pause)
        was_present, self._present = self._present, False
        if not was_present:
            return rest
        return [*rest, CameraState(False, self._name, f"the reader's process {why} and is started again")]


class InlineReader:
    """A reader port in one process: every `poll` looks at `frames` frames at the most, fewer if there is news."""

    def __init__(self, what: Sight, *, clock: Clock = time.monotonic, frames: int = 1) -> None:
        self._eye = Eye(what.camera(), what.reader, clock, what.dice_set)
        self._frames = frames
        self._closed = False

    def request(self, request: RollRequest) -> None:
        """Which dice are awaited from now on."""
        self._eye.request(request)

    def show_tray(self, on: bool) -> None:
        """Whether pictures of the tray are wanted, ten a second at the most."""
        self._eye.show_tray(on)

    def stirred(self, moving: bool | None) -> None:
        """What the tray feels from now on (see `ProcessReader.stirred`)."""
        self._eye.stirred(moving)

    def deal(self, deal: Deal) -> None:
        """Do something at the simulated tray."""
        self._eye.deal(deal)

    def poll(self, wait: float = 0.0) -> list[News]:
        """What the next frames show; `wait` is how many seconds to wait for one frame."""
        for _ in range(0 if self._closed else self._frames):
            news = self._eye.turn(wait)
            if news:
                return news
        return []

    def close(self) -> None:
        """Let go of the camera."""
        self._closed = True
        self._eye.close()
