"""The reader's life in a process of its own, and `InlineReader`, the same in one process for demos and tests.

`supervised.ProcessReader` holds the other end of the pipe.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path

import cv2

from vision import dice_sets
from vision.calibration.calibrated import Calibrated
from vision.calibration_words import CalibrationOrder
from vision.cameras.paced import Paced
from vision.cameras.protocol import Camera, Clock, SourceError
from vision.eye import Deal, Eye, MakeReader, News
from vision.faults import NetError
from vision.pipeline import Reader
from vision.roll import CameraState, RollRequest
from vision.sources import camera_of
from vision.watch import ReadsDice


@dataclass(frozen=True, slots=True)
class Alive:
    """The worker's heartbeat."""


@dataclass(frozen=True, slots=True)
class Busy:
    """The worker is about to do what may take seconds: it is not to be expected to speak so soon."""


@dataclass(frozen=True, slots=True)
class Reading:
    """The worker reads a roll: seconds only where others keep the processor."""


@dataclass(frozen=True, slots=True)
class Stuck:
    """Only another process can reach the camera again."""


@dataclass(frozen=True, slots=True)
class Go:
    """The worker that stands by is to look now."""


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


Order = RollRequest | ShowTray | Stirred | Deal | CalibrationOrder | Go | Stop

Sign = Alive | Busy | Reading | Stuck
"""What a worker says of itself."""


@dataclass(frozen=True, slots=True)
class Sight:
    """What a worker is to look through and read with. Both are called in the worker's process: they must be picklable,
    functions of a module or partials of such."""

    camera: Callable[[], Camera]
    reader: MakeReader
    dice_set: str = "pips"


HEARTBEAT = 0.25
"""Seconds between two heartbeats."""

TURN = 0.25
"""Seconds that a worker waits for one frame."""


def make_reader(dice_set: str) -> ReadsDice:
    """The real reader of a dice set. Raises DiceSetError."""
    return Reader(dice_sets.load(dice_set), one_tray=True)


def make_camera(
    source: str, dice_set: str, fps: float | None = None, calibration: Path | None = None, rotation: int = 0
) -> Camera:
    """The camera of that name (see `sources.camera_of`), as it was set up if `calibration` is the file of that.

    One with a time of its own goes at the speed of the clock on the wall. A live one does so by itself; to wait there
    too would make every frame as late as the latest.
    """
    camera = camera_of(source, dice_sets.load(dice_set), fps=fps, rotation=rotation)
    paced = camera if camera.live else Paced(camera)
    return paced if calibration is None else Calibrated(paced, calibration)


def sight(source: str, dice_set: str, calibration: Path | None = None, rotation: int = 0) -> Sight:
    """What the product looks through: a named source, turned and as it was set up, and the real reader."""
    camera = partial(make_camera, source, dice_set, calibration=calibration, rotation=rotation)
    return Sight(camera, make_reader, dice_set)


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
    elif isinstance(order, CalibrationOrder):
        eye.calibrate(order)
    return not isinstance(order, Stop)


def work(pipe: Connection, what: Sight, stand_by: bool = False, clock: Clock = time.monotonic) -> None:
    """The worker's whole life: frames in, news out, until it is told to stop or nobody listens any more.

    One that is to stand by does all that needs no camera, and waits until it is told to go.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group; the application says when to stop
    cv2.setNumThreads(1)
    try:
        with ThreadPoolExecutor(1, "look-ahead") as ahead:
            eye = Eye(
                what.camera(),
                what.reader,
                clock,
                what.dice_set,
                busy=partial(_doing, pipe, Busy()),
                reading=partial(_doing, pipe, Reading()),
                ahead=ahead,
            )
            eye.warm_up()
            pipe.send(Alive())
            try:
                if not stand_by or _told_to_go(pipe, eye):
                    _look(pipe, eye, clock)
            finally:
                eye.close()
    except (SourceError, dice_sets.DiceSetError, NetError) as error:
        pipe.send(CameraState(False, what.dice_set, str(error)))
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return


@contextmanager
def _doing(pipe: Connection, what: Busy | Reading) -> Iterator[None]:
    """What is done here takes longer than a frame."""
    pipe.send(what)
    yield
    pipe.send(Alive())


def _told_to_go(pipe: Connection, eye: Eye) -> bool:
    """Wait for the order to go; False if it is the one to stop."""
    while True:
        order = pipe.recv()
        if isinstance(order, Go):
            return True
        if not obey(eye, order):
            return False


def _look(pipe: Connection, eye: Eye, clock: Clock) -> None:
    beat = clock()
    while not eye.stuck:
        while pipe.poll(TURN if eye.ended else 0.0):
            if not obey(eye, pipe.recv()):
                return
        for news in eye.turn(TURN):
            pipe.send(news)
        if clock() - beat >= HEARTBEAT:
            beat = clock()
            pipe.send(Alive())
    pipe.send(Stuck())


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

    def calibrate(self, order: CalibrationOrder) -> None:
        """Set the camera up."""
        self._eye.calibrate(order)

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
