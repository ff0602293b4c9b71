"""The line to the host: standard input and output as plain bytes: USB serial on a board, a pseudo terminal in tests."""

import select
import sys

MOST_AT_ONCE = 256


class Port:
    """Reading waits no longer than it is told to; a host that takes nothing delays `write` by half a second at most."""

    def __init__(self) -> None:
        self._poll = select.poll()
        self._poll.register(sys.stdin, select.POLLIN)

    def read(self, wait: int) -> bytes:
        """What has come, after `wait` milliseconds at most. Raises EOFError when nothing can come any more."""
        got = bytearray()
        while len(got) < MOST_AT_ONCE and self._poll.poll(0 if got else wait):
            byte = sys.stdin.buffer.read(1)
            if not byte:
                raise EOFError
            got.extend(byte)
        return bytes(got)

    def write(self, data: bytes) -> None:
        """Sends all of it, or what the host takes in time: frames that were cut are sent anew."""
        sys.stdout.buffer.write(data)
