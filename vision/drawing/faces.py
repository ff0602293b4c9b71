"""Face textures: small images of the artwork that the cube renderer maps onto a die's sides.

A texture has four float32 channels: ink coverage and fill coverage (0..1), and the signed slope of the surface to the
right and downwards, which makes engraved pips reflect the light.
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
    """Pip layout of a manufacturer. Lengths are in edges of the face.

    - `spread`: distance of the outer pips from the centre.
    - `radius`: radius of a pip.
    - `one`: size factor of the single pip.
    - `two`: below 1, moves the outer pips of two and three inwards.
    - `narrow`: below 1, moves the two columns of the six together; above 1, the pips within them.
    - `straight_two`, `straight_three`: the two (or three) is upright instead of diagonal.
    - `depth`: engraving depth of the pips (negative: raised).
    - `ring`: size of the blank part of a pip.
    - `ring_at`: its position (in radii of the pip): the centre, or where a reflection in the hollow hides the ink.
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
    """Return the centres of the pips of `value`, in edges from the centre of the face, x right and y down."""
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
    """Return an empty face image, larger than its texture."""
    size = TEXTURE * _OVERSAMPLING
    return np.zeros((size, size), np.float32)


def as_texture(ink: FloatImage, fill: FloatImage | None = None, depth: float = 0.0) -> FloatImage:
    """Create a face texture from ink and fill coverage of any size. `depth` is the engraving depth of the ink."""
    small = cv2.resize(ink, (TEXTURE, TEXTURE), interpolation=cv2.INTER_AREA)
    coat = np.zeros_like(small) if fill is None else cv2.resize(fill, (TEXTURE, TEXTURE), interpolation=cv2.INTER_AREA)
    hollow = cv2.GaussianBlur(small, (0, 0), 1.6)
    slope_x = cv2.Sobel(hollow, cv2.CV_32F, 1, 0, scale=depth)
    slope_y = cv2.Sobel(hollow, cv2.CV_32F, 0, 1, scale=depth)
    return np.dstack([small, coat, slope_x, slope_y]).astype(np.float32)


def pip_face(value: int, style: PipStyle) -> FloatImage:
    """Return the texture of a classic face."""
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
    """Return a face filled with its own colour up to `border` edges from the rim, with optional ink (a texture)."""
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
