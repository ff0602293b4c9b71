"""Frames on the line: COBS with a CRC-32 at the end, and zero bytes around; it knows no port.

    00  COBS( body | CRC-32 of it, little end first )  00

The zero before the frame ends whatever noise came first, so that a reader is in step again at the next frame at the
latest. COBS after Cheshire and Baker, "Consistent Overhead Byte Stuffing" (1999).
"""

import binascii

from firmware.cbor import Malformed

MOST_BODY = 480
"""Bytes that a frame carries: both ends keep no longer one."""
MOST_FRAME = MOST_BODY + 8


def stuff(data: bytes) -> bytes:
    """COBS: the same without a zero byte; one byte longer, and one more for each 254."""
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


def unstuff(data: bytes) -> bytes:
    """What `stuff` made this of. Raises Malformed."""
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
    """The bytes for the line. Raises ValueError for a body that is too long."""
    if len(body) > MOST_BODY:
        raise ValueError("too long for a frame")
    return b"\0" + stuff(body + (binascii.crc32(body) & 0xFFFFFFFF).to_bytes(4, "little")) + b"\0"


class Framer:
    """Finds the frames in what comes from the line. Keeps at most MOST_FRAME bytes, whatever comes."""

    def __init__(self) -> None:
        self._begun = bytearray()
        self._too_long = False
        self.bad = 0
        """Pieces between zeros that were no frame."""

    def feed(self, data: bytes) -> list[bytes]:
        """The bodies of the frames that these bytes complete, oldest first. Never raises."""
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
        if self._too_long or len(self._begun) + len(piece) > MOST_FRAME:
            self._too_long = True
            self._begun = bytearray()
        else:
            self._begun.extend(piece)

    def _ended(self) -> bytes | None:
        begun, too_long = bytes(self._begun), self._too_long
        self._begun, self._too_long = bytearray(), False
        if not begun and not too_long:
            return None
        try:
            body = unstuff(begun)
        except Malformed:
            body = b""
        if len(body) > 4 and binascii.crc32(body[:-4]) & 0xFFFFFFFF == int.from_bytes(body[-4:], "little"):
            return body[:-4]
        self.bad += 1
        return None
