"""The worker process: one camera, one watcher and their news. Also a variant that runs in the caller's process."""

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
from vision.calibration.calibrated import CalibratedCamera
from vision.calibration_messages import CalibrationCommand, CalibrationNews
from vision.cameras.protocol import Camera, CameraLost, CameraStuck, Clock, EndOfSource, Frame, Paced, SourceError
from vision.cameras.simulated_tray import SimulatedTray
from vision.cameras.sources import camera_of
from vision.decision.reader import Reader
from vision.detection.fixed_camera import CameraPrior, FixedCamera
from vision.detection.table_plane import Overhead
from vision.pictures import Picture
from vision.roll import CameraState, CameraTrouble, Roll, RollRequest, SeenRoll, TrayPicture
from vision.watching.picture_faults import PictureFaults
from vision.watching.rest_detector import LIVE_TIMINGS
from vision.watching.watcher import DiceReader, SettledRoll, Watcher, seen_roll, tray_picture, watch_frame

ReaderNews = SeenRoll | TrayPicture | CameraState | CalibrationNews
"""Messages of an observer."""

MakeReader = Callable[[str], DiceReader]
"""Factory that creates the reader for a dice set name."""

LOST_AFTER_S = 2.0
"""Seconds without a frame after which a camera counts as lost (screens, section 7)."""

OPEN_RETRY_S = 1.0
"""Seconds between two attempts to open a missing camera."""

TRAY_PICTURE_INTERVAL_S = 0.1
"""Minimum seconds between two tray images: at most ten per second."""

COMMANDS = frozenset(
    {
        "throw",
        "take_out",
        "take_out_last",
        "nudge",
        "clear",
        "hand",
        "cover",
        "fail_picture",
        "lose",
        "add_thing",
        "hang",
        "shine",
        "focus",
        "lay_card",
    }
)
"""Commands that may be sent to a simulated tray."""


