"""An emulated RP2040 with the tray's parts on its pins: MicroPython boots, its USB serial is a pseudo terminal.

`emulator.py IMAGE FOLDER [--file NAME=PATH ...]` runs in the suite's own environment. IMAGE is the flash's contents;

- FOLDER/port: a link to the serial port.
- FOLDER/inputs: a pipe for commands, one per line (`down 14`, `up 14`, `piezo 900`, `reset`).
- FOLDER/seen: the events of the parts, one JSON object per line.
- FOLDER/clock: the board's own time in seconds as eight bytes, to be memory-mapped.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import dataclasses
import json
import mmap
import os
import struct
import tty
from pathlib import Path
from typing import Any

from littlefs import LittleFS
from rp2040py.boards import BOARDS, FlashLayout
from rp2040py.device import MicroPythonDevice
from rp2040py.external.key_mock import KeyMock
from rp2040py.external.ws2812 import Ws2812
from rp2040py.gpio_pin import GPIOPinState

LAYOUT = FlashLayout(fs_start=0xA0000, fs_blockcount=352, fs_blocksize=4096)
"""The location of MicroPython's files on a Pico: the last 1408 of 2048 KiB."""

MAX_QUEUED_BYTES = 256
"""Maximum bytes in transit to the board."""
STEP_SECONDS = 0.002

BUTTONS, LID, RING, PIEZO_CHANNEL = (14, 15), 13, 16, 0
CLOCK, DATA, SELECT = 10, 11, 9


def uf2(image: bytes) -> bytes:
    """Convert the flash contents to the emulator's format: blocks of 256 bytes with their address (Microsoft's UF2)."""
    pieces = [image[at : at + 256].ljust(256, b"\0") for at in range(0, len(image), 256)]
    blocks = []
    for number, piece in enumerate(pieces):
        head = (0x0A324655, 0x9E5D5157, 0x2000, 0x10000000 + 256 * number, 256, number, len(pieces), 0xE48BFF56)
        blocks.append(struct.pack("<8I", *head) + piece.ljust(476, b"\0") + struct.pack("<I", 0x0AB16F30))
    return b"".join(blocks)


def image_of_files(files: dict[str, Path]) -> bytes:
    """Create a file system image with these files and the folders of their names."""
    system = LittleFS(
        block_size=LAYOUT.fs_blocksize,
        block_count=LAYOUT.fs_blockcount,
        prog_size=256,
        read_size=32,
        disk_version=0x00020000,
    )
    for name, path in sorted(files.items()):
        folder = name.rpartition("/")[0]
        if folder:
            system.makedirs(folder, exist_ok=True)
        with system.open(name, "wb") as file:
            file.write(path.read_bytes())
    return bytes(system.context.buffer)


class Max7219:
    """The display's end of its three wires: sixteen bits, one per clock edge, latched at the rising edge of select."""

    def __init__(self, seen: Any) -> None:
        self._seen = seen
        self._bits = 0
        self._data = 0
        self._digits = [0] * 8

    def attach(self, rp2040: Any) -> None:
        rp2040.gpio[CLOCK].add_listener(lambda new, _: self._clocked(new))
        rp2040.gpio[DATA].add_listener(lambda new, _: self._set(new))
        rp2040.gpio[SELECT].add_listener(lambda new, _: self._selected(new))

    def _set(self, state: GPIOPinState) -> None:
        self._data = int(state == GPIOPinState.HIGH)

    def _clocked(self, state: GPIOPinState) -> None:
        if state == GPIOPinState.HIGH:
            self._bits = (self._bits << 1 | self._data) & 0xFFFF

    def _selected(self, state: GPIOPinState) -> None:
        register = self._bits >> 8 & 15
        if state == GPIOPinState.HIGH and 1 <= register <= 8:
            self._digits[8 - register] = self._bits & 0xFF
            if register == 1:  # the last of the eight that the firmware writes
                self._seen({"digits": list(self._digits)})


