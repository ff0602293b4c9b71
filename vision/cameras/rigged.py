"""The simulated tray with a camera that has to be set up: it hangs askew, has a lens, sees lamps and the card."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import cos, sin
from typing import Any

import cv2
import numpy as np

from vision.cameras.attended import Attended
from vision.cameras.drawn import EDGE
from vision.cameras.light import Disturbance, lit
from vision.cameras.mount import Lens, Mount, Points, seen_at
from vision.cameras.protocol import Picture
from vision.drawing.card import HEIGHT, WIDTH, drawn_card
from vision.drawing.material import Light
from vision.drawing.tray import FOCAL, SIZE

MILLIMETRE = EDGE / 16
"""Pixels of a millimetre: drawn dice are 16 mm wide."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A lamp that lights one place more than the others: `strength` 0 is none; glare burns out above about 1.5.

    `middle` as shares of the picture, `wide` as a share of its width; `level` is the light everywhere else.
    """

    middle: tuple[float, float] = (0.5, 0.5)
    wide: float = 0.3
    strength: float = 0.0
    level: float = 1.0

    def over(self, picture: Picture, t: float) -> Picture:
        """The picture in this light."""
        if self == Spot():
            return picture
        y, x = np.mgrid[0:60, 0:80].astype(np.float32)
        far = ((x / 80 - self.middle[0]) ** 2 + 0.56 * (y / 60 - self.middle[1]) ** 2) / max(1e-4, self.wide**2)
        return lit(picture, np.asarray(self.level + self.strength * np.exp(-far), np.float32))


@dataclass(frozen=True, slots=True)
class LyingCard:
    """The calibration card on the tray's floor: its middle in pixels, turned by radians."""

    x: float
    y: float
    turned: float

    def lie_on(self, picture: Picture, light: Light) -> None:
        """Draw it with its shadow, in place, in that light."""
        height, width = picture.shape[:2]
        card = drawn_card(MILLIMETRE) * np.asarray(light.tint, np.float32)
        strength = light.ambient + 0.8 * light.diffuse
        place = self._matrix(card.shape[1] / WIDTH)
        seen = cv2.warpAffine(np.clip(card * strength * 255, 0, 255), place, (width, height), flags=cv2.INTER_LINEAR)
        cover = cv2.warpAffine(np.ones(card.shape[:2], np.float32), place, (width, height), flags=cv2.INTER_LINEAR)
        shade = cv2.GaussianBlur(np.roll(cover, (2, 2), (0, 1)), (0, 0), 2)
        under = picture * (1 - 0.35 * shade[..., None])
        picture[:] = np.clip(under * (1 - cover[..., None]) + seen * cover[..., None], 0, 255).astype(np.uint8)

    def corners(self) -> Points:
        """Where its corners are in the tray's picture, as they are printed: upper left first."""
        paper = np.array([[0, 0, 1], [WIDTH, 0, 1], [WIDTH, HEIGHT, 1], [0, HEIGHT, 1.0]])
        return np.asarray(paper @ self._matrix(1.0).T, np.float64)

    def _matrix(self, scale: float) -> Any:
        unit = MILLIMETRE / scale
        c, s = cos(self.turned) * unit, sin(self.turned) * unit
        across, down = WIDTH * scale / 2, HEIGHT * scale / 2
        return np.array([[c, -s, self.x - c * across + s * down], [s, c, self.y - s * across - c * down]])


class Rigged(Attended):
    """A drawn tray whose camera can be moved, focused and lit badly. The disturbances handed in come after these."""

    def __init__(self, seed: int, *, mount: Mount | None = None, lens: Lens | None = None, **options: Any) -> None:
        self.mount = mount or Mount()
        self.lens = lens or Lens()
        self.spot = Spot()
        more: Sequence[Disturbance] = options.pop("disturbances", ())
        rig = (_Now(lambda: self.spot), _Now(lambda: self.mount), _Now(lambda: self.lens))
        super().__init__(seed, disturbances=(*rig, *more), **options)

    @property
    def identity(self) -> str:
        """Which camera it is: all simulated trays hang alike."""
        return "simulated tray"

    @property
    def focal(self) -> float:
        """Focal length in widths of the picture."""
        return FOCAL / SIZE[1] * self.mount.zoom

    @property
    def reach(self) -> tuple[float, float] | None:
        """Least and greatest dioptres of its lens."""
        return (0.0, self.lens.nearest)

    def focus(self, dioptres: float) -> None:
        """Turn the lens."""
        self.lens = replace(self.lens, at=dioptres)

    def hang(self, **how: Any) -> None:
        """Move the camera: what is given of `Mount`; the rest stays."""
        self.mount = replace(self.mount, **how)

    def shine(self, **how: Any) -> None:
        """Turn a lamp: what is given of `Spot`; the rest stays."""
        self.spot = replace(self.spot, **how)

    def lay_card(self, x: float = 320.0, y: float = 240.0, turned: float = 0.1) -> LyingCard:
        """Lay the calibration card down; whoever clears the tray takes it out again."""
        card = LyingCard(x, y, turned)
        self._stage.add_thing(card)
        return card

    def where(self, points: Points) -> Points:
        """Where places of the tray are in the camera's picture."""
        return seen_at(self.mount.matrix(), points)


@dataclass(frozen=True, slots=True)
class _Now:
    """A disturbance that may be another one for each frame."""

    present: Callable[[], Disturbance]

    def over(self, picture: Picture, t: float) -> Picture:
        return self.present().over(picture, t)
