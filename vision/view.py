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

    def lean(self, x: float, y: float, width: int, height: int) -> tuple[float, float]:
        """How a die that lies flat at pixel (x, y) is seen: sine of the tilt, in the direction of the foot."""
        off_x, off_y = self.foot[0] * width - x, self.foot[1] * height - y
        reach = float(np.sqrt(off_x**2 + off_y**2 + (self.focal * width) ** 2))
        return off_x / reach, off_y / reach

    def leans(self, places: npt.NDArray[np.float64], width: int, height: int) -> npt.NDArray[np.float64]:
        """The same (n, 2) for dice at `places` (n, 2)."""
        return np.array([self.lean(float(x), float(y), width, height) for x, y in places]).reshape(-1, 2)
