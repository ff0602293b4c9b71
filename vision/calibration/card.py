"""Calibration card detection: measures white balance, scale and sharpness from the printed card."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import cv2
import numpy as np
import numpy.typing as npt

from vision.calibration.corners import sampled
from vision.drawing.card import HEIGHT, MARK, MARKS, WIDTH, patches
from vision.pictures import Picture
from vision.white_balance import Balance, balance_from_patches, patch_colour, srgb_to_linear

Floats = npt.NDArray[np.float64]

_LEAST_MARK = 80.0
"""Minimum area in pixels of a mark."""

_RATIOS = ((25 / 49, 0.17), (9 / 25, 0.16))
"""Area ratios of a mark, white to black and inner black to white, and their tolerances."""

_ALIKE = 1.7
"""Maximum ratio between the areas of the marks of one card."""

_MOST_MARKS = 10


@dataclass(frozen=True, slots=True, eq=False)
class FoundCard:
    """A card in an image.

    - `corners`: (4 x 2) of the paper.
    - `scale`: pixels per millimetre.
    - `balance`: white balance of the light.
    - `blur`: width of the marks' edges in pixels (10 to 90 percent).
    """

    corners: Floats
    scale: float
    balance: Balance
    blur: float


def find_card(picture: Picture) -> FoundCard | None:
    """Return the card if all its marks are visible, None otherwise."""
    marks = _marks(picture)
    if len(marks) < 4:
        return None
    best: FoundCard | None = None
    for four in combinations(marks[:_MOST_MARKS], 4):
        areas = [mark[1] for mark in four]
        if max(areas) > _ALIKE * min(areas):
            continue
        found = _card_on_marks(picture, np.array([mark[0] for mark in four]), float(np.mean(areas)))
        if found is not None and (best is None or found.balance.certainty > best.balance.certainty):
            best = found
    return best


def _marks(picture: Picture) -> list[tuple[Floats, float]]:
    """Return centres and areas of possible marks, largest first."""
    grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
    found: list[tuple[Floats, float]] = []
    for share in (0.06, 0.12):
        block = int(share * max(grey.shape)) | 1
        dark = cv2.adaptiveThreshold(grey, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY_INV, block, 4)
        outlines, tree = cv2.findContours(dark, cv2.RETR_TREE, cv2.CHAIN_APPROX_NONE)
        for number, outline in enumerate(outlines):
            mark = _mark(outlines, tree[0], number) if cv2.contourArea(outline) >= _LEAST_MARK else None
            if mark is not None and all(np.hypot(*(mark[0] - other)) > 4 for other, _ in found):
                found.append(mark)
    return sorted(found, key=lambda mark: -mark[1])


def _mark(outlines: object, tree: npt.NDArray[np.int32], number: int) -> tuple[Floats, float] | None:
    """Return centre and area of a mark: nested concentric black, white and black squares. None if it is not one."""
    shapes = [np.asarray(outlines[number])]  # type: ignore[index]
    at = number
    for ratio, slack in _RATIOS:
        children = []
        child = int(tree[at][2])
        while child >= 0:
            children.append(child)
            child = int(tree[child][0])
        if not children:
            return None
        at = max(children, key=lambda one: cv2.contourArea(outlines[one]))  # type: ignore[index]
        shape = np.asarray(outlines[at])  # type: ignore[index]
        area, within = cv2.contourArea(shapes[-1]), cv2.contourArea(shape)
        if area <= 0 or abs(within / area - ratio) > slack:
            return None
        shapes.append(shape)
    middles = [_middle(shape) for shape in shapes]
    area = float(cv2.contourArea(shapes[0]))
    if max(float(np.hypot(*(middle - middles[0]))) for middle in middles) > 0.12 * np.sqrt(area):
        return None
    box = cv2.minAreaRect(shapes[0])[1]
    if min(box) < 0.7 * max(box) or area < 0.8 * box[0] * box[1]:
        return None
    return np.asarray(np.mean(middles, 0)), area


def _middle(shape: npt.NDArray[np.int32]) -> Floats:
    moments = cv2.moments(shape)
    if not moments["m00"]:
        return np.asarray(shape.reshape(-1, 2).mean(0), np.float64)
    return np.array([moments["m10"] / moments["m00"], moments["m01"] / moments["m00"]])


def _card_on_marks(picture: Picture, middles: Floats, area: float) -> FoundCard | None:
    """Return the card on these four marks, in the orientation in which its patches fit better."""
    around = middles - middles.mean(0)
    quad = middles[np.argsort(np.arctan2(around[:, 1], around[:, 0]))]
    sides = np.hypot(*(np.roll(quad, -1, 0) - quad).T)
    if sides[0] < sides[1]:
        quad, sides = np.roll(quad, -1, 0), np.roll(sides, -1)
    wide, tall = MARKS[1][0] - MARKS[0][0], MARKS[2][1] - MARKS[1][1]
    scale = float((sides[0] + sides[2]) / (2 * wide))
    other = float((sides[1] + sides[3]) / (2 * tall))
    if not 0.8 < scale / other < 1.25 or not 0.7 < np.sqrt(area) / (MARK * scale) < 1.3:
        return None
    best: tuple[float, Balance, Floats] | None = None
    for turned in (quad, np.roll(quad, -2, 0)):
        place = cv2.getPerspectiveTransform(np.asarray(MARKS, np.float32), turned.astype(np.float32))
        measured = _patches(picture, np.asarray(place, np.float64))
        known = [patch.colour for patch in patches()]
        balance = balance_from_patches(measured, known)
        misfit = _misfit(measured, known, balance)
        if best is None or misfit < best[0]:
            best = (misfit, balance, np.asarray(place))
    if best is None or best[0] > 0.35:
        return None
    paper = np.array([[[0, 0], [WIDTH, 0], [WIDTH, HEIGHT], [0, HEIGHT]]], np.float64)
    corners = cv2.perspectiveTransform(paper, best[2])[0]
    return FoundCard(np.asarray(corners), scale, best[1], _blur(picture, best[2], scale))


def _patches(picture: Picture, place: Floats) -> list[tuple[float, float, float] | None]:
    """Return the patches' colours, measured on the rectified card."""
    unit = 6.0
    upright = place @ np.diag([1 / unit, 1 / unit, 1.0])
    flat = cv2.warpPerspective(
        picture,
        upright,
        (round(WIDTH * unit), round(HEIGHT * unit)),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
    )
    boxes = [
        ((one.x - one.width / 2) * unit, (one.y - one.height / 2) * unit, one.width * unit, one.height * unit)
        for one in patches()
    ]
    return [patch_colour(np.asarray(flat, np.uint8), box) for box in boxes]


