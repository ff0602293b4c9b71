"""Frames on the serial line: COBS with a CRC-32 at the end, delimited by zero bytes. Independent of any port.

    00  COBS( body | CRC-32 of it, little-endian )  00

The zero before the frame ends any noise before it, so that a reader is synchronised at the next frame at the latest.
COBS after Cheshire and Baker, "Consistent Overhead Byte Stuffing" (1999).
"""

import binascii

from firmware.cbor import Malformed

MAX_BODY = 480
"""Maximum bytes in a frame, on both ends."""
MAX_FRAME = MAX_BODY + 8


def cobs_encode(data: bytes) -> bytes:
    """Encode with COBS: no zero bytes; one byte longer, plus one for each 254."""
    out = bytearray()
    pieces = data.split(b"\0")
    last = len(pieces) - 1
    for index, piece in enumerate(pieces):
        at, left = 0, len(piece)
        while left >= 254:
            out.append(255)
            out.extend(piece[at : at + 254])
            at += 254
            left -= 254
        if left or index < last or at == 0:
            out.append(left + 1)
            out.extend(piece[at:])
    return bytes(out)


def cobs_decode(data: bytes) -> bytes:
    """Decode what `cobs_encode` encoded. Raises: Malformed."""
    out = bytearray()
    at, end = 0, len(data)
    while at < end:
        code = data[at]
        if code == 0 or at + code > end or b"\0" in data[at + 1 : at + code]:
            raise Malformed("no COBS")
        out.extend(data[at + 1 : at + code])
        at += code
        if code < 255 and at < end:
            out.append(0)
    return bytes(out)


def frame(body: bytes) -> bytes:
    """Return the bytes for the line. Raises: ValueError for a body that is too long."""
    if len(body) > MAX_BODY:
        raise ValueError("too long for a frame")
    return b"\0" + cobs_encode(body + (binascii.crc32(body) & 0xFFFFFFFF).to_bytes(4, "little")) + b"\0"


class FrameDecoder:
    """Finds frames in the received bytes. Buffers at most MAX_FRAME bytes."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._too_long = False
        self.bad = 0
        """Number of pieces between zeros that were not valid frames."""

    def feed(self, data: bytes) -> list[bytes]:
        """Return the bodies of the frames that these bytes complete, oldest first. Never raises."""
        bodies = []
        pieces = data.split(b"\0")
        for piece in pieces[:-1]:
            self._add(piece)
            body = self._ended()
            if body is not None:
                bodies.append(body)
        self._add(pieces[-1])
        return bodies

    def _add(self, piece: bytes) -> None:
        if self._too_long or len(self._buffer) + len(piece) > MAX_FRAME:
            self._too_long = True
            self._buffer = bytearray()
        else:
            self._buffer.extend(piece)

    def _ended(self) -> bytes | None:
        begun, too_long = bytes(self._buffer), self._too_long
        self._buffer, self._too_long = bytearray(), False
        if not begun and not too_long:
            return None
        try:
            body = cobs_decode(begun)
        except Malformed:
            body = b""
        if len(body) > 4 and binascii.crc32(body[:-4]) & 0xFFFFFFFF == int.from_bytes(body[-4:], "little"):
            return body[:-4]
        self.bad += 1
        return None
