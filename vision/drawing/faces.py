"""The artwork on the six faces of a die, as small textures that the cube renderer lays on its sides.

A texture has four channels of float32 in 0..1 (or a signed slope): ink coverage, fill coverage, and the slope of the
surface to the right and downwards, which makes engraved pips catch the light.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

FloatImage = npt.NDArray[np.float32]

TEXTURE = 96
"""Edge of a face texture in texels."""

_OVERSAMPLING = 4


@dataclass(frozen=True, slots=True)
class PipStyle:
    """How a maker lays out pips. Lengths are in edges of the face.

    `spread` is the distance of the outer pips from the middle, `radius` that of a pip, `one` how much bigger the single
    pip is, `two` brings the outer pips of two and three closer (under 1), `narrow` squeezes the two columns of the six
    (under 1) or, over 1, the pips within them, `straight_two` puts the two (and three) upright instead of diagonal,
    `depth` is how deep the pips are engraved (negative: raised), `ring` leaves a part of a pip blank, its middle or,
    by `ring_at` (in radii of the pip), what a light mirrored in its hollow hides.
    """

    spread: float = 0.25
    radius: float = 0.09
    one: float = 1.0
    two: float = 1.0
    narrow: float = 1.0
    straight_two: bool = False
    straight_three: bool = False
    depth: float = 0.5
    ring: float = 0.0
    ring_at: tuple[float, float] = (0.0, 0.0)


def pip_centres(value: int, style: PipStyle) -> list[tuple[float, float]]:
    """Centres of the pips of `value` in edges from the middle of the face, x right and y down."""
    s = style.spread
    t = s * style.two
    n, m = (s * style.narrow, s) if style.narrow < 1 else (s, s / style.narrow)
    two = [(0.0, -t), (0.0, t)] if style.straight_two else [(-t, -t), (t, t)]
    three = [(0.0, -t), (0.0, t)] if style.straight_three else [(-t, -t), (t, t)]
    four = [(-s, -s), (s, -s), (-s, s), (s, s)]
    layouts = {
        1: [(0.0, 0.0)],
        2: two,
        3: [(0.0, 0.0), *three],
        4: four,
        5: [(0.0, 0.0), *four],
        6: [(-n, -m), (-n, 0.0), (-n, m), (n, -m), (n, 0.0), (n, m)],
    }
    return layouts[value]


def blank() -> FloatImage:
    """An empty picture of a face, larger than its texture."""
    size = TEXTURE * _OVERSAMPLING
    return np.zeros((size, size), np.float32)


def as_texture(ink: FloatImage, fill: FloatImage | None = None, depth: float = 0.0) -> FloatImage:
    """A face texture from ink and fill coverage of any size; `depth` is how deep the ink is engraved."""
    small = cv2.resize(ink, (TEXTURE, TEXTURE), interpolation=cv2.INTER_AREA)
    coat = np.zeros_like(small) if fill is None else cv2.resize(fill, (TEXTURE, TEXTURE), interpolation=cv2.INTER_AREA)
    hollow = cv2.GaussianBlur(small, (0, 0), 1.6)
    slope_x = cv2.Sobel(hollow, cv2.CV_32F, 1, 0, scale=depth)
    slope_y = cv2.Sobel(hollow, cv2.CV_32F, 0, 1, scale=depth)
    return np.dstack([small, coat, slope_x, slope_y]).astype(np.float32)


def pip_face(value: int, style: PipStyle) -> FloatImage:
    """The texture of a classic face."""
    ink = blank()
    size = ink.shape[0]
    radius = style.radius * (style.one if value == 1 else 1.0)
    for x, y in pip_centres(value, style):
        centre = (round((x + 0.5) * size * 16), round((y + 0.5) * size * 16))
        cv2.circle(ink, centre, round(radius * size * 16), 1.0, -1, cv2.LINE_AA, 4)
        if style.ring:
            hole = (
                round((x + style.ring_at[0] * radius + 0.5) * size * 16),
                round((y + style.ring_at[1] * radius + 0.5) * size * 16),
            )
            cv2.circle(ink, hole, round(radius * style.ring * size * 16), 0.0, -1, cv2.LINE_AA, 4)
    return as_texture(ink, None, style.depth)


def coloured_face(border: float, ink: FloatImage | None = None) -> FloatImage:
    """A face filled with its own colour up to `border` edges from the rim, with optional ink (a texture) on it."""
    size = TEXTURE * _OVERSAMPLING
    fill = blank()
    edge = int(border * size)
    if edge <= 0:
        fill[:] = 1.0
    else:
        cv2.rectangle(fill, (edge, edge), (size - 1 - edge, size - 1 - edge), 1.0, -1)
        fill = np.asarray(cv2.GaussianBlur(fill, (0, 0), edge / 2 + 1), np.float32)
        fill = np.clip((fill - 0.5) * size / 8 + 0.5, 0, 1).astype(np.float32)
    texture = as_texture(blank(), fill, 0.0)
    if ink is not None:
        texture[..., 0] = ink[..., 0]
        texture[..., 2:] = ink[..., 2:]
    return texture
