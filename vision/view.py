"""Where the camera stands over the tray, so that a die that does not lie flat can be told from one seen askew."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True, slots=True)
class Overhead:
    """A camera that looks straight down.

    `foot`: the point below the camera, as shares of the picture's width and height. `focal`: focal length in widths of
    the picture; the default is that of the simulated tray.
    """

    foot: tuple[float, float] = (0.5, 0.5)
    focal: float = 760 / 640

    def leans(self, places: npt.NDArray[np.float64], width: int, height: int) -> npt.NDArray[np.float64]:
        """How dice that lie flat at pixels `places` (n, 2) are seen (n, 2): sine of the tilt, in the direction of the
        foot."""
        off = np.array(self.foot) * [width, height] - places
        return np.asarray(off / np.sqrt((off**2).sum(1, keepdims=True) + (self.focal * width) ** 2))
