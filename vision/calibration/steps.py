"""The calibration steps. Each receives frames until it has a result."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from vision.calibration.card import find_card
from vision.calibration.corners import find_corners, order_corners, plausible
from vision.calibration.picture_quality import COLUMNS, FocusPeak, Turnable, edge_width, light_map, sweep_focus
from vision.calibration.rectification import Rectification, share_of_picture
from vision.calibration_messages import (
    GOOD_SCORE,
    Aspect,
    CalibrateStep,
    CalibrationStep,
    Finding,
    ImagePoint,
    StepResult,
)
from vision.pictures import Picture
from vision.white_balance import Balance

StepGenerator = Generator[None, Picture, StepResult]
"""A running step, implemented as a generator that receives images."""

_AVERAGED_FRAMES = 4
"""Number of frames averaged to reduce grain."""

_SHARP_EDGE, _BLURRED_EDGE = 0.007, 0.020
"""Width of the tray's edges, as a share of its longest side, for a sharp and a blurred image."""

_DIE, _LEAST_DIE = 34.0, 18.0
"""Edge in pixels of a die that is read well, and of one that is barely readable."""

_TILT, _MOST_TILT = 12.0, 30.0
"""Camera tilt in degrees: good and maximum."""

_FILLS, _LEAST_FILLS = 0.6, 0.3
"""Share of the image side that the tray fills: good and minimum."""


@dataclass(slots=True)
class CalibrationDraft:
    """The results of the steps so far."""

    size: tuple[int, int] = (0, 0)
    corners: npt.NDArray[np.float64] | None = None
    balance: Balance | None = None
    dioptres: float | None = None
    empty: Picture | None = None
    findings: dict[Aspect, Finding] = field(default_factory=dict)

    def note(self, findings: tuple[Finding, ...]) -> None:
        """Add findings, replacing older ones."""
        self.findings |= {finding.aspect: finding for finding in findings}


def run_step(order: CalibrateStep, draft: CalibrationDraft, camera: Any, focal: float | None) -> StepGenerator:
    """Return the requested step. `camera` may be `Turnable`; `focal` is the focal length in image widths."""
    if order.step is CalibrationStep.CORNERS:
        return _corners_step(draft, order.corners, focal)
    if order.step is CalibrationStep.LIGHT:
        return _light_step(draft, camera, focal)
    if order.step is CalibrationStep.CARD:
        return _card_step(draft)
    return _picture_step(draft, camera) if order.step is CalibrationStep.PICTURE else _test_step(draft)


def _picture_step(draft: CalibrationDraft, camera: Any) -> StepGenerator:
    yield from _focus_lens(draft, camera)
    picture = yield from _mean_frame()
    draft.size = _size(picture)
    light = light_map(picture)
    spread = float(picture.std())
    score = min(1.0, max(0.0, (spread - 3) / 12))
    bright = next(one for one in light.findings() if one.aspect is Aspect.BRIGHT)
    findings = (Finding(Aspect.SEEN, score, spread), bright)
    return StepResult(CalibrationStep.PICTURE, score > 0.3, findings, size=draft.size)


def _corners_step(draft: CalibrationDraft, dragged: tuple[ImagePoint, ...], focal: float | None) -> StepGenerator:
    picture = yield from _mean_frame()
    draft.size = size = _size(picture)
    if dragged:
        quad = order_corners(dragged) if len(dragged) == 4 else None
        quad = quad if quad is not None and plausible(quad, size) else None
    else:
        found = find_corners(picture)
        quad = None if found is None else found.points
    if quad is None:
        return StepResult(CalibrationStep.CORNERS, False, (Finding(Aspect.SEEN, 0.0),), tuple(dragged), size)
    draft.corners, draft.empty = quad, picture
    straight = Rectification.from_corners(quad, size, focal)
    fills = share_of_picture(quad, size)
    whole = min(_score_between(straight.tilt, _MOST_TILT, _TILT), _score_between(fills, _LEAST_FILLS, _FILLS))
    findings = (Finding(Aspect.SEEN, 1.0), Finding(Aspect.WHOLE, whole, straight.tilt))
    draft.note(findings)
    return StepResult(CalibrationStep.CORNERS, True, findings, _places(quad), size)


