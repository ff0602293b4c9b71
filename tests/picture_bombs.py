"""Small image files that take gigabytes of memory, or minutes, to decode. Each is built here, none is stored."""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Callable
from functools import partial

import cv2
import numpy as np

SAMPLES = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
"""Samples a pixel of each PNG colour type."""


def bmp(header_bytes: int, width: int, height: int) -> bytes:
    """Return a BMP without pixels."""
    head = struct.pack("<IIIIiiHH", 54, 0, 54, header_bytes, width, height, 1, 24)
    return b"BM" + head + bytes(header_bytes - 16)


def chunk(name: bytes, content: bytes) -> bytes:
    """Return a PNG chunk."""
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))


def png(
    width: int, height: int, extra: bytes = b"", packed: bytes = b"", form: tuple[int, int, int] = (8, 2, 0)
) -> bytes:
    """Return a black PNG. `form`: depth, colour type, interlaced. `packed`: other pixel data, deflated."""
    depth, colour, interlaced = form
    packed = packed or zlib.compress(bytes(height * (1 + (width * depth * SAMPLES[colour] + 7) // 8)))
    head = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, interlaced)
    parts = (chunk(b"IHDR", head), extra, chunk(b"IDAT", packed), chunk(b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def animated_png(count: int, side: int) -> bytes:
    """Return a PNG with `count` frames."""
    rows = zlib.compress(bytes(side * (1 + 3 * side)), 9)
    body = chunk(b"acTL", struct.pack(">II", count, 0))
    for number in range(count):
        body += chunk(b"fcTL", struct.pack(">IIIIIHHBB", 2 * number, side, side, 0, 0, 1, 1, 0, 0))
        body += chunk(b"fdAT", struct.pack(">I", 2 * number + 1) + rows)
    return png(side, side, body)


def jpeg(side: int, *options: int) -> bytes:
    """Return a black JPEG."""
    return cv2.imencode(".jpg", np.zeros((side, side, 3), np.uint8), list(options))[1].tobytes()


def jpeg_of_many_scans(side: int, count: int) -> bytes:
    """Return a progressive JPEG whose last scan is repeated."""
    content = jpeg(side, cv2.IMWRITE_JPEG_PROGRESSIVE, 1)
    starts = [found.start() for found in re.finditer(rb"\xff\xda", content)]
    return content[:-2] + content[starts[-1] : -2] * count + b"\xff\xd9"


def restated_jpeg(content: bytes, width: int, height: int) -> bytes:
    """Return the JPEG with another size in its frame header."""
    at = next(content.index(marker) for marker in (b"\xff\xc0", b"\xff\xc2") if marker in content)
    return content[: at + 5] + struct.pack(">HH", height, width) + content[at + 9 :]


class _BitWriter:
    def __init__(self) -> None:
        self.bits: list[int] = []

    def put(self, value: int, count: int) -> None:
        self.bits += [value >> place & 1 for place in range(count)]

    def content(self) -> bytes:
        return np.packbits(np.array(self.bits, np.uint8), bitorder="little").tobytes()


def lossless_webp_of_many_tables(side: int) -> bytes:
    """Return a lossless WebP (RFC 9649) of 300 kB with 65,536 groups of prefix codes, 360 MB in the decoder."""
    out = _BitWriter()
    for value, count in ((side - 1, 14), (side - 1, 14), (0, 4), (0, 2), (1, 1), (0, 3), (0, 1)):
        out.put(value, count)  # size; no alpha; no transform, no cache; an image of groups, one for 4 x 4 pixels
    for total in (280, 256):  # green and red of that image: 256 codes of 8 bits
        for value, count in ((0, 1), (8, 4)):
            out.put(value, count)
        for length in (17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8):
            out.put(1 if length in (0, 8) else 0, 3)
        out.put(0, 1)
        for symbol in range(total):
            out.put(1 if symbol < 256 else 0, 1)
    for _ in range(3):
        out.put(0b0001, 4)  # a code of one symbol
    for number in range(((side + 3) // 4) ** 2):
        out.put(number & 0xFFFF, 16)
    out.bits += [1, 0, 0, 0] * (5 * 65_536) + [0] * 64
    return riff(riff_chunk(b"VP8L", b"\x2f" + out.content()))


def riff_chunk(name: bytes, content: bytes) -> bytes:
    """Return a chunk of a WebP file."""
    return name + struct.pack("<I", len(content)) + content + bytes(len(content) % 2)


def riff(chunks: bytes) -> bytes:
    """Return a WebP file."""
    return b"RIFF" + struct.pack("<I", 4 + len(chunks)) + b"WEBP" + chunks


def canvas(side: int, flags: int = 0) -> bytes:
    """Return the chunk of a WebP file that states a canvas."""
    return riff_chunk(b"VP8X", struct.pack("<I", flags) + 2 * (side - 1).to_bytes(3, "little"))


def inflating(total: int) -> bytes:
    """Return zlib data that inflate to `total` zeros (a multiple of 16 MB), built from one repeated block."""
    packer = zlib.compressobj(9)
    first = packer.compress(bytes(1 << 24)) + packer.flush(zlib.Z_FULL_FLUSH)
    block = packer.compress(bytes(1 << 24)) + packer.flush(zlib.Z_FULL_FLUSH)
    return first + block * (total // (1 << 24) - 1)


def _texts(name: bytes, between: bytes) -> bytes:
    content = zlib.compress(bytes(7_900_000), 9)
    return png(8, 8, b"".join(chunk(name, b"%d" % number + between + content) for number in range(400)))


def _black(ending: str) -> bytes:
    shape, kind = ((500, 500), np.float32) if ending in (".hdr", ".pfm") else ((500, 500), np.uint8)
    picture = np.zeros(shape if ending == ".pbm" else (*shape, 3), kind)
    return cv2.imencode(ending, picture)[1].tobytes()


def _lossy_webp_chunks() -> bytes:
    return cv2.imencode(".webp", np.zeros((64, 64, 3), np.uint8), [cv2.IMWRITE_WEBP_QUALITY, 60])[1].tobytes()[12:]


OTHER_FORMATS: dict[str, Callable[[], bytes]] = {
    "stated.gif": lambda: b"GIF89a" + struct.pack("<HH", 30_000, 30_000) + b"\0\0\0;",
    "stated.exr": lambda: b"\x76\x2f\x31\x01" + bytes(1000),
    "text.ppm": lambda: b"P3 5000 5000 255\n" + b"0 " * 20_000_000,
    "text.pbm": lambda: b"P1 30000 30000\n" + b"0 " * 1000,
    **{
        f"black{ending}": partial(_black, ending)
        for ending in (".tiff", ".jp2", ".avif", ".hdr", ".sr", ".pfm", ".pam")
    },
}
"""Formats that OpenCV decodes and that are not accepted, because no header bounds what they cost."""

BOMBS: dict[str, Callable[[], bytes]] = {
    "stated.png": lambda: png(64, 64)[:16] + struct.pack(">II", 30_000, 30_000) + png(64, 64)[24:],
    "deep.png": lambda: png(40_000, 20_000, packed=zlib.compress(bytes(1000)), form=(16, 6, 1)),
    "text.png": lambda: _texts(b"zTXt", b"\0\0"),
    "unicode.png": lambda: _texts(b"iTXt", b"\0\1\0\0\0"),
    "pixels.png": lambda: png(8, 8, packed=inflating(1 << 34)),
    "animated.png": lambda: animated_png(60, 3_000),
    "chunks.png": lambda: png(8, 8, chunk(b"teSt", b"") * 4_000_000),
    "stated.jpg": lambda: restated_jpeg(jpeg(64), 30_000, 30_000),
    "stated-progressive.jpg": lambda: restated_jpeg(jpeg(64, cv2.IMWRITE_JPEG_PROGRESSIVE, 1), 30_000, 30_000),
    "large.jpg": lambda: jpeg(5_100),
    "scans.jpg": lambda: jpeg_of_many_scans(4_900, 400),
    "segments.jpg": lambda: jpeg(64)[:2] + b"\xff\xfe\0\2" * 15_000_000 + jpeg(64)[2:],
    "fill.jpg": lambda: jpeg(64)[:2] + b"\xff" * 60_000_000 + jpeg(64)[3:],
    "restart.jpg": lambda: jpeg(64)[:2] + b"\xff\xd0" + restated_jpeg(jpeg(64), 30_000, 30_000)[2:],
    "tables.webp": lambda: lossless_webp_of_many_tables(1_024),
    "canvas.webp": lambda: riff(canvas(16_384) + _lossy_webp_chunks()),
    "animated.webp": lambda: riff(canvas(16_384, 2) + riff_chunk(b"ANIM", bytes(6))),
    "transparent.webp": lambda: riff(canvas(64, 16) + riff_chunk(b"ALPH", b"\1" + bytes(100)) + _lossy_webp_chunks()),
    "stated.bmp": lambda: bmp(40, 30_000, -30_000),
    "header.bmp": lambda: bmp(36, 0x10001, 25_000),
    "stated.ppm": lambda: b"P6 30000 30000 255\n",
    "comment.ppm": lambda: b"P6 1#1 \r30000 30000 30000 255\n",
    "heavy.ppm": lambda: b"P6 100 100 255\n" + bytes(81_000_000),
    **OTHER_FORMATS,
}
"""Builders of the bombs by the name of the file."""
