"""One camera, one watcher and what they have to tell; the process that they work in, and the same in one process."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Protocol, runtime_checkable

import cv2

from vision import NetError, dice_sets
from vision.calibration.calibrated import Calibrated
from vision.calibration_words import CalibrationNews, CalibrationOrder
from vision.cameras.protocol import Camera, CameraLost, CameraStuck, Clock, EndOfSource, Frame, Paced, SourceError
from vision.cameras.simulated_tray import SimulatedTray
from vision.cameras.sources import camera_of
from vision.decision.reader import Reader
from vision.detection.fixed_camera import CameraPrior, FixedCamera
from vision.detection.table_plane import Overhead
from vision.pictures import Picture
from vision.roll import CameraState, CameraTrouble, Roll, RollRequest, SeenRoll, TrayPicture
from vision.watching.settle import LIVE
from vision.watching.watcher import ReadsDice, Settled, Watcher, seen_roll, tray_picture

News = SeenRoll | TrayPicture | CameraState | CalibrationNews
"""What an observer tells."""

MakeReader = Callable[[str], ReadsDice]
"""Makes the reader of the dice set of that name."""

SILENCE = 2.0
"""Seconds without a frame after which a camera is lost (screens, section 7)."""

RETRY = 1.0
"""Seconds between two attempts to open a camera that is not there."""

TRAY_STEP = 0.1
"""Least time in seconds between two pictures of the tray: ten a second at the most."""

COMMANDS = frozenset(
    {"throw", "nudge", "clear", "hand", "cover", "lose", "add_thing", "hang", "shine", "focus", "lay_card"}
)
"""What may be done at a simulated tray from afar."""


@dataclass(frozen=True, slots=True)
class TrayCommand:
    """Something to be done at the simulated tray: a method of `SimulatedTray` (one of COMMANDS) and its arguments."""

    command: str
    args: tuple[object, ...] = ()
    options: dict[str, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.command not in COMMANDS:
            raise ValueError(f"a simulated tray knows no {self.command!r}; it knows {', '.join(sorted(COMMANDS))}")


@runtime_checkable
class KnowsView(Protocol):
    """A reader that can be told where the camera stands, and learns it."""

    view: Overhead | None
    camera: FixedCamera | None


class _ReaderOfSets:
    """Reads with the reader of the dice set that is awaited; each set's reader is made once."""

    def __init__(
        self,
        make_reader: MakeReader,
        usual: str,
        busy: Callable[[], AbstractContextManager[None]],
        view: Callable[[], Overhead | None],
        learnt_before: Callable[[], CameraPrior | None],
    ) -> None:
        self._make = make_reader
        self._usual = usual
        self._busy = busy
        self._view = view
        self._learnt_before = learnt_before
        self._camera: FixedCamera | None = None
        self.learnt: CameraPrior | None = None
        """Where the camera stands, as dice of any set have told."""
        self._own: dict[str, Overhead | None] = {}
        self._made: dict[str, ReadsDice] = {usual: make_reader(usual)}

    def prepare(self, name: str) -> None:
        """Make the reader of a set, if there is none yet."""
        if name not in self._made:
            with self._busy():
                self._made[name] = self._make(name)

    def read(self, picture: Picture, request: RollRequest | None = None) -> Roll:
        name = self._usual if request is None else request.dice_set
        self.prepare(name)
        reader = self._made[name]
        if isinstance(reader, KnowsView):
            own = self._own.setdefault(name, reader.view)
            reader.view = self._view() or own
            self._camera = self._camera or FixedCamera(self._learnt_before())
            reader.camera = self._camera
        roll = reader.read(picture, request)
        self.learnt = None if self._camera is None else self._camera.learnt()
        return roll


@dataclass(frozen=True, slots=True)
class Hooks:
    """What a process adds to an observer: `busy` is entered around what may take seconds (opening a camera, making
    another reader), `reading` around reading; `ahead` begins to read before a rest is certain."""

    busy: Callable[[], AbstractContextManager[None]] = nullcontext
    reading: Callable[[], AbstractContextManager[None]] = nullcontext
    ahead: Executor | None = None


