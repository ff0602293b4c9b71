"""The screen: what draws on it, how large it is, and whether it feels fingers."""

from __future__ import annotations

import re
from pathlib import Path

from companion.commands.system.checks.said import found, good, look, missing
from companion.commands.system.checks.system import System
from companion.table.health import Check, Fact

SESSIONS = ("WAYLAND_DISPLAY", "DISPLAY")
_DEVICES = re.compile(r'N: Name="([^"]*)".*?H: Handlers=([^\n]*).*?B: ABS=([0-9a-f ]+)', re.DOTALL)
MULTITOUCH = 1 << 53
"""The bit of ABS_MT_POSITION_X (linux/input-event-codes.h): only touch screens and pads have it."""
DIRECT = 1 << 1
"""The bit of INPUT_PROP_DIRECT: what is touched is what is seen."""


def display(system: System, width_mm: float | None = None) -> Check:
    """A desktop's session, else an output that the kernel can draw on (KMSDRM)."""
    driver = system.environ.get("SDL_VIDEODRIVER", "")
    connected = [
        path.parent for path in system.all("/sys/class/drm/card*-*/status") if system.text(path) == "connected"
    ]
    facts = [*_sizes(system, connected), *([found("width", mm=round(width_mm))] if width_mm else [])]
    for name in SESSIONS:
        if system.environ.get(name) and driver not in ("kmsdrm", "offscreen"):
            return good("display", f"{name} {system.environ[name]}", *facts)
    if not connected:
        return missing("display", found("nothing"), do="no_display")
    closed = [path for path in system.all("/dev/dri/card*") if not system.open_to_us(path)]
    if closed:
        return look("display", *facts, system.shown(closed[0]), do="group", group="video")
    return good("display", "KMSDRM", *facts)


def _sizes(system: System, outputs: list[Path]) -> list[Fact]:
    """Each connected output with its pixels and, where it tells them (EDID), its centimetres."""
    facts: list[Fact] = []
    for output in outputs:
        name = output.name.partition("-")[2]
        mode = (system.text(output / "modes") or "").partition("\n")[0]
        facts.append(f"{name} {mode}".strip())
        edid = _bytes(output / "edid")
        if len(edid) > 22 and edid[21] and edid[22]:
            facts.append(found("centimetres", wide=edid[21], high=edid[22]))
    return facts


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


def touch(system: System) -> Check:
    """A screen that feels fingers, and whether we may hear it."""
    listed = system.text("/proc/bus/input/devices") or ""
    for block in listed.split("\n\n"):
        device = _DEVICES.search(block)
        if device is None or not _lowest(device[3]) & MULTITOUCH or not _direct(block):
            continue
        events = [word for word in device[2].split() if word.startswith("event")]
        closed = [event for event in events if not _readable(system.path(f"/dev/input/{event}"))]
        if closed and not any(system.environ.get(name) for name in SESSIONS):
            return look("touch", device[1], f"/dev/input/{closed[0]}", do="group", group="input")
        return good("touch", device[1])
    return missing("touch", found("nothing"), do="no_touch")


def _direct(block: str) -> bool:
    properties = re.search(r"B: PROP=([0-9a-f ]+)", block)
    return properties is None or bool(_lowest(properties[1]) & DIRECT)


def _readable(path: Path) -> bool:
    try:
        with path.open("rb"):
            return True
    except OSError:
        return False


def _lowest(words: str) -> int:
    """A bitmap of less than 64 bits as the kernel writes it: one word, or two of a 32-bit program, the lowest last."""
    parts = [int(word, 16) for word in words.split()]
    return parts[-1] | (parts[-2] << 32 if len(parts) > 1 else 0)