class Board:
    """The emulated board, with its wires connected to files and pipes."""

    def __init__(self, image: Path, folder: Path, files: dict[str, Path]) -> None:
        self._folder = folder
        self._seen_file = (folder / "seen").open("a", encoding="utf-8")
        self._keys = {pin: KeyMock(gpio=pin, active_high=False) for pin in (*BUTTONS, LID)}
        ring = Ws2812(
            gpio=RING, on_pixels=lambda pixels: self.seen({"rgb": [part for light in pixels for part in light]})
        )
        display = Max7219(self.seen)
        extras = (*(lambda key=key: key for key in self._keys.values()), lambda: ring, lambda: display)
        flash = folder / "flash.uf2"
        flash.write_bytes(uf2(image.read_bytes()))
        board = dataclasses.replace(BOARDS["pico"], image=flash, layout=LAYOUT, extras=extras, firmware=None)
        system = folder / "files.img"
        system.write_bytes(image_of_files(files))
        self.device = MicroPythonDevice(board=board, filesystem=system)
        self._to_board = bytearray()
        self._to_host = bytearray()
        self._host, self._end = os.openpty()
        tty.setraw(self._end)
        os.set_blocking(self._host, False)
        (folder / "clock").write_bytes(bytes(8))
        with (folder / "clock").open("r+b") as file:
            self._clock = mmap.mmap(file.fileno(), 8)
        self._inputs = os.open(folder / "inputs", os.O_RDWR | os.O_NONBLOCK)
        self._line = b""

    def seen(self, what: dict[str, Any]) -> None:
        self._seen_file.write(json.dumps(what) + "\n")
        self._seen_file.flush()

    async def run(self) -> None:
        loop = asyncio.get_running_loop()
        self.device.cdc.on_serial_data = self._from_board
        self._keys[LID].press()  # the lid is closed
        async with self.device as device:
            self.seen({"up": 1})
            loop.add_reader(self._host, self._from_host)
            loop.add_reader(self._inputs, self._commands)
            (self._folder / "port").symlink_to(os.ttyname(self._end))
            while device.simulator.executing:
                self._pass()
                await asyncio.sleep(STEP_SECONDS)
        if device.simulator.engine_room_error is not None:
            raise device.simulator.engine_room_error

    def _from_board(self, data: bytes | bytearray) -> None:
        self._to_host += data

    def _from_host(self) -> None:
        with contextlib.suppress(OSError):  # no process has the port open
            if len(self._to_board) < 65536:
                self._to_board += os.read(self._host, 4096)

    def _pass(self) -> None:
        self._clock[:] = struct.pack("<d", self.device.simulator.clock.nanos / 1e9)
        fifo = self.device.cdc.tx_fifo
        while self._to_board and fifo.item_count < MAX_QUEUED_BYTES:
            self.device.cdc.send_serial_byte(self._to_board.pop(0))
        if self._to_host:
            with contextlib.suppress(OSError):
                del self._to_host[: os.write(self._host, self._to_host)]
            del self._to_host[:-65536]

    def _commands(self) -> None:
        *lines, self._line = (self._line + os.read(self._inputs, 4096)).split(b"\n")
        for line in lines:
            word, *rest = line.decode().split()
            if word in ("down", "up"):
                key = self._keys[int(rest[0])]
                key.press() if word == "down" else key.release()
            elif word == "piezo":
                self.device.mcu.adc.channel_values[PIEZO_CHANNEL] = int(rest[0])
            elif word == "reset":
                self._to_board.clear()
                self.device.hard_reset()
                self.seen({"reset": 1})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("image", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--file", action="append", default=[], metavar="NAME=PATH")
    asked = parser.parse_args()
    files = {name: Path(path) for name, path in (entry.split("=", 1) for entry in asked.file)}
    asyncio.run(Board(asked.image, asked.folder, files).run())


if __name__ == "__main__":
    main()
