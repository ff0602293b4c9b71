"""Raspberry Pi camera through picamera2. One exposure gives a full image to read and a small one to watch.

`LightLock` holds exposure and focus: it takes the metadata of each frame and returns the controls to set. libcamera
applies a control some frames later and rounds it to what the sensor supports. So a value counts only after frames
confirm it.
"""

from __future__ import annotations

import atexit
import importlib
import os
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from math import isclose
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cameras.protocol import (
    MIN_LIGHT_SHARE,
    Camera,
    CameraLost,
    CameraStuck,
    Clock,
    Frame,
    SourceError,
    rotate_clockwise,
)
from vision.pictures import Picture
from vision.roll import CameraTrouble

Metadata = Mapping[str, Any]
"""libcamera's metadata of one frame, by control name."""

LIGHT = ("ExposureTime", "AnalogueGain", "ColourGains")

_ALIKE = 0.02
"""Relative tolerance between frames within which exposure and colours count as settled."""

_TAKEN_UP = {"ExposureTime": 0.03, "AnalogueGain": 0.06, "ColourGains": 0.02}
"""Relative tolerance between a requested and an applied value. Sensors have discrete exposure lines and gain steps."""

_DIOPTRES = 0.06

_SETTLED_FRAMES = 8
_CONFIRMING_FRAMES = 3
_CONVERGENCE_TIMEOUT_S, _TAKING_UP = 4.0, 2.0
"""Timeouts in seconds: for the light to settle (then its current value is locked), and for a control to be applied."""

_LETTING_IN = 1.0
"""Timeout in seconds for a reduced share of light. After it, the usual light is set again."""

_OTHER_LIGHT, _OTHER_LIGHT_LASTS = 2.0, 5.0
"""Factor of a light change, and seconds that it must last, to count as new room light and not as a hand."""

_ASTRAY_FRAMES = 10


class LockState(Enum):
    """State of the light lock."""

    CONVERGING = "settling"
    LOCKING = "locking"
    LOCKED = "held"
    REFUSED = "refused"
    UNSUPPORTED = "unknown"
    """This camera has no controls that can be held."""


@dataclass(frozen=True, slots=True)
class LightSettings:
    """Exposure and white balance of an image: microseconds, sensor gain, and the red and blue gains."""

    exposure_us: int
    gain: float
    colours: tuple[float, float]

    def controls(self) -> dict[str, Any]:
        """Return the libcamera controls that fix this light."""
        return {
            "AeEnable": False,
            "AwbEnable": False,
            "ExposureTime": self.exposure_us,
            "AnalogueGain": self.gain,
            "ColourGains": self.colours,
        }

    @classmethod
    def from_metadata(cls, metadata: Metadata) -> LightSettings | None:
        """Return the light of a frame, None if its metadata do not contain it."""
        if not all(name in metadata for name in LIGHT):
            return None
        red, blue = metadata["ColourGains"]
        return cls(int(metadata["ExposureTime"]), float(metadata["AnalogueGain"]), (float(red), float(blue)))

    @property
    def exposure_product(self) -> float:
        """Amount of light of an image: microseconds at a gain of one."""
        return self.exposure_us * self.gain

    def scaled(self, share: float) -> LightSettings:
        """Return this light reduced to `share`, 1 or less.

        Lowers the gain first, because gain adds noise, then the exposure time.
        """
        gain = max(min(1.0, self.gain), self.gain * share)
        return LightSettings(max(1, round(self.exposure_us * share * self.gain / gain)), gain, self.colours)

    def is_close(self, other: LightSettings, exposure: float, gain: float, colours: float) -> bool:
        """Return True if both lights are equal within these relative tolerances."""
        pairs = [(self.exposure_us, other.exposure_us, exposure), (self.gain, other.gain, gain)]
        pairs += [(one, two, colours) for one, two in zip(self.colours, other.colours, strict=True)]
        return all(isclose(one, two, rel_tol=share) for one, two, share in pairs)


