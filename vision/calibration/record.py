"""What is kept of a calibration: one JSON file in the data folder, written whole, of one camera and picture size."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from pathlib import Path

import cv2
import msgspec
import numpy as np

from vision.calibration_words import Aspect, Finding, Fit
from vision.messages import VisionError
from vision.pictures import Picture, shrunk, write_whole

NAME = "calibration.json"
"""The file's name in the data folder."""

VERSION = 1
_GROUND = 640
"""Longest side in pixels of the empty tray's picture that is kept."""


class Unreadable(VisionError, ValueError):
    """A file that is no calibration; the message names it and says why."""


class HeldLight(msgspec.Struct, frozen=True):
    """The light that the camera held: microseconds, the sensor's gain, gains of red and blue."""

    exposure_us: int
    gain: float
    colours: tuple[float, float]


class LearntCamera(msgspec.Struct, frozen=True):
    """Where the camera stands over the tray's pictures, as the dice of its rolls told: degrees to the right and down
    that it looks askew, focal length in longer sides of the tray's picture."""

    tilt: tuple[float, float]
    focal: float


class Calibration(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A camera over a tray as it was set up.

    `camera` and `size` (width, height) say for which pictures it is; `made` when (ISO 8601). `corners`: upper left,
    upper right, lower right, lower left, in pixels. `focal` in widths of the picture, None where it is not known.
    `gains`: what linear blue, green, red are multiplied by, from the card; None without one. `dioptres` of a lens that
    can be turned, `held` of a camera whose light is locked. `edge`: of a die, in pixels of the tray's picture.
    `findings` are those of the day, `empty` the empty tray (JPEG, base64). `learnt`: what dice have told of the camera
    since, None at first.
    """

    camera: str
    size: tuple[int, int]
    made: str
    corners: tuple[tuple[float, float], ...]
    focal: float | None = None
    gains: tuple[float, float, float] | None = None
    dioptres: float | None = None
    held: HeldLight | None = None
    edge: float | None = None
    right: int = 0
    trials: int = 0
    findings: tuple[tuple[str, float, float], ...] = ()
    empty: str = ""
    learnt: LearntCamera | None = None
    version: int = VERSION

    def found(self) -> tuple[Finding, ...]:
        """The findings of the day; those that this version does not know are left out."""
        known = {str(aspect) for aspect in Aspect}
        return tuple(Finding(Aspect(name), score, figure) for name, score, figure in self.findings if name in known)

    def ground(self) -> Picture | None:
        """The empty tray as the camera saw it, None if it was not kept."""
        data = np.frombuffer(base64.b64decode(self.empty), np.uint8)
        picture = cv2.imdecode(data, cv2.IMREAD_COLOR) if data.size else None
        return None if picture is None else np.asarray(picture, np.uint8)


def written_findings(findings: Sequence[Finding]) -> tuple[tuple[str, float, float], ...]:
    """Findings as they are kept."""
    return tuple((str(one.aspect), round(one.score, 3), round(one.figure, 4)) for one in findings)


def written_picture(picture: Picture) -> str:
    """A picture as it is kept."""
    small, _ = shrunk(picture, _GROUND)
    _, data = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, 88])
    return base64.b64encode(data.tobytes()).decode("ascii")


def load(path: Path) -> Calibration | None:
    """What is kept in a file, None if there is none. Raises Unreadable."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise Unreadable("vision.calibration.system", path=path, reason=error) from error
    try:
        found = msgspec.json.decode(data, type=Calibration)
    except msgspec.DecodeError as error:
        raise Unreadable("vision.calibration.system", path=path, reason=error) from error
    if found.version != VERSION:
        raise Unreadable("vision.calibration.version", path=path, found=found.version, known=VERSION)
    if len(found.corners) != 4 or min(found.size) < 1:
        raise Unreadable("vision.calibration.corners", path=path)
    return found


def fit_of(kept: Calibration, camera: str, size: tuple[int, int]) -> Fit:
    """Whether a calibration is of this camera."""
    return Fit.GOOD if (kept.camera, kept.size) == (camera, size) else Fit.FOREIGN


def save(path: Path, calibration: Calibration) -> None:
    """Write the file, whole: after a power cut it is the old one or the new one. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, msgspec.json.format(msgspec.json.encode(calibration), indent=1))
