"""Checks of an image file before it is decoded: format, size, and what decoding costs, told from its headers.

Only formats whose headers bound the memory and time of decoding are accepted: JPEG (baseline, progressive), PNG, lossy
WebP, BMP and binary Netpbm. OpenCV decodes more (JPEG 2000, TIFF, OpenEXR, AVIF, GIF, ...): there a file of 14 kB can
take gigabytes. This module imports no decoder, so the table and the app use it too.

Sources: PNG (W3C), JPEG (ITU T.81, B.1.1), BMP (Windows headers), WebP (RFC 9649), Netpbm's own pages.
"""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Iterator, Sequence

Size = tuple[int, int]
"""Width and height in pixels."""

MAX_PIXELS = 25_000_000
"""Maximum number of pixels. Decoding takes up to 15 bytes each: a rotated progressive JPEG, 375 MB."""

MAX_PICTURE_BYTES = 80_000_000
"""Maximum size of an image file. 25 megapixels without compression have 75,000,000 bytes."""

_MAX_SCANS = 24
"""Maximum number of scans of a JPEG, each of which passes over the whole image. Encoders write up to 12."""

_MAX_PARTS = 20_000
"""Maximum number of parts (PNG chunks, JPEG segments). A PNG of 75 MB in libpng's chunks of 8 kB has 9,000."""

_DEFLATE_RATIO = 1032
"""Maximum compression of deflate (zlib's own documentation)."""
_FREE_INFLATION = 64_000_000
"""Bytes that a PNG may inflate to beyond its pixels, because inflating them takes less than 0.1 s."""
_PIECE_BYTES = 1 << 16

_PNG = b"\x89PNG\r\n\x1a\n"
_SAMPLES = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
"""Samples a pixel of each PNG colour type."""
_ADAM7 = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2))
"""Start and step (x, y) of the seven passes of an interlaced PNG."""

_FILL = re.compile(rb"\xff+")
_NEXT_MARKER = re.compile(rb"\xff[\x01-\xcf\xd8-\xfe]")
"""A JPEG marker in compressed data, where a byte 0xff is followed by 0, and restart markers (0xd0-0xd7) may stand."""
_FRAMES = frozenset({0xC0, 0xC1, 0xC2})
"""Markers of a baseline, extended and progressive frame."""
_SEGMENTS = frozenset({*range(0xE0, 0xF0), 0xFE, 0xDB, 0xC4, 0xDD, 0xDC})
"""Markers of segments that describe an image: applications, comment, tables, restart interval, number of lines."""
_SCAN, _END = 0xDA, 0xD9

_NETPBM = re.compile(rb"P[56]((?:\s(?:\s|#[^\n\r]*[\n\r])*\d{1,9}){3})\s")


class PictureRefused(ValueError):
    """An image file that is not decoded. Its sentence is `vision.picture.CASE` with the arguments `details`."""

    def __init__(self, case: str, **details: object) -> None:
        super().__init__(f"{case} {details}" if details else case)
        self.case, self.details = case, details


