"""Motion detection: change masks between two small tray images, independent of light changes. Used by
`rest_detector`."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cameras.protocol import Frame
from vision.pictures import Picture

WIDTH, HEIGHT = 320, 240
"""Working size of all images. A source may change its size between two frames."""

Small = NDArray[np.float32]
"""Array HEIGHT x WIDTH x 3, BGR, 0 to 255."""

Mask = NDArray[np.uint8]
"""Array HEIGHT x WIDTH, 1 where something changed."""

LEAST_STEP = 12.0
"""Minimum grey-level difference of a change: above compression and light residue, below any die."""

LEAST_AREA = 10
"""Minimum mask pixels of a change: about 6 x 6 pixels of a 640-pixel image, the pip of a small die."""

BLACK_MEAN, BLACK_SPREAD = 14.0, 8.0
"""Grey levels below which a picture is black: its mean, and the standard deviation of what shows in it."""

_COLUMN_STEP = 8
_ROW_STEP = 4
_BURNT_OUT = 250
_BAND = 0.15
_EDGES = (5, 5)

_HAND = 0.03
"""Minimum share of the image that a hand covers."""

_SOLID = 0.35
_MORE_THAN_DICE = 0.05
"""Minimum share of an object at the border, or of the image, that light cannot explain, for a hand in its own shadow.

Dice in a shadow stay below it.
"""

_GRID = 4
"""Mask pixels per pixel of the coarse image in which local light is estimated."""

_HOOD = 11
"""Side of a neighbourhood in coarse pixels: 88 pixels of a 640-pixel image."""

_MOST_LIGHT = 1.0
"""Maximum difference between local and global light, in doublings (log2)."""

_TINT = 0.08
"""Maximum difference of one colour from the others, in doublings (log2)."""

_LIGHT_UNKNOWN = 0.12
"""Relative error of the light estimated from a neighbourhood, largest at the edge of a shadow."""

_RELIT = 0.12

_JOLT = 2
"""Pixels by which a knock may displace the camera."""

_FAINT = 2.5
"""Mean grey-level difference caused by noise alone. A dark die that turns in place differs by four."""

_TOP = 0.1
"""Share of a die's box left out on each side when its colours are compared: ground, and shadow on it."""

_SHADE = 0.3
"""Weight of brightness relative to colour when a die's place is compared after a light change."""

_SAME_SHARES = 0.06
"""Maximum mean colour difference, in doublings, between two images of the same scene."""

_OTHER_SCENE = 0.5
"""Above this share of changes that light cannot explain, the image is a new scene, not one with a hand."""

_FREE = 45
_DIE_TURNS = 60
_MANY = 600
"""Pixel counts of a mask (`is_motion`). `_MANY` is always motion; `_DIE_TURNS` are a turning die's corners."""


def shrink(frame: Frame) -> Small:
    """Scale the frame to mask size and smooth its grain."""
    source = frame.picture if frame.small is None else frame.small
    small = cv2.resize(source, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.blur(small, (3, 3)), np.float32)


def is_dark(small: Small) -> bool:
    """Return True if the lens is covered or the light is off: almost black and without structure."""
    mean, spread = cv2.meanStdDev(small)
    return float(mean.mean()) < BLACK_MEAN and float(spread.mean()) < BLACK_SPREAD


def sharpness(picture: Picture) -> float:
    """Return the energy of fine detail. Valid only for ranking images of one scene."""
    green = np.ascontiguousarray(picture[:, :, 1])
    _, spread = cv2.meanStdDev(cv2.Laplacian(green, cv2.CV_16S, ksize=1))
    return float(spread[0, 0])


def match_light(now: Small, before: Small) -> Small:
    """Return `now` corrected to the light of `before`.

    The light model is a gain per colour (exposure, white balance) that may vary a little between rows (a flickering
    lamp under a rolling shutter). Row gains stay close to the global gain, so that a hand is not corrected away.
    """
    ratios = (now[::_ROW_STEP, ::_COLUMN_STEP] + 8.0) / (before[::_ROW_STEP, ::_COLUMN_STEP] + 8.0)
    bands = _medians(ratios.transpose(0, 2, 1))
    whole = np.clip(_medians(bands.T), 0.4, 2.5)
    bands = np.clip(bands, whole * (1 - _BAND), whole * (1 + _BAND))
    rows = cv2.blur(1.0 / bands, (1, 3)).astype(np.float32)[:, None, :]
    gains = cv2.resize(np.repeat(rows, 2, axis=1), (WIDTH, HEIGHT), interpolation=cv2.INTER_LINEAR)
    return np.asarray(cv2.multiply(now, gains), np.float32)


