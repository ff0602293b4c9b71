"""The tray's serial port: which one it is, opened for this program alone, read and written without waiting long."""

from __future__ import annotations

import errno
import os
import select
import termios
from pathlib import Path

import serial
from serial.tools import list_ports

from hardware.ports import Trouble

AUTO = "auto"
VENDOR, MICROPYTHON = 0x2E8A, 0x0005
"""USB ids of MicroPython on a Raspberry Pi Pico."""
BOOT_MODE = 0x0003
"""USB id of a Pico that waits for a UF2 file."""
MOST_AT_ONCE = 4096

TROUBLES = {
    errno.EACCES: Trouble.RIGHTS,
    errno.EPERM: Trouble.RIGHTS,
    errno.EBUSY: Trouble.BUSY,
    errno.EAGAIN: Trouble.BUSY,
    errno.ENOTTY: Trouble.FOREIGN,
    errno.EINVAL: Trouble.FOREIGN,
    errno.EISDIR: Trouble.FOREIGN,
}
"""What a port that does not open means; every other fault is a port that is gone."""


class LineError(Exception):
    """The port cannot be used, and why."""

    def __init__(self, trouble: Trouble, detail: str) -> None:
        super().__init__(detail)
        self.trouble = trouble
        self.detail = detail


def find(port: str) -> str | None:
    """The port to open: the one that is named, if it is there, or with `auto` the first board that could be a tray."""
    if port != AUTO:
        return port if Path(port).exists() else None
    found = sorted(info.device for info in list_ports.comports() if (info.vid, info.pid) == (VENDOR, MICROPYTHON))
    return found[0] if found else None


def waits_for_uf2(devices: Path = Path("/sys/bus/usb/devices")) -> bool:
    """Whether a board without MicroPython, or in its boot mode, is plugged in."""
    for entry in devices.glob("*/idVendor"):
        try:
            ids = [int((entry.parent / name).read_text(), 16) for name in ("idVendor", "idProduct")]
        except (OSError, ValueError):
            continue
        if ids == [VENDOR, BOOT_MODE]:
            return True
    return False


class Line:
    """An open port."""

    def __init__(self, where: str) -> None:
        """Raises LineError."""
        try:
            self._serial = serial.Serial(where, timeout=0, write_timeout=0, exclusive=True)
        except (OSError, ValueError, termios.error) as error:  # pyserial's own error is an OSError
            number = error.errno if isinstance(error, OSError) else None
            trouble = Trouble.FOREIGN if number is None else TROUBLES.get(number, Trouble.GONE)
            raise LineError(trouble, str(error)) from None

    def exchange(self, to_send: bytes, wait: float, wake: int | None = None) -> tuple[bytes, bytes]:
        """What came within `wait` seconds, and what of `to_send` could not be sent yet. Ends early when `wake` can be
        read. Raises LineError when the port is gone."""
        port = self._serial.fileno()
        reading = [port] if wake is None else [port, wake]
        try:
            readable, writable, _ = select.select(reading, [port] if to_send else [], [], wait)
            if writable:
                to_send = to_send[os.write(port, to_send) :]
            received = os.read(port, MOST_AT_ONCE) if port in readable else None
        except BlockingIOError:
            return b"", to_send
        except OSError as error:
            raise LineError(Trouble.GONE, str(error)) from None
        if received == b"":
            raise LineError(Trouble.GONE, "end of file")
        return received or b"", to_send

    def close(self) -> None:
        self._serial.close()
