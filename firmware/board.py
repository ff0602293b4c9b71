"""RP2040 pins: buttons by interrupt, lights by `bitstream`, digits by a MAX7219, the piezo by the ADC."""

import machine

from firmware.parts import Parts
from firmware.settings import order
from firmware.uptime import Uptime, ticks_ms

WATCHDOG_MS = 8000
"""Watchdog timeout, close to the RP2040's maximum (8388 ms, datasheet 4.7). The prompt starts within it."""
MOST_EDGES = 32

LIGHT_NANOS = (400, 850, 800, 450)
"""Nanoseconds high and low of a zero, high and low of a one (WS2812B datasheet)."""

# Registers of the MAX7219 (datasheet, table 2).
DECODE, INTENSITY, SCAN_LIMIT, SHUTDOWN, TEST = 9, 10, 11, 12, 15


class TrayBoard(Parts):
    """The configured parts on their pins."""

    def __init__(self, settings: dict[str, dict[str, int]], uptime: Uptime) -> None:
        self._uptime = uptime
        self._seen: list[tuple[int, bool, int]] = []
        buttons = settings["buttons"]
        self._buttons = [_contact(buttons[role]) for role in order(buttons)]
        for index, pin in enumerate(self._buttons):
            pin.irq(self._watch(index), machine.Pin.IRQ_FALLING | machine.Pin.IRQ_RISING)
        self._ring = machine.Pin(settings["ring"]["pin"], machine.Pin.OUT, value=0)
        piezo, lid, display = settings.get("piezo"), settings.get("lid"), settings.get("display")
        self._piezo = machine.ADC(piezo["pin"]) if piezo else None
        self._lid = _contact(lid["pin"]) if lid else None
        self._lid_open = lid["open"] if lid else 1
        self._display = DigitDisplay(display) if display else None
        self._watchdog: machine.WDT | None = None

    def watch_over(self) -> None:
        """Start the watchdog. Only a reset stops it."""
        self._watchdog = machine.WDT(timeout=WATCHDOG_MS)

    def _watch(self, index: int) -> object:
        def changed(pin: machine.Pin) -> None:
            if len(self._seen) < MOST_EDGES:
                self._seen.append((index, pin.value() == 0, ticks_ms()))

        return changed

    def edges(self) -> list[tuple[int, bool, int]]:
        if not self._seen:
            return []
        seen, self._seen = self._seen, []
        return [(index, down, self._uptime.of(ticks)) for index, down, ticks in seen]

    def buttons(self) -> list[bool]:
        return [pin.value() == 0 for pin in self._buttons]

    def piezo(self) -> int:
        return self._piezo.read_u16() >> 4 if self._piezo else 0

    def lid(self) -> bool:
        return self._lid is not None and self._lid.value() == self._lid_open

    def light(self, rgb: bytearray) -> None:
        wire = bytearray(rgb)
        for at in range(0, len(rgb), 3):  # WS2812B order is green, red, blue
            wire[at], wire[at + 1] = rgb[at + 1], rgb[at]
        machine.bitstream(self._ring, 0, LIGHT_NANOS, wire)

    def digits(self, segments: bytes) -> None:
        if self._display is not None:
            self._display.show(segments)

    def alive(self) -> None:
        if self._watchdog is not None:
            self._watchdog.feed()


class DigitDisplay:
    """Eight digits on a MAX7219, without decoding."""

    def __init__(self, display: dict[str, int]) -> None:
        self._select = machine.Pin(display["select"], machine.Pin.OUT, value=1)
        self._clock = machine.Pin(display["clock"], machine.Pin.OUT, value=0)
        self._data = machine.Pin(display["data"], machine.Pin.OUT, value=0)
        for register, value in ((TEST, 0), (DECODE, 0), (SCAN_LIMIT, 7), (INTENSITY, display["brightness"])):
            self._set(register, value)
        self.show(bytes(8))
        self._set(SHUTDOWN, 1)

    def show(self, segments: bytes) -> None:
        """Show the segments of the digits from left to right. The module's digit 8 is the leftmost."""
        for index, lit in enumerate(segments):
            self._set(8 - index, lit)

    def _set(self, register: int, value: int) -> None:
        self._select(0)
        word = register << 8 | value
        for bit in range(15, -1, -1):  # bit-banged: SoftSPI requires a pin to read from
            self._data(word >> bit & 1)
            self._clock(1)
            self._clock(0)
        self._select(1)


def _contact(number: int) -> machine.Pin:
    """Configure a pin as a contact to ground."""
    return machine.Pin(number, machine.Pin.IN, machine.Pin.PULL_UP)
