"""The real panel: buttons, lamps and a buzzer on the pins of a Raspberry Pi, through gpiozero.

The pin factory is a parameter: `lgpio_pins` on a Raspberry Pi, gpiozero's mock factory in tests. The caller drives the
panel by polling. Only switch edges arrive on gpiozero's thread.
"""

from __future__ import annotations

import atexit
import logging
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from gpiozero import (
    PWMLED,
    DigitalInputDevice,
    DigitalOutputDevice,
    GPIOZeroError,
    PinPWMUnsupported,
    TonalBuzzer,
)
from gpiozero.tones import Tone

from hardware.panel_logic import PanelLogic
from hardware.ports import DeviceNews, Link, PressSource, Role, Show, Trouble
from hardware.wiring import Wiring

RETRY_SECONDS = 5.0
"""Seconds between two attempts to open unavailable pins. Another program may have released them."""
OCTAVES = 3
"""Range of the buzzer in octaves above and below A at 440 Hz."""
STEP = 0.01
"""Minimum change of brightness that is written: the resolution of lgpio's duty cycle."""

log = logging.getLogger(__name__)


class NoPins(Exception):
    """No pins are available; `trouble` gives the reason."""

    def __init__(self, trouble: Trouble, detail: str) -> None:
        super().__init__(detail)
        self.trouble = trouble


@dataclass(frozen=True, slots=True)
class Pins:
    """Access to pins: gpiozero's factory, the exceptions of a failing pin, and a name for the user."""

    factory: Any
    faults: tuple[type[Exception], ...]
    name: str


def lgpio_pins(devices: Path = Path("/dev")) -> Pins:
    """Open the pins of this Raspberry Pi. Raises: NoPins."""
    try:
        with _writable_folder():
            import lgpio  # from the system's packages, built for its kernel
            from gpiozero.pins.lgpio import LGPIOFactory
    except (ImportError, OSError) as error:
        raise NoPins(Trouble.FOREIGN, str(error)) from None
    try:
        factory = LGPIOFactory()
    except (GPIOZeroError, OSError, lgpio.error) as error:
        chips = list(devices.glob("gpiochip*"))
        shut = not any(os.access(chip, os.R_OK | os.W_OK) for chip in chips)
        trouble = Trouble.ABSENT if not chips else Trouble.RIGHTS if shut else Trouble.FOREIGN
        raise NoPins(trouble, str(error)) from None
    return Pins(factory, (GPIOZeroError, OSError, lgpio.error), f"gpiochip{factory.chip}")


@contextmanager
def _writable_folder() -> Iterator[None]:
    """Give lgpio a working folder of its own, and restore the program's current folder.

    lgpio creates a pipe in its working folder on import and changes into that folder. This fails if a service has no
    write permission there.
    """
    here = os.getcwd()
    folder = tempfile.mkdtemp(prefix="tapis-vert-pins.")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    os.environ["LG_WD"] = folder
    try:
        yield
    finally:
        os.chdir(here)


