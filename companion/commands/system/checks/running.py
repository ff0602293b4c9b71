"""What keeps the table running: time, power, heat, services, versions."""

from __future__ import annotations

import platform
import re
import sys
from datetime import UTC, datetime
from importlib import metadata

import apsw
import cv2

from companion import __version__
from companion.commands.system.checks.said import found, good, look, off
from companion.commands.system.checks.system import System
from companion.table.health import Check, Fact

NEVER_SET = datetime(2026, 1, 1, tzinfo=UTC)
"""A clock that shows an earlier time was never set: a Raspberry Pi without a battery starts in the past."""
SYNCHRONISED = "/run/systemd/timesync/synchronized"
"""There as soon as systemd-timesyncd has had the time from the network since the start."""

TOO_HOT = 80.0
"""Degrees Celsius at which a Raspberry Pi begins to slow down."""
LOW_NOW, SLOWED, LOW_BEFORE = 1 << 0, 1 << 2 | 1 << 3, 1 << 16
"""Bits of `get_throttled`: voltage too low now; slowed down, or at the soft limit of heat; too low since the start."""

SERVICE, MANAGED = "tapis-vert.service", "/run/systemd/system"
RESTARTS = 3
"""Restarts of the service since the computer's start from which on something is wrong."""

NOTED_PACKAGES = ("kivy", "opencv-python-headless", "numpy", "onnxruntime", "apsw", "msgspec")


def versions() -> Check:
    """The program, Python, and the packages that matter, SQLite (apsw's own) included."""
    facts = [f"tapis-vert {__version__}", f"Python {platform.python_version()}", f"SQLite {apsw.sqlite_lib_version()}"]
    lacking = []
    for name in NOTED_PACKAGES:
        try:
            facts.append(f"{name} {metadata.version(name)}")
        except metadata.PackageNotFoundError:
            if not (name == "opencv-python-headless" and cv2.__version__):
                lacking.append(name)
    if not (3, 11) <= sys.version_info[:2] <= (3, 13):
        return look("versions", *facts, do="python")
    if lacking:
        return look("versions", *facts, do="packages", names=", ".join(lacking))
    return good("versions", *facts)


def clock(system: System) -> Check:
    """The date, which every journal line carries: set by the network, or kept by a battery."""
    present = system.now()
    facts: list[Fact] = [f"{present:%Y-%m-%d %H:%M %Z}".strip()]
    if present < NEVER_SET:
        return look("clock", *facts, do="clock")
    battery = bool(system.all("/sys/class/rtc/rtc*"))
    if battery:
        facts.append(found("battery"))
    synchronised = _synchronised(system)
    if synchronised:
        return good("clock", *facts, found("network_time"))
    if synchronised is None or battery:
        return good("clock", *facts)
    return look("clock", *facts, found("no_network_time"), do="clock")


def _synchronised(system: System) -> bool | None:
    """Whether the network has set the time since the start; None where nobody can tell."""
    if system.path(SYNCHRONISED).exists():
        return True
    told = system.says("timedatectl", "show", "--property=NTPSynchronized", "--value")
    return None if told is None or told.strip() not in ("yes", "no") else told.strip() == "yes"


def power(system: System) -> Check:
    """Whether a Raspberry Pi gets the voltage it needs; dips, too, ruin cards."""
    bits = _throttled(system)
    if bits is None:
        return good("power", found("not_measured"))
    if bits & LOW_NOW:
        return look("power", found("low_now"), f"0x{bits:x}", do="power")
    if bits & LOW_BEFORE:
        return look("power", found("low_before"), f"0x{bits:x}", do="power")
    return good("power", found("steady"))


def processor(system: System) -> Check:
    """How hot it is and whether it had to slow down."""
    told = [system.text(path) or "" for path in system.all("/sys/class/thermal/thermal_zone*/temp")]
    degrees = [int(text) / 1000 for text in told if re.fullmatch(r"-?\d+", text)]
    bits = _throttled(system) or 0
    model = system.text("/proc/device-tree/model")
    facts: list[Fact] = [model] if model else []
    if degrees:
        facts.append(f"{max(degrees):.0f} °C")
    if (degrees and max(degrees) >= TOO_HOT) or bits & SLOWED:
        return look("processor", *facts, do="hot")
    return good("processor", *(facts or [found("not_measured")]))


def _throttled(system: System) -> int | None:
    """The bits that the firmware keeps, told by the kernel or by its own program; None on other computers."""
    told = [
        text
        for path in system.all("/sys/devices/platform/soc*/soc*:firmware/get_throttled")
        if (text := system.text(path))
    ]
    if not told:
        answered = system.says("vcgencmd", "get_throttled") or ""
        told = [answered.strip().partition("throttled=0x")[2]]
    try:
        return int(told[0], 16)
    except ValueError:
        return None


def service(system: System) -> Check:
    """Whether the table starts by itself, and how often it had to be started again."""
    if not system.path(MANAGED).is_dir():
        return off("service", found("no_systemd"), do="service")
    wanted = "--property=LoadState,ActiveState,UnitFileState,NRestarts,Result"
    told = system.says("systemctl", "show", SERVICE, wanted) or ""
    state = dict(line.split("=", 1) for line in told.splitlines() if "=" in line)
    if state.get("LoadState", "not-found") == "not-found":
        return off("service", found("not_installed"), do="service")
    restarts = state.get("NRestarts", "0")
    facts = (SERVICE, state.get("ActiveState", ""))
    if state.get("ActiveState") == "failed":
        return look("service", *facts, state.get("Result", ""), do="service_failed")
    if restarts.isdecimal() and int(restarts) >= RESTARTS:
        return look("service", *facts, found("restarts", n=int(restarts)), do="service_failed")
    if state.get("UnitFileState") not in ("enabled", "static", "enabled-runtime"):
        return off("service", *facts, do="service_enable")
    return good("service", *facts)