class Observer:
    """Looks through one camera. Whoever holds it calls `turn` again and again; nothing happens in between.

    Whatever `make_reader` raises for a dice set that is none passes through, from here and from `turn`. One that is
    `stuck` sees nothing any more until another process opens the camera.
    """

    def __init__(
        self,
        camera: Camera,
        make_reader: MakeReader,
        clock: Clock,
        dice_set: str = "pips",
        hooks: Hooks | None = None,
    ) -> None:
        self._camera = camera
        self._clock = clock
        self._request: RollRequest | None = None
        hooks = hooks or Hooks()
        self._busy = hooks.busy
        if isinstance(camera, Calibrated):
            camera.while_busy(hooks.busy)
        self._readers = _ReaderOfSets(make_reader, dice_set, hooks.busy, self._view_of, self._learnt_before)
        self._watcher = Watcher(
            self._readers,
            request_of=lambda: self._request,
            patience=LIVE,
            ahead=hooks.ahead,
            busy=hooks.reading,
            limit_light=camera.limit_light,
        )
        self._showing = False
        self._shown_at = float("-inf")
        self._opened = False
        self._open_at = float("-inf")
        self._heard_at = clock()
        self._present: bool | None = None
        self._trouble: CameraTrouble | None = None
        self.ended = False
        self.stuck = False

    def request(self, request: RollRequest) -> None:
        """Which dice are awaited from now on."""
        self._readers.prepare(request.dice_set)
        self._request = request

    def show_tray(self, on: bool) -> None:
        """Whether pictures of the tray are wanted."""
        self._showing = on

    def stirred(self, moving: bool | None) -> None:
        """What the tray feels from now on: dice move in it, all lies still, or (None) it is gone."""
        self._watcher.stirred(moving)

    def calibrate(self, order: CalibrationOrder) -> None:
        """Set the camera up; nothing where it cannot be."""
        if isinstance(self._camera, Calibrated):
            self._camera.order(order)

    def command(self, command: TrayCommand) -> None:
        """Do something at the simulated tray; at a real one people do that themselves, and nothing happens."""
        tray = self._camera
        while isinstance(tray, (Paced, Calibrated)):
            tray = tray.source
        if isinstance(tray, SimulatedTray):
            do = getattr(tray, command.command, None)
            if do is not None:
                do(*command.args, **command.options)

    def step(self, timeout: float) -> list[News]:
        """Look at the next frame, waiting `timeout` seconds at most; what there is to tell because of it."""
        if self.ended:
            return []
        if not self._opened:
            return self._open()
        try:
            frame = self._camera.frame(timeout)
        except CameraStuck as loss:
            return [*_as_news(self._watcher.interrupted()), *self._give_up(loss)]
        except CameraLost as loss:
            silent = self._clock() - self._heard_at >= SILENCE
            return [*_as_news(self._watcher.interrupted()), *self._say(False, str(loss))] if silent else []
        except EndOfSource:
            self.ended = True
            return [*_as_news(self._watcher.end()), *self._say(False, "the recording is over")]
        self._heard_at = self._clock()
        return [*self._say(True), *self._set_up(), *_as_news(self._watcher.see(frame)), *self._tray(frame)]

    def warm_up(self) -> None:
        """Do beforehand what can be done before the camera is opened."""
        self._camera.warm_up()

    def close(self) -> None:
        """Let go of the camera."""
        self._opened = False
        self._camera.close()

    def _open(self) -> list[News]:
        now = self._clock()
        if now < self._open_at:
            return []
        try:
            with self._busy():
                self._camera.open()
        except SourceError as error:
            self._open_at = self._clock() + RETRY
            return self._say(False, str(error))
        except CameraStuck as loss:
            return self._give_up(loss)
        self._opened, self._heard_at = True, self._clock()
        return []

    def _give_up(self, loss: CameraStuck) -> list[News]:
        self.stuck = True
        return self._say(False, str(loss))

    def _say(self, present: bool, detail: str = "") -> list[News]:
        trouble = self._camera.trouble if present else None
        if present is self._present and trouble is self._trouble:
            return []
        self._present, self._trouble = present, trouble
        return [CameraState(present, self._camera.describe(), detail, trouble)]

    def _view_of(self) -> Overhead | None:
        return self._camera.view if isinstance(self._camera, Calibrated) else None

    def _learnt_before(self) -> CameraPrior | None:
        return self._camera.learnt if isinstance(self._camera, Calibrated) else None

    def _set_up(self) -> Sequence[News]:
        """What the camera has found out about itself."""
        if not isinstance(self._camera, Calibrated):
            return ()
        if self._readers.learnt is not None:
            self._camera.keep_learnt(self._readers.learnt)
        return self._camera.take_news()

    def _tray(self, frame: Frame) -> list[News]:
        now = self._clock()
        if not self._showing or now - self._shown_at < TRAY_STEP:
            return []
        self._shown_at = now
        return [tray_picture(frame.picture)]


