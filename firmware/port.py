"""Byte stream to the host through standard input and output: USB serial on a board, a pseudo terminal in tests."""

import select
import sys

MOST_AT_ONCE = 256


class Port:
    """The byte stream to the host.

    `read` waits for a limited time. If the host reads nothing, `write` blocks for at most half a second.
    """

    def __init__(self) -> None:
        self._poll = select.poll()
        self._poll.register(sys.stdin, select.POLLIN)

    def read(self, wait: int) -> bytes:
        """Return the bytes received within `wait` milliseconds. Raises: EOFError at the end of the stream."""
        got = bytearray()
        while len(got) < MOST_AT_ONCE and self._poll.poll(0 if got else wait):
            byte = sys.stdin.buffer.read(1)
            if not byte:
                raise EOFError
            got.extend(byte)
        return bytes(got)

    def write(self, data: bytes) -> None:
        """Send all bytes, or those that the host takes in time. Truncated frames are sent again."""
        sys.stdout.buffer.write(data)
