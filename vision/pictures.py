"""Opens picture files: upright, in colour, with a clear error for what cannot be read."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from vision.decoding import Damaged, decoded
from vision.picture_size import size_in_header

Picture = npt.NDArray[np.uint8]
"""(height, width, 3), BGR."""


MOST_PIXELS = 100_000_000
"""A picture with more is refused: decoded, it would take 300 MB and more of a small machine's memory."""


def quieten() -> None:
    """OpenCV says nothing of its own any more: what is wrong with a picture is said by the product, once."""
    logging = getattr(cv2.utils, "logging", None)  # the OpenCV 4.6 of Raspberry Pi OS 12 does not let it be set
    if logging is not None:
        logging.setLogLevel(logging.LOG_LEVEL_SILENT)


class UnreadablePicture(ValueError):
    """A file that is missing or holds no picture; the message names it and says why."""


def load_picture(path: str | Path) -> Picture:
    """The picture in `path`, turned upright as its EXIF data say. Raises UnreadablePicture, for a damaged one too."""
    try:
        data = np.fromfile(path, np.uint8)
    except ValueError:
        raise UnreadablePicture(f"{str(path)!r}: not the name of a file") from None
    except OSError as error:
        raise UnreadablePicture(f"{path}: {error.strerror or error}") from error
    if not data.size:
        raise UnreadablePicture(f"{path}: the file is empty")
    size = size_in_header(data.tobytes())
    if size is not None and size[0] * size[1] > MOST_PIXELS:
        megapixels = f"{size[0]} x {size[1]} pixels are more than the {MOST_PIXELS // 10**6} megapixels that are read"
        raise UnreadablePicture(f"{path}: {megapixels}")
    try:
        return decoded(data)
    except Damaged as error:
        why = f" ({error})" if str(error) else ""
        raise UnreadablePicture(f"{path}: not a picture, or a damaged one{why}") from error


def shrunk(picture: Picture, longest: int) -> tuple[Picture, float]:
    """The picture with its longer side at most `longest` pixels, and the factor that it was multiplied by."""
    factor = min(1.0, longest / max(picture.shape[:2]))
    if factor == 1.0:
        return picture, 1.0
    size = (max(1, round(picture.shape[1] * factor)), max(1, round(picture.shape[0] * factor)))
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8), factor
