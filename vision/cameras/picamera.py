"""The Raspberry Pi's own camera through picamera2: a full picture to read and a small one to watch, of one exposure.

Its light and focus are kept as they are (`LightLock`): what each frame says of itself goes in, controls to be set come
out. libcamera takes a control with some later frame and rounds it to what the sensor can do, so nothing counts before
frames have said it.
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

from vision.cameras.protocol import LEAST_LIGHT, Camera, CameraLost, CameraStuck, Clock, Frame, SourceError, turned
from vision.pictures import Picture
from vision.roll import CameraTrouble

Metadata = Mapping[str, Any]
"""What libcamera says of one frame, by the names of its controls."""

LIGHT = ("ExposureTime", "AnalogueGain", "ColourGains")

_ALIKE = 0.02
"""Share by which exposure and colours may differ from frame to frame and count as settled."""

_TAKEN_UP = {"ExposureTime": 0.03, "AnalogueGain": 0.06, "ColourGains": 0.02}
"""Shares by which a value taken up may differ from the one asked for: sensors know lines and steps of gain only."""

_DIOPTRES = 0.06

_SETTLED_FRAMES = 8
_CONFIRMING_FRAMES = 3
_SETTLING, _TAKING_UP = 4.0, 2.0
"""Seconds after which a light that never settles is locked as it is, and after which a control was not taken up."""

_LETTING_IN = 1.0
"""Seconds after which another share of the light was not taken up: the usual one is held again."""

_OTHER_LIGHT, _OTHER_LIGHT_LASTS = 2.0, 5.0
"""So many times as much light, or as little, for so many seconds is another light, and no hand: settle anew."""

_ASTRAY_FRAMES = 10


class LockState(Enum):
    """How far it has come."""

    SETTLING = "settling"
    LOCKING = "locking"
    HELD = "held"
    REFUSED = "refused"
    UNKNOWN = "unknown"
    """This camera has nothing that could be held."""


@dataclass(frozen=True, slots=True)
class Light:
    """What makes a picture's brightness and colours: microseconds, gain of the sensor, gains of red and blue."""

    exposure_us: int
    gain: float
    colours: tuple[float, float]

    def controls(self) -> dict[str, Any]:
        """The controls that fix it, in libcamera's names."""
        return {
            "AeEnable": False,
            "AwbEnable": False,
            "ExposureTime": self.exposure_us,
            "AnalogueGain": self.gain,
            "ColourGains": self.colours,
        }

    @classmethod
    def of(cls, metadata: Metadata) -> Light | None:
        """The light of a frame, None if the frame does not say it."""
        if not all(name in metadata for name in LIGHT):
            return None
        red, blue = metadata["ColourGains"]
        return cls(int(metadata["ExposureTime"]), float(metadata["AnalogueGain"]), (float(red), float(blue)))

    @property
    def much(self) -> float:
        """How much light makes a picture: microseconds at a gain of one."""
        return self.exposure_us * self.gain

    def times(self, share: float) -> Light:
        """A share of it, 1 or less: with less gain while there is any, as that is noise, then exposed for less time."""
        gain = max(min(1.0, self.gain), self.gain * share)
        return Light(max(1, round(self.exposure_us * share * self.gain / gain)), gain, self.colours)

    def like(self, other: Light, exposure: float, gain: float, colours: float) -> bool:
        """Whether both are the same within these shares."""
        pairs = [(self.exposure_us, other.exposure_us, exposure), (self.gain, other.gain, gain)]
        pairs += [(one, two, colours) for one, two in zip(self.colours, other.colours, strict=True)]
        return all(isclose(one, two, rel_tol=share) for one, two, share in pairs)


