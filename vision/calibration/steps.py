"""The steps of setting up a camera: each takes frames until it knows, then says what it found."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from vision.calibration.card import find_card
from vision.calibration.corners import find_corners, in_order, plausible
from vision.calibration.picture_quality import COLUMNS, Peak, Turnable, edge_width, light_map, sweep
from vision.calibration.rectification import Rectification, share_of_picture
from vision.calibration_words import WELL, Aspect, Calibrate, Finding, Place, Step, StepDone
from vision.pictures import Picture
from vision.white_balance import Balance

Running = Generator[None, Picture, StepDone]
"""A step at work: is sent one picture after the other."""

_LOOKS = 4
"""Frames whose mean is looked at: less grain."""

_SHARP_EDGE, _BLURRED_EDGE = 0.007, 0.020
"""Width of the tray's edges as a share of its longest side."""

_DIE, _LEAST_DIE = 34.0, 18.0
"""Edge in pixels of a die that is read at its best, and of one that is hardly read."""

_TILT, _MOST_TILT = 12.0, 30.0
"""Degrees that a camera may look askew."""

_FILLS, _LEAST_FILLS = 0.6, 0.3
"""Share of the picture's side that the tray takes."""


@dataclass(slots=True)
class Draft:
    """What the steps have found so far."""

    size: tuple[int, int] = (0, 0)
    corners: npt.NDArray[np.float64] | None = None
    balance: Balance | None = None
    dioptres: float | None = None
    empty: Picture | None = None
    findings: dict[Aspect, Finding] = field(default_factory=dict)

    def note(self, findings: tuple[Finding, ...]) -> None:
        """Newer findings take the place of older ones."""
        self.findings |= {finding.aspect: finding for finding in findings}


def step(order: Calibrate, draft: Draft, camera: Any, focal: float | None) -> Running:
    """The step that is asked for. `camera` may be `Turnable`; `focal` in widths of the picture."""
    if order.step is Step.CORNERS:
        return _corners(draft, order.corners, focal)
    if order.step is Step.LIGHT:
        return _light(draft, camera, focal)
    if order.step is Step.CARD:
        return _card(draft)
    return _picture(draft, camera) if order.step is Step.PICTURE else _try(draft)


def _picture(draft: Draft, camera: Any) -> Running:
    yield from _focused(draft, camera)
    picture = yield from _mean()
    draft.size = _size(picture)
    light = light_map(picture)
    spread = float(picture.std())
    score = min(1.0, max(0.0, (spread - 3) / 12))
    bright = next(one for one in light.findings() if one.aspect is Aspect.BRIGHT)
    findings = (Finding(Aspect.SEEN, score, spread), bright)
    return StepDone(Step.PICTURE, score > 0.3, findings, size=draft.size)


def _corners(draft: Draft, dragged: tuple[Place, ...], focal: float | None) -> Running:
    picture = yield from _mean()
    draft.size = size = _size(picture)
    if dragged:
        quad = in_order(dragged) if len(dragged) == 4 else None
        quad = quad if quad is not None and plausible(quad, size) else None
    else:
        found = find_corners(picture)
        quad = None if found is None else found.points
    if quad is None:
        return StepDone(Step.CORNERS, False, (Finding(Aspect.SEEN, 0.0),), tuple(dragged), size)
    draft.corners, draft.empty = quad, picture
    straight = Rectification.of(quad, size, focal)
    fills = share_of_picture(quad, size)
    whole = min(_between(straight.tilt, _MOST_TILT, _TILT), _between(fills, _LEAST_FILLS, _FILLS))
    findings = (Finding(Aspect.SEEN, 1.0), Finding(Aspect.WHOLE, whole, straight.tilt))
    draft.note(findings)
    return StepDone(Step.CORNERS, True, findings, _places(quad), size)


def _light(draft: Draft, camera: Any, focal: float | None) -> Running:
    peak = yield from _focused(draft, camera)
    picture = yield from _mean()
    if draft.corners is None:
        return StepDone(Step.LIGHT, False, (Finding(Aspect.SEEN, 0.0),), size=_size(picture))
    straight = Rectification.of(draft.corners, draft.size, focal)
    light = light_map(straight.picture(picture))
    width = edge_width(picture, draft.corners)
    sharp = _between(width, _BLURRED_EDGE, _SHARP_EDGE)
    if peak is not None and peak.found:
        sharp = max(sharp, WELL)
    findings = (*light.findings(), Finding(Aspect.SHARP, sharp, width))
    draft.note(findings)
    done = min(one.score for one in findings) > 0.1
    return StepDone(Step.LIGHT, done, findings, _places(draft.corners), draft.size, (), light.cells, COLUMNS)


def _card(draft: Draft) -> Running:
    picture = yield from _mean()
    found = find_card(picture)
    if found is None:
        return StepDone(Step.CARD, False, (Finding(Aspect.WHITE, 0.0),), size=_size(picture))
    strength = float(np.ptp(np.log2(found.balance.gains)))
    white = Finding(Aspect.WHITE, found.balance.certainty if found.balance.known else 0.0, strength)
    sharp = Finding(Aspect.SHARP, _between(found.blur / (16 * found.scale), 0.16, 0.05), found.blur)
    draft.balance = found.balance if found.balance.known else None
    draft.note((white, sharp))
    return StepDone(Step.CARD, found.balance.known, (white, sharp), size=_size(picture), card=_places(found.corners))


def _try(draft: Draft) -> Running:
    picture = yield
    return StepDone(Step.TRY, draft.corners is not None, size=_size(picture))


def trial_findings(right: int, trials: int, edges: tuple[float, ...]) -> tuple[Finding, ...]:
    """What the dice that players laid down say."""
    if not trials:
        return ()
    trial = Finding(Aspect.TRIAL, right / trials, float(trials))
    if not edges:
        return (trial,)
    edge = float(np.median(edges))
    return trial, Finding(Aspect.DIE, _between(edge, _LEAST_DIE, _DIE), edge)


def _focused(draft: Draft, camera: Any) -> Generator[None, Picture, Peak | None]:
    """The lens turned to where the picture is sharpest, if it can be turned."""
    if not isinstance(camera, Turnable) or camera.reach is None:
        return None
    peak = yield from sweep(camera)
    draft.dioptres = peak.dioptres
    return peak


def _mean() -> Generator[None, Picture, Picture]:
    """The mean of the next frames."""
    first = yield
    total = np.asarray(first, np.float32)
    for _ in range(_LOOKS - 1):
        picture = yield
        if picture.shape != first.shape:
            return picture
        total = total + np.asarray(picture, np.float32)
    return np.asarray(np.round(total / _LOOKS), np.uint8)


def _between(value: float, none: float, full: float) -> float:
    """0 at `none`, 1 at `full`, whichever is larger, even in between."""
    return round(min(1.0, max(0.0, (value - none) / (full - none))), 3)


def _size(picture: Picture) -> tuple[int, int]:
    return picture.shape[1], picture.shape[0]


def _places(quad: npt.NDArray[np.float64]) -> tuple[Place, ...]:
    return tuple((round(float(x), 2), round(float(y), 2)) for x, y in quad)
