"""What the doctor looks at, one function a part: what was found, and the one thing to do where it is not right."""

from __future__ import annotations

import importlib.util
import os
import platform
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from importlib import metadata, resources
from pathlib import Path

import apsw
import cv2

from companion import __version__
from companion.games.base import Message

LEAST_FREE = 200 * 1024 * 1024
"""Bytes: some thousand matches with their pictures."""

NEVER_SET = datetime(2026, 1, 1, tzinfo=UTC)
"""A clock that shows an earlier time was never set: a Raspberry Pi without a battery starts in the past."""

NOTHING = "–"
NOTED_PACKAGES = ("kivy", "opencv-python-headless", "numpy", "onnxruntime", "apsw", "msgspec")


class Health(StrEnum):
    """In order, worth a look, or not there (which may be right: every part but the disk has a substitute)."""

    OK = "ok"
    LOOK = "look"
    ABSENT = "absent"


@dataclass(frozen=True, slots=True)
class Check:
    """One part: what was found, and the remedy when something can be done about it."""

    part: str
    health: Health
    found: str
    remedy: Message | None = None


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