class LightLock:
    """Follows one camera from its start. `see` is called with every frame."""

    def __init__(self, can: frozenset[str], light: Light | None = None, dioptres: float | None = None) -> None:
        """`can` names the controls that the camera has; `light` and `dioptres` are to be held if they are known."""
        self.dioptres = dioptres if "LensPosition" in can else None
        self.light: Light | None = light
        """What is to be held, None while it is not known."""
        self._usual = light
        self._letting_in = self._deaf = False
        possible = can.issuperset(LIGHT)
        self.state = LockState.UNKNOWN if not possible else LockState.SETTLING if light is None else LockState.LOCKING
        self.trouble: CameraTrouble | None = None
        self._due: dict[str, Any] = light.controls() if light is not None and possible else {}
        self._since: float | None = None
        self._alike: list[Light] = []
        self._good = self._astray = self._blurred = 0
        self._lux: float | None = None
        self._other_light_since: float | None = None

    @property
    def dimmed(self) -> float:
        """The share of the usual light, that which was to be held before any `limit_light`, that is to be held now."""
        return 1.0 if self.light is None or self._usual is None else self.light.much / self._usual.much

    @property
    def usual(self) -> Light | None:
        """What was to be held before any `limit_light`; None until the camera has confirmed what is held."""
        return self._usual if self.state is LockState.HELD or self.dimming else None

    @property
    def dimming(self) -> bool:
        """Whether the camera has yet to take up another share of its light."""
        return self.state is LockState.LOCKING and self._letting_in

    def see(self, metadata: Metadata, t: float) -> dict[str, Any]:
        """Take what the frame of second `t` says; gives the controls to set now, mostly none."""
        self._since = t if self._since is None else self._since
        due, self._due = self._due, {}
        now = Light.of(metadata)
        if now is None:
            if self.state in (LockState.SETTLING, LockState.LOCKING) and t - self._since > _SETTLING:
                self._refuse()
        elif self.state is LockState.SETTLING:
            due |= self._settle(now, metadata, t)
        elif self.state is LockState.LOCKING:
            due |= self._confirm(now, metadata, t)
        elif self.state is not LockState.UNKNOWN:
            due |= self._watch(now, metadata, t)
        self._look_at_focus(metadata, t)
        return due

    def lock(self, light: Light, t: float) -> dict[str, Any]:
        """Hold this light from now on; gives the controls to set."""
        self._usual, self._letting_in, self._deaf = light, False, False
        return self._lock(light, t)

    def limit_light(self, share: float, t: float) -> dict[str, Any] | None:
        """Hold this share of the usual light from now on; gives the controls to set. None where none is held for
        certain, for less than LEAST_LIGHT, or if the camera did not do so the last time."""
        ready = self.state is LockState.HELD or self.dimming
        if not ready or self._usual is None or share < LEAST_LIGHT or self._deaf:
            return None
        if share == self.dimmed:
            return {}
        self._letting_in = True
        return self._lock(self._usual.times(share), t)

    def _lock(self, light: Light, t: float) -> dict[str, Any]:
        self.light, self.state, self._since, self._good = light, LockState.LOCKING, t, 0
        return light.controls()

    def _settle(self, now: Light, metadata: Metadata, t: float) -> dict[str, Any]:
        first = self._alike[0] if self._alike else now
        searching = metadata.get("AeLocked") is False
        if searching or not now.like(first, _ALIKE, _ALIKE, _ALIKE):
            self._alike.clear()
        if not searching:
            self._alike.append(now)
        if len(self._alike) < _SETTLED_FRAMES and t - (self._since or 0.0) < _SETTLING:
            return {}
        self._alike.clear()
        return self.lock(now, t)

    def _confirm(self, now: Light, metadata: Metadata, t: float) -> dict[str, Any]:
        self._good = self._good + 1 if self._is_held(now) else 0
        if self._good >= _CONFIRMING_FRAMES:
            self.state, self.trouble, self._astray = LockState.HELD, self._without(CameraTrouble.LIGHT_NOT_HELD), 0
            self._lux, self._other_light_since = metadata.get("Lux"), None
            self._letting_in = False
        elif self._letting_in and self._usual is not None and t - (self._since or 0.0) > _LETTING_IN:
            self._letting_in, self._deaf = False, True
            return self._lock(self._usual, t)
        elif t - (self._since or 0.0) > _TAKING_UP:
            self._refuse()
        return {}

    def _watch(self, now: Light, metadata: Metadata, t: float) -> dict[str, Any]:
        """Held or refused: does it stay so, and is it still the light of the room?"""
        if self._is_another_light(metadata.get("Lux"), t):
            self.state, self._since = LockState.SETTLING, t
            return {"AeEnable": True, "AwbEnable": True}
        self._astray = 0 if self._is_held(now) else self._astray + 1
        if self.state is LockState.HELD and self._astray >= _ASTRAY_FRAMES and self.light is not None:
            return self._lock(self.light, t)
        if self.state is LockState.REFUSED and self._astray == 0:
            self.state, self.trouble = LockState.HELD, self._without(CameraTrouble.LIGHT_NOT_HELD)
        return {}

    def _is_held(self, now: Light) -> bool:
        shares = (_TAKEN_UP[name] for name in LIGHT)
        return self.light is not None and now.like(self.light, *shares)

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

    def _refuse(self) -> None:
        self.state, self.trouble, self._astray = LockState.REFUSED, CameraTrouble.LIGHT_NOT_HELD, 1

    def _without(self, trouble: CameraTrouble) -> CameraTrouble | None:
        return None if self.trouble is trouble else self.trouble


Planes = NDArray[np.uint8]
"""A buffer as picamera2 hands it out: rows x stride, or rows x width x 3."""


