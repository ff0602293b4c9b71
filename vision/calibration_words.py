"""The words for setting up the camera that the rest of the house may use: what is asked of it, and what it answers.

Standard library only, like `vision.roll`. All pass between processes and are small.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

Place = tuple[float, float]
"""x and y in pixels of the camera's whole picture."""


class Step(StrEnum):
    """What is set up, one after the other; each may be done again."""

    PICTURE = "picture"
    CORNERS = "corners"
    LIGHT = "light"
    CARD = "card"
    TRY = "try"


class Aspect(StrEnum):
    """What a camera over a tray needs for reading well."""

    SEEN = "seen"
    """The tray is where it was when it was calibrated."""
    WHOLE = "whole"
    """The tray fills enough of the picture, and the camera looks at it from above."""
    BRIGHT = "bright"
    EVEN = "even"
    GLARE = "glare"
    SHARP = "sharp"
    WHITE = "white"
    DIE = "die"
    """Dice are large enough in the picture."""
    TRIAL = "trial"
    """Dice that players laid down were read right."""


class Fit(StrEnum):
    """Whether what was kept of a calibration is of use for the camera that is there now."""

    NONE = "none"
    """This table has never been calibrated."""
    GOOD = "good"
    FOREIGN = "foreign"
    """It was made with another camera, or with pictures of another size: it is not used."""
    DAMAGED = "damaged"
    """The file cannot be read: it is not used."""


@dataclass(frozen=True, slots=True)
class Finding:
    """How one thing is: `score` 0 (of no use) to 1 (as it should be), and the figure behind it."""

    aspect: Aspect
    score: float
    figure: float = 0.0


@dataclass(frozen=True, slots=True)
class Calibrate:
    """The order to do a step now; `corners` are those that a player has dragged, empty to have them found."""

    step: Step
    corners: tuple[Place, ...] = ()


@dataclass(frozen=True, slots=True)
class KeepCalibration:
    """The order to keep what was found. `made`: day and time (ISO 8601). `trials`: of how many dice that players
    looked at how many were read right; `edges`: their sizes in pixels, as read."""

    made: str
    right: int = 0
    trials: int = 0
    edges: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class LeaveCalibration:
    """The order to look at the tray again as it was kept last."""


CalibrationOrder = Calibrate | KeepCalibration | LeaveCalibration


@dataclass(frozen=True, slots=True)
class StepDone:
    """What a step found. `done`: whether it may stand so; else the first finding says what is in the way.

    `corners` of the tray and `card`'s, both in pixels of the camera's picture of `size` (width, height), empty if they
    were not found. `cells`: how light the tray is, row by row, as shares of its usual light, `columns` in a row.
    """

    step: Step
    done: bool
    findings: tuple[Finding, ...] = ()
    corners: tuple[Place, ...] = ()
    size: tuple[int, int] = (0, 0)
    card: tuple[Place, ...] = ()
    cells: tuple[float, ...] = ()
    columns: int = 0


@dataclass(frozen=True, slots=True)
class CalibrationKept:
    """The calibration is on disk and in use; `fault` says (English, for the log) why it is not."""

    fault: str = ""


@dataclass(frozen=True, slots=True)
class TrayHealth:
    """How well the tray can be read now: `figure` 0 to 100, and the one thing to mend, if there is one.

    Told once the first pictures were seen, and again when the camera was moved or the light has changed (`drifted`).
    `made`: when the calibration was made (ISO 8601), empty where there is none that can be used.
    """

    fit: Fit
    figure: int = 0
    mend: Aspect | None = None
    made: str = ""
    drifted: bool = False


CalibrationNews = StepDone | CalibrationKept | TrayHealth


def health_of(findings: tuple[Finding, ...]) -> tuple[int, Aspect | None]:
    """The figure 0 to 100 of all findings together, and the aspect to mend first, None if all are well.

    The worst counts as much as all together: a tray that is fine but for the dark is not fine.
    """
    if not findings:
        return 0, None
    worst = min(findings, key=lambda finding: finding.score)
    mean = sum(finding.score for finding in findings) / len(findings)
    return round(50 * (worst.score + mean)), worst.aspect if worst.score < WELL else None


WELL = 0.75
"""A score from which nothing needs to be mended."""
