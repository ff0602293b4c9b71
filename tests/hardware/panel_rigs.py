"""A common test interface to the real and the simulated panel: press buttons, read lamps and buzzer."""

from __future__ import annotations

from typing import Protocol

from gpiozero import GPIOZeroError
from gpiozero.pins.mock import MockFactory, MockPWMPin

from companion.clock import ManualClock
from hardware.panel import NoPins, Panel, Pins
from hardware.ports import Device, Role, Trouble
from hardware.simulated import SimulatedPanel
from hardware.wiring import Wiring, read_wiring


class Rig(Protocol):
    """A panel, its clock, and the actions of players."""

    clock: ManualClock
    panel: Device

    def touch(self, role: Role) -> None: ...

    def let_go(self, role: Role) -> None: ...

    def lamp(self, role: Role) -> float: ...

    def tone(self) -> float | None: ...

    def lose(self) -> None: ...

    def give_back(self) -> None: ...


class SimulatedRig:
    """The simulated panel."""

    def __init__(self) -> None:
        self.clock = ManualClock(monotonic=100.0)
        self.panel = SimulatedPanel(self.clock.monotonic)
        self.touch, self.let_go = self.panel.touch, self.panel.let_go
        self.lose, self.give_back = self.panel.unplug, self.panel.plug

    def lamp(self, role: Role) -> float:
        return self.panel.lamps[role]

    def tone(self) -> float | None:
        return self.panel.tone


class GpioRig:
    """The real class on gpiozero's simulated pins."""

    def __init__(self, wiring: Wiring | None = None) -> None:
        self.clock = ManualClock(monotonic=100.0)
        self.wiring = wiring if wiring is not None else read_wiring()
        self.factory = MockFactory(pin_class=MockPWMPin)
        self.there = True
        self.panel = Panel(self.wiring, self.pins, self.clock.monotonic)

    def pins(self) -> Pins:
        if not self.there:
            raise NoPins(Trouble.ABSENT, "no chip")
        return Pins(self.factory, (GPIOZeroError, OSError), "mock")

    def touch(self, role: Role) -> None:
        self._drive(role, pressed=True)

    def let_go(self, role: Role) -> None:
        self._drive(role, pressed=False)

    def _drive(self, role: Role, pressed: bool) -> None:
        pin = self.factory.pin(self.wiring.buttons[role])
        if pressed == self.wiring.closed_low:
            pin.drive_low()
        else:
            pin.drive_high()

    def lamp(self, role: Role) -> float:
        pin = self.factory.pin(self.wiring.lamps[role])
        if pin.function == "input":
            return 0.0
        return float(pin.state if self.wiring.lit_high else 1 - pin.state)

    def tone(self) -> float | None:
        assert self.wiring.buzzer is not None
        pin = self.factory.pin(self.wiring.buzzer)
        return pin.frequency if pin.state else None

    def lose(self) -> None:
        """Let the pins fail at the next poll, as if their driver were gone."""
        self.there = False

        def fails(*_: object) -> float:
            raise OSError("no such device")

        for pin in self.wiring.buttons.values():
            self.factory.pin(pin)._get_state = fails
        self.panel.poll()

    def give_back(self) -> None:
        self.there = True
        self.factory = MockFactory(pin_class=MockPWMPin)
        self.clock.advance(10)
        self.panel.poll()
