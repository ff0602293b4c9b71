"""Calibration messages shared with the application: orders to the camera, and its answers.

Standard library only, like `vision.roll`. All messages are small and pass between processes.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

ImagePoint = tuple[float, float]
"""x and y in pixels of the full camera image."""


class CalibrationStep(StrEnum):
    """The calibration steps in order. Each can be repeated."""

    PICTURE = "picture"
    CORNERS = "corners"
    LIGHT = "light"
    CARD = "card"
    TEST = "try"


class Aspect(StrEnum):
    """The conditions for reliable reading."""

    SEEN = "seen"
    """The tray is where it was at calibration."""
    WHOLE = "whole"
    """The tray fills enough of the image, and the camera looks down on it."""
    BRIGHT = "bright"
    EVEN = "even"
    GLARE = "glare"
    SHARP = "sharp"
    WHITE = "white"
    DIE = "die"
    """Dice are large enough in the image."""
    TRIAL = "trial"
    """Dice that players laid down were read correctly."""


class CalibrationStatus(StrEnum):
    """Whether the stored calibration is usable for the current camera."""

    NONE = "none"
    """This table has never been calibrated."""
    GOOD = "good"
    FOREIGN = "foreign"
    """Made with another camera or another image size, therefore not used."""
    DAMAGED = "damaged"
    """The file is unreadable, therefore not used."""


@dataclass(frozen=True, slots=True)
class Finding:
    """The result for one aspect: `score` from 0 (unusable) to 1 (good), and the measured value behind it."""

    aspect: Aspect
    score: float
    figure: float = 0.0


@dataclass(frozen=True, slots=True)
class CalibrateStep:
    """Order to run a step now. `corners` are dragged by the player; empty means automatic detection."""

    step: CalibrationStep
    corners: tuple[ImagePoint, ...] = ()


@dataclass(frozen=True, slots=True)
class SaveCalibration:
    """Order to save the calibration.

    - `made`: date and time (ISO 8601).
    - `right`, `trials`: correct readings among the dice that players checked.
    - `edges`: their sizes in pixels, as read.
    """

    made: str
    right: int = 0
    trials: int = 0
    edges: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class RevertCalibration:
    """Order to leave the calibration and use the stored one again."""


CalibrationCommand = CalibrateStep | SaveCalibration | RevertCalibration


@dataclass(frozen=True, slots=True)
class StepResult:
    """Result of a step.

    - `done`: whether the result is usable; otherwise the first finding tells the problem.
    - `corners`, `card`: corners of the tray and of the card, in pixels of the camera image; empty if not found.
    - `size`: width and height of the camera image.
    - `cells`: light in the tray, row by row, as shares of its usual light; `columns` per row.
    """

    step: CalibrationStep
    done: bool
    findings: tuple[Finding, ...] = ()
    corners: tuple[ImagePoint, ...] = ()
    size: tuple[int, int] = (0, 0)
    card: tuple[ImagePoint, ...] = ()
    cells: tuple[float, ...] = ()
    columns: int = 0


@dataclass(frozen=True, slots=True)
class CalibrationSaved:
    """The calibration is saved and in use. If not, `fault` gives the reason (English, for the log)."""

    fault: str = ""


@dataclass(frozen=True, slots=True)
class TrayHealth:
    """How well the tray can be read now: `score` 0 to 100, and the one thing to fix, if any.

    Sent after the first images, and again after the camera moved or the light changed (`drifted`). `made` is the date
    of the calibration (ISO 8601), empty without a usable one.
    """

    status: CalibrationStatus
    score: int = 0
    worst_aspect: Aspect | None = None
    made: str = ""
    drifted: bool = False


CalibrationNews = StepResult | CalibrationSaved | TrayHealth


def overall_health(findings: tuple[Finding, ...]) -> tuple[int, Aspect | None]:
    """Return the overall figure 0 to 100, and the aspect to fix first, None if all are good.

    The worst score has the same weight as the mean of all, because one bad aspect makes a tray bad.
    """
    if not findings:
        return 0, None
    worst = min(findings, key=lambda finding: finding.score)
    mean = sum(finding.score for finding in findings) / len(findings)
    return round(50 * (worst.score + mean)), worst.aspect if worst.score < GOOD_SCORE else None


GOOD_SCORE = 0.75
"""Minimum score of an aspect that needs no fix."""
