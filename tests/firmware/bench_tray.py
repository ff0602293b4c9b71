"""The tray's firmware, its inputs worked by program, its outputs written down; MicroPython for Unix runs it, or Python.

`bench_tray.py ROOT FOLDER`: ROOT holds the packages, FOLDER the tray's files. Commands come from the pipe
FOLDER/inputs, a line each (`down 0`, `up 0`, `stir 900`, `open 1`, `flood 10000`); what is shown goes to FOLDER/seen,
a line of JSON each.
"""

import json
import select
import sys
import time

if not hasattr(time, "ticks_ms"):  # Python itself: MicroPython's counter, and a standard input that keeps nothing back
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

from firmware import notes, protocol, settings  # noqa: E402
from firmware.parts import Parts  # noqa: E402
from firmware.port import Port  # noqa: E402
from firmware.release import RELEASE  # noqa: E402
from firmware.serve import serve  # noqa: E402
from firmware.tray import Tray, about  # noqa: E402
from firmware.uptime import Uptime  # noqa: E402


class Bench(Parts):
    """A board whose pins are worked through a pipe."""

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

    def _obey(self, words):
        number = int(words[1])
        if words[0] in ("down", "up"):
            self._down[number] = words[0] == "down"
        elif words[0] == "stir":
            self._level = number
        elif words[0] == "open":
            self._open = number == 1
        elif words[0] == "flood":
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


class Fingers(Bench):
    """While a flood is on, buttons are pressed by turns as fast as they settle, and no faster than there is room."""

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
        if before - self._turned > 2 * SETTLE and (busy or self._link.waiting < protocol.ROOM - 2):
            self._turned = now
            if busy:
                self._down = [False, False]
                self.flood -= 1
            else:
                self._down = [self.flood % 2 == 0, self.flood % 2 == 1]
        return list(self._down)


class Heard(protocol.Link):
    """A link that writes down what the host said."""

    def feed(self, data, now):
        messages = protocol.Link.feed(self, data, now)
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
link = Heard(notes.boot(FOLDER), about(built, RELEASE, sys.implementation.name))
board = Fingers(write, link)
board.at(uptime)
try:
    serve(board, Tray(board, built, link), Port(), uptime, None)
    write({"ended": "prompt"})
except EOFError:
    pass