def change_mask(now: Small, before: Small, slack: int = 1) -> Mask:
    """Return the mask of changes between `before` and `now`: above the noise and wider than a thin line.

    `slack` is the allowed shift in pixels. When somebody leans on the table, the camera trembles, and edges, print and
    wood grain would change everywhere. A pixel is new only if nothing similar was within that distance `before`, or
    vice versa.
    """
    this = cv2.convertScaleAbs(match_light(now, before))
    that = cv2.convertScaleAbs(before)
    step = cv2.max(_excess(this, that, slack), _excess(that, this, slack))
    return _clear_of_noise(step, _most_coloured(cv2.max(cv2.convertScaleAbs(now), that)))


def lighting_invariant_change(now: Small, before: Small) -> Mask:
    """Return the mask of changes that no shadow, patch of sun or lamp flicker explains.

    Light may differ between places: by as much as in most of a neighbourhood (`_HOOD`), by about the same share in all
    colours, and at a shadow's edge by anything between the light on its two sides. A die that moves by less than its
    size is never explained this way. A large plain one that appears suddenly may be.
    """
    size = (WIDTH // _GRID, HEIGHT // _GRID)
    coarse, coarse_before = (cv2.resize(one, size, interpolation=cv2.INTER_AREA) + 8.0 for one in (now, before))
    logs = np.log2(coarse / coarse_before)
    whole = _medians(logs.reshape(-1, 3).T)
    local = cv2.medianBlur(cv2.convertScaleAbs(logs - whole, alpha=64, beta=128), _HOOD).astype(np.float32)
    local = np.clip((local - 128) / 64, -_MOST_LIGHT, _MOST_LIGHT)
    grey = local.mean(axis=2, keepdims=True)
    gains = np.exp2(np.clip(local, grey - _TINT, grey + _TINT) + whole).astype(np.float32)
    around = np.ones((5, 5), np.uint8)
    least, most = (cv2.resize(way(gains, around), (WIDTH, HEIGHT)) for way in (cv2.erode, cv2.dilate))
    this, near = cv2.convertScaleAbs(now), np.ones((3, 3), np.uint8)
    darkest, lightest = (cv2.multiply(before, gain, dtype=cv2.CV_8U) for gain in (least, most))
    # Both directions, with one pixel of shift: a line in one image may be displaced in the other.
    beyond = cv2.max(cv2.subtract(this, cv2.dilate(lightest, near)), cv2.subtract(cv2.erode(darkest, near), this))
    missing = cv2.max(cv2.subtract(darkest, cv2.dilate(this, near)), cv2.subtract(cv2.erode(this, near), lightest))
    step = _most_coloured(cv2.max(beyond, missing))
    step = cv2.subtract(step, cv2.convertScaleAbs(_most_coloured(cv2.max(this, lightest)), alpha=_LIGHT_UNKNOWN))
    return _clear_of_noise(step, _most_coloured(cv2.max(this, cv2.convertScaleAbs(before))))


def is_motion(mask: Mask, find_things: Callable[[], Mask | None] = lambda: None) -> bool:
    """Return True if a change is larger than an insect, dust or grain: a moving die, or something as large.

    `find_things` returns where objects are in the tray, None if unknown. It is expensive and called only if needed.
    Near an object that may be a die, a twelfth of its size suffices, because dice turn in place. Elsewhere the change
    must cover as much as the smallest die.
    """
    count = int(np.count_nonzero(mask))
    if count < LEAST_AREA:
        return False
    if count >= _MANY:
        return True
    things = find_things()
    if things is None:
        return _largest(mask, 21) >= _DIE_TURNS
    number, labels = cv2.connectedComponents(cv2.dilate(things, np.ones((7, 7), np.uint8)))
    sizes = np.bincount(labels[things > 0], minlength=number)
    changes = np.bincount(labels[mask > 0], minlength=number)
    for thing in range(1, number):
        if sizes[thing] >= _FREE and changes[thing] >= np.clip(0.08 * sizes[thing], LEAST_AREA, _FREE):
            return True
    return _largest(mask, 7) >= _FREE


def _largest(mask: Mask, apart: int) -> int:
    """Return the pixels of a mask's largest cluster. Parts closer than `apart` pixels belong together."""
    number, labels = cv2.connectedComponents(cv2.dilate(mask, np.ones((apart, apart), np.uint8)))
    return int(np.bincount(labels[mask > 0], minlength=number)[1:].max(initial=0))


def _clear_of_noise(step: cv2.typing.MatLike, brightest: cv2.typing.MatLike) -> Mask:
    """Return the mask of differences above the noise, given the brighter of the two images."""
    if int(brightest.max()) >= _BURNT_OUT:
        # Clipped pixels do not follow the light. Only a large difference counts there and at their border.
        _, burnt = cv2.threshold(brightest, _BURNT_OUT - 1, 48, cv2.THRESH_BINARY)
        step = cv2.subtract(step, cv2.dilate(burnt, np.ones((5, 5), np.uint8)))
    # Noise differs from pixel to pixel. A new object changes many adjacent pixels.
    noise = _median_level(cv2.absdiff(step[::4, ::4], step[2::4, 2::4]))
    limit = float(np.clip(6.0 * noise, LEAST_STEP, 40.0))
    _, raw = cv2.threshold(step, limit, 255, cv2.THRESH_BINARY)
    _, mask = cv2.threshold(cv2.blur(raw, (3, 3)), 150, 1, cv2.THRESH_BINARY)
    return np.asarray(mask, np.uint8)


def _medians(values: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the median along the last axis. NumPy's takes twice as long because it also checks for NaN."""
    ordered, middle = np.sort(values, axis=-1), values.shape[-1] // 2
    if values.shape[-1] % 2:
        return np.asarray(ordered[..., middle])
    return np.asarray((ordered[..., middle - 1] + ordered[..., middle]) / 2)


def _median_level(levels: cv2.typing.MatLike) -> float:
    """Return the median of grey levels 0 to 255. Counting them is faster than sorting."""
    until = np.bincount(np.ravel(levels), minlength=256).cumsum()
    return float(np.searchsorted(until, (levels.size + 1) // 2) + np.searchsorted(until, levels.size // 2 + 1)) / 2


def _excess(one: cv2.typing.MatLike, other: cv2.typing.MatLike, slack: int) -> cv2.typing.MatLike:
    """Return how far `one` is above or below all values of `other` within `slack` pixels, maximum over the colours."""
    around = np.ones((2 * slack + 1, 2 * slack + 1), np.uint8)
    above = cv2.subtract(one, cv2.dilate(other, around))
    below = cv2.subtract(cv2.erode(other, around), one)
    return _most_coloured(cv2.max(above, below))


def _most_coloured(picture: cv2.typing.MatLike) -> cv2.typing.MatLike:
    """Return the maximum of the three colours at each pixel."""
    blue, green, red = cv2.split(picture)
    return cv2.max(cv2.max(blue, green), red)


def relight(known: Small | None, before: Small, now: Small) -> Small | None:
    """Return `known` corrected to the light of `now`. `before` shows the scene of `now` in the light of `known`.

    Unclipped pixels get the gain of the whole image, because an object may be entering it. Clipped pixels get the local
    gain, within what less light can cause. Where an object covers them, they get the median gain of other clipped
    pixels.
    """
    if known is None:
        return None
    each = (now + 8.0) / (before + 8.0)
    whole = _medians(each.reshape(-1, 3).T)
    burnt, free = known >= _BURNT_OUT - 5, change_mask(before, known) == 0
    gains = np.where(burnt, np.clip(each, np.minimum(whole, 1.0), np.maximum(whole, 1.0)), whole)
    for channel in range(3):
        bare, covered = burnt[..., channel] & free, burnt[..., channel] & ~free
        gains[covered, channel] = np.median(gains[bare, channel]) if bare.any() else whole[channel]
    return np.asarray(np.clip((known + 8.0) * gains - 8.0, 0, 255), np.float32)


def is_change(mask: Mask) -> bool:
    """Return True if a mask is large enough to count as a change."""
    return int(np.count_nonzero(mask)) >= LEAST_AREA


def is_scene_cut(mask: Mask) -> bool:
    """Return True if the whole scene was replaced, as by a cut in a clip. No hand covers that much of a tray."""
    return int(np.count_nonzero(mask)) > 0.7 * mask.size


def is_hand(mask: Mask, in_any_light: Mask) -> bool:
    """Return True if something large reaches in over the image border: a hand or an arm, but not dice at the border.

    In the second mask (see `lighting_invariant_change`) a shadow leaves little more than dice, and an arm may lose its
    sleeve. If the light changed nearly everywhere, the first mask is useless and the second one decides.
    """
    if int(np.count_nonzero(mask)) < _HAND * mask.size:
        return False
    if is_scene_cut(mask):
        if int(np.count_nonzero(in_any_light)) > _OTHER_SCENE * mask.size:
            return False
        mask = in_any_light
    joined = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones(_EDGES, np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(joined, connectivity=8)
    for label in range(1, count):
        if stats[label, cv2.CC_STAT_AREA] < _HAND * mask.size:
            continue
        sides = (labels[:2], labels[-2:], labels[:, :2].T, labels[:, -2:].T)
        if max(int(np.count_nonzero((side == label).any(axis=0))) for side in sides) < 0.08 * WIDTH:
            continue
        solid = int(np.count_nonzero(in_any_light[labels == label]))
        least = min(_SOLID * float(stats[label, cv2.CC_STAT_AREA]), _MORE_THAN_DICE * mask.size)
        if solid >= max(_HAND * mask.size, least):
            return True
    return False


def drifted(reference: Small, now: Small, most: float) -> Small:
    """Return `reference` moved towards `now` by at most `most` levels. Follows the sun but not a die."""
    return np.asarray(reference + np.clip(match_light(now, reference) - reference, -most, most), np.float32)


def share_of(mask: Mask, box: tuple[float, float, float, float]) -> float:
    """Return the share (0 to 1) of a box that a mask covers. The box is x, y, width, height as shares of the image."""
    left, top = max(0, round(box[0] * WIDTH)), max(0, round(box[1] * HEIGHT))
    part = mask[top : round((box[1] + box[3]) * HEIGHT) + 1, left : round((box[0] + box[2]) * WIDTH) + 1]
    return float(part.mean()) if part.size else 0.0


def erase(mask: Mask, box: tuple[float, float, float, float]) -> None:
    """Clear a box of a mask, in place. The box is x, y, width, height as shares of the image."""
    left, top, right, bottom = _around(box, 0.0)
    mask[top:bottom, left:right] = 0


def similarity(now: Small, before: Small, box: tuple[float, float, float, float]) -> float:
    """Return the similarity of two images within a box (x, y, width, height as shares of the image), -1 to 1.

    Maximum normalised correlation within `_JOLT` pixels. The same die in another light, or seen by a displaced camera,
    stays near 1; a moved or turned one falls below. A box with hardly any difference counts as 1, because pure noise
    does not correlate.
    """
    left, top, right, bottom = _around(box, 0.2)
    one, other = now[top:bottom, left:right], before[top:bottom, left:right]
    if not one.size:
        return 1.0
    if float(np.abs((one - one.mean(axis=(0, 1))) - (other - other.mean(axis=(0, 1)))).mean()) < _FAINT:
        return 1.0
    around = cv2.copyMakeBorder(now, _JOLT, _JOLT, _JOLT, _JOLT, cv2.BORDER_REPLICATE)
    part = around[top : bottom + 2 * _JOLT, left : right + 2 * _JOLT]
    return float(cv2.matchTemplate(part, other, cv2.TM_CCOEFF_NORMED).max())


def colour_similarity(now: Small, before: Small, box: tuple[float, float, float, float]) -> float:
    """Return the colour similarity within a box (see `similarity`), independent of the lamp: -1 to 1.

    Another lamp moves shadows and changes the shading of a die's sides, but the colour ratios change equally
    everywhere. Brightness has a low weight. It decides only where nothing has a colour.
    """
    left, top, right, bottom = _around(box, -_TOP)
    colours, other = _colours(now), _colours(before)[top:bottom, left:right]
    if not other.size:
        return 1.0
    one = colours[top:bottom, left:right]
    if float(np.abs((one - one.mean(axis=(0, 1))) - (other - other.mean(axis=(0, 1)))).mean()) < _SAME_SHARES:
        return 1.0
    around = cv2.copyMakeBorder(colours, _JOLT, _JOLT, _JOLT, _JOLT, cv2.BORDER_REPLICATE)
    part = around[top : bottom + 2 * _JOLT, left : right + 2 * _JOLT]
    return float(cv2.matchTemplate(part, other, cv2.TM_CCOEFF_NORMED).max())


def _colours(small: Small) -> Small:
    """Return blue and red relative to green, and brightness, all in doublings (log2)."""
    logs = np.log2(small + 8.0)
    green = logs[:, :, 1]
    shares = [logs[:, :, 0] - green, logs[:, :, 2] - green, _SHADE * logs.mean(axis=2)]
    return np.asarray(np.stack(shares, axis=2), np.float32)


def relit_share(now: Small, before: Small, box: tuple[float, float, float, float]) -> float:
    """Return the share of a box and its surroundings where the light changed.

    The box is x, y, width, height as shares of the image. The light counts as changed above `_RELIT`. A die that was
    removed has the same effect.
    """
    left, top, right, bottom = _around(box, 1.0)
    one, other = (cv2.blur(picture[top:bottom, left:right, 1], (9, 9)) + 8.0 for picture in (now, before))
    return float(np.mean(np.abs(one / other - 1) > _RELIT)) if one.size else 0.0


def _around(box: tuple[float, float, float, float], more: float) -> tuple[int, int, int, int]:
    """Return left, top, right, bottom in mask pixels of a box extended by `more` of its size on each side."""
    left, top = max(0, round((box[0] - more * box[2]) * WIDTH)), max(0, round((box[1] - more * box[3]) * HEIGHT))
    right, bottom = round((box[0] + (1 + more) * box[2]) * WIDTH), round((box[1] + (1 + more) * box[3]) * HEIGHT)
    return left, top, right + 1, bottom + 1