class LightLock:
    """Exposure lock of one camera, from its start. `on_frame` must be called with every frame."""

    def __init__(self, can: frozenset[str], light: LightSettings | None = None, dioptres: float | None = None) -> None:
        """Create a lock. `can` lists the camera's controls; `light` and `dioptres` are held if given."""
        self.dioptres = dioptres if "LensPosition" in can else None
        self.light: LightSettings | None = light
        """The light to hold, None if not known yet."""
        self._usual = light
        self._is_dimming = self._dimming_failed = False
        possible = can.issuperset(LIGHT)
        self.state = (
            LockState.UNSUPPORTED if not possible else LockState.CONVERGING if light is None else LockState.LOCKING
        )
        self.trouble: CameraTrouble | None = None
        self._due: dict[str, Any] = light.controls() if light is not None and possible else {}
        self._since: float | None = None
        self._converged: list[LightSettings] = []
        self._good = self._deviating_frames = self._blurred = 0
        self._lux: float | None = None
        self._other_light_since: float | None = None

    @property
    def dimmed(self) -> float:
        """The share of the usual light (the target before any `limit_light`) that is the target now."""
        return (
            1.0
            if self.light is None or self._usual is None
            else self.light.exposure_product / self._usual.exposure_product
        )

    @property
    def usual(self) -> LightSettings | None:
        """The target before any `limit_light`; None until the camera has confirmed the held light."""
        return self._usual if self.state is LockState.LOCKED or self.dimming else None

    @property
    def dimming(self) -> bool:
        """True if the camera has not yet applied a changed share of its light."""
        return self.state is LockState.LOCKING and self._is_dimming

    def on_frame(self, metadata: Metadata, t: float) -> dict[str, Any]:
        """Process the metadata of the frame at second `t`. Return the controls to set now, usually none."""
        self._since = t if self._since is None else self._since
        due, self._due = self._due, {}
        now = LightSettings.from_metadata(metadata)
        if now is None:
            if self.state in (LockState.CONVERGING, LockState.LOCKING) and t - self._since > _CONVERGENCE_TIMEOUT_S:
                self._mark_refused()
        elif self.state is LockState.CONVERGING:
            due |= self._converge(now, metadata, t)
        elif self.state is LockState.LOCKING:
            due |= self._confirm(now, metadata, t)
        elif self.state is not LockState.UNSUPPORTED:
            due |= self._watch(now, metadata, t)
        self._look_at_focus(metadata, t)
        return due

    def lock(self, light: LightSettings, t: float) -> dict[str, Any]:
        """Hold this light from now on. Return the controls to set."""
        self._usual, self._is_dimming, self._dimming_failed = light, False, False
        return self._lock(light, t)

    def limit_light(self, share: float, t: float) -> dict[str, Any] | None:
        """Hold this share of the usual light from now on. Return the controls to set.

        Returns None if no light is held with certainty, for less than MIN_LIGHT_SHARE, or if the camera did not
        apply the last share.
        """
        ready = self.state is LockState.LOCKED or self.dimming
        if not ready or self._usual is None or share < MIN_LIGHT_SHARE or self._dimming_failed:
            return None
        if share == self.dimmed:
            return {}
        self._is_dimming = True
        return self._lock(self._usual.scaled(share), t)

    def _lock(self, light: LightSettings, t: float) -> dict[str, Any]:
        self.light, self.state, self._since, self._good = light, LockState.LOCKING, t, 0
        return light.controls()

    def _converge(self, now: LightSettings, metadata: Metadata, t: float) -> dict[str, Any]:
        first = self._converged[0] if self._converged else now
        searching = metadata.get("AeLocked") is False
        if searching or not now.is_close(first, _ALIKE, _ALIKE, _ALIKE):
            self._converged.clear()
        if not searching:
            self._converged.append(now)
        if len(self._converged) < _SETTLED_FRAMES and t - (self._since or 0.0) < _CONVERGENCE_TIMEOUT_S:
            return {}
        self._converged.clear()
        return self.lock(now, t)

    def _confirm(self, now: LightSettings, metadata: Metadata, t: float) -> dict[str, Any]:
        self._good = self._good + 1 if self._is_applied(now) else 0
        if self._good >= _CONFIRMING_FRAMES:
            self.state, self.trouble, self._deviating_frames = (
                LockState.LOCKED,
                self._without(CameraTrouble.LIGHT_NOT_HELD),
                0,
            )
            self._lux, self._other_light_since = metadata.get("Lux"), None
            self._is_dimming = False
        elif self._is_dimming and self._usual is not None and t - (self._since or 0.0) > _LETTING_IN:
            self._is_dimming, self._dimming_failed = False, True
            return self._lock(self._usual, t)
        elif t - (self._since or 0.0) > _TAKING_UP:
            self._mark_refused()
        return {}

    def _watch(self, now: LightSettings, metadata: Metadata, t: float) -> dict[str, Any]:
        """Check, when held or refused, that the light is still held and the room light has not changed."""
        if self._is_another_light(metadata.get("Lux"), t):
            self.state, self._since = LockState.CONVERGING, t
            return {"AeEnable": True, "AwbEnable": True}
        self._deviating_frames = 0 if self._is_applied(now) else self._deviating_frames + 1
        if self.state is LockState.LOCKED and self._deviating_frames >= _ASTRAY_FRAMES and self.light is not None:
            return self._lock(self.light, t)
        if self.state is LockState.REFUSED and self._deviating_frames == 0:
            self.state, self.trouble = LockState.LOCKED, self._without(CameraTrouble.LIGHT_NOT_HELD)
        return {}

    def _is_applied(self, now: LightSettings) -> bool:
        shares = (_TAKEN_UP[name] for name in LIGHT)
        return self.light is not None and now.is_close(self.light, *shares)

    def _is_another_light(self, lux: float | None, t: float) -> bool:
        if not lux or not self._lux or 1 / _OTHER_LIGHT < lux / self._lux < _OTHER_LIGHT:
            self._other_light_since = None
        elif self._other_light_since is None:
            self._other_light_since = t
        return self._other_light_since is not None and t - self._other_light_since >= _OTHER_LIGHT_LASTS

    def _look_at_focus(self, metadata: Metadata, t: float) -> None:
        at = metadata.get("LensPosition")
        if self.dioptres is None or at is None:
            return
        self._blurred = 0 if abs(at - self.dioptres) <= _DIOPTRES else self._blurred + 1
        if self._blurred == 0:
            self.trouble = self._without(CameraTrouble.FOCUS_NOT_HELD)
        elif self._blurred >= 2 * _ASTRAY_FRAMES and self.trouble is None:
            self.trouble = CameraTrouble.FOCUS_NOT_HELD

    def _mark_refused(self) -> None:
        self.state, self.trouble, self._deviating_frames = LockState.REFUSED, CameraTrouble.LIGHT_NOT_HELD, 1

    def _without(self, trouble: CameraTrouble) -> CameraTrouble | None:
        return None if self.trouble is trouble else self.trouble


