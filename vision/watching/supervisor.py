"""Supervisor of the reader process. A camera driver that hangs must not stop the screen.

`ProcessReader` is the reader port that the table uses. It runs in the application's process and never blocks.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import threading
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from vision.calibration_messages import CalibrationCommand
from vision.cameras.protocol import Clock
from vision.roll import CameraState, CameraTrouble, RollRequest, TrayPicture
from vision.watching.worker import (
    Busy,
    Go,
    ReaderNews,
    ReaderSetup,
    Reading,
    ShowTray,
    Stop,
    Stuck,
    TrayCommand,
    TrayMotion,
    WorkerCommand,
    WorkerStatus,
    run_worker,
)


@dataclass(frozen=True, slots=True)
class Supervision:
    """Timeouts and restart rules of a worker process; times in seconds.

    - `start`: timeout while the worker starts or is busy.
    - `reading`: timeout while it reads a roll.
    - `silence`: timeout otherwise.
    - `steady`: a worker that saw its camera this long is replaced at once.
    - `pause`: otherwise the restart waits this long, doubled each time up to `longest_pause`.
    - `spare`: keep a loaded standby process that opens the camera as soon as the worker fails.
    """

    start: float = 20.0
    reading: float = 20.0
    silence: float = 3.0
    pause: float = 1.0
    longest_pause: float = 30.0
    steady: float = 5.0
    spare: bool = False


TOLD_FAILED_STARTS = 2
"""Number of starts without an image after which the players are told."""

LIVE_SUPERVISION = Supervision(reading=2.2, silence=1.5, spare=True)
"""For a camera in a match: the camera is back within three seconds, whatever the driver does."""


class NewsQueue:
    """Messages of a worker for one reader, oldest first. Only the newest tray image is kept.

    The queue is bounded even if the reader stops: rolls and camera states are few, and images come ten per second.
    """

    def __init__(self) -> None:
        self._waiting: deque[ReaderNews | WorkerStatus] = deque()
        self._came = threading.Condition()

    def __len__(self) -> int:
        return len(self._waiting)

    def put(self, news: ReaderNews | WorkerStatus) -> None:
        """Add a message. It replaces a waiting message that it supersedes."""
        with self._came:
            if isinstance(news, TrayPicture | WorkerStatus):
                superseded = TrayPicture if isinstance(news, TrayPicture) else WorkerStatus
                self._waiting = deque(other for other in self._waiting if not isinstance(other, superseded))
            self._waiting.append(news)
            self._came.notify()

    def get(self, wait: float) -> ReaderNews | WorkerStatus | None:
        """Return the oldest message, None if none arrives within `wait` seconds."""
        with self._came:
            if not self._waiting and wait > 0:
                self._came.wait_for(lambda: bool(self._waiting), timeout=wait)
            return self._waiting.popleft() if self._waiting else None


class _WorkerProcess:
    """One worker process, and a thread that reads its messages, so that nobody waits for a partial message."""

    def __init__(self, setup: ReaderSetup, now: float, stand_by: bool = False) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, far_end = context.Pipe()
        self._news = NewsQueue()
        self._process = context.Process(target=run_worker, args=(far_end, setup, stand_by), name="vision", daemon=True)
        self._process.start()
        far_end.close()
        self._heard_at = now
        self._sign: WorkerStatus = Busy()
        threading.Thread(target=self._listen, name="vision-news", daemon=True).start()

    @property
    def alive(self) -> bool:
        return self._process.is_alive()

    @property
    def pid(self) -> int | None:
        """The process id."""
        return self._process.pid

    def failure(self, now: float, limits: Supervision) -> str | None:
        """Return why the process must be replaced, None if it is healthy."""
        if isinstance(self._sign, Stuck):
            return "cannot reach its camera"
        patience = limits.start if isinstance(self._sign, Busy) else limits.silence
        if isinstance(self._sign, Reading):
            patience = limits.reading
        if now - self._heard_at > patience:
            return "does not answer"
        return None if self.alive else "has stopped"

    def go(self, now: float) -> None:
        """Start a standby process watching."""
        self._heard_at = now
        self.send(Go())

    def receive(self, now: float, wait: float) -> list[ReaderNews]:
        """Return the messages since the last call. Waits up to `wait` seconds for the first."""
        taken: list[ReaderNews] = []
        while True:
            news = self._news.get(0.0 if taken else wait)
            if news is None:
                return taken
            self._heard_at = now
            if isinstance(news, WorkerStatus):
                self._sign = news
            else:
                taken.append(news)

    def send(self, order: WorkerCommand) -> None:
        """Send an order. An undelivered order is dropped; the supervision will notice that the worker is gone."""
        with contextlib.suppress(OSError):
            self._pipe.send(order)

    def end(self) -> None:
        """Stop the process: by request if it listens, otherwise by force after a moment."""
        self.send(Stop())
        self._process.join(0.3)
        self.kill()
        self.reap()

    def kill(self) -> None:
        """Kill the process. The listening thread sees the end of the pipe."""
        self._process.kill()

    def reap(self) -> None:
        """Wait for a killed process to end."""
        self._process.join(0.3)

    def _listen(self) -> None:
        with contextlib.suppress(EOFError, OSError):
            while True:
                self._news.put(self._pipe.recv())
        self._pipe.close()


class ProcessReader:
    """Reader port backed by a supervised worker process. No call waits for the worker.

    A silent or dead worker is killed and replaced. The table is notified that the camera is lost and, with the first
    new frame, that it is back. Requests and settings are sent to the new worker again.
    """

    def __init__(
        self, setup: ReaderSetup, *, clock: Clock = time.monotonic, supervision: Supervision | None = None
    ) -> None:
        self._setup = setup
        self._clock = clock
        self._limits = supervision or Supervision()
        self._standing_commands: dict[type[WorkerCommand], WorkerCommand] = {}
        self._present = False
        self._name = ""
        self._seen_since = 0.0
        self._pause = 0.0
        self._start_at = 0.0
        self._failed_starts = 0
        self._closed = False
        self._spare: _WorkerProcess | None = None
        self._spare_at = 0.0
        self._worker: _WorkerProcess | None = _WorkerProcess(setup, clock())

    @property
    def pid(self) -> int | None:
        """The id of the active process, None between two processes."""
        return None if self._worker is None else self._worker.pid

    @property
    def spare(self) -> int | None:
        """The id of the standby process, None if there is none."""
        return None if self._spare is None else self._spare.pid

    def request(self, request: RollRequest) -> None:
        """Set the dice that the game expects."""
        self._send_standing(request)

    def show_tray(self, on: bool) -> None:
        """Turn tray images on or off, at most ten per second."""
        self._send_standing(ShowTray(on))

    def on_motion(self, moving: bool | None) -> None:
        """Forward the tray sensor: dice move (True), dice are still (False), disconnected (None).

        The sensor never replaces the image. It only makes the reader start a few frames sooner.
        """
        if self._worker is not None:
            self._worker.send(TrayMotion(moving))

    def calibrate(self, order: CalibrationCommand) -> None:
        """Send a calibration order. A restarted worker begins with the stored calibration."""
        if self._worker is not None:
            self._worker.send(order)

    def command(self, command: TrayCommand) -> None:
        """Send a command to the simulated tray."""
        if self._worker is not None:
            self._worker.send(command)

    def poll(self, wait: float = 0.0) -> list[ReaderNews]:
        """Return the news since the last call, oldest first. Waits up to `wait` seconds for the first."""
        if self._closed:
            return []
        run, now = self._worker, self._clock()
        if run is None:
            if now >= self._start_at:
                self._start(now)
            return []
        news = run.receive(now, wait)
        self._track_camera(news, now)
        if self._seen_for(now) >= self._limits.steady:
            self._pause = 0.0
        fault = run.failure(now, self._limits)
        if fault is not None:
            return news + self._give_up(run, now, fault)
        if self._limits.spare and self._present and now >= self._spare_at:
            self._stand_by(now)
        return news

    def close(self) -> None:
        """Stop the worker. Takes little more than half a second at most."""
        self._closed = True
        if self._spare is not None:
            self._spare.kill()
        if self._worker is not None:
            self._worker.end()
        if self._spare is not None:
            self._spare.reap()
        self._worker = self._spare = None

    def _send_standing(self, order: WorkerCommand) -> None:
        self._standing_commands[type(order)] = order
        if self._worker is not None:
            self._worker.send(order)

    def _track_camera(self, news: Sequence[ReaderNews], now: float) -> None:
        for one in news:
            if isinstance(one, CameraState):
                self._seen_since = now if one.present and not self._present else self._seen_since
                self._present, self._name = one.present, one.name
                self._failed_starts = 0 if one.present else self._failed_starts

    def _seen_for(self, now: float) -> float:
        return now - self._seen_since if self._present else 0.0

    def _start(self, now: float) -> None:
        spare, self._spare, self._spare_at = self._spare, None, now
        if spare is not None and spare.alive:
            self._worker = spare
            spare.receive(now, 0.0)
        else:
            self._worker = _WorkerProcess(self._setup, now)
        for order in self._standing_commands.values():
            self._worker.send(order)
        self._worker.go(now)

    def _stand_by(self, now: float) -> None:
        """Start a standby process. One that exits is replaced after a while."""
        if self._spare is None or not self._spare.alive:
            self._spare = _WorkerProcess(self._setup, now, stand_by=True)
            self._spare_at = now + self._limits.longest_pause

    def _give_up(self, run: _WorkerProcess, now: float, why: str) -> list[ReaderNews]:
        run.kill()
        rest = run.receive(now, 0.0)
        self._worker, self._start_at = None, now + self._pause
        self._pause = min(max(self._limits.pause, 2 * self._pause), self._limits.longest_pause)
        was_present, self._present = self._present, False
        if not was_present:
            self._failed_starts += 1
            if self._failed_starts != TOLD_FAILED_STARTS:
                return rest
            detail = f"the reader's process {why} at each start"
            return [*rest, CameraState(False, self._name, detail, CameraTrouble.READER_FAILS)]
        return [*rest, CameraState(False, self._name, f"the reader's process {why} and is started again")]
