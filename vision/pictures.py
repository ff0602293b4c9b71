"""Picture files: their size by their header, decoded upright with damage noticed, and files written whole."""

from __future__ import annotations

import os
import re
import struct
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import cv2
import numpy as np
import numpy.typing as npt

from vision.messages import VisionError

_DAMAGED = ("Corrupt JPEG data", "Premature end of JPEG", "Invalid JPEG", "Inconsistent progression", "libpng error")
"""How the decoders begin what they say of damaged data (libjpeg's jerror.h, libpng)."""

_NO_MATTER = "libpng warning"
"""How libpng begins what it says of a profile, a comment or the like; the pixels are as they were."""

_PADDED = re.compile(r"Corrupt JPEG data: [1-8] extraneous bytes before marker 0xd9")
"""Cameras pad the end of a picture so; where data are damaged it is tens of bytes."""

_ONE_AT_A_TIME = threading.Lock()

Size = tuple[int, int]
"""Width and height in pixels."""

_NO_FRAME = frozenset({0xC4, 0xC8, 0xCC})
"""JPEG markers among those of frames that do not open one: tables and an extension."""

_NETPBM = re.compile(rb"P[1-6](?:\s|#[^\n]*\n)+(\d{1,10})(?:\s|#[^\n]*\n)+(\d{1,10})")
_WIDTH, _HEIGHT = 256, 257

Picture = npt.NDArray[np.uint8]
"""(height, width, 3), BGR, upright."""

PADDING = (114, 114, 114)
"""BGR of what lies beyond a picture's rim, for every net: they were trained with it."""

MOST_PIXELS = 100_000_000
"""A picture with more is refused: decoded, it would take 300 MB and more of a small machine's memory."""


class UnreadablePicture(VisionError, ValueError):
    """A file that is missing or holds no picture; the message names it and says why."""


class Damaged(ValueError):
    """Bytes that are no picture, or only partly one; the message is the decoder's reason, if it gave one."""


def load_picture(path: str | Path) -> Picture:
    """The picture in `path`, turned upright as its EXIF data say. Raises UnreadablePicture, for a damaged one too."""
    try:
        data = np.fromfile(path, np.uint8)
    except ValueError:
        raise UnreadablePicture("vision.picture.name", name=str(path)) from None
    except OSError as error:
        raise UnreadablePicture("vision.picture.system", path=path, reason=error) from error
    if not data.size:
        raise UnreadablePicture("vision.picture.empty", path=path)
    size = size_in_header(data.tobytes())
    if size is not None and size[0] * size[1] > MOST_PIXELS:
        width, height = size
        raise UnreadablePicture(
            "vision.picture.large", path=path, width=width, height=height, most=MOST_PIXELS // 10**6
        )
    try:
        return decoded(data)
    except Damaged as error:
        if not str(error):
            raise UnreadablePicture("vision.picture.none", path=path) from error
        raise UnreadablePicture("vision.picture.damaged", path=path, reason=error) from error


def quieten() -> None:
    """OpenCV says nothing of its own any more: what is wrong with a picture is said by the product, once."""
    logging = getattr(cv2.utils, "logging", None)  # the OpenCV 4.6 of Raspberry Pi OS 12 does not let it be set
    if logging is not None:
        logging.setLogLevel(logging.LOG_LEVEL_SILENT)


def shrunk(picture: Picture, longest: int) -> tuple[Picture, float]:
    """The picture with its longer side at most `longest` pixels, and the factor that it was multiplied by."""
    factor = min(1.0, longest / max(picture.shape[:2]))
    if factor == 1.0:
        return picture, 1.0
    size = (max(1, round(picture.shape[1] * factor)), max(1, round(picture.shape[0] * factor)))
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8), factor


def decoded(data: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """The picture (height, width, 3) BGR, upright, in the bytes of a file. Raises Damaged.

    JPEG carries no checksum. Where its data are damaged the decoder paints over it, returns a picture as if nothing was
    wrong and says so on the standard error stream only; a die there would be read from pixels that no camera saw.
    """
    with _ONE_AT_A_TIME, _heard() as complaints:
        try:
            picture = cv2.imdecode(data, cv2.IMREAD_COLOR)
        except cv2.error as error:
            raise Damaged(str(error.code)) from error
    if picture is None or complaints:
        raise Damaged(complaints[0] if complaints else "")
    return np.asarray(picture, np.uint8)


def size_in_header(data: bytes) -> Size | None:
    """The size that a PNG, JPEG, GIF, BMP, WebP, TIFF or Netpbm file gives itself; None for others or a broken one.

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


def write_whole(path: Path, content: bytes) -> None:
    """After a power cut or on a full disk it is the old file or the new one. Raises OSError, an old file then whole."""
    part = path.with_name(f".{uuid4().hex}.part")
    try:
        with part.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except OSError:
        part.unlink(missing_ok=True)
        raise


@contextmanager
def _heard() -> Iterator[list[str]]:
    """What the decoders say of damage while the context lasts is in the list after it; they write past Python, to file
    descriptor 2. What others write there meanwhile is passed on."""
    complaints: list[str] = []
    try:
        usual = os.dup(2)
    except OSError:  # no standard error stream: nothing can be heard
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
    """The first directory's; a value is a short (type 3) or a long (type 4)."""
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