Planes = NDArray[np.uint8]
"""Buffer from picamera2: rows x stride, or rows x width x 3."""


def as_bgr(planes: Planes, name: str, size: tuple[int, int]) -> Picture:
    """Convert a buffer of format `name` and `size` (width, height) to a BGR image (height, width, 3).

    Raises: ValueError for an unknown format.
    """
    if name not in _FORMATS:
        raise ValueError(f"pictures of the format {name!r} cannot be read; known are {', '.join(sorted(_FORMATS))}")
    return np.ascontiguousarray(_FORMATS[name](planes, size))


def _rgb888(planes: Planes, size: tuple[int, int]) -> Picture:
    """Convert RGB888. Despite the name the memory order is BGR. picamera2 has removed the padding."""
    return planes[: size[1], : size[0], :3]


def _nv12(planes: Planes, size: tuple[int, int]) -> Picture:
    """Convert NV12: a luma plane, then a plane of half the height with interleaved chroma.

    Both planes have the same padding.
    """
    width, height = size
    packed = np.ascontiguousarray(planes[: height * 3 // 2, :width])
    return np.asarray(cv2.cvtColor(packed, cv2.COLOR_YUV2BGR_NV12), np.uint8)


def _yuv420(planes: Planes, size: tuple[int, int]) -> Picture:
    """Convert YUV420: three planes. The chroma planes have half the width, height and padding."""
    width, height = size
    wide = planes.shape[1]
    light, colour = wide * height, (wide // 2) * (height // 2)
    flat = planes.reshape(-1)
    parts = [flat[:light].reshape(height, wide)[:, :width]]
    for start in (light, light + colour):
        parts.append(flat[start : start + colour].reshape(height // 2, wide // 2)[:, : width // 2])
    packed = np.concatenate([part.reshape(-1) for part in parts]).reshape(height * 3 // 2, width)
    return np.asarray(cv2.cvtColor(packed, cv2.COLOR_YUV2BGR_I420), np.uint8)


_FORMATS: Mapping[str, Callable[[Planes, tuple[int, int]], Picture]] = {
    "RGB888": _rgb888,
    "NV12": _nv12,
    "YUV420": _yuv420,
}


STUCK, STUCK_AT_START = 1.0, 3.0
"""Seconds without an image after which the driver counts as hung, later and before the first image."""

CLOSING = 2.0
"""Seconds that `open` waits for the driver to release the device."""

_NANOSECONDS = 1e9


@dataclass(frozen=True, slots=True)
class Streams:
    """Width, height and format (libcamera's name) of the images to read and to watch, and frames per second.

    Both images come from one exposure.
    """

    full: tuple[int, int] = (1640, 1232)
    full_format: str = "RGB888"
    small: tuple[int, int] = (640, 480)
    small_format: str = "YUV420"
    rate: float = 30.0


@dataclass(frozen=True, slots=True)
class Setting:
    """Settings of a Pi camera.

    - `rotation`: clockwise rotation of the images in degrees.
    - `light`: the light to hold. None: the camera settles its light once and keeps it.
    - `dioptres`: lens position, if the lens can move. None: the camera focuses once and keeps it.
    """

    rotation: int = 0
    streams: Streams = Streams()
    light: LightSettings | None = None
    dioptres: float | None = None


def load_picamera2() -> Any:
    """Return the class Picamera2 from the system package. Raises: SourceError with instructions if it is missing."""
    try:
        return importlib.import_module("picamera2").Picamera2
    except (ImportError, OSError) as error:
        raise SourceError("vision.picamera.package") from error


@dataclass(frozen=True, slots=True)
class FoundCameras:
    """The ids of the cameras that libcamera found, and the manager that keeps them valid."""

    ids: tuple[str, ...]
    manager: object = None


def list_cameras() -> FoundCameras:
    """Return the cameras that are connected now.

    A camera manager keeps the list that it found first. Drop the previous result before calling this again.

    Raises: SourceError if libcamera is missing.
    """
    try:
        manager = importlib.import_module("libcamera").CameraManager.singleton()
    except (ImportError, OSError) as error:
        raise SourceError("vision.picamera.library") from error
    return FoundCameras(tuple(str(camera.id) for camera in manager.cameras), manager)


def inaccessible_devices(devices: Path = Path("/dev")) -> list[Path]:
    """Return the camera devices that this user may not access."""
    nodes = [*devices.glob("media*"), *devices.glob("video*"), *(devices / "dma_heap").glob("*")]
    return sorted(node for node in nodes if not os.access(node, os.R_OK | os.W_OK))


class PiCamera(Camera):
    """The Pi camera. Driver calls that may hang run in a thread with a limited wait.

    `driver` returns the class Picamera2. Light and focus are held from the first seconds on (see `LightLock`), so that
    a hand over the tray does not change the exposure.
    """

    live = True

    def __init__(
        self,
        setting: Setting | None = None,
        *,
        driver: Callable[[], Any] = load_picamera2,
        cameras: Callable[[], FoundCameras] = list_cameras,
        clock: Clock = time.monotonic,
    ) -> None:
        self._setting = setting or Setting()
        self._driver = driver
        self._cameras = cameras
        self._clock = clock
        self._device: Any = None
        self._pending_request: Any = None
        self._closing: threading.Thread | None = None
        self._light_lock = LightLock(frozenset())
        self.identity = ""
        """Camera id (libcamera's: sensor and socket) with its rotation. Set by `open`."""
        self._start: int | None = None
        self._last = 0
        self._count = 0
        self._silent = 0.0

    @property
    def trouble(self) -> CameraTrouble | None:
        return self._light_lock.trouble

    @property
    def locked_light(self) -> LightSettings | None:
        """The held light, before any `limit_light`; None until the camera has confirmed it."""
        return self._light_lock.usual

    @property
    def focus_range(self) -> tuple[float, float] | None:
        """Minimum and maximum dioptres of a movable lens; None for a fixed lens or a closed camera."""
        lens = {} if self._device is None else self._device.camera_controls
        return None if "LensPosition" not in lens else (float(lens["LensPosition"][0]), float(lens["LensPosition"][1]))

    def warm_up(self) -> None:
        with suppress(SourceError):
            self._driver()

    def open(self) -> None:
        """Configure and start the camera.

        Raises: SourceError if picamera2 or the camera is missing, in use or not permitted; CameraStuck if the driver
        has not released it since it was closed.
        """
        if self._closing is not None:
            self._closing.join(CLOSING)
            if self._closing.is_alive():
                raise CameraStuck("vision.picamera.stuck")
        kind = self._driver()
        found = self._cameras()
        if not found.ids:
            raise _none_found()
        rotation = self._setting.rotation
        self.identity = found.ids[0] + (f", turned {rotation}" if rotation else "")
        try:
            device = kind(0)
        except (RuntimeError, OSError, IndexError) as error:
            raise _not_opened(error) from error
        try:
            self._configure(device)
        except (RuntimeError, OSError, ValueError) as error:
            self._closing = _close_in_thread(device)
            raise SourceError("vision.picamera.set_up", camera=found.ids[0], reason=error) from error
        self._device = device

    def frame(self, timeout: float) -> Frame:
        """Return the next image with its small copy.

        Raises: CameraLost without an image in time, CameraStuck after STUCK seconds without one.
        """
        if self._device is None:
            raise CameraLost("vision.camera.closed", name="picamera")
        if self._pending_request is None:
            self._pending_request = self._device.capture_request(wait=False)
        asked = self._clock()
        try:
            request = self._pending_request.get_result(timeout=timeout)
        except TimeoutError as error:
            # Count only the time spent waiting, so that a process without CPU time does not report a hung camera.
            self._silent += min(timeout, self._clock() - asked)
            if self._silent > (STUCK if self._count else STUCK_AT_START):
                raise CameraStuck("vision.picamera.hangs", seconds=self._silent) from error
            raise CameraLost("vision.camera.silent", name="picamera", seconds=timeout) from error
        self._pending_request = None
        try:
            full = np.asarray(request.make_array("main"), np.uint8)
            small = np.asarray(request.make_array("lores"), np.uint8)
            metadata = request.get_metadata()
        finally:
            request.release()
        return self._to_frame(full, small, metadata)

    def focus(self, dioptres: float) -> None:
        """Move the lens and hold it there. Does nothing for a fixed lens. Raises: CameraLost if closed."""
        self._set_controls(_focus_controls(dioptres) if self.focus_range else {})
        self._light_lock.dioptres = dioptres if self.focus_range else None

    def lock(self, light: LightSettings) -> None:
        """Hold this light from now on. Raises: CameraLost if closed."""
        self._set_controls(self._light_lock.lock(light, self._clock()))

    def limit_light(self, share: float) -> bool:
        controls = None if self._device is None else self._light_lock.limit_light(share, self._clock())
        if controls is None:
            return False
        self._set_controls(controls)
        return True

    def close(self) -> None:
        """Stop the camera in a thread, because picamera2's `stop()` can block forever."""
        device, self._device, self._pending_request = self._device, None, None
        if device is not None:
            self._closing = _close_in_thread(device)

    def describe(self) -> str:
        return "Raspberry Pi camera"

    def _configure(self, device: Any) -> None:
        setting, streams = self._setting, self._setting.streams
        device.configure(
            device.create_video_configuration(
                main={"size": streams.full, "format": streams.full_format},
                lores={"size": streams.small, "format": streams.small_format},
                controls={"FrameRate": streams.rate} if "FrameDurationLimits" in device.camera_controls else {},
                buffer_count=4,
                queue=False,
            )
        )
        can = frozenset(device.camera_controls)
        self._light_lock = LightLock(can, setting.light, setting.dioptres)
        if "LensPosition" in can:
            once = {"AfMode": 1, "AfTrigger": 0}
            device.set_controls(once if setting.dioptres is None else _focus_controls(setting.dioptres))
        device.start()
        self._start, self._last, self._count, self._silent = None, 0, 0, 0.0

    def _to_frame(self, full: Any, small: Any, metadata: dict[str, Any]) -> Frame:
        now, self._silent = self._clock(), 0.0
        stamp = int(metadata.get("SensorTimestamp") or now * _NANOSECONDS)
        self._start = stamp if self._start is None else self._start
        self._last = stamp = max(stamp, self._last + 1)
        t = (stamp - self._start) / _NANOSECONDS
        self._set_controls(self._light_lock.on_frame(metadata, now))
        streams = self._setting.streams
        pictures = (
            as_bgr(full, streams.full_format, streams.full),
            as_bgr(small, streams.small_format, streams.small),
        )
        picture, watched = (rotate_clockwise(one, self._setting.rotation) for one in pictures)
        frame = Frame(picture, t, self._count, watched, self._light_lock.dimmed, self._light_lock.dimming)
        self._count += 1
        return frame

    def _set_controls(self, controls: dict[str, Any]) -> None:
        if self._device is None:
            raise CameraLost("vision.camera.closed", name="picamera")
        if controls:
            self._device.set_controls(controls)


def _focus_controls(dioptres: float) -> dict[str, Any]:
    """Return the controls that set the lens manually, without autofocus."""
    return {"AfMode": 0, "LensPosition": dioptres}


def _close_in_thread(device: Any) -> threading.Thread:
    """Release the device in a separate thread."""
    closing = threading.Thread(target=_stop_and_close, args=(device,), name="picamera-close", daemon=True)
    closing.start()
    return closing


def _stop_and_close(device: Any) -> None:
    atexit.unregister(device.close)  # avoid a second close at process exit
    with suppress(RuntimeError, OSError):
        device.stop()
        device.close()


def _none_found() -> SourceError:
    closed = inaccessible_devices()
    return SourceError("vision.picamera.rights", device=closed[0]) if closed else SourceError("vision.picamera.none")


def _not_opened(error: BaseException) -> SourceError:
    reasons: list[BaseException] = []
    cause: BaseException | None = error
    while cause is not None:
        reasons.append(cause)
        cause = cause.__cause__ or cause.__context__
    if any("busy" in str(reason).lower() or "in use" in str(reason).lower() for reason in reasons):
        return SourceError("vision.picamera.busy")
    return SourceError("vision.picamera.closed", reason=reasons[-1])