class Panel:
    """A `hardware.ports.Device`. Unwired or unavailable parts are missing; the rest works."""

    def __init__(
        self,
        wiring: Wiring,
        pins: Callable[[], Pins] = lgpio_pins,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._wiring, self._pins, self._monotonic = wiring, pins, monotonic
        self._logic = PanelLogic(wiring.buttons)
        self._pin_access: Pins | None = None
        self._buttons: dict[Role, Any] = {}
        self._lamps: dict[Role, Any] = {}
        self._buzzer: Any = None
        self._last_values: dict[object, float | None] = {}
        self._next_try: float | None = None
        self._link = Link(PressSource.PANEL, False, trouble=Trouble.ABSENT)

    @property
    def link(self) -> Link:
        return self._link

    def start(self) -> None:
        self._next_try = self._monotonic()
        self._open()

    def show(self, show: Show) -> None:
        self._logic.show(show, self._monotonic())

    def poll(self) -> Sequence[DeviceNews]:
        now = self._monotonic()
        if self._pin_access is None and self._next_try is not None and now >= self._next_try:
            self._open()
        if self._pin_access is not None:
            with self._guarded():
                for role, button in self._buttons.items():
                    self._logic.sync_level(role, button.is_active, now)
                self._light(now)
        return self._logic.poll(now)

    def close(self) -> None:
        self._next_try = None
        self._release()
        self._link = Link(PressSource.PANEL, False, self._link.name, Trouble.ABSENT)

    # Pins

    def _open(self) -> None:
        """Open all available pins. The panel is online if at least one was opened, or none is wired."""
        self._next_try = self._monotonic() + RETRY_SECONDS
        try:
            pins = self._pins()
        except NoPins as none:
            self._set_link(Link(PressSource.PANEL, False, trouble=none.trouble, detail=str(none)))
            return
        wiring, lost = self._wiring, []
        wanted = [(pin, partial(self._attach_button, pins.factory, role)) for role, pin in wiring.buttons.items()]
        wanted += [(pin, partial(self._attach_lamp, pins.factory, role)) for role, pin in wiring.lamps.items()]
        if wiring.buzzer is not None:
            wanted.append((wiring.buzzer, partial(self._attach_buzzer, pins.factory)))
        for pin, attach in wanted:
            try:
                attach(pin)
            except pins.faults as fault:
                log.warning("GPIO %d is not to be had: %s", pin, fault)
                lost.append(f"GPIO {pin}: {fault}")
        self._pin_access = pins
        if wanted and len(lost) == len(wanted):
            self._release()
            self._set_link(Link(PressSource.PANEL, False, pins.name, Trouble.BUSY, ", ".join(lost)))
        else:
            self._set_link(Link(PressSource.PANEL, True, pins.name, detail=", ".join(lost)))

    def _attach_button(self, factory: Any, role: Role, pin: int) -> None:
        button = DigitalInputDevice(pin, pull_up=self._wiring.closed_low, pin_factory=factory)
        self._logic.set_initial(role, button.is_active)
        button.when_activated = partial(self._edge, role, True)
        button.when_deactivated = partial(self._edge, role, False)
        self._buttons[role] = button

    def _edge(self, role: Role, down: bool) -> None:
        self._logic.edge(role, down, self._monotonic())

    def _attach_lamp(self, factory: Any, role: Role, pin: int) -> None:
        if self._wiring.dimmed:
            try:
                self._lamps[role] = PWMLED(pin, active_high=self._wiring.lit_high, pin_factory=factory)
                return
            except PinPWMUnsupported as fault:
                log.info("the lamp at GPIO %d is not dimmed: %s", pin, fault)
        self._lamps[role] = DigitalOutputDevice(pin, active_high=self._wiring.lit_high, pin_factory=factory)

    def _attach_buzzer(self, factory: Any, pin: int) -> None:
        if self._wiring.tones:
            self._buzzer = TonalBuzzer(pin, octaves=OCTAVES, pin_factory=factory)
        else:
            self._buzzer = DigitalOutputDevice(pin, pin_factory=factory)

    def _light(self, now: float) -> None:
        """Write changed values to lamps and buzzer."""
        shares = self._logic.lamps(now)
        for role, lamp in self._lamps.items():
            share, before = shares[role], self._last_values.get(role)
            if before is None or abs(share - before) >= STEP or (share in (0.0, 1.0) and share != before):
                lamp.value = share if isinstance(lamp, PWMLED) else float(share >= 0.5)
                self._last_values[role] = share
        hertz = self._logic.tone(now)
        if self._buzzer is not None and hertz != self._last_values.get("buzzer"):
            if isinstance(self._buzzer, TonalBuzzer):
                self._buzzer.play(Tone.from_frequency(hertz) if hertz else None)
            else:
                self._buzzer.value = hertz is not None
            self._last_values["buzzer"] = hertz

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        """Set the panel offline if a pin fails, until it is reopened."""
        faults = self._pin_access.faults if self._pin_access else ()
        try:
            yield
        except faults as fault:
            log.warning("the panel failed: %s", fault)
            name = self._pin_access.name if self._pin_access else ""
            self._release()
            self._next_try = self._monotonic() + RETRY_SECONDS
            self._set_link(Link(PressSource.PANEL, False, name, Trouble.GONE, str(fault)))

    def _release(self) -> None:
        """Release every pin, including broken ones. No error here may prevent the application from exiting."""
        opened, self._pin_access = self._pin_access, None
        faults = opened.faults if opened else ()
        parts = [*self._buttons.values(), *self._lamps.values(), *([self._buzzer] if self._buzzer else [])]
        self._buttons, self._lamps, self._buzzer, self._last_values = {}, {}, None, {}
        for part in (*parts, *([opened.factory] if opened else [])):
            try:
                part.close()
            except faults as fault:
                log.info("not given back: %s", fault)
        self._logic.reset()

    def _set_link(self, link: Link) -> None:
        if link != self._link:
            self._link = link
            self._logic.report_link(link)
