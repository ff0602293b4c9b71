"""Says what changed between two small pictures of the tray, whatever the light did meanwhile; `settle` stands on it."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cameras.protocol import Frame
from vision.pictures import Picture

WIDTH, HEIGHT = 320, 240
"""Every picture is looked at in this size, whatever its own: sources may change size between two frames."""

Small = NDArray[np.float32]
"""HEIGHT x WIDTH x 3, BGR, 0 to 255."""

Mask = NDArray[np.uint8]
"""HEIGHT x WIDTH, 1 where something changed."""

LEAST_STEP = 12.0
"""Grey levels that count as a change in a quiet picture: more than compression and light leave, less than any die."""

LEAST_AREA = 10
"""Pixels of a mask that make a change: about 6 x 6 pixels of a 640-pixel picture, the pip of a small die."""

_COLUMN_STEP = 8
_ROW_STEP = 4
_BURNT_OUT = 250
_BAND = 0.15
_EDGES = (5, 5)

_HAND = 0.03
"""Share of the picture that a hand covers at least."""

_SOLID = 0.35
_MORE_THAN_DICE = 0.05
"""So much of what reaches in, or of the picture, is more than light for a hand in its shadow, not for dice in one."""

_GRID = 4
"""Pixels of a mask to one of the coarse picture in which local light is looked for."""

_HOOD = 11
"""Side of a neighbourhood in coarse pixels: 88 pixels of a 640-pixel picture."""

_MOST_LIGHT = 1.0
"""How much local light may differ from the whole picture's, in doublings."""

_TINT = 0.08
"""How much more a colour may differ than the others, in doublings."""

_LIGHT_UNKNOWN = 0.12
"""Share by which the light on a spot may differ from what its neighbourhood says, at the edge of a shadow above all."""

_RELIT = 0.12

_JOLT = 2
"""Pixels by which a knock may leave the camera displaced."""

_FAINT = 2.5
"""Grey levels by which two pictures of one place differ in the mean for noise alone; a dark die turned in its place
differs by four."""

_TOP = 0.1
"""Share of a die's box left out on each side where its colours are compared: ground, and the shadow on it."""

_SHADE = 0.3
"""How much brightness says about a die's place beside its colours, where the light has changed."""

_SAME_SHARES = 0.06
"""Doublings by which the colours of one place may differ in the mean and still count as the same."""

_OTHER_SCENE = 0.5
"""Where more than this share of a picture is what no light explains, it is another scene and not one with a hand."""

_FREE = 45
_DIE_TURNS = 60
_MANY = 600
"""Pixels of a mask (`is_motion`). What covers `_MANY` is never small; a turning die's corners are `_DIE_TURNS`."""


def shrink(frame: Frame) -> Small:
    """The frame in the size of a mask, its grain smoothed."""
    source = frame.picture if frame.small is None else frame.small
    small = cv2.resize(source, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.blur(small, (3, 3)), np.float32)


def is_dark(small: Small) -> bool:
    """Whether the lens is covered or the light is off: almost black, and nothing to be seen in it."""
    mean, spread = cv2.meanStdDev(small)
    return float(mean.mean()) < 14.0 and float(spread.mean()) < 8.0


def sharpness(picture: Picture) -> float:
    """The energy of the fine detail; only good for ranking pictures of one scene."""
    green = np.ascontiguousarray(picture[:, :, 1])
    _, spread = cv2.meanStdDev(cv2.Laplacian(green, cv2.CV_16S, ksize=1))
    return float(spread[0, 0])


def in_light_of(now: Small, before: Small) -> Small:
    """`now` as it would look in the light of `before`.

    Light is taken as a gain for each colour (exposure, white balance) that may differ a little from row to row (a lamp
    flickering under a rolling shutter). Rows stay close to the whole picture's gain: a hand is not explained away.
    """
    ratios = (now[::_ROW_STEP, ::_COLUMN_STEP] + 8.0) / (before[::_ROW_STEP, ::_COLUMN_STEP] + 8.0)
    bands = _medians(ratios.transpose(0, 2, 1))
    whole = np.clip(_medians(bands.T), 0.4, 2.5)
    bands = np.clip(bands, whole * (1 - _BAND), whole * (1 + _BAND))
    rows = cv2.blur(1.0 / bands, (1, 3)).astype(np.float32)[:, None, :]
    gains = cv2.resize(np.repeat(rows, 2, axis=1), (WIDTH, HEIGHT), interpolation=cv2.INTER_LINEAR)
    return np.asarray(cv2.multiply(now, gains), np.float32)


