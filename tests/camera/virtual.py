"""The virtual camera behind the product's camera class: real picamera2 without a Pi, with faults on request.

A place (a folder) controls the camera:
- `now/` holds the pictures from here on,
- `endless` and `absent` are its lasting faults,
- while `silent` or `hung` is locked by another process, the camera waits,
- `wrapped` marks that the camera has started over.
When it is opened again it continues at the current picture, as a real tray does.
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

from vision.cameras.picamera import FoundCameras, PiCamera, Setting, Streams, list_cameras
from vision.cameras.protocol import Camera

STREAMS = Streams((640, 480), "NV12", (320, 240), "NV12", 15.0)
"""The virtual camera supports only this format."""

CONFIGURATION = Path("/usr/share/libcamera/pipeline/virtual/virtual.yaml")
"""The path where libcamera expects it."""

_SIZES = "".join(
    f"    - width: {width}\n      height: {height}\n      frame_rates: [30]\n"
    for width, height in (STREAMS.full, STREAMS.small)
)

REPEATED = 4
"""Number of times that libcamera's virtual camera shows each picture."""


class VirtualCameraFolder:
    """A folder that controls the camera and holds its progress."""

    def __init__(
        self, folder: Path, pictures: Path, count: int, rate: float, window: int, patient: bool = False
    ) -> None:
        """Prepare the place.

        - `window`: number of pictures loaded when it is opened; loading takes time.
        - `patient`: a picture advances only after it was requested, regardless of machine load.
        """
        self.folder = folder
        self.pictures = pictures
        self.count = count
        self.rate = rate
        self.window = window
        self.patient = patient

    def fault(self, name: str) -> bool:
        """Return True if the camera must fail in this way."""
        return (self.folder / name).exists()

    @contextmanager
    def blocked(self, name: str) -> Iterator[None]:
        """Block the camera at this fault, in any process, until the context ends."""
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

    def progress(self) -> tuple[int, float]:
        """Return the number and the time of the last picture shown."""
        try:
            number, when = (self.folder / "progress").read_text().split()
        except FileNotFoundError:
            return 0, time.monotonic()
        return int(number), float(when)

    def at(self) -> int:
        """Return the number of the current picture, or of the picture due if the camera worked."""
        number, when = self.progress()
        return min(self.count - 1, number + round((time.monotonic() - when) * self.rate))

    def over(self) -> bool:
        """Return True if all pictures have been shown."""
        return self.progress()[0] >= self.count - 1

    def write_progress(self, frame_number: int) -> None:
        """Record which picture is shown; the write is atomic."""
        part = self.folder / f"progress.{os.getpid()}"
        part.write_text(f"{frame_number} {time.monotonic()}")
        part.replace(self.folder / "progress")

    def load(self) -> int:
        """Lay out the pictures from now on and return the first one's number; the last picture repeats after the
        end."""
        first, now = self.at(), self.folder / "now"
        now.mkdir(exist_ok=True)
        for link in now.iterdir():
            link.unlink()
        for number in range(self.window):
            frame_number = min(first + number, self.count - 1)
            (now / f"{number}.jpg").symlink_to(self.pictures / f"{frame_number}.jpg")
        camera = f'"Tray":\n  supported_formats:\n{_SIZES}  frames:\n    path: "{now}/"\n'
        CONFIGURATION.parent.mkdir(parents=True, exist_ok=True)
        CONFIGURATION.write_text(f'{camera}  location: "CameraLocationExternal"\n')
        return first


def camera(place: VirtualCameraFolder) -> Camera:
    """Return the product's camera class on the virtual camera of that place."""
    return PiCamera(Setting(streams=STREAMS), driver=partial(_driver, place), cameras=partial(_found, place))


def _found(place: VirtualCameraFolder) -> FoundCameras:
    """Return None while the camera is absent.

    libcamera is not called then: once its virtual camera is not listed, it is never listed again in the same process.
    """
    if place.fault("absent"):
        return FoundCameras(())
    _First.number = place.load()
    return list_cameras()


class _First:
    """The number of the first picture of the camera opened last in this process."""

    number = 0


class _AnyFormat:
    """Accepts any name as a format of the desktop library; none is ever drawn."""

    def __getattr__(self, name: str) -> int:
        return 0


@cache
def _picamera2() -> Any:
    """Import the real picamera2 without the desktop drawing library that it needs."""
    for name in ("pykms", "kms"):
        stub = ModuleType(name)
        stub.PixelFormat = _AnyFormat()  # type: ignore[attr-defined]
        sys.modules.setdefault(name, stub)
    return importlib.import_module("picamera2")


def _driver(place: VirtualCameraFolder) -> Any:
    """Return a Picamera2 subclass that shows pictures at their frame rate and fails as its place says."""
    base = _picamera2().Picamera2
    allocator = importlib.import_module("picamera2.allocators").LibcameraAllocator

    class Virtual(base):  # type: ignore[misc, valid-type]
        _come, _waited, _waiting = 0, 0, list[Any]()

        @property
        def _requests(self) -> list[Any]:
            """Completed requests that nobody has taken yet; each new one advances the film."""
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
            """Create the configuration without the raw stream, which this camera lacks."""
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
                place.write_progress(self._first + self._paced // REPEATED)
                if self._paced >= REPEATED * place.window:
                    (place.folder / "wrapped").touch()
            super().process_requests(display)

        def dispatch_functions(
            self, functions: Any, wait: Any, signal_function: Any = None, immediate: bool = False
        ) -> Any:
            """Dispatch the functions and signal the request that a patient camera waits for."""
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
