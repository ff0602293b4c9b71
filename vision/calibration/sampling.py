"""Values of a picture at places between its pixels."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt


def sampled(picture: npt.NDArray[np.float32], spots: npt.NDArray[np.float64]) -> npt.NDArray[np.float32]:
    """The picture at `spots` (N x M x 2, x and y in pixels), mixed of the four nearest pixels; its rim goes on."""
    places = np.ascontiguousarray(spots, np.float32)
    across, down = np.ascontiguousarray(places[..., 0]), np.ascontiguousarray(places[..., 1])
    found = cv2.remap(picture, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(found, np.float32)
