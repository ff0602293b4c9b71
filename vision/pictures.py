"""Image files: size check before decoding, and upright decoding with damage detection."""

from __future__ import annotations

import os
import re
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from vision.files import FileTooLarge, read_limited
from vision.messages import VisionError
from vision.picture_headers import MAX_PICTURE_BYTES, PictureRefused, check_picture

_DAMAGED = ("Corrupt JPEG data", "Premature end of JPEG", "Invalid JPEG", "Inconsistent progression", "libpng error")
"""Prefixes of the decoders' messages about damaged data (libjpeg's jerror.h, libpng)."""

_NO_MATTER = "libpng warning"
"""Prefix of libpng's messages about profiles, comments and the like, which do not affect the pixels."""

_PADDED = re.compile(r"Corrupt JPEG data: [1-8] extraneous bytes before marker 0xd9")
"""Message for the padding that cameras add at the end of an image. Damaged data have tens of extra bytes."""

_ONE_AT_A_TIME = threading.Lock()

Picture = npt.NDArray[np.uint8]
"""Array (height, width, 3), BGR, upright."""

PADDING = (114, 114, 114)
"""BGR padding colour outside the image for every network. The networks were trained with it."""


class UnreadablePicture(VisionError, ValueError):
    """A file that is missing or is not an image. The message names the file and the reason."""


class Damaged(ValueError):
    """Bytes that are not an image, or a truncated one. The message is the decoder's reason, if it gave one."""


def load_picture(path: str | Path) -> Picture:
    """Load the image in `path` and rotate it as its EXIF data say.

    Raises: UnreadablePicture, also for a damaged image.
    """
    try:
        content = read_limited(Path(path), MAX_PICTURE_BYTES)
    except FileTooLarge:
        raise UnreadablePicture("vision.picture.heavy", path=path, most=MAX_PICTURE_BYTES // 10**6) from None
    except ValueError:
        raise UnreadablePicture("vision.picture.name", name=str(path)) from None
    except OSError as error:
        raise UnreadablePicture("vision.picture.system", path=path, reason=error) from error
    if not content:
        raise UnreadablePicture("vision.picture.empty", path=path)
    try:
        return decode_upright(content)
    except PictureRefused as refused:
        raise UnreadablePicture(f"vision.picture.{refused.case}", path=path, **refused.details) from refused
    except Damaged as error:
        if not str(error):
            raise UnreadablePicture("vision.picture.none", path=path) from error
        raise UnreadablePicture("vision.picture.damaged", path=path, reason=error) from error


def silence_opencv() -> None:
    """Silence OpenCV's own log. The product reports each image error once."""
    logging = getattr(cv2.utils, "logging", None)  # OpenCV 4.6 (Raspberry Pi OS 12) has no such setting
    if logging is not None:
        logging.setLogLevel(logging.LOG_LEVEL_SILENT)


def downscaled(picture: Picture, longest: int) -> tuple[Picture, float]:
    """Scale the image down so that its longer side is at most `longest` pixels.

    Returns the image and the scale factor.
    """
    factor = min(1.0, longest / max(picture.shape[:2]))
    if factor == 1.0:
        return picture, 1.0
    size = (max(1, round(picture.shape[1] * factor)), max(1, round(picture.shape[0] * factor)))
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8), factor


def decode_upright(content: bytes) -> Picture:
    """Check an image file and decode it to an upright BGR array (height, width, 3). Raises: PictureRefused, Damaged.

    JPEG has no checksum. The decoder fills damaged areas, returns the image without an error and reports the damage
    only on the standard error stream. A die there would be read from pixels that the camera never captured.
    """
    data = np.frombuffer(check_picture(content), np.uint8)
    with _ONE_AT_A_TIME, _decoder_complaints() as complaints:
        try:
            picture = cv2.imdecode(data, cv2.IMREAD_COLOR)
        except cv2.error as error:
            raise Damaged(str(error.code)) from error
    if picture is None or complaints:
        raise Damaged(complaints[0] if complaints else "")
    return np.asarray(picture, np.uint8)


@contextmanager
def _decoder_complaints() -> Iterator[list[str]]:
    """Collect the decoders' damage messages while the context is open. The list is filled when the context closes.

    The decoders write directly to file descriptor 2, bypassing Python. Other output written there is passed through.
    """
    complaints: list[str] = []
    try:
        usual = os.dup(2)
    except OSError:  # no standard error stream: there is nothing to capture
        yield complaints
        return
    heard = os.memfd_create("complaints")
    try:
        if sys.stderr is not None:
            sys.stderr.flush()
        os.dup2(heard, 2)
        try:
            yield complaints
        finally:
            os.dup2(usual, 2)
            os.lseek(heard, 0, os.SEEK_SET)
            for line in os.read(heard, 1 << 20).decode("utf-8", "replace").splitlines(keepends=True):
                if line.startswith(_DAMAGED) and not _PADDED.match(line):
                    complaints.append(line.strip())
                elif not line.startswith((_NO_MATTER, *_DAMAGED)):
                    os.write(2, line.encode())
    finally:
        os.close(heard)
        os.close(usual)
