"""The eyes of the table: the camera, and the nets that read what it sees."""

from __future__ import annotations

import os
import re
from hashlib import sha256
from pathlib import Path

from companion.commands.system.checks.said import found, good, look, missing, off
from companion.commands.system.checks.system import System
from companion.games.base import Message
from companion.table.health import Check, Fact, Health
from vision.calibration import record
from vision.calibration_words import health_of
from vision.cameras import webcam
from vision.cameras.protocol import SourceError
from vision.cameras.sources import PICTURE_ENDINGS, Clip, Folder
from vision.models import FOLDER as MODELS
from vision.pictures import quieten

AUTO, NONE, PICAMERA, WEBCAM = "auto", "none", "picamera", "camera:"
SIMULATED, DRAWN = "simulated", "drawn:"
LISTERS = ("rpicam-hello", "libcamera-hello")
"""The programs that list a Raspberry Pi's cameras: of Raspberry Pi OS since 2023, and before."""
_LISTED = re.compile(r"^\s*\d+ : (\S+) \[([^\]]*)\]", re.MULTILINE)
_NAMED = re.compile(r"`([\w.]+\.onnx)`.*`([0-9a-f]{64})`")

MODULES = {
    "imx708": "Camera Module 3",
    "imx219": "Camera Module 2",
    "ov5647": "Camera Module 1",
    "imx477": "High Quality Camera",
    "imx296": "Global Shutter Camera",
    "imx500": "AI Camera",
}
"""Sensors of Raspberry Pi's cameras, as libcamera calls them."""


def camera(system: System, source: str, calibration: Path) -> Check:
    """The camera that the settings ask for, and how it was set up over the tray (the file `calibration`)."""
    seen = _camera(system, source)
    live = source in (AUTO, PICAMERA) or source.startswith(WEBCAM)
    return _calibrated(seen, calibration) if live and seen.health is Health.OK else seen


def _calibrated(seen: Check, file: Path) -> Check:
    """A camera that works, with when it was calibrated, how well, and what to mend first."""
    try:
        kept = record.load(file)
    except record.Unreadable as fault:
        return look("camera", *seen.found, str(fault), do="calibrate")
    if kept is None:
        return look("camera", *seen.found, found("not_calibrated"), do="calibrate")
    figure, mend = health_of(kept.found())
    facts = (*seen.found, found("calibrated", day=kept.made[:10], n=figure))
    return Check("camera", Health.LOOK, facts, Message(f"calibration.mend.{mend}")) if mend else good("camera", *facts)


def _camera(system: System, source: str) -> Check:
    """With `auto` a Raspberry Pi's, else the first webcam."""
    if source == NONE:
        return off("camera", found("camera_off"), do="camera_off")
    if source == PICAMERA or (source == AUTO and system.module("picamera2")):
        return _pi_camera(system)
    if source == AUTO:
        numbers = webcam.present(system.path("/dev"), system.path("/sys/class/video4linux"))
        if not numbers:
            return missing("camera", found("nothing"), do="no_camera")
        return _webcam(system, numbers[0])
    if source.startswith(WEBCAM):
        return _webcam(system, int(source.removeprefix(WEBCAM)))
    if source == SIMULATED or source.startswith(DRAWN):
        return good("camera", source)
    return _recording(system, source)


def _recording(system: System, source: str) -> Check:
    """A clip, a picture or a folder of them, opened as the table does. A relative path is from where it runs."""
    path = system.path(source) if os.path.isabs(source) else Path(source)
    if not path.exists():
        return look("camera", found("not_there", place=source), do="camera_path")
    if not os.access(path, os.R_OK | os.X_OK if path.is_dir() else os.R_OK, effective_ids=True):
        return look("camera", source, do="camera_rights", place=source)
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")  # what is wrong with a clip is said here
    quieten()
    still = path.is_dir() or path.suffix.lower() in PICTURE_ENDINGS
    recording = Folder(path) if still else Clip(path)
    try:
        recording.open()
    except SourceError:
        return look("camera", found("no_recording", place=source), do="camera_path")
    recording.close()
    return good("camera", source)


def _webcam(system: System, number: int) -> Check:
    place = f"/dev/video{number}"
    path = system.path(place)
    name = system.text(f"/sys/class/video4linux/video{number}/name")
    facts: tuple[Fact, ...] = (name, place) if name else (place,)
    if not path.exists():
        return missing("camera", found("not_there", place=place), do="camera_named", place=place)
    if not system.open_to_us(path):
        return look("camera", *facts, do="group", group="video")
    return good("camera", *facts)


def _pi_camera(system: System) -> Check:
    """Through the system's own lister, which tells the truth while the app has the camera."""
    if not system.module("picamera2"):
        return missing("camera", found("no_picamera"), do="install", package="python3-picamera2")
    cameras = on_ribbon(system)
    if cameras is None:
        return look("camera", "picamera2", do="install", package="rpicam-apps")
    if not cameras:
        return missing("camera", "picamera2", found("no_ribbon"), do="ribbon")
    sensor, modes = cameras[0]
    named = MODULES.get(sensor.removesuffix("_noir").removesuffix("_wide"), sensor)
    closed = [path for path in system.all("/dev/media*") if not system.open_to_us(path)]
    if closed:
        return look("camera", named, system.shown(closed[0]), do="group", group="video")
    return good("camera", named, *([modes.split(" ")[0]] if modes else []))


def on_ribbon(system: System) -> list[tuple[str, str]] | None:
    """Sensor and largest picture of each camera on a ribbon; None where no program can tell."""
    lister = next((name for name in LISTERS if system.program(name)), None)
    listed = system.says(lister, "--list-cameras") if lister else None
    return None if listed is None else _LISTED.findall(listed)


def reader(folder: Path = MODELS) -> Check:
    """The nets that read the dice, each as its card says: a file that was cut or changed reads wrongly, silently."""
    card = folder / "CARD.md"
    told = dict(_NAMED.findall(card.read_text(encoding="utf-8"))) if card.exists() else {}
    if not told:
        return look("reader", found("no_card"), do="models")
    wrong = [name for name, digest in told.items() if _digest(folder / name) != digest]
    if wrong:
        return look("reader", found("nets_differ", names=", ".join(wrong)), do="models")
    return good("reader", *(f"{name} {digest[:8]}" for name, digest in told.items()))


def _digest(path: Path) -> str:
    return sha256(path.read_bytes()).hexdigest() if path.exists() else ""