@dataclass(frozen=True, slots=True)
class TrayCommand:
    """A command for the simulated tray: a method of `SimulatedTray` (one of COMMANDS) and its arguments."""

    command: str
    args: tuple[object, ...] = ()
    options: dict[str, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.command not in COMMANDS:
            raise ValueError(f"a simulated tray knows no {self.command!r}; it knows {', '.join(sorted(COMMANDS))}")


@runtime_checkable
class LearnsCamera(Protocol):
    """A reader that accepts a camera position and learns it."""

    view: Overhead | None
    camera: FixedCamera | None


class _ReaderCache:
    """Reads with the reader of the requested dice set. Creates each set's reader once."""

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
        """The camera position learnt from dice of any set."""
        self._own: dict[str, Overhead | None] = {}
        self._made: dict[str, DiceReader] = {usual: make_reader(usual)}

    def prepare(self, name: str) -> None:
        """Create the reader of a set if it does not exist yet."""
        if name not in self._made:
            with self._busy():
                self._made[name] = self._make(name)

    def read(self, picture: Picture, request: RollRequest | None = None) -> Roll:
        name = self._usual if request is None else request.dice_set
        self.prepare(name)
        reader = self._made[name]
        if isinstance(reader, LearnsCamera):
            own = self._own.setdefault(name, reader.view)
            reader.view = self._view() or own
            self._camera = self._camera or FixedCamera(self._learnt_before())
            reader.camera = self._camera
        roll = reader.read(picture, request)
        self.learnt = None if self._camera is None else self._camera.learned_prior()
        return roll


@dataclass(frozen=True, slots=True)
class Hooks:
    """Hooks that a process adds to an observer.

    - `busy`: context around slow work (opening a camera, creating a reader).
    - `reading`: context around a reading.
    - `ahead`: executor that starts reading before a rest is certain.
    """

    busy: Callable[[], AbstractContextManager[None]] = nullcontext
    reading: Callable[[], AbstractContextManager[None]] = nullcontext
    ahead: Executor | None = None


class Observer:
    """Observer of one camera. Works only inside `step`, which the owner calls repeatedly.

    Exceptions of `make_reader` for an invalid dice set pass through. After `stuck` it sees nothing until another
    process opens the camera.
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
        if isinstance(camera, CalibratedCamera):
            camera.set_busy_context(hooks.busy)
        self._readers = _ReaderCache(make_reader, dice_set, hooks.busy, self._view_of, self._learnt_before)
        self._watcher = Watcher(
            self._readers,
            request_of=lambda: self._request,
            timings=LIVE_TIMINGS,
            ahead=hooks.ahead,
            busy=hooks.reading,
            limit_light=camera.limit_light,
        )
        self._picture_faults = PictureFaults(camera.is_recorded)
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
        """Set the dice that the game expects."""
        self._readers.prepare(request.dice_set)
        self._request = request

    def show_tray(self, on: bool) -> None:
        """Turn tray images on or off."""
        self._showing = on

    def on_motion(self, moving: bool | None) -> None:
        """Set the state of the tray sensor: dice move, dice are still, or None if it is disconnected."""
        self._watcher.on_motion(moving)

    def calibrate(self, order: CalibrationCommand) -> None:
        """Carry out a calibration order. Ignored if the camera cannot be calibrated."""
        if isinstance(self._camera, CalibratedCamera):
            self._camera.carry_out(order)

    def command(self, command: TrayCommand) -> None:
        """Carry out a command at the simulated tray. Ignored for a real tray."""
        tray = self._camera
        while isinstance(tray, (Paced, CalibratedCamera)):
            tray = tray.source
        if isinstance(tray, SimulatedTray):
            do = getattr(tray, command.command, None)
            if do is not None:
                do(*command.args, **command.options)

    def step(self, timeout: float) -> list[ReaderNews]:
        """Process the next frame, waiting up to `timeout` seconds. Return the resulting news."""
        if self.ended:
            return []
        if not self._opened:
            return self._open()
        try:
            frame = self._camera.frame(timeout)
        except CameraStuck as loss:
            return [*_as_news(self._watcher.on_interruption()), *self._give_up(loss)]
        except CameraLost as loss:
            silent = self._clock() - self._heard_at >= LOST_AFTER_S
            return [*_as_news(self._watcher.on_interruption()), *self._camera_state(False, str(loss))] if silent else []
        except EndOfSource:
            self.ended = True
            return [*_as_news(self._watcher.end()), *self._camera_state(False, "the recording is over")]
        self._heard_at = self._clock()
        seen = _as_news(watch_frame(self._watcher, self._picture_faults, frame))
        return [*self._camera_state(True), *self._calibration_news(), *seen, *self._tray_pictures(frame)]

    def warm_up(self) -> None:
        """Do the preparation that needs no open camera."""
        self._camera.warm_up()

    def close(self) -> None:
        """Release the camera."""
        self._opened = False
        self._camera.close()

    def _open(self) -> list[ReaderNews]:
        now = self._clock()
        if now < self._open_at:
            return []
        try:
            with self._busy():
                self._camera.open()
        except SourceError as error:
            self._open_at = self._clock() + OPEN_RETRY_S
            return self._camera_state(False, str(error))
        except CameraStuck as loss:
            return self._give_up(loss)
        self._opened, self._heard_at = True, self._clock()
        return []

    def _give_up(self, loss: CameraStuck) -> list[ReaderNews]:
        self.stuck = True
        return self._camera_state(False, str(loss))

    def _camera_state(self, present: bool, detail: str = "") -> list[ReaderNews]:
        trouble = (self._picture_faults.reported or self._camera.trouble) if present else None
        if present is self._present and trouble is self._trouble:
            return []
        self._present, self._trouble = present, trouble
        return [CameraState(present, self._camera.describe(), detail, trouble)]

    def _view_of(self) -> Overhead | None:
        return self._camera.view if isinstance(self._camera, CalibratedCamera) else None

    def _learnt_before(self) -> CameraPrior | None:
        return self._camera.learned_camera if isinstance(self._camera, CalibratedCamera) else None

    def _calibration_news(self) -> Sequence[ReaderNews]:
        """Return the calibration news of the camera."""
        if not isinstance(self._camera, CalibratedCamera):
            return ()
        if self._readers.learnt is not None:
            self._camera.save_learned_camera(self._readers.learnt)
        return self._camera.pop_news()

    def _tray_pictures(self, frame: Frame) -> list[ReaderNews]:
        now = self._clock()
        if not self._showing or now - self._shown_at < TRAY_PICTURE_INTERVAL_S:
            return []
        self._shown_at = now
        return [tray_picture(frame.picture)]


def _as_news(settled_roll: SettledRoll | None) -> list[ReaderNews]:
    return [] if settled_roll is None else [seen_roll(settled_roll)]


@dataclass(frozen=True, slots=True)
class Alive:
    """Heartbeat of the worker."""


@dataclass(frozen=True, slots=True)
class Busy:
    """The worker starts work that may take seconds. Do not expect a heartbeat soon."""


@dataclass(frozen=True, slots=True)
class Reading:
    """The worker reads a roll. This takes seconds only if the CPU is busy."""


@dataclass(frozen=True, slots=True)
class Stuck:
    """Only another process can reopen the camera."""


@dataclass(frozen=True, slots=True)
class Go:
    """Start watching (for a standby worker)."""


@dataclass(frozen=True, slots=True)
class Stop:
    """Stop the worker."""


@dataclass(frozen=True, slots=True)
class ShowTray:
    """Turn tray images on or off."""

    on: bool


@dataclass(frozen=True, slots=True)
class TrayMotion:
    """State of the tray sensor: dice move, dice are still, or None if it is disconnected."""

    moving: bool | None


WorkerCommand = RollRequest | ShowTray | TrayMotion | TrayCommand | CalibrationCommand | Go | Stop

WorkerStatus = Alive | Busy | Reading | Stuck
"""Status messages of a worker."""


@dataclass(frozen=True, slots=True)
class ReaderSetup:
    """Camera and reader of a worker.

    Both factories are called in the worker process. They must be picklable: functions of a module, or partials of them.
    """

    camera: Callable[[], Camera]
    reader: MakeReader
    dice_set: str = "pips"


HEARTBEAT = 0.25
"""Seconds between two heartbeats."""

FRAME_TIMEOUT_S = 0.25
"""Seconds that a worker waits for one frame."""


def make_reader(dice_set: str) -> DiceReader:
    """Create the real reader of a dice set. Raises: DiceSetError."""
    return Reader(dice_sets.load(dice_set), one_tray=True)


def make_camera(
    source: str, dice_set: str, fps: float | None = None, calibration: Path | None = None, rotation: int = 0
) -> Camera:
    """Create the camera with that name (see `camera_of`), calibrated if `calibration` is a calibration file.

    A source with its own time is paced to real time. A live camera needs no pacing; waiting there too would delay every
    frame by the largest delay.
    """
    camera = camera_of(source, dice_sets.load(dice_set), fps=fps, rotation=rotation)
    paced = camera if camera.live else Paced(camera)
    return paced if calibration is None else CalibratedCamera(paced, calibration)


def reader_setup(source: str, dice_set: str, calibration: Path | None = None, rotation: int = 0) -> ReaderSetup:
    """Return the production setup: the named source with rotation and calibration, and the real reader."""
    camera = partial(make_camera, source, dice_set, calibration=calibration, rotation=rotation)
    return ReaderSetup(camera, make_reader, dice_set)


def execute(observer: Observer, order: WorkerCommand) -> bool:
    """Carry out an order. Return False for `Stop`."""
    if isinstance(order, RollRequest):
        observer.request(order)
    elif isinstance(order, ShowTray):
        observer.show_tray(order.on)
    elif isinstance(order, TrayMotion):
        observer.on_motion(order.moving)
    elif isinstance(order, TrayCommand):
        observer.command(order)
    elif isinstance(order, CalibrationCommand):
        observer.calibrate(order)
    return not isinstance(order, Stop)


def run_worker(pipe: Connection, setup: ReaderSetup, stand_by: bool = False, clock: Clock = time.monotonic) -> None:
    """Run the worker: frames in, news out, until it is stopped or the pipe is closed.

    A standby worker does everything that needs no camera and then waits for `Go`.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole process group; the application stops it
    cv2.setNumThreads(1)
    try:
        with ThreadPoolExecutor(1, "look-ahead") as ahead:
            hooks = Hooks(partial(_report_busy, pipe, Busy()), partial(_report_busy, pipe, Reading()), ahead)
            observer = Observer(setup.camera(), setup.reader, clock, setup.dice_set, hooks)
            observer.warm_up()
            pipe.send(Alive())
            try:
                if not stand_by or _wait_for_start(pipe, observer):
                    _capture_loop(pipe, observer, clock)
            finally:
                observer.close()
    except (SourceError, dice_sets.DiceSetError, NetError) as error:
        pipe.send(CameraState(False, setup.dice_set, str(error)))
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return


@contextmanager
def _report_busy(pipe: Connection, what: Busy | Reading) -> Iterator[None]:
    """Report slow work to the supervisor while the context is open."""
    pipe.send(what)
    yield
    pipe.send(Alive())


def _wait_for_start(pipe: Connection, observer: Observer) -> bool:
    """Wait for `Go`. Return False for `Stop`."""
    while True:
        order = pipe.recv()
        if isinstance(order, Go):
            return True
        if not execute(observer, order):
            return False


def _capture_loop(pipe: Connection, observer: Observer, clock: Clock) -> None:
    beat = clock()
    while not observer.stuck:
        while pipe.poll(FRAME_TIMEOUT_S if observer.ended else 0.0):
            if not execute(observer, pipe.recv()):
                return
        for news in observer.step(FRAME_TIMEOUT_S):
            pipe.send(news)
        if clock() - beat >= HEARTBEAT:
            beat = clock()
            pipe.send(Alive())
    pipe.send(Stuck())


class InlineReader(Observer):
    """Reader port in the caller's process.

    Each `poll` processes up to `frames` frames and returns at the first news.
    """

    def __init__(self, setup: ReaderSetup, *, clock: Clock = time.monotonic, frames: int = 1) -> None:
        super().__init__(setup.camera(), setup.reader, clock, setup.dice_set)
        self._frames = frames
        self._closed = False

    def poll(self, wait: float = 0.0) -> list[ReaderNews]:
        """Return the news of the next frames, waiting up to `wait` seconds for each."""
        for _ in range(0 if self._closed else self._frames):
            news = self.step(wait)
            if news:
                return news
        return []

    def close(self) -> None:
        """Release the camera permanently."""
        self._closed = True
        super().close()
