"""The tray firmware with scripted inputs and recorded outputs, on MicroPython for Unix or on Python.

`bench_tray.py ROOT FOLDER`: ROOT holds the packages, FOLDER the tray's files. Commands come from the pipe
FOLDER/inputs, one per line (`down 0`, `up 0`, `stir 900`, `open 1`, `flood 10000`). Outputs are written to FOLDER/seen,
one JSON line each.
"""

import json
import select
import sys
import time

if not hasattr(time, "ticks_ms"):  # CPython: add MicroPython's tick counter and an unbuffered standard input
    time.ticks_ms = lambda: int(time.monotonic() * 1000)
    time.ticks_diff = lambda end, start: end - start

    class _Plain:
        def __init__(self, number):
            self.buffer = open(number, "rb+", buffering=0)  # noqa: SIM115 - open as long as the process
            self.fileno = self.buffer.fileno
            self.flush = self.buffer.flush

    sys.stdin, sys.stdout = _Plain(0), _Plain(1)

ROOT, FOLDER = sys.argv[1], sys.argv[2] + "/"
sys.path.insert(0, ROOT)

from firmware import boot_state, protocol, settings  # noqa: E402
from firmware.parts import Parts  # noqa: E402
from firmware.port import Port  # noqa: E402
from firmware.release import RELEASE  # noqa: E402
from firmware.serve import serve  # noqa: E402
from firmware.tray import Tray, tray_info  # noqa: E402
from firmware.uptime import Uptime  # noqa: E402


class Bench(Parts):
    """A board whose pins are controlled through a pipe."""

    def __init__(self, seen):
        self._pipe = open(FOLDER + "inputs", "rb+", buffering=0)  # noqa: SIM115 - open as long as the process
        self._poll = select.poll()
        self._poll.register(self._pipe, select.POLLIN)
        self._line = b""
        self._down = [False, False]
        self._level = 10
        self._open = False
        self._seen = seen
        self.flood = 0

    def alive(self):
        while self._poll.poll(0):
            byte = self._pipe.read(1)
            if byte == b"\n":
                self._obey(self._line.decode().split())
                self._line = b""
            else:
                self._line += byte

    def _obey(self, tokens):
        number = int(tokens[1])
        if tokens[0] in ("down", "up"):
            self._down[number] = tokens[0] == "down"
        elif tokens[0] == "stir":
            self._level = number
        elif tokens[0] == "open":
            self._open = number == 1
        elif tokens[0] == "flood":
            self.flood = number

    def buttons(self):
        return list(self._down)

    def piezo(self):
        return self._level

    def lid(self):
        return self._open

    def light(self, rgb):
        self._seen({"rgb": list(rgb)})

    def digits(self, segments):
        self._seen({"digits": list(segments)})


class ButtonFlood(Bench):
    """During a flood, presses the buttons in turn as fast as they settle, limited by the room in the queue."""

    def __init__(self, seen, link):
        super().__init__(seen)
        self._link = link
        self._uptime = None
        self._turned = 0
        self._looked = 0

    def at(self, uptime):
        self._uptime = uptime

    def buttons(self):
        if not self.flood:
            return super().buttons()
        now, before = self._uptime.now(), self._looked
        self._looked = now
        busy = self._down[0] or self._down[1]
        if before - self._turned > 2 * SETTLE and (busy or self._link.waiting < protocol.QUEUE_SIZE - 2):
            self._turned = now
            if busy:
                self._down = [False, False]
                self.flood -= 1
            else:
                self._down = [self.flood % 2 == 0, self.flood % 2 == 1]
        return list(self._down)


class RecordingLink(protocol.SerialLink):
    """A link that records the messages of the host."""

    def feed(self, data, now):
        messages = protocol.SerialLink.feed(self, data, now)
        for message, _ in messages:
            plain = [list(part) if isinstance(part, bytes) else part for part in message]
            write({"told": plain})
        return messages


seen_file = open(FOLDER + "seen", "a")  # noqa: SIM115 - open as long as the process


def write(what):
    seen_file.write(json.dumps(what) + "\n")
    seen_file.flush()


with open(FOLDER + "tray.json") as file:
    built = settings.read(file.read())
SETTLE = built["timing"]["settle_ms"]
uptime = Uptime()
link = RecordingLink(boot_state.boot(FOLDER), tray_info(built, RELEASE, sys.implementation.name))
board = ButtonFlood(write, link)
board.at(uptime)
try:
    serve(board, Tray(board, built, link), Port(), uptime, None)
    write({"ended": "prompt"})
except EOFError:
    pass
