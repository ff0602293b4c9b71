"""Image files: size from the header, upright decoding with damage detection, and atomic writes."""

from __future__ import annotations

import os
import re
import struct
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from vision.messages import VisionError

_DAMAGED = ("Corrupt JPEG data", "Premature end of JPEG", "Invalid JPEG", "Inconsistent progression", "libpng error")
"""Prefixes of the decoders' messages about damaged data (libjpeg's jerror.h, libpng)."""

_NO_MATTER = "libpng warning"
"""Prefix of libpng's messages about profiles, comments and the like, which do not affect the pixels."""

_PADDED = re.compile(r"Corrupt JPEG data: [1-8] extraneous bytes before marker 0xd9")
"""Message for the padding that cameras add at the end of an image. Damaged data have tens of extra bytes."""

_ONE_AT_A_TIME = threading.Lock()

Size = tuple[int, int]
"""Width and height in pixels."""

_NO_FRAME = frozenset({0xC4, 0xC8, 0xCC})
"""Markers in the JPEG frame range that do not start a frame: tables and an extension."""

_NETPBM = re.compile(rb"P[1-6](?:\s|#[^\n]*\n)+(\d{1,10})(?:\s|#[^\n]*\n)+(\d{1,10})")
_WIDTH, _HEIGHT = 256, 257

Picture = npt.NDArray[np.uint8]
"""Array (height, width, 3), BGR, upright."""

PADDING = (114, 114, 114)
"""BGR padding colour outside the image for every network. The networks were trained with it."""

MAX_PIXELS = 100_000_000
"""Maximum number of pixels of an image. A larger one would need over 300 MB of memory when decoded."""


class UnreadablePicture(VisionError, ValueError):
    """A file that is missing or is not an image. The message names the file and the reason."""


class Damaged(ValueError):
    """Bytes that are not an image, or a truncated one. The message is the decoder's reason, if it gave one."""


def load_picture(path: str | Path) -> Picture:
    """Load the image in `path` and rotate it as its EXIF data say.

    Raises: UnreadablePicture, also for a damaged image.
    """
    try:
        data = np.fromfile(path, np.uint8)
    except ValueError:
        raise UnreadablePicture("vision.picture.name", name=str(path)) from None
    except OSError as error:
        raise UnreadablePicture("vision.picture.system", path=path, reason=error) from error
    if not data.size:
        raise UnreadablePicture("vision.picture.empty", path=path)
    size = size_in_header(data.tobytes())
    if size is not None and size[0] * size[1] > MAX_PIXELS:
        width, height = size
        raise UnreadablePicture("vision.picture.large", path=path, width=width, height=height, most=MAX_PIXELS // 10**6)
    try:
        return decode_upright(data)
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


def decode_upright(data: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """Decode the bytes of an image file to an upright BGR array (height, width, 3). Raises: Damaged.

    JPEG has no checksum. The decoder fills damaged areas, returns the image without an error and reports the damage
    only on the standard error stream. A die there would be read from pixels that the camera never captured.
    """
    with _ONE_AT_A_TIME, _decoder_complaints() as complaints:
        try:
            picture = cv2.imdecode(data, cv2.IMREAD_COLOR)
        except cv2.error as error:
            raise Damaged(str(error.code)) from error
    if picture is None or complaints:
        raise Damaged(complaints[0] if complaints else "")
    return np.asarray(picture, np.uint8)


def size_in_header(data: bytes) -> Size | None:
    """Return the size stated in a PNG, JPEG, GIF, BMP, WebP, TIFF or Netpbm header, None for other or broken files.

    Sources: PNG (W3C), JPEG (ITU T.81, B.2.2), GIF89a (CompuServe), BMP (Windows headers), WebP (RFC 9649), TIFF 6.0,
    Netpbm's own pages.
    """
    try:
        if data.startswith(b"\x89PNG\r\n\x1a\n"):
            return _two(">II", data, 16)
        if data.startswith(b"\xff\xd8"):
            return _jpeg_size(data)
        if data[:6] in (b"GIF87a", b"GIF89a"):
            return _two("<HH", data, 6)
        if data.startswith(b"BM"):
            width, height = _two("<ii" if _two("<II", data, 14)[0] >= 40 else "<HH", data, 18)
            return abs(width), abs(height)
        if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
            return _webp_size(data)
        if data[:4] in (b"II*\0", b"MM\0*"):
            return _tiff_size(data)
    except struct.error:
        return None
    netpbm = _NETPBM.match(data[:4096])
    return (int(netpbm[1]), int(netpbm[2])) if netpbm else None


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


def _two(form: str, data: bytes, at: int) -> Size:
    one, other = struct.unpack_from(form, data, at)
    return int(one), int(other)


def _jpeg_size(data: bytes) -> Size | None:
    at = 2
    while at + 4 <= len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if marker == 0xFF:
            at += 1
        elif 0xC0 <= marker <= 0xCF and marker not in _NO_FRAME:
            height, width = _two(">HH", data, at + 5)
            return width, height
        else:
            at += 2 + _two(">HH", data, at)[1]
    return None


def _webp_size(data: bytes) -> Size | None:
    kind = data[12:16]
    if kind == b"VP8X":
        return int.from_bytes(data[24:27], "little") + 1, int.from_bytes(data[27:30], "little") + 1
    if kind == b"VP8L":
        (bits,) = struct.unpack_from("<I", data, 21)
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    width, height = _two("<HH", data, 26)
    return width & 0x3FFF, height & 0x3FFF


def _tiff_size(data: bytes) -> Size | None:
    """Return the size in the first directory. A value is a short (type 3) or a long (type 4)."""
    order = "<" if data[:1] == b"I" else ">"
    (at,) = struct.unpack_from(f"{order}I", data, 4)
    (entries,) = struct.unpack_from(f"{order}H", data, at)
    found: dict[int, int] = {}
    for number in range(entries):
        place = at + 2 + 12 * number
        tag, kind = _two(f"{order}HH", data, place)
        if tag in (_WIDTH, _HEIGHT):
            (found[tag],) = struct.unpack_from(order + ("H" if kind == 3 else "I"), data, place + 8)
    return (found[_WIDTH], found[_HEIGHT]) if len(found) == 2 else None