def changed(now: Small, before: Small, slack: int = 1) -> Mask:
    """Where `now` shows something else than `before`: differences above the noise that are more than a thin line.

    `slack` is how many pixels everything may have shifted: a camera on a table that is leant on trembles, and edges,
    print and wood grain would seem to change everywhere. What `now` shows is only new if nothing like it was within
    that distance `before`, and the other way round.
    """
    this = cv2.convertScaleAbs(in_light_of(now, before))
    that = cv2.convertScaleAbs(before)
    step = cv2.max(_excess(this, that, slack), _excess(that, this, slack))
    return _clear_of_noise(step, _most_coloured(cv2.max(cv2.convertScaleAbs(now), that)))


def changed_in_any_light(now: Small, before: Small) -> Mask:
    """Where `now` shows something else than `before` that no shadow, patch of sun or lamp's beat explains.

    Light may differ from place to place: as much as most of a neighbourhood (`_HOOD`) does, by the same share in all
    colours or nearly so, and at a shadow's edge by anything between the light on its two sides. A die that moves by
    less than its own size is never explained that way; a large plain one that appears at once may be.
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
    # Either way round, and by a pixel to each side: what was a line in the one picture may lie beside it in the other.
    beyond = cv2.max(cv2.subtract(this, cv2.dilate(lightest, near)), cv2.subtract(cv2.erode(darkest, near), this))
    missing = cv2.max(cv2.subtract(darkest, cv2.dilate(this, near)), cv2.subtract(cv2.erode(this, near), lightest))
    step = _most_coloured(cv2.max(beyond, missing))
    step = cv2.subtract(step, cv2.convertScaleAbs(_most_coloured(cv2.max(this, lightest)), alpha=_LIGHT_UNKNOWN))
    return _clear_of_noise(step, _most_coloured(cv2.max(this, cv2.convertScaleAbs(before))))


def is_motion(mask: Mask, find_things: Callable[[], Mask | None] = lambda: None) -> bool:
    """Whether a change is more than an insect, dust or grain: a die that moves, or something as large.

    `find_things` tells where something lies in the tray, None if that is not known; it is dear and asked only where it
    matters. Near what may be a die a twelfth of its size is enough, for dice turn in their place; elsewhere it takes
    what the smallest die covers.
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
    """Pixels of the largest cluster of a mask; what lies less than `apart` pixels from another belongs together."""
    number, labels = cv2.connectedComponents(cv2.dilate(mask, np.ones((apart, apart), np.uint8)))
    return int(np.bincount(labels[mask > 0], minlength=number)[1:].max(initial=0))


def _clear_of_noise(step: cv2.typing.MatLike, brightest: cv2.typing.MatLike) -> Mask:
    """Which differences stand out, given the brighter of the two pictures."""
    if int(brightest.max()) >= _BURNT_OUT:
        # What is burnt out has not followed the light; only a great difference says something there and at its rim.
        _, burnt = cv2.threshold(brightest, _BURNT_OUT - 1, 48, cv2.THRESH_BINARY)
        step = cv2.subtract(step, cv2.dilate(burnt, np.ones((5, 5), np.uint8)))
    # Noise differs from one pixel to the next; what a new scene differs by goes on for many pixels.
    noise = _median_level(cv2.absdiff(step[::4, ::4], step[2::4, 2::4]))
    limit = float(np.clip(6.0 * noise, LEAST_STEP, 40.0))
    _, raw = cv2.threshold(step, limit, 255, cv2.THRESH_BINARY)
    _, mask = cv2.threshold(cv2.blur(raw, (3, 3)), 150, 1, cv2.THRESH_BINARY)
    return np.asarray(mask, np.uint8)


def _medians(values: NDArray[np.float32]) -> NDArray[np.float32]:
    """The median along the last axis. NumPy's own takes twice as long, for it looks for gaps too."""
    ordered, middle = np.sort(values, axis=-1), values.shape[-1] // 2
    if values.shape[-1] % 2:
        return np.asarray(ordered[..., middle])
    return np.asarray((ordered[..., middle - 1] + ordered[..., middle]) / 2)