def as_bgr(planes: Planes, name: str, size: tuple[int, int]) -> Picture:
    """The picture (height x width x 3, BGR) of a buffer of the format `name`, of `size` (width, height).

    Raises ValueError for a format that is not known."""
    if name not in _FORMATS:
        raise ValueError(f"pictures of the format {name!r} cannot be read; known are {', '.join(sorted(_FORMATS))}")
    return np.ascontiguousarray(_FORMATS[name](planes, size))


def _rgb888(planes: Planes, size: tuple[int, int]) -> Picture:
    """Blue, green, red in memory, whatever the name says; picamera2 has cut the padding off."""
    return planes[: size[1], : size[0], :3]


def _nv12(planes: Planes, size: tuple[int, int]) -> Picture:
    """A plane of light, then one of both colours in turns, of half the height: the same padding in both."""
    width, height = size
    packed = np.ascontiguousarray(planes[: height * 3 // 2, :width])
    return np.asarray(cv2.cvtColor(packed, cv2.COLOR_YUV2BGR_NV12), np.uint8)


def _yuv420(planes: Planes, size: tuple[int, int]) -> Picture:
    """Three planes, the colours' of half the width, height and padding."""
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
"""Seconds without a picture from which the driver is taken for hung, and the same before the first picture."""

CLOSING = 2.0
"""Seconds that a camera opened again waits for the driver to let go of it."""

_NANOSECONDS = 1e9


@dataclass(frozen=True, slots=True)
class Streams:
    """Width, height and format (libcamera's name) of the pictures that are read and of those that the settling watches,
    of one exposure, and how many a second."""

    full: tuple[int, int] = (1640, 1232)
    full_format: str = "RGB888"
    small: tuple[int, int] = (640, 480)
    small_format: str = "YUV420"
    rate: float = 30.0


@dataclass(frozen=True, slots=True)
class Setting:
    """How this camera is used. `rotation` turns its pictures, with the clock, in degrees; `light` is to be held, a lens
    that can be turned is turned to `dioptres`. None: the camera settles its light by itself, focuses once, and stays
    as it is."""

    rotation: int = 0
    streams: Streams = Streams()
    light: Light | None = None
    dioptres: float | None = None


def load_picamera2() -> Any:
    """The class Picamera2 of the system's package. Raises SourceError with what to do if it is missing."""
    try:
        return importlib.import_module("picamera2").Picamera2
    except (ImportError, OSError) as error:
        raise SourceError("vision.picamera.package") from error


@dataclass(frozen=True, slots=True)
class FoundCameras:
    """The ids of the cameras that libcamera finds, and what keeps them found for as long as it is held."""

    ids: tuple[str, ...]
    manager: object = None


def listed() -> FoundCameras:
    """The cameras that there are now. Once nobody holds an answer any more the next one is found out anew: a manager
    that is kept goes on listing what it found first. Raises SourceError if libcamera is missing."""
    try:
        manager = importlib.import_module("libcamera").CameraManager.singleton()
    except (ImportError, OSError) as error:
        raise SourceError("vision.picamera.library") from error
    return FoundCameras(tuple(str(camera.id) for camera in manager.cameras), manager)


def forbidden(devices: Path = Path("/dev")) -> list[Path]:
    """The camera devices that this user may not use."""
    nodes = [*devices.glob("media*"), *devices.glob("video*"), *(devices / "dma_heap").glob("*")]
    return sorted(node for node in nodes if not os.access(node, os.R_OK | os.W_OK))


class PiCamera(Camera):
    """The Pi's camera. Every call into the driver that may hang is made by a thread that nobody waits for for long.

    `driver` gives the class Picamera2. Light and focus are held from the first seconds on (see `LightLock`), so that a
    hand over the tray does not change the light of the picture.
    """

    live = True

    def __init__(
        self,
        setting: Setting | None = None,
        *,
        driver: Callable[[], Any] = load_picamera2,
        cameras: Callable[[], FoundCameras] = listed,
        clock: Clock = time.monotonic,
    ) -> None:
        self._setting = setting or Setting()
        self._driver = driver
        self._cameras = cameras
        self._clock = clock
        self._device: Any = None
        self._awaited: Any = None
        self._closing: threading.Thread | None = None
        self._hold = LightLock(frozenset())
        self.identity = ""
        """Which camera it is (libcamera's id: sensor and socket) and how it is turned, once it was opened."""
        self._start: int | None = None
        self._last = 0
        self._count = 0
        self._silent = 0.0

    @property
    def trouble(self) -> CameraTrouble | None:
        return self._hold.trouble

    @property
    def held(self) -> Light | None:
        """The light that is held, whatever share of it is let in; None until the camera has confirmed it."""
        return self._hold.usual

    @property
    def reach(self) -> tuple[float, float] | None:
        """Least and greatest dioptres of a lens that can be turned; None for a fixed one, or while closed."""
        lens = {} if self._device is None else self._device.camera_controls
        return None if "LensPosition" not in lens else (float(lens["LensPosition"][0]), float(lens["LensPosition"][1]))

    def warm_up(self) -> None:
        with suppress(SourceError):
            self._driver()

    def open(self) -> None:
        """Configure and start the camera. Raises SourceError if picamera2 or the camera is missing, in use or
        forbidden, CameraStuck if its driver has not let go of it since it was closed."""
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
            self._begin(device)
        except (RuntimeError, OSError, ValueError) as error:
            self._closing = _shut(device)
            raise SourceError("vision.picamera.set_up", camera=found.ids[0], reason=error) from error
        self._device = device

    def frame(self, timeout: float) -> Frame:
        """The next picture with its small copy. Raises CameraStuck once there was none for STUCK seconds."""
        if self._device is None:
            raise CameraLost("vision.camera.closed", name="picamera")
        if self._awaited is None:
            self._awaited = self._device.capture_request(wait=False)
        asked = self._clock()
        try:
            request = self._awaited.get_result(timeout=timeout)
        except TimeoutError as error:
            # Only what was waited: a process that did not get the processor does not take its camera for hung.
            self._silent += min(timeout, self._clock() - asked)
            if self._silent > (STUCK if self._count else STUCK_AT_START):
                raise CameraStuck("vision.picamera.hangs", seconds=self._silent) from error
            raise CameraLost("vision.camera.silent", name="picamera", seconds=timeout) from error
        self._awaited = None
        try:
            full = np.asarray(request.make_array("main"), np.uint8)
            small = np.asarray(request.make_array("lores"), np.uint8)
            metadata = request.get_metadata()
        finally:
            request.release()
        return self._made(full, small, metadata)

    def focus(self, dioptres: float) -> None:
        """Turn the lens and hold it there; nothing where it cannot be turned. Raises CameraLost if closed."""
        self._set(_turned_to(dioptres) if self.reach else {})
        self._hold.dioptres = dioptres if self.reach else None

    def lock(self, light: Light) -> None:
        """Hold this light from now on. Raises CameraLost if closed."""
        self._set(self._hold.lock(light, self._clock()))

    def limit_light(self, share: float) -> bool:
        controls = None if self._device is None else self._hold.limit_light(share, self._clock())
        if controls is None:
            return False
        self._set(controls)
        return True

    def close(self) -> None:
        """Stop the camera, from a thread: picamera2's `stop()` is known to block for ever at times."""
        device, self._device, self._awaited = self._device, None, None
        if device is not None:
            self._closing = _shut(device)

    def describe(self) -> str:
        return "Raspberry Pi camera"

    def _begin(self, device: Any) -> None:
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
        self._hold = LightLock(can, setting.light, setting.dioptres)
        if "LensPosition" in can:
            once = {"AfMode": 1, "AfTrigger": 0}
            device.set_controls(once if setting.dioptres is None else _turned_to(setting.dioptres))
        device.start()
        self._start, self._last, self._count, self._silent = None, 0, 0, 0.0

    def _made(self, full: Any, small: Any, metadata: dict[str, Any]) -> Frame:
        now, self._silent = self._clock(), 0.0
        stamp = int(metadata.get("SensorTimestamp") or now * _NANOSECONDS)
        self._start = stamp if self._start is None else self._start
        self._last = stamp = max(stamp, self._last + 1)
        t = (stamp - self._start) / _NANOSECONDS
        self._set(self._hold.see(metadata, now))
        streams = self._setting.streams
        pictures = (
            as_bgr(full, streams.full_format, streams.full),
            as_bgr(small, streams.small_format, streams.small),
        )
        picture, watched = (turned(one, self._setting.rotation) for one in pictures)
        frame = Frame(picture, t, self._count, watched, self._hold.dimmed, self._hold.dimming)
        self._count += 1
        return frame

    def _set(self, controls: dict[str, Any]) -> None:
        if self._device is None:
            raise CameraLost("vision.camera.closed", name="picamera")
        if controls:
            self._device.set_controls(controls)


def _turned_to(dioptres: float) -> dict[str, Any]:
    """The controls that turn the lens by hand, as it were: no automatic focus."""
    return {"AfMode": 0, "LensPosition": dioptres}


def _shut(device: Any) -> threading.Thread:
    """Let go of the device in a thread of its own."""
    closing = threading.Thread(target=_end, args=(device,), name="picamera-close", daemon=True)
    closing.start()
    return closing


def _end(device: Any) -> None:
    atexit.unregister(device.close)  # it has itself closed when the process ends, which must not happen twice
    with suppress(RuntimeError, OSError):
        device.stop()
        device.close()


def _none_found() -> SourceError:
    closed = forbidden()
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
