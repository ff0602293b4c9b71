"""Chooses panel and tray: the real ones where they are, the simulated ones otherwise; and says which."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from companion.config import Config, ConfigError, pins_file
from companion.games.base import Message
from hardware.ports import Device
from hardware.simulated_panel import SimulatedPanel
from hardware.simulated_tray import SimulatedTray
from hardware.tray import SerialTray
from hardware.tray_line import find
from hardware.wiring import Wiring, WiringError, read_wiring

AUTO, SIMULATED, NONE = "auto", "simulated", "none"
MODEL = Path("/proc/device-tree/model")
"""What the processor's board calls itself: other computers have pins, too, and no panel on them."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """The devices of the table, and which they are, in words."""

    devices: tuple[Device, ...]
    said: tuple[Message, ...]


def choose(
    config: Config,
    config_file: Path,
    monotonic: Callable[[], float],
    *,
    on_a_pi: Callable[[], bool] | None = None,
    port_of: Callable[[str], str | None] = find,
) -> Chosen:
    """Panel and tray as the configuration wants them. Raises ConfigError for a file of pins that cannot be used."""
    panel, on_panel = _panel(config, config_file, monotonic, on_a_pi or _on_a_pi)
    tray, on_tray = _tray(config.hardware.tray, monotonic, port_of)
    said = (Message("cli.device.panel", {"state": on_panel}), Message("cli.device.tray", {"state": on_tray}))
    return Chosen((*panel, *tray), said)


def wiring_of(config: Config, config_file: Path) -> Wiring:
    """The panel's wiring. Raises ConfigError, which names file, section and key."""
    try:
        return read_wiring(pins_file(config, config_file))
    except WiringError as fault:
        near = "_near" if fault.facts.get("near") else ""
        raise ConfigError(Message(f"button.pins.{fault.fault}{near}", fault.facts)) from None


def _panel(
    config: Config, config_file: Path, monotonic: Callable[[], float], on_a_pi: Callable[[], bool]
) -> tuple[Sequence[Device], Message]:
    wanted = config.hardware.panel
    if wanted == NONE:
        return (), Message("cli.device.none")
    if wanted == SIMULATED or (wanted == AUTO and not on_a_pi()):
        return (SimulatedPanel(monotonic),), Message("cli.device.simulated")
    from hardware.panel import Panel  # only where gpiozero is

    return (Panel(wiring_of(config, config_file), monotonic=monotonic),), Message("cli.device.gpio")


def _tray(
    wanted: str, monotonic: Callable[[], float], port_of: Callable[[str], str | None]
) -> tuple[Sequence[Device], Message]:
    """A tray that may be plugged in later is waited for; until then the simulated one stands in."""
    if wanted == NONE:
        return (), Message("cli.device.none")
    if wanted == SIMULATED:
        return (SimulatedTray(monotonic),), Message("cli.device.simulated")
    real, port = SerialTray(wanted, monotonic), port_of(wanted)
    if port is not None:
        return (real,), Message("cli.device.port", {"port": port})
    return (real, SimulatedTray(monotonic)), Message("cli.device.simulated")


def _on_a_pi() -> bool:
    """Whether this is a Raspberry Pi with what drives its pins."""
    try:
        model = MODEL.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    return model.startswith("Raspberry Pi") and importlib.util.find_spec("gpiozero") is not None