def _as_news(settled: Settled | None) -> list[News]:
    return [] if settled is None else [seen_roll(settled)]


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


Order = RollRequest | ShowTray | Stirred | TrayCommand | CalibrationOrder | Go | Stop

Sign = Alive | Busy | Reading | Stuck
"""What a worker says of itself."""


@dataclass(frozen=True, slots=True)
class ReaderSetup:
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
    """The camera of that name (see `camera_of`), as it was set up if `calibration` is the file of that.

    One with a time of its own goes at the speed of the clock on the wall. A live one does so by itself; to wait there
    too would make every frame as late as the latest.
    """
    camera = camera_of(source, dice_sets.load(dice_set), fps=fps, rotation=rotation)
    paced = camera if camera.live else Paced(camera)
    return paced if calibration is None else Calibrated(paced, calibration)


def reader_setup(source: str, dice_set: str, calibration: Path | None = None, rotation: int = 0) -> ReaderSetup:
    """What the product looks through: a named source, turned and as it was set up, and the real reader."""
    camera = partial(make_camera, source, dice_set, calibration=calibration, rotation=rotation)
    return ReaderSetup(camera, make_reader, dice_set)


def carry_out(observer: Observer, order: Order) -> bool:
    """Carry out an order; False if it was to stop."""
    if isinstance(order, RollRequest):
        observer.request(order)
    elif isinstance(order, ShowTray):
        observer.show_tray(order.on)
    elif isinstance(order, Stirred):
        observer.stirred(order.moving)
    elif isinstance(order, TrayCommand):
        observer.command(order)
    elif isinstance(order, CalibrationOrder):
        observer.calibrate(order)
    return not isinstance(order, Stop)


def work(pipe: Connection, setup: ReaderSetup, stand_by: bool = False, clock: Clock = time.monotonic) -> None:
    """The worker's whole life: frames in, news out, until it is told to stop or nobody listens any more.

    One that is to stand by does all that needs no camera, and waits until it is told to go.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group; the application says when to stop
    cv2.setNumThreads(1)
    try:
        with ThreadPoolExecutor(1, "look-ahead") as ahead:
            hooks = Hooks(partial(_doing, pipe, Busy()), partial(_doing, pipe, Reading()), ahead)
            observer = Observer(setup.camera(), setup.reader, clock, setup.dice_set, hooks)
            observer.warm_up()
            pipe.send(Alive())
            try:
                if not stand_by or _told_to_go(pipe, observer):
                    _look(pipe, observer, clock)
            finally:
                observer.close()
    except (SourceError, dice_sets.DiceSetError, NetError) as error:
        pipe.send(CameraState(False, setup.dice_set, str(error)))
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return


@contextmanager
def _doing(pipe: Connection, what: Busy | Reading) -> Iterator[None]:
    """What is done here takes longer than a frame."""
    pipe.send(what)
    yield
    pipe.send(Alive())


def _told_to_go(pipe: Connection, observer: Observer) -> bool:
    """Wait for the order to go; False if it is the one to stop."""
    while True:
        order = pipe.recv()
        if isinstance(order, Go):
            return True
        if not carry_out(observer, order):
            return False


def _look(pipe: Connection, observer: Observer, clock: Clock) -> None:
    beat = clock()
    while not observer.stuck:
        while pipe.poll(TURN if observer.ended else 0.0):
            if not carry_out(observer, pipe.recv()):
                return
        for news in observer.step(TURN):
            pipe.send(news)
        if clock() - beat >= HEARTBEAT:
            beat = clock()
            pipe.send(Alive())
    pipe.send(Stuck())


class InlineReader(Observer):
    """A reader port in one process: every `poll` looks at `frames` frames at the most, fewer if there is news."""

    def __init__(self, setup: ReaderSetup, *, clock: Clock = time.monotonic, frames: int = 1) -> None:
        super().__init__(setup.camera(), setup.reader, clock, setup.dice_set)
        self._frames = frames
        self._closed = False

    def poll(self, wait: float = 0.0) -> list[News]:
        """What the next frames show; `wait` is how many seconds to wait for one frame."""
        for _ in range(0 if self._closed else self._frames):
            news = self.step(wait)
            if news:
                return news
        return []

    def close(self) -> None:
        """Let go of the camera, for good."""
        self._closed = True
        super().close()
