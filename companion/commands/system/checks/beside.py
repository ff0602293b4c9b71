"""What stands beside the screen: the panel of buttons on its pins, the lit tray on its port."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from companion.commands.system.checks.said import found, good, look, missing, off
from companion.commands.system.checks.system import System
from companion.games.base import Message
from companion.table.health import Check, Fact, Health
from hardware.ports import Link, Source, Trouble
from hardware.tray_line import AUTO, waits_for_uf2
from hardware.wiring import WiringError, read_wiring

NONE, SIMULATED = "none", "simulated"
Greet = Callable[[str], Link]
"""Opens the tray on a port for a moment and tells how it is."""


def panel(system: System, wanted: str, pins: Path | None, links: Sequence[Link] = ()) -> Check:
    """The pins, the wiring's file, the driver; and, told by an app that has the panel open, how it is."""
    if wanted == NONE:
        return off("panel", found("panel_off"), do="panel_off")
    try:
        wiring = read_wiring(pins)
    except WiringError as fault:
        return look(
            "panel", _wrong_pins(fault), do="pins" if pins and pins.exists() else "pins_missing", file=str(pins)
        )
    wired = (found("buttons", n=len(wiring.buttons)), found("lamps", n=len(wiring.lamps)))
    if wanted == SIMULATED:
        return good("panel", found("simulated"), *wired)
    link = _link(links, Source.PANEL)
    if link is not None and link.online:
        return good("panel", link.name, *wired)
    return _panel_pins(system, wanted, link, wired)


def _panel_pins(system: System, wanted: str, link: Link | None, wired: tuple[Fact, ...]) -> Check:
    """Check the GPIO chips and their driver, for a panel that is not known to be online."""
    on_a_pi = (system.text("/proc/device-tree/model") or "").startswith("Raspberry Pi")
    chips = system.all("/dev/gpiochip*") if on_a_pi or wanted != AUTO else []
    if not chips:
        return missing("panel", found("no_pins"), do="no_panel")
    shown = ", ".join(system.shown(chip) for chip in chips)
    if not any(system.open_to_us(chip) for chip in chips):
        return look("panel", shown, do="group", group="gpio")
    if not system.module("lgpio"):
        return look("panel", shown, do="install", package="python3-lgpio")
    if link is not None and link.trouble is not None:
        return _troubled("panel", link, shown)
    return good("panel", shown, *wired)


def tray(system: System, wanted: str, greet: Greet | None = None, links: Sequence[Link] = ()) -> Check:
    """The tray's port and, where nobody else has it, what the tray itself answers when it is greeted.

    `links` are those of an app that has the tray open; then it is not greeted.
    """
    if wanted == NONE:
        return off("tray", found("tray_off"), do="tray_off")
    if wanted == SIMULATED:
        return good("tray", found("simulated"))
    port = _port(system, wanted)
    if port is None:
        if waits_for_uf2(system.path("/sys/bus/usb/devices")):
            return look("tray", found("tray_empty"), do="tray_flash")
        if wanted != AUTO:
            return missing("tray", found("not_there", place=wanted), do="tray_named", place=wanted)
        return missing("tray", found("nothing"), do="no_tray")
    if not system.open_to_us(port):
        return look("tray", system.shown(port), do="group", group="dialout")
    link = _link(links, Source.TRAY) or (greet(str(port)) if greet else None)
    if link is None:
        return good("tray", system.shown(port))
    if link.online:
        return good("tray", system.shown(port), *_detail(link))
    return _troubled("tray", link, system.shown(port))


def _port(system: System, wanted: str) -> Path | None:
    if wanted != AUTO:
        named = system.path(wanted)
        return named if named.exists() else None
    return next(iter(system.all("/dev/ttyACM*")), None)


def _link(links: Sequence[Link], source: Source) -> Link | None:
    return next((link for link in links if link.source is source and not link.simulated), None)


def _troubled(part: str, link: Link, place: str) -> Check:
    """A device that cannot be used, with what to do about it in the words of the devices."""
    trouble = link.trouble or Trouble.SILENT
    return Check(part, Health.LOOK, (place, *_detail(link)), Message(f"button.trouble.{trouble}"))


def _wrong_pins(fault: WiringError) -> Message:
    near = "_near" if fault.facts.get("near") else ""
    return Message(f"button.pins.{fault.fault}{near}", fault.facts)


def _detail(link: Link) -> tuple[Fact, ...]:
    return (link.detail,) if link.detail else ()