def _median_level(levels: cv2.typing.MatLike) -> float:
    """The median of grey levels of 0 to 255: they are counted, which is quicker than to order them."""
    until = np.bincount(np.ravel(levels), minlength=256).cumsum()
    return float(np.searchsorted(until, (levels.size + 1) // 2) + np.searchsorted(until, levels.size // 2 + 1)) / 2


def _excess(one: cv2.typing.MatLike, other: cv2.typing.MatLike, slack: int) -> cv2.typing.MatLike:
    """By how much `one` lies above or below everything that `other` has within `slack` pixels, the largest colour."""
    around = np.ones((2 * slack + 1, 2 * slack + 1), np.uint8)
    above = cv2.subtract(one, cv2.dilate(other, around))
    below = cv2.subtract(cv2.erode(other, around), one)
    return _most_coloured(cv2.max(above, below))


def _most_coloured(picture: cv2.typing.MatLike) -> cv2.typing.MatLike:
    """The greatest of the three colours at each pixel."""
    blue, green, red = cv2.split(picture)
    return cv2.max(cv2.max(blue, green), red)


def in_other_light(known: Small | None, before: Small, now: Small) -> Small | None:
    """`known` as it would look in the light of `now`, which shows what `before` did in the light of `known`.

    It changes as the picture as a whole does, for something may be on its way into it. What it shows burnt out changes
    as that place does, within what less light can make of it; under what lies there as other such places do.
    """
    if known is None:
        return None
    each = (now + 8.0) / (before + 8.0)
    whole = _medians(each.reshape(-1, 3).T)
    burnt, free = known >= _BURNT_OUT - 5, changed(before, known) == 0
    told = np.where(burnt, np.clip(each, np.minimum(whole, 1.0), np.maximum(whole, 1.0)), whole)
    for channel in range(3):
        bare, covered = burnt[..., channel] & free, burnt[..., channel] & ~free
        told[covered, channel] = np.median(told[bare, channel]) if bare.any() else whole[channel]
    return np.asarray(np.clip((known + 8.0) * told - 8.0, 0, 255), np.float32)


def is_change(mask: Mask) -> bool:
    """Whether a mask holds enough to speak of a change."""
    return int(np.count_nonzero(mask)) >= LEAST_AREA


def is_cut(mask: Mask) -> bool:
    """Whether the whole scene was replaced, as by a cut in a clip: no hand covers that much of a tray."""
    return int(np.count_nonzero(mask)) > 0.7 * mask.size


def is_hand(mask: Mask, in_any_light: Mask) -> bool:
    """Whether something large reaches in over the picture's edge: a hand or an arm, which dice at the edge are not.

    Of a shadow little more than dice is left in the second mask (see `changed_in_any_light`); of an arm, its sleeve
    may miss. Where the light has changed nearly everywhere the first mask tells nothing, and the second one decides.
    """
    if int(np.count_nonzero(mask)) < _HAND * mask.size:
        return False
    if is_cut(mask):
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
    """`reference` moved towards `now` by `most` levels at the most: follows the sun, not a die."""
    return np.asarray(reference + np.clip(in_light_of(now, reference) - reference, -most, most), np.float32)


def share_of(mask: Mask, box: tuple[float, float, float, float]) -> float:
    """How much of a box (x, y, width, height as shares of the picture) a mask covers, 0 to 1."""
    left, top = max(0, round(box[0] * WIDTH)), max(0, round(box[1] * HEIGHT))
    part = mask[top : round((box[1] + box[3]) * HEIGHT) + 1, left : round((box[0] + box[2]) * WIDTH) + 1]
    return float(part.mean()) if part.size else 0.0


def erase(mask: Mask, box: tuple[float, float, float, float]) -> None:
    """Clear a box (x, y, width, height as shares of the picture) of a mask, in place."""
    left, top, right, bottom = _around(box, 0.0)
    mask[top:bottom, left:right] = 0


def similarity(now: Small, before: Small, box: tuple[float, float, float, float]) -> float:
    """How alike two pictures are within a box (x, y, width, height as shares of the picture), -1 to 1.

    Normalised correlation where it is best within `_JOLT` pixels: the same die under another light, or seen by a camera
    that was knocked, stays near 1, a moved or turned one falls below. A box with hardly any difference counts as 1,
    since noise alone does not correlate.
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
    """How alike the colours are within a box, as `similarity` has it, whatever lamp shines: -1 to 1.

    Another lamp moves shadows and shades the sides of a die anew, but the shares of the colours in each pixel change
    alike everywhere. Brightness counts for little, which is still all there is where nothing has a colour.
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
    """Blue and red as shares of green, and the brightness, all in doublings."""
    logs = np.log2(small + 8.0)
    green = logs[:, :, 1]
    shares = [logs[:, :, 0] - green, logs[:, :, 2] - green, _SHADE * logs.mean(axis=2)]
    return np.asarray(np.stack(shares, axis=2), np.float32)


def relit_share(now: Small, before: Small, box: tuple[float, float, float, float]) -> float:
    """On what share of a box (x, y, width, height as shares of the picture) and its surroundings the light is another.

    Another light is one that differs by more than `_RELIT`; where a die has gone it seems so too.
    """
    left, top, right, bottom = _around(box, 1.0)
    one, other = (cv2.blur(picture[top:bottom, left:right, 1], (9, 9)) + 8.0 for picture in (now, before))
    return float(np.mean(np.abs(one / other - 1) > _RELIT)) if one.size else 0.0


def _around(box: tuple[float, float, float, float], more: float) -> tuple[int, int, int, int]:
    """Left, top, right and bottom in pixels of a mask of a box with `more` of its size on each side."""
    left, top = max(0, round((box[0] - more * box[2]) * WIDTH)), max(0, round((box[1] - more * box[3]) * HEIGHT))
    right, bottom = round((box[0] + (1 + more) * box[2]) * WIDTH), round((box[1] + (1 + more) * box[3]) * HEIGHT)
    return left, top, right + 1, bottom + 1