def check_picture(content: bytes, max_pixels: int = MAX_PIXELS) -> bytes:
    """Check an image file. Returns the bytes to decode: a PNG comes without its optional chunks.

    Raises: PictureRefused for an unknown format, a damaged header, or an image that is too large or too complex.
    """
    if len(content) > MAX_PICTURE_BYTES:
        raise PictureRefused("heavy", most=MAX_PICTURE_BYTES // 10**6)
    try:
        (width, height), decodable = _size_and_content(content)
    except (struct.error, IndexError):
        raise PictureRefused("none") from None
    if width < 1 or height < 1:
        raise PictureRefused("none")
    if width * height > max_pixels:
        raise PictureRefused("large", width=width, height=height, most=max_pixels // 10**6)
    return decodable


def size_in_header(content: bytes) -> Size | None:
    """Return the size stated in the header of an accepted format, None for another or a broken file."""
    try:
        return _size_and_content(content)[0]
    except (PictureRefused, struct.error, IndexError):
        return None


def _size_and_content(content: bytes) -> tuple[Size, bytes]:
    if content.startswith(_PNG):
        return _png(content)
    if content.startswith(b"\xff\xd8\xff"):
        return _jpeg_size(content), content
    if content.startswith(b"BM"):
        return _bmp_size(content), content
    if content.startswith(b"RIFF") and content[8:12] == b"WEBP":
        return _webp_size(content), content
    netpbm = _NETPBM.match(content[:4096])
    if netpbm is None:
        raise PictureRefused("format")
    width, height, _ = re.sub(rb"#[^\n\r]*", b"", netpbm[1]).split()
    return (int(width), int(height)), content


def _two(form: str, data: bytes, at: int) -> Size:
    one, other = struct.unpack_from(form, data, at)
    return int(one), int(other)


# PNG: optional chunks can inflate without limit (text, profiles) or add frames. They are left out.


def _png(content: bytes) -> tuple[Size, bytes]:
    """Return the size, and the file without its optional chunks except transparency and orientation."""
    size = _two(">II", content, 16)
    view = memoryview(content)
    kept, pixels = [view[: len(_PNG)]], []
    for name, start, end in _png_chunks(content):
        if name[0] & 0x20 == 0 or name in (b"tRNS", b"eXIf"):
            kept.append(view[start:end])
        if name == b"IDAT":
            pixels.append(view[start + 8 : end - 4])
    if size[0] * size[1] <= MAX_PIXELS:
        _check_inflated(pixels, _png_raw_bytes(content, size))
    return size, b"".join(kept)


def _png_chunks(content: bytes) -> Iterator[tuple[bytes, int, int]]:
    """Yield the name, start and end of each chunk up to the last one. A truncated one ends with the file."""
    at = len(_PNG)
    if content[at + 4 : at + 8] != b"IHDR":
        raise PictureRefused("none")
    for _ in range(_MAX_PARTS):
        name = content[at + 4 : at + 8]
        if len(name) < 4:
            return
        end = at + 12 + int.from_bytes(content[at : at + 4], "big")
        yield name, at, min(end, len(content))
        if name == b"IEND":
            return
        at = end
    raise PictureRefused("parts")


def _png_raw_bytes(content: bytes, size: Size) -> int:
    """Return the bytes that the pixels inflate to: rows of one filter byte and the samples, in each pass."""
    depth, colour, interlaced = content[24], content[25], content[28]
    bits = depth * _SAMPLES.get(colour, 4)
    total = 0
    for left, top, step, down in _ADAM7 if interlaced else ((0, 0, 1, 1),):
        width, height = (size[0] - left + step - 1) // step, (size[1] - top + down - 1) // down
        total += height * (1 + (width * bits + 7) // 8) if width > 0 and height > 0 else 0
    return total


def _check_inflated(pixels: Sequence[memoryview], raw_bytes: int) -> None:
    """Reject pixel data that inflate to much more than the pixels: the decoder inflates them all, 1 GB in a second."""
    allowed = raw_bytes + _FREE_INFLATION
    if sum(map(len, pixels)) * _DEFLATE_RATIO <= allowed:
        return
    inflater, count = zlib.decompressobj(), 0
    try:
        for part in pixels:
            for start in range(0, len(part), _PIECE_BYTES):
                piece = bytes(part[start : start + _PIECE_BYTES])
                while piece:
                    count += len(inflater.decompress(piece, _PIECE_BYTES))
                    piece = inflater.unconsumed_tail
                    if count > allowed:
                        raise PictureRefused("parts")
    except zlib.error:
        return  # the decoder reports the damage


# JPEG: each scan passes over the whole image, so their number is limited too.


def _jpeg_size(content: bytes) -> Size:
    """Return the size of the frame. Rejects the kinds of frame that no camera writes: lossless, arithmetic, ..."""
    size, scans, at = None, 0, 2
    for _ in range(_MAX_PARTS):
        fill = _FILL.match(content, at)
        if fill is None:
            raise PictureRefused("none")
        marker, at = content[fill.end()], fill.end() + 1
        if marker == _END:
            break
        if marker in _FRAMES and size is None:
            height, width = _two(">HH", content, at + 3)
            size = width, height
        elif marker == _SCAN and size is not None:
            scans += 1
        elif marker not in _SEGMENTS:
            raise PictureRefused("none")
        at += int.from_bytes(content[at : at + 2], "big")
        if scans:
            found = _NEXT_MARKER.search(content, at)
            if found is None or scans > _MAX_SCANS:
                break
            at = found.start()
    else:
        raise PictureRefused("parts")
    if scans > _MAX_SCANS:
        raise PictureRefused("parts")
    if size is None:
        raise PictureRefused("none")
    return size


# BMP and WebP.


def _bmp_size(content: bytes) -> Size:
    """Return the size. A height below zero means that the first row is the top one."""
    header_bytes = int.from_bytes(content[14:18], "little")
    if header_bytes != 12 and header_bytes < 40:
        raise PictureRefused("none")
    width, height = _two("<HH" if header_bytes == 12 else "<ii", content, 18)
    return abs(width), abs(height)


def _webp_size(content: bytes) -> Size:
    """Return the size of a lossy still image, of its canvas if that is larger.

    Lossless images and transparency are rejected: 300 kB of their tables take 360 MB. So are animations.
    """
    canvas, at = (0, 0), 12
    for _ in range(_MAX_PARTS):
        name, bytes_of_chunk = content[at : at + 4], int.from_bytes(content[at + 4 : at + 8], "little")
        if name == b"VP8 ":
            width, height = _two("<HH", content, at + 14)
            return max(width & 0x3FFF, canvas[0]), max(height & 0x3FFF, canvas[1])
        if name in (b"VP8L", b"ALPH", b"ANIM", b"ANMF"):
            raise PictureRefused("format")
        if name == b"VP8X":
            canvas = (
                1 + int.from_bytes(content[at + 12 : at + 15], "little"),
                1 + int.from_bytes(content[at + 15 : at + 18], "little"),
            )
        elif at == 12 or len(name) < 4:
            raise PictureRefused("none")
        at += 8 + bytes_of_chunk + bytes_of_chunk % 2
    raise PictureRefused("parts")
