"""What the doctor looks at, one function a part: what was found, and the one thing to do where it is not right."""

from __future__ import annotations

import importlib.util
import os
import platform
import shutil
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from importlib import metadata, resources
from pathlib import Path

import apsw
import cv2

from companion import __version__
from companion.games.base import Message
from companion.table.health import Check, Health
from companion.voice import player

LEAST_FREE = 200 * 1024 * 1024
"""Bytes: some thousand matches with their pictures."""

NEVER_SET = datetime(2026, 1, 1, tzinfo=UTC)
"""A clock that shows an earlier time was never set: a Raspberry Pi without a battery starts in the past."""

TOO_HOT = 80.0
"""Degrees Celsius at which a Raspberry Pi begins to slow down."""
LOW_VOLTAGE = 1
"""The bit of `get_throttled` that says that the voltage is too low now."""

NOTHING = "–"
NOTED_PACKAGES = ("kivy", "opencv-python-headless", "numpy", "onnxruntime", "apsw", "msgspec")


def versions() -> Check:
    """The program, Python, and the packages that matter, SQLite (apsw's own) included."""
    found = [f"tapis-vert {__version__}", f"Python {platform.python_version()}", f"SQLite {apsw.sqlite_lib_version()}"]
    missing = []
    for name in NOTED_PACKAGES:
        try:
            found.append(f"{name} {metadata.version(name)}")
        except metadata.PackageNotFoundError:
            if not (name == "opencv-python-headless" and cv2.__version__):
                missing.append(name)
    if not (3, 11) <= sys.version_info[:2] <= (3, 13):
        return Check("versions", Health.LOOK, ", ".join(found), Message("cli.remedy.python"))
    if missing:
        remedy = Message("cli.remedy.packages", {"names": ", ".join(missing)})
        return Check("versions", Health.LOOK, ", ".join(found), remedy)
    return Check("versions", Health.OK, ", ".join(found))


def reader_model() -> Check:
    """The networks that read the dice."""
    folder = resources.files("vision") / "models"
    models = sorted(file.name for file in folder.iterdir() if file.name.endswith(".onnx")) if folder.is_dir() else []
    if not models:
        return Check("reader", Health.LOOK, NOTHING, Message("cli.remedy.models"))
    return Check("reader", Health.OK, ", ".join(models))


def camera(devices: Path = Path("/dev")) -> Check:
    """A Pi camera (picamera2) or a webcam (V4L2)."""
    webcams = sorted(str(path) for path in devices.glob("video*"))
    has_picamera = importlib.util.find_spec("picamera2") is not None
    if has_picamera:
        return Check("camera", Health.OK, "picamera2" + (f", {', '.join(webcams)}" if webcams else ""))
    if webcams:
        return Check("camera", Health.OK, ", ".join(webcams))
    return Check("camera", Health.ABSENT, NOTHING, Message("cli.remedy.no_camera"))


def gpio(devices: Path = Path("/dev")) -> Check:
    """The pins for the button panel."""
    chips = sorted(str(path) for path in devices.glob("gpiochip*"))
    if not chips:
        return Check("gpio", Health.ABSENT, NOTHING, Message("cli.remedy.no_gpio"))
    readable = [chip for chip in chips if os.access(chip, os.R_OK | os.W_OK)]
    if not readable:
        return Check("gpio", Health.LOOK, ", ".join(chips), Message("cli.remedy.group", {"group": "gpio"}))
    if importlib.util.find_spec("lgpio") is None:
        return Check(
            "gpio", Health.LOOK, ", ".join(readable), Message("cli.remedy.install", {"package": "python3-lgpio"})
        )
    return Check("gpio", Health.OK, ", ".join(readable))


def tray(devices: Path = Path("/dev")) -> Check:
    """The lit tray's serial port."""
    ports = sorted(str(path) for path in devices.glob("ttyACM*"))
    if not ports:
        return Check("tray", Health.ABSENT, NOTHING, Message("cli.remedy.no_tray"))
    if not any(os.access(port, os.R_OK | os.W_OK) for port in ports):
        return Check("tray", Health.LOOK, ", ".join(ports), Message("cli.remedy.group", {"group": "dialout"}))
    return Check("tray", Health.OK, ", ".join(ports))


def display(cards: Path = Path("/sys/class/drm")) -> Check:
    """A desktop session or a connected output."""
    for name in ("WAYLAND_DISPLAY", "DISPLAY"):
        if os.environ.get(name):
            return Check("display", Health.OK, f"{name} {os.environ[name]}")
    connected = [path.parent.name for path in cards.glob("card*-*/status") if path.read_text().strip() == "connected"]
    if connected:
        return Check("display", Health.OK, ", ".join(sorted(connected)))
    return Check("display", Health.ABSENT, NOTHING, Message("cli.remedy.no_display"))


def sound() -> Check:
    """The voice's program."""
    program = shutil.which("espeak-ng")
    if program is None:
        return Check("sound", Health.ABSENT, NOTHING, Message("cli.remedy.install", {"package": "espeak-ng"}))
    return Check("sound", Health.OK, program)


def tones() -> Check:
    """The player of the short sounds."""
    command = player.find()
    if command is None:
        return Check("tones", Health.ABSENT, NOTHING, Message("cli.remedy.install", {"package": "alsa-utils"}))
    return Check("tones", Health.OK, command[0])


def processor(zones: Path = Path("/sys/class/thermal"), platform_: Path = Path("/sys/devices/platform")) -> Check:
    """How hot it is and, on a Raspberry Pi, whether it had to slow down."""
    degrees = [int(path.read_text()) / 1000 for path in sorted(zones.glob("thermal_zone*/temp"))]
    throttled = [int(path.read_text(), 16) for path in sorted(platform_.glob("soc*/soc:firmware/get_throttled"))]
    found = ", ".join([*(f"{max(degrees):.0f} °C" for _ in degrees[:1]), *(f"0x{bits:x}" for bits in throttled[:1])])
    if any(bits & LOW_VOLTAGE for bits in throttled):
        return Check("processor", Health.LOOK, found, Message("cli.remedy.power"))
    if degrees and max(degrees) >= TOO_HOT:
        return Check("processor", Health.LOOK, found, Message("cli.remedy.hot"))
    return Check("processor", Health.OK if found else Health.ABSENT, found or NOTHING)


def disk(folder: Path) -> Check:
    """Room and right to write where the matches are kept."""
    place = folder
    while not place.exists():
        place = place.parent
    if not place.is_dir() or not os.access(place, os.W_OK | os.X_OK):
        return Check("disk", Health.LOOK, str(folder), Message("cli.remedy.disk_rights", {"place": str(place)}))
    free = shutil.disk_usage(place).free
    found = f"{folder}: {free // 2**20} MiB"
    if free < LEAST_FREE:
        return Check("disk", Health.LOOK, found, Message("cli.remedy.disk_room"))
    return Check("disk", Health.OK, found)


def clock(now: Callable[[], datetime]) -> Check:
    """The date, which every journal line carries."""
    present = now()
    shown = present.isoformat(timespec="seconds")
    if present < NEVER_SET:
        return Check("clock", Health.LOOK, shown, Message("cli.remedy.clock"))
    return Check("clock", Health.OK, shown)
