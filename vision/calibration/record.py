"""The calibration file: one JSON file in the data folder, written atomically, for one camera and image size."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from pathlib import Path

import cv2
import msgspec

from vision.calibration_messages import Aspect, CalibrationStatus, Finding
from vision.files import DECODE_ERRORS, FileTooLarge, read_limited, write_atomically
from vision.messages import VisionError
from vision.pictures import Picture, decode_upright, downscaled

FILE_NAME = "calibration.json"
"""File name in the data folder."""

VERSION = 1
_GROUND = 640
"""Longest side in pixels of the stored image of the empty tray."""


MAX_FILE_BYTES = 4 * 1024 * 1024
"""Limit for the file. One with the image of the empty tray has about 100 kB."""
_MAX_SIDE_PX = 20_000
"""Longest side of a camera image. Corners may lie up to one image beside it."""


class UnreadableCalibration(VisionError, ValueError):
    """A file that is not a calibration. The message names the file and the reason."""


class DamagedCalibration(UnreadableCalibration):
    """A file whose content is damaged, so that no version of the program can use it."""


class LockedLight(msgspec.Struct, frozen=True):
    """The light that the camera held: microseconds, sensor gain, red and blue gains."""

    exposure_us: int
    gain: float
    colours: tuple[float, float]


class LearnedCamera(msgspec.Struct, frozen=True):
    """The camera position learnt from rolls, relative to the tray images.

    - `tilt`: degrees to the right and down.
    - `focal`: focal length in longer sides of the tray image.
    """

    tilt: tuple[float, float]
    focal: float


class Calibration(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The calibration of a camera above a tray.

    - `camera`, `size` (width, height): the images that it applies to.
    - `made`: date and time (ISO 8601).
    - `corners`: upper left, upper right, lower right, lower left, in pixels.
    - `focal`: focal length in image widths, None if unknown.
    - `gains`: factors for linear blue, green, red, from the card; None without a card.
    - `dioptres`: position of a movable lens.
    - `held`: light of a camera with locked exposure.
    - `edge`: edge of a die in pixels of the tray image.
    - `right`, `trials`: correct readings among the trial dice.
    - `findings`: the findings of the calibration.
    - `empty`: the empty tray (JPEG, base64).
    - `learnt`: the camera position learnt from dice since, None at first.
    """

    camera: str
    size: tuple[int, int]
    made: str
    corners: tuple[tuple[float, float], ...]
    focal: float | None = None
    gains: tuple[float, float, float] | None = None
    dioptres: float | None = None
    held: LockedLight | None = None
    edge: float | None = None
    right: int = 0
    trials: int = 0
    findings: tuple[tuple[str, float, float], ...] = ()
    empty: str = ""
    learnt: LearnedCamera | None = None
    version: int = VERSION

    def saved_findings(self) -> tuple[Finding, ...]:
        """Return the findings of the calibration, without those that this version does not know."""
        known = {str(aspect) for aspect in Aspect}
        return tuple(Finding(Aspect(name), score, figure) for name, score, figure in self.findings if name in known)

    def ground(self) -> Picture | None:
        """Return the camera image of the empty tray, None if it was not stored or is not readable."""
        try:
            return decode_upright(base64.b64decode(self.empty)) if self.empty else None
        except ValueError:
            return None


def written_findings(findings: Sequence[Finding]) -> tuple[tuple[str, float, float], ...]:
    """Convert findings for storage."""
    return tuple((str(one.aspect), round(one.score, 3), round(one.figure, 4)) for one in findings)


def written_picture(picture: Picture) -> str:
    """Convert an image for storage."""
    small, _ = downscaled(picture, _GROUND)
    _, data = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, 88])
    return base64.b64encode(data.tobytes()).decode("ascii")


def load(path: Path) -> Calibration | None:
    """Load a calibration file, None if there is none. Raises: UnreadableCalibration (DamagedCalibration)."""
    try:
        data = read_limited(path, MAX_FILE_BYTES)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise UnreadableCalibration("vision.calibration.system", path=path, reason=error) from error
    except FileTooLarge as error:
        raise DamagedCalibration("vision.calibration.system", path=path, reason=error) from error
    try:
        found = msgspec.json.decode(data, type=Calibration)
    except DECODE_ERRORS as error:
        raise DamagedCalibration("vision.calibration.system", path=path, reason=error) from error
    if found.version != VERSION:
        raise UnreadableCalibration("vision.calibration.version", path=path, found=found.version, known=VERSION)
    if not _is_plausible(found):
        raise DamagedCalibration("vision.calibration.corners", path=path)
    return found


def _is_plausible(found: Calibration) -> bool:
    """False for numbers that no camera has. Some of them would need an image of gigabytes."""
    wide, high = found.size
    if len(found.corners) != 4 or min(wide, high) < 1 or max(wide, high) > _MAX_SIDE_PX:
        return False
    if any(not (-wide <= x <= 2 * wide and -high <= y <= 2 * high) for x, y in found.corners):
        return False
    factors = [*(found.gains or ()), *([found.focal] if found.focal is not None else [])]
    factors += [found.learnt.focal] if found.learnt is not None else []
    return all(0.01 <= factor <= 100 for factor in factors)


def status_for_camera(kept: Calibration, camera: str, size: tuple[int, int]) -> CalibrationStatus:
    """Check that a calibration belongs to this camera."""
    return CalibrationStatus.GOOD if (kept.camera, kept.size) == (camera, size) else CalibrationStatus.FOREIGN


def save(path: Path, calibration: Calibration) -> None:
    """Write the file atomically: after a power cut it is the old one or the new one. Raises: OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, msgspec.json.format(msgspec.json.encode(calibration), indent=1))