def _light_step(draft: CalibrationDraft, camera: Any, focal: float | None) -> StepGenerator:
    peak = yield from _focus_lens(draft, camera)
    picture = yield from _mean_frame()
    if draft.corners is None:
        return StepResult(CalibrationStep.LIGHT, False, (Finding(Aspect.SEEN, 0.0),), size=_size(picture))
    straight = Rectification.from_corners(draft.corners, draft.size, focal)
    light = light_map(straight.picture(picture))
    width = edge_width(picture, draft.corners)
    sharp = _score_between(width, _BLURRED_EDGE, _SHARP_EDGE)
    if peak is not None and peak.found:
        sharp = max(sharp, GOOD_SCORE)
    findings = (*light.findings(), Finding(Aspect.SHARP, sharp, width))
    draft.note(findings)
    done = min(one.score for one in findings) > 0.1
    return StepResult(
        CalibrationStep.LIGHT, done, findings, _places(draft.corners), draft.size, (), light.cells, COLUMNS
    )


def _card_step(draft: CalibrationDraft) -> StepGenerator:
    picture = yield from _mean_frame()
    found = find_card(picture)
    if found is None:
        return StepResult(CalibrationStep.CARD, False, (Finding(Aspect.WHITE, 0.0),), size=_size(picture))
    strength = float(np.ptp(np.log2(found.balance.gains)))
    white = Finding(Aspect.WHITE, found.balance.certainty if found.balance.known else 0.0, strength)
    sharp = Finding(Aspect.SHARP, _score_between(found.blur / (16 * found.scale), 0.16, 0.05), found.blur)
    draft.balance = found.balance if found.balance.known else None
    draft.note((white, sharp))
    return StepResult(
        CalibrationStep.CARD, found.balance.known, (white, sharp), size=_size(picture), card=_places(found.corners)
    )


def _test_step(draft: CalibrationDraft) -> StepGenerator:
    picture = yield
    return StepResult(CalibrationStep.TEST, draft.corners is not None, size=_size(picture))


def trial_findings(right: int, trials: int, edges: tuple[float, ...]) -> tuple[Finding, ...]:
    """Return the findings from the dice that players laid down."""
    if not trials:
        return ()
    trial = Finding(Aspect.TRIAL, right / trials, float(trials))
    if not edges:
        return (trial,)
    edge = float(np.median(edges))
    return trial, Finding(Aspect.DIE, _score_between(edge, _LEAST_DIE, _DIE), edge)


def _focus_lens(draft: CalibrationDraft, camera: Any) -> Generator[None, Picture, FocusPeak | None]:
    """Focus the lens, if it is movable."""
    if not isinstance(camera, Turnable) or camera.focus_range is None:
        return None
    peak = yield from sweep_focus(camera)
    draft.dioptres = peak.dioptres
    return peak


def _mean_frame() -> Generator[None, Picture, Picture]:
    """Return the mean of the next frames."""
    first = yield
    total = np.asarray(first, np.float32)
    for _ in range(_AVERAGED_FRAMES - 1):
        picture = yield
        if picture.shape != first.shape:
            return picture
        total = total + np.asarray(picture, np.float32)
    return np.asarray(np.round(total / _AVERAGED_FRAMES), np.uint8)


def _score_between(value: float, none: float, full: float) -> float:
    """Map linearly: 0 at `none`, 1 at `full`, in either direction, clipped outside."""
    return round(min(1.0, max(0.0, (value - none) / (full - none))), 3)


def _size(picture: Picture) -> tuple[int, int]:
    return picture.shape[1], picture.shape[0]


def _places(quad: npt.NDArray[np.float64]) -> tuple[ImagePoint, ...]:
    return tuple((round(float(x), 2), round(float(y), 2)) for x, y in quad)