def _misfit(
    measured: list[tuple[float, float, float] | None], known: list[tuple[float, float, float]], balance: Balance
) -> float:
    """Return the mean relative error of the patches after white balance, independent of the brightness."""
    pairs = [(one, true) for one, true in zip(measured, known, strict=True) if one is not None]
    if len(pairs) < 6 or balance.source == "nothing":
        return 1.0
    seen = srgb_to_linear([one for one, _ in pairs]) * np.asarray(balance.gains)
    true = srgb_to_linear([one for _, one in pairs])
    bright = float(np.median(seen.sum(1) / np.maximum(true.sum(1), 0.02)))
    return float(np.abs(seen / bright - true).mean() / true.mean())


def _blur(picture: Picture, place: Floats, scale: float) -> float:
    """Return the width in pixels of the marks' outer edges: the median over the four sides of all marks."""
    grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.float32)
    reach, fine = MARK / 7, 0.1 / scale
    offsets = np.arange(-reach, reach + fine, fine)
    along = np.linspace(-0.3 * MARK, 0.3 * MARK, 15)
    widths = []
    for x, y in MARKS:
        for way in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            start = np.array([x, y]) + np.array(way) * MARK / 2
            across = np.array([way[1], way[0]])
            spots = start + offsets[:, None, None] * np.array(way) + along[None, :, None] * across
            seen = cv2.perspectiveTransform(spots.reshape(1, -1, 2), place).reshape(spots.shape)
            profile = sampled(grey, np.asarray(seen, np.float64)).mean(1)
            widths.append(_rise(profile) * 0.1)
    return float(np.median(widths))


def _rise(profile: npt.NDArray[np.float32]) -> float:
    """Return the number of samples between 10 and 90 percent of a profile's height."""
    low, high = float(profile[: len(profile) // 4].mean()), float(profile[-len(profile) // 4 :].mean())
    if high - low < 10:
        return float(len(profile))
    share = (profile - low) / (high - low)
    middle = int(np.argmin(np.abs(share - 0.5)))
    below = np.flatnonzero(share[: middle + 1] < 0.1)
    above = np.flatnonzero(share[middle:] > 0.9)
    start = int(below[-1]) if len(below) else 0
    end = middle + int(above[0]) if len(above) else len(profile) - 1
    return float(end - start)
