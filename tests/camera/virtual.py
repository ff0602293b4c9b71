"""The virtual camera as our own class sees it: real picamera2, made to run without a Pi, and faults at will.

What a place (a folder) holds decides what the camera does: `now/` its pictures from here on, `endless` and `absent`
its lasting faults; while somebody holds `silent` or `hung` locked, it waits for them. `wrapped` says that it has begun
anew. It goes on where it was when it is opened again, as a tray does.
"""

from __future__ import annotations

import fcntl
import importlib
import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from types import ModuleType
from typing import Any

from vision.cameras.picamera import FoundCameras, PiCamera, Setting, Streams, listed
from vision.cameras.protocol import Camera

STREAMS = Streams((640, 480), "NV12", (320, 240), "NV12", 15.0)
"""The virtual camera knows one format only."""

CONFIGURATION = Path("/usr/share/libcamera/pipeline/virtual/virtual.yaml")
"""Where libcamera looks for it."""

_SIZES = "".join(
    f"    - width: {width}\n      height: {height}\n      frame_rates: [30]\n"
    for width, height in (STREAMS.full, STREAMS.small)
)

REPEATED = 4
"""So often libcamera's virtual camera shows each picture."""


class Place:
    """A folder that tells the camera what to do, and in which it says how far it is."""

    def __init__(
        self, folder: Path, pictures: Path, count: int, rate: float, window: int, patient: bool = False
    ) -> None:
        """`window`: how many pictures it is given when it is opened; it takes time to read them. `patient`: no picture
        goes by before somebody has asked for it, however busy the machine is."""
        self.folder = folder
        self.pictures = pictures
        self.count = count
        self.rate = rate
        self.window = window
        self.patient = patient

    def fault(self, name: str) -> bool:
        """Whether the camera is to fail in this way."""
        return (self.folder / name).exists()

    @contextmanager
    def blocked(self, name: str) -> Iterator[None]:
        """Until the end the camera waits wherever it minds this fault, in whatever process it works."""
        with (self.folder / name).open("w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            try:
                yield
            finally:
                fcntl.flock(file, fcntl.LOCK_UN)

    def mind(self, name: str) -> None:
        """Wait while this fault lasts."""
        with (self.folder / name).open("a") as file:
            fcntl.flock(file, fcntl.LOCK_SH)

    def shown(self) -> tuple[int, float]:
        """The number of the picture that was shown last, and the second at which it was."""
        try:
            number, when = (self.folder / "progress").read_text().split()
        except FileNotFoundError:
            return 0, time.monotonic()
        return int(number), float(when)

    def at(self) -> int:
        """The number of the picture that is shown now, or would be if the camera worked."""
        number, when = self.shown()
        return min(self.count - 1, number + round((time.monotonic() - when) * self.rate))

    def over(self) -> bool:
        """Whether all has been shown."""
        return self.shown()[0] >= self.count - 1

    def tell(self, shown: int) -> None:
        """Say which picture is shown; readers never see half of it."""
        part = self.folder / f"progress.{os.getpid()}"
        part.write_text(f"{shown} {time.monotonic()}")
        part.replace(self.folder / "progress")

    def load(self) -> int:
        """Lay out what the camera shows from now on, the last picture again and again after the end; the first's
        number."""
        first, now = self.at(), self.folder / "now"
        now.mkdir(exist_ok=True)
        for link in now.iterdir():
            link.unlink()
        for number in range(self.window):
            shown = min(first + number, self.count - 1)
            (now / f"{number}.jpg").symlink_to(self.pictures / f"{shown}.jpg")
        camera = f'"Tray":\n  supported_formats:\n{_SIZES}  frames:\n    path: "{now}/"\n'
        CONFIGURATION.parent.mkdir(parents=True, exist_ok=True)
        CONFIGURATION.write_text(f'{camera}  location: "CameraLocationExternal"\n')
        return first


def camera(place: Place) -> Camera:
    """Our own class on the virtual camera of that place."""
    return PiCamera(Setting(streams=STREAMS), driver=partial(_driver, place), cameras=partial(_found, place))


def _found(place: Place) -> FoundCameras:
    """None while it is absent. libcamera is not asked then: its virtual camera, once not listed, is not listed again in
    the same process, however often the cameras are counted."""
    if place.fault("absent"):
        return FoundCameras(())
    _First.number = place.load()
    return listed()


class _First:
    """The number of the first picture of the camera that was opened last in this process."""

    number = 0


class _AnyFormat:
    """A format of the desktop's library by any name; none is ever drawn."""

    def __getattr__(self, name: str) -> int:
        return 0


@cache
def _picamera2() -> Any:
    """Real picamera2, without the drawing library of a desktop that it would import."""
    for name in ("pykms", "kms"):
        stub = ModuleType(name)
        stub.PixelFormat = _AnyFormat()  # type: ignore[attr-defined]
        sys.modules.setdefault(name, stub)
    return importlib.import_module("picamera2")


def _driver(place: Place) -> Any:
    """A kind of Picamera2 that shows pictures at their rate, and fails as its place says."""
    base = _picamera2().Picamera2
    allocator = importlib.import_module("picamera2.allocators").LibcameraAllocator

    class Virtual(base):  # type: ignore[misc, valid-type]
        _come, _waited, _waiting = 0, 0, list[Any]()

        @property
        def _requests(self) -> list[Any]:
            """What libcamera has filled and nobody has taken; more come while we wait, and each moves it on."""
            return self._waiting

        @_requests.setter
        def _requests(self, requests: list[Any]) -> None:
            self._come += max(0, len(requests) - self._waited)
            self._waiting, self._waited = requests, len(requests)

        def __init__(self, number: int) -> None:
            super().__init__(number)
            self.allocator = allocator(self.camera)
            self._asked = threading.Event()
            self._first, self._paced = _First.number, 0
            self._due = time.monotonic()
            self._pace = threading.Event()  # never set: pictures come when they are due

        def _get_raw_modes(self) -> list[dict[str, Any]]:
            return [{"format": "SBGGR10", "size": STREAMS.full}]

        def create_video_configuration(self, **parts: Any) -> Any:
            """Without the sensor's own stream, which this camera does not have."""
            return super().create_video_configuration(**parts, raw=None)

        def process_requests(self, display: Any) -> None:
            place.mind("silent")
            with self._requestslock:
                new, self._paced = self._come - self._paced, self._come
            if new:
                self._due = max(self._due + new / (REPEATED * place.rate), time.monotonic())
                self._pace.wait(max(0.0, self._due - time.monotonic()))
                while place.patient and self.started and not self._job_list:
                    self._asked.wait()
                    self._asked.clear()
                place.tell(self._first + self._paced // REPEATED)
                if self._paced >= REPEATED * place.window:
                    (place.folder / "wrapped").touch()
            super().process_requests(display)

        def dispatch_functions(
            self, functions: Any, wait: Any, signal_function: Any = None, immediate: bool = False
        ) -> Any:
            """A patient camera waits until it is asked for something."""
            job: Any = super().dispatch_functions(functions, False, signal_function, immediate)
            self._asked.set()
            waits = signal_function is None if wait is None else wait
            return job.get_result(timeout=None if waits is True else waits) if waits else job

        def capture_request(self, *arguments: Any, **options: Any) -> Any:
            place.mind("hung")
            return super().capture_request(*arguments, **options)

        def stop(self) -> None:
            if place.fault("endless"):
                threading.Event().wait()
            super().stop()

    return Virtual
