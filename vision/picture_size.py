"""Size of a picture as its header tells it, so that one of gigabytes is refused before anything is decoded.

Sources: PNG (W3C), JPEG (ITU T.81, B.2.2), GIF89a (CompuServe), BMP (Windows headers), WebP (RFC 9649), TIFF 6.0,
Netpbm's own pages.
"""

from __future__ import annotations

import re
import struct

Size = tuple[int, int]
"""Width and height in pixels."""

_NO_FRAME = frozenset({0xC4, 0xC8, 0xCC})
"""JPEG markers among those of frames that do not open one: tables and an extension."""

_NETPBM = re.compile(rb"P[1-6](?:\s|#[^\n]*\n)+(\d{1,10})(?:\s|#[^\n]*\n)+(\d{1,10})")
_WIDTH, _HEIGHT = 256, 257


def size_in_header(data: bytes) -> Size | None:
    """The size that a PNG, JPEG, GIF, BMP, WebP, TIFF or Netpbm file gives itself; None for others or a broken one."""
    try:
        if data.startswith(b"\x89PNG\r\n\x1a\n"):
            return _two(">II", data, 16)
        if data.startswith(b"\xff\xd8"):
            return _jpeg(data)
        if data[:6] in (b"GIF87a", b"GIF89a"):
            return _two("<HH", data, 6)
        if data.startswith(b"BM"):
            width, height = _two("<ii" if _two("<II", data, 14)[0] >= 40 else "<HH", data, 18)
            return abs(width), abs(height)
        if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
            return _webp(data)
        if data[:4] in (b"II*\0", b"MM\0*"):
            return _tiff(data)
    except struct.error:
        return None
    netpbm = _NETPBM.match(data[:4096])
    return (int(netpbm[1]), int(netpbm[2])) if netpbm else None


def _two(form: str, data: bytes, at: int) -> Size:
    one, other = struct.unpack_from(form, data, at)
    return int(one), int(other)


def _jpeg(data: bytes) -> Size | None:
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


def _webp(data: bytes) -> Size | None:
    kind = data[12:16]
    if kind == b"VP8X":
        return int.from_bytes(data[24:27], "little") + 1, int.from_bytes(data[27:30], "little") + 1
    if kind == b"VP8L":
        (bits,) = struct.unpack_from("<I", data, 21)
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    width, height = _two("<HH", data, 26)
    return width & 0x3FFF, height & 0x3FFF


def _tiff(data: bytes) -> Size | None:
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
