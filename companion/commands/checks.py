"""The doctor's checks, one function for each part. Each is given the system to examine."""

from __future__ import annotations

import asyncio
import errno
import importlib.util
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from importlib import metadata
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic

import apsw
import cv2

from companion import __version__
from companion.clock import SystemClock
from companion.config import AUTO, NONE, PICAMERA, SIMULATED, Config, ConfigError, read_config
from companion.games.base import Message
from companion.journal.database import SUMS_VERSION, open_for_reading, read_rows, version_of
from companion.journal.integrity import DamagedMatch, find_damaged_matches
from companion.journal.store_files import STORE_FILE, StoreFiles
from companion.language import quoted, reason_of
from companion.link.link_state import STATE_FILE, peek_state
from companion.messages.token import Token, join_fault, parse_address, parse_token
from companion.table.health import Check, CheckDetail, Health
from companion.voice.tones import find_player
from hardware.ports import Link, PressSource, Trouble
from hardware.tray import GREETING_SECONDS, SerialTray, waits_for_uf2
from hardware.wiring import WiringError, read_wiring
from vision.calibration import record
from vision.calibration_messages import overall_health
from vision.cameras import webcam
from vision.cameras.protocol import SourceError
from vision.cameras.sources import PICTURE_ENDINGS, Clip, Folder
from vision.models import FOLDER as MODELS
from vision.pictures import silence_opencv


def detail(id: str, **args: object) -> Message:
    """Return a finding (`doctor.found.…`)."""
    return Message(f"doctor.found.{id}", args)


def ok(part: str, *facts: CheckDetail) -> Check:
    """Return a check result: in order."""
    return Check(part, Health.OK, facts)


def needs_attention(part: str, *facts: CheckDetail, remedy: str, **args: object) -> Check:
    """Return a check result: needs attention. `remedy` is the next step (`doctor.next.…`)."""
    return Check(part, Health.ATTENTION, facts, Message(f"doctor.next.{remedy}", args))


def missing(part: str, *facts: CheckDetail, remedy: str, **args: object) -> Check:
    """Return a check result: missing. The table works without this part."""
    return Check(part, Health.MISSING, facts, Message(f"doctor.next.{remedy}", args))


def off(part: str, *facts: CheckDetail, remedy: str, **args: object) -> Check:
    """Return a check result: disabled in the settings, or not set up."""
    return Check(part, Health.OFF, facts, Message(f"doctor.next.{remedy}", args))


# Access of the checks to the computer: files below a root, programs on a search path, the clock. Injected.


COMMAND_TIMEOUT_S = 6.0
"""Timeout of an external program in seconds."""


@dataclass(frozen=True, slots=True)
class System:
    """The examined system. Paths are absolute (`/dev/video0`) and looked up below `root`. No read raises."""

    root: Path = Path("/")
    environ: Mapping[str, str] = field(default_factory=lambda: os.environ)
    now: Callable[[], datetime] = field(default_factory=lambda: SystemClock().now)
    timeout_s: float = COMMAND_TIMEOUT_S

    def path(self, place: str) -> Path:
        """Return the path of a place below the root."""
        return self.root / place.lstrip("/")

    def display_path(self, path: Path) -> str:
        """Return a path as the system names it."""
        return "/" + str(path.relative_to(self.root)) if self.root != Path("/") else str(path)

    def text(self, place: str | Path) -> str | None:
        """Return the content of a small file, without surrounding white space and NUL; None if it is unreadable."""
        path = place if isinstance(place, Path) else self.path(place)
        try:
            return path.read_bytes().decode("utf-8", "replace").strip("\0 \t\r\n")
        except OSError:
            return None

    def glob(self, pattern: str) -> list[Path]:
        """Return the matching paths in natural order: `video2` before `video10`."""
        return sorted(self.root.glob(pattern.lstrip("/")), key=lambda path: (len(str(path)), str(path)))

    def is_accessible(self, path: Path) -> bool:
        """Return True if the path is readable and writable."""
        return is_writable(path, os.R_OK | os.W_OK)

    def program(self, name: str) -> str | None:
        """Return the path of a program, None if it is not installed."""
        return shutil.which(name, path=self.environ.get("PATH", os.defpath))

    def output_of(self, name: str, *arguments: str) -> str | None:
        """Return the output of a program; None if it is missing, fails or times out."""
        found = self.program(name)
        if found is None:
            return None
        environment = {**self.environ, "LC_ALL": "C"}
        try:
            done = subprocess.run(
                [found, *arguments],
                capture_output=True,
                timeout=self.timeout_s,
                env=environment,
                stdin=subprocess.DEVNULL,
            )
        except (OSError, subprocess.TimeoutExpired):
            return None
        return (done.stdout + done.stderr).decode("utf-8", "replace") if done.returncode == 0 else None

    def has_module(self, name: str) -> bool:
        """Return True if a Python package is installed."""
        return importlib.util.find_spec(name) is not None


def is_writable(path: Path, mode: int = os.W_OK) -> bool:
    """Return True if the effective user may write the path, or has the access in `mode`."""
    return os.access(path, mode, effective_ids=True)


# Display: driver, size, and touch input.


SESSIONS = ("WAYLAND_DISPLAY", "DISPLAY")
_DEVICE_BLOCK = re.compile(r'N: Name="([^"]*)".*?H: Handlers=([^\n]*).*?B: ABS=([0-9a-f ]+)', re.DOTALL)
MULTITOUCH = 1 << 53
"""Bit of ABS_MT_POSITION_X (linux/input-event-codes.h): only touchscreens and touchpads have it."""
DIRECT = 1 << 1
"""Bit of INPUT_PROP_DIRECT: a touchscreen, not a touchpad."""


def display(system: System, width_mm: float | None = None) -> Check:
    """Check the display: a desktop session, else an output that supports KMSDRM."""
    driver = system.environ.get("SDL_VIDEODRIVER", "")
    connected = [
        path.parent for path in system.glob("/sys/class/drm/card*-*/status") if system.text(path) == "connected"
    ]
    facts = [*_sizes(system, connected), *([detail("width", mm=round(width_mm))] if width_mm else [])]
    for name in SESSIONS:
        if system.environ.get(name) and driver not in ("kmsdrm", "offscreen"):
            return ok("display", f"{name} {system.environ[name]}", *facts)
    if not connected:
        return missing("display", detail("nothing"), remedy="no_display")
    closed = [path for path in system.glob("/dev/dri/card*") if not system.is_accessible(path)]
    if closed:
        return needs_attention("display", *facts, system.display_path(closed[0]), remedy="group", group="video")
    return ok("display", "KMSDRM", *facts)


def _sizes(system: System, outputs: list[Path]) -> list[CheckDetail]:
    """Return each connected output with its resolution and, from EDID, its size in centimetres."""
    facts: list[CheckDetail] = []
    for output in outputs:
        name = output.name.partition("-")[2]
        mode = (system.text(output / "modes") or "").partition("\n")[0]
        facts.append(f"{name} {mode}".strip())
        edid = _bytes(output / "edid")
        if len(edid) > 22 and edid[21] and edid[22]:
            facts.append(detail("centimetres", wide=edid[21], high=edid[22]))
    return facts


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


def touch(system: System) -> Check:
    """Check for a touchscreen, and for access to its events."""
    listed = system.text("/proc/bus/input/devices") or ""
    for block in listed.split("\n\n"):
        device = _DEVICE_BLOCK.search(block)
        if device is None or not _lowest_bits(device[3]) & MULTITOUCH or not _is_direct(block):
            continue
        events = [word for word in device[2].split() if word.startswith("event")]
        closed = [event for event in events if not _is_readable(system.path(f"/dev/input/{event}"))]
        if closed and not any(system.environ.get(name) for name in SESSIONS):
            return needs_attention("touch", device[1], f"/dev/input/{closed[0]}", remedy="group", group="input")
        return ok("touch", device[1])
    return missing("touch", detail("nothing"), remedy="no_touch")


def _is_direct(block: str) -> bool:
    properties = re.search(r"B: PROP=([0-9a-f ]+)", block)
    return properties is None or bool(_lowest_bits(properties[1]) & DIRECT)


def _is_readable(path: Path) -> bool:
    try:
        with path.open("rb"):
            return True
    except OSError:
        return False


def _lowest_bits(bitmap: str) -> int:
    """Return a bitmap of less than 64 bits in kernel notation: one word, or two on 32 bits, lowest word last."""
    parts = [int(word, 16) for word in bitmap.split()]
    return parts[-1] | (parts[-2] << 32 if len(parts) > 1 else 0)


# Camera, and the models that read its pictures.


WEBCAM, DRAWN = "camera:", "drawn:"
CAMERA_LISTERS = ("rpicam-hello", "libcamera-hello")
"""Programs that list a Raspberry Pi's cameras, in Raspberry Pi OS since 2023 and before."""
_CAMERA_LINE = re.compile(r"^\s*\d+ : (\S+) \[([^\]]*)\]", re.MULTILINE)
_NET_LINE = re.compile(r"`([\w.]+\.onnx)`.*`([0-9a-f]{64})`")

MODULES = {
    "imx708": "Camera Module 3",
    "imx219": "Camera Module 2",
    "ov5647": "Camera Module 1",
    "imx477": "High Quality Camera",
    "imx296": "Global Shutter Camera",
    "imx500": "AI Camera",
}
"""Sensors of Raspberry Pi cameras, by libcamera name."""


def camera(system: System, source: str, calibration: Path) -> Check:
    """Check the configured camera, and its calibration (the file `calibration`)."""
    result = _camera(system, source)
    live = source in (AUTO, PICAMERA) or source.startswith(WEBCAM)
    return _with_calibration(result, calibration) if live and result.health is Health.OK else result


def _with_calibration(result: Check, file: Path) -> Check:
    """Add the calibration of a working camera: date, quality, and the first thing to fix."""
    try:
        calibration = record.load(file)
    except record.UnreadableCalibration as fault:
        return needs_attention("camera", *result.details, reason_of(fault), remedy="calibrate")
    if calibration is None:
        return needs_attention("camera", *result.details, detail("not_calibrated"), remedy="calibrate")
    figure, mend = overall_health(calibration.saved_findings())
    facts = (*result.details, detail("calibrated", day=calibration.made[:10], n=figure))
    return (
        Check("camera", Health.ATTENTION, facts, Message(f"calibration.mend.{mend}")) if mend else ok("camera", *facts)
    )


def _camera(system: System, source: str) -> Check:
    """Check a camera. `auto` selects a Raspberry Pi camera, else the first webcam."""
    if source == NONE:
        return off("camera", detail("camera_off"), remedy="camera_off")
    if source == PICAMERA or (source == AUTO and system.has_module("picamera2")):
        return _pi_camera(system)
    if source == AUTO:
        numbers = webcam.list_webcams(system.path("/dev"), system.path("/sys/class/video4linux"))
        if not numbers:
            return missing("camera", detail("nothing"), remedy="no_camera")
        return _webcam(system, numbers[0])
    if source.startswith(WEBCAM):
        return _webcam(system, int(source.removeprefix(WEBCAM)))
    if source == SIMULATED or source.startswith(DRAWN):
        return ok("camera", source)
    return _recording(system, source)


def _recording(system: System, source: str) -> Check:
    """Check a video, a picture or a picture folder, opened as the table does.

    Relative paths start at the working folder.
    """
    path = system.path(source) if os.path.isabs(source) else Path(source)
    if not path.exists():
        return needs_attention("camera", detail("not_there", place=source), remedy="camera_path")
    if not os.access(path, os.R_OK | os.X_OK if path.is_dir() else os.R_OK, effective_ids=True):
        return needs_attention("camera", source, remedy="camera_rights", place=source)
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")  # errors of a video are reported here, not by FFmpeg
    silence_opencv()
    still = path.is_dir() or path.suffix.lower() in PICTURE_ENDINGS
    recording = Folder(path) if still else Clip(path)
    try:
        recording.open()
    except SourceError:
        return needs_attention("camera", detail("no_recording", place=source), remedy="camera_path")
    recording.close()
    return ok("camera", source)


def _webcam(system: System, number: int) -> Check:
    place = f"/dev/video{number}"
    path = system.path(place)
    name = system.text(f"/sys/class/video4linux/video{number}/name")
    facts: tuple[CheckDetail, ...] = (name, place) if name else (place,)
    if not path.exists():
        return missing("camera", detail("not_there", place=place), remedy="camera_named", place=place)
    if not system.is_accessible(path):
        return needs_attention("camera", *facts, remedy="group", group="video")
    return ok("camera", *facts)


def _pi_camera(system: System) -> Check:
    """Check a Raspberry Pi camera with the system's lister, which is reliable even while the app uses the camera."""
    if not system.has_module("picamera2"):
        return missing("camera", detail("no_picamera"), remedy="install", package="python3-picamera2")
    cameras = ribbon_cameras(system)
    if cameras is None:
        return needs_attention("camera", "picamera2", remedy="install", package="rpicam-apps")
    if not cameras:
        return missing("camera", "picamera2", detail("no_ribbon"), remedy="ribbon")
    sensor, modes = cameras[0]
    named = MODULES.get(sensor.removesuffix("_noir").removesuffix("_wide"), sensor)
    closed = [path for path in system.glob("/dev/media*") if not system.is_accessible(path)]
    if closed:
        return needs_attention("camera", named, system.display_path(closed[0]), remedy="group", group="video")
    return ok("camera", named, *([modes.split(" ")[0]] if modes else []))


def ribbon_cameras(system: System) -> list[tuple[str, str]] | None:
    """Return sensor and maximum resolution of each ribbon camera; None if no lister works."""
    lister = next((name for name in CAMERA_LISTERS if system.program(name)), None)
    listed = system.output_of(lister, "--list-cameras") if lister else None
    return None if listed is None else _CAMERA_LINE.findall(listed)


def reader(folder: Path = MODELS) -> Check:
    """Compare the dice models with their model card: a truncated or changed file would misread silently."""
    card = folder / "CARD.md"
    digests = dict(_NET_LINE.findall(card.read_text(encoding="utf-8"))) if card.exists() else {}
    if not digests:
        return needs_attention("reader", detail("no_card"), remedy="models")
    changed_nets = [name for name, digest in digests.items() if _digest(folder / name) != digest]
    if changed_nets:
        return needs_attention("reader", detail("nets_differ", names=", ".join(changed_nets)), remedy="models")
    return ok("reader", *(f"{name} {digest[:8]}" for name, digest in digests.items()))


def _digest(path: Path) -> str:
    return sha256(path.read_bytes()).hexdigest() if path.exists() else ""


# Sound: speech synthesis with its languages, a sound player, and a sound card.


NO_SOUND_CARD = "no soundcards"
VOICE_LANGUAGES = ("fr", "en")


def sound(system: System, voice: str) -> Check:
    """Check espeak-ng and its two voices. `voice` is the setting; `off` is not a fault."""
    if voice == "off":
        return off("sound", detail("voice_off"), remedy="voice_off")
    program = system.program("espeak-ng")
    if program is None:
        return missing("sound", detail("no_program", name="espeak-ng"), remedy="install", package="espeak-ng")
    missing_voices = [code for code in VOICE_LANGUAGES if not _has_voice(system, code)]
    if missing_voices:
        return needs_attention(
            "sound",
            "espeak-ng",
            detail("no_voice", names=", ".join(missing_voices)),
            remedy="install",
            package="espeak-ng-data",
        )
    return ok("sound", "espeak-ng", ", ".join(VOICE_LANGUAGES))


def _has_voice(system: System, code: str) -> bool:
    """Return True if a voice is installed. `espeak-ng --voices=fr` prints a heading and one line per voice."""
    listed = system.output_of("espeak-ng", f"--voices={code}") or ""
    return any(line.split()[1:2] and line.split()[1].startswith(code) for line in listed.splitlines()[1:])


def tones(system: System, effects: bool) -> Check:
    """Check for a sound player and a sound card known to the kernel."""
    if not effects:
        return off("tones", detail("tones_off"), remedy="tones_off")
    command = find_player(system.environ.get("PATH"))
    if command is None:
        return missing("tones", detail("no_program", name="aplay"), remedy="install", package="alsa-utils")
    cards = system.text("/proc/asound/cards")
    if cards is None or NO_SOUND_CARD in cards:
        return missing("tones", command[0].rpartition("/")[2], detail("no_sound_card"), remedy="no_sound_card")
    names = [line.partition(" - ")[2].strip() for line in cards.splitlines() if " - " in line]
    return ok("tones", command[0].rpartition("/")[2], *names)


# Storage: disk space and wear, journal, settings.


MIN_FREE_BYTES = 200 * 1024 * 1024
"""Bytes: enough for some thousand matches with their pictures."""
MEGABYTE = 1_000_000
WORN_LIFE_TIME = 0x09
"""eMMC life time estimate (JEDEC eMMC 5.0, in tenths of its life): 80 to 90 % used."""
SQLITE_STEPS_PER_CHECK = 100_000
"""SQLite steps between two timeout checks."""


def disk(
    system: System, folder: Path, free: Callable[[Path], int] = lambda path: shutil.disk_usage(path).free
) -> Check:
    """Check free space, write permission and wear of the disk with the matches."""
    place = folder
    while not place.exists():
        place = place.parent
    free_bytes = free(place)
    facts = (str(folder), detail("free", mb=free_bytes // MEGABYTE), *_card_names(system))
    if _read_only(system, place):
        return needs_attention("disk", str(folder), detail("read_only"), remedy="disk_read_only")
    if not place.is_dir():
        return needs_attention("disk", str(folder), Message("system.enotdir"), remedy="disk_folder", place=str(place))
    if not is_writable(place, os.W_OK | os.X_OK):
        return needs_attention("disk", str(folder), remedy="disk_rights", place=str(place))
    fault = _write_error(place)
    if fault is not None:
        return needs_attention("disk", str(folder), fault, remedy="disk_folder", place=str(place))
    errors = sum(int(system.text(path) or 0) for path in system.glob("/sys/fs/ext4/*/errors_count"))
    if errors:
        return needs_attention("disk", *facts, detail("disk_errors", n=errors), remedy="disk_errors")
    worn_cards = [
        path
        for path in system.glob("/sys/block/mmcblk*/device/life_time")
        if _worn_tenths(system.text(path)) >= WORN_LIFE_TIME
    ]
    if worn_cards:
        return needs_attention("disk", *facts, detail("disk_worn"), remedy="disk_worn")
    if free_bytes < MIN_FREE_BYTES:
        return needs_attention("disk", *facts, remedy="disk_room")
    return ok("disk", *facts)


def _write_error(place: Path) -> Message | None:
    """Return why the folder is not writable, by creating a folder in it: virtual file systems reject that."""
    try:
        os.rmdir(tempfile.mkdtemp(prefix=".tapis-vert-", dir=place))
    except OSError as fault:
        return None if fault.errno in (errno.ENOSPC, errno.EDQUOT) else reason_of(fault)  # space has its own check
    return None


def _card_names(system: System) -> list[CheckDetail]:
    """Return name and month of the SD card or eMMC as reported by the kernel."""
    facts: list[CheckDetail] = []
    for device in system.glob("/sys/block/mmcblk?/device"):
        fields = [system.text(device / name) for name in ("type", "name", "date")]
        if any(fields):
            facts.append(" ".join(word for word in fields if word))
    return facts


def _worn_tenths(life_time: str | None) -> int:
    """Return the worse of the two wear estimates; 0 if there is none."""
    try:
        return max((int(word, 16) for word in (life_time or "").split()), default=0)
    except ValueError:
        return 0


def _read_only(system: System, place: Path) -> bool:
    """Return True if the file system of the path is mounted read-only."""
    mounts = [line.split() for line in (system.text("/proc/mounts") or "").splitlines()]
    holding = [
        (len(fields[1]), fields[3].split(","))
        for fields in mounts
        if len(fields) > 3 and Path(place).is_relative_to(fields[1].replace("\\040", " "))
    ]
    return bool(holding) and "ro" in max(holding, key=lambda mount: mount[0])[1]


def journal(folder: Path, timeout_s: float) -> Check:
    """Check structure and lines of the matches, for at most `timeout_s` seconds. The app may be open."""
    path = folder / STORE_FILE
    files = StoreFiles.of(path)
    if files.is_orphaned():
        return needs_attention("journal", Message("journal.store.orphans", {"path": path}), remedy="journal_gone")
    if not path.exists():
        return ok("journal", detail("no_matches"))
    end = monotonic() + timeout_s
    try:
        connection = open_for_reading(path)
        damaged: tuple[DamagedMatch, ...] = ()
        try:
            ((matches,),) = connection.execute("SELECT count(*) FROM matches WHERE removed IS NULL")
            facts: list[CheckDetail] = [
                detail("matches", n=matches),
                detail("size", mb=path.stat().st_size // MEGABYTE),
            ]
            connection.set_progress_handler(lambda: monotonic() > end, SQLITE_STEPS_PER_CHECK)
            try:
                query = "SELECT CAST(quick_check AS BLOB) FROM pragma_quick_check LIMIT 1"
                found = [row[0].decode(errors="replace") for row in read_rows(connection, query)]
                wrong = [fault for fault in found if fault != "ok"]
                if not wrong and version_of(connection) >= SUMS_VERSION:
                    damaged = find_damaged_matches(connection)
            except apsw.InterruptError:
                wrong = []
                facts.append(detail("partly_checked"))
        finally:
            connection.close()
    except (apsw.Error, OSError, UnicodeDecodeError) as fault:
        return needs_attention("journal", str(path), _store_reason(fault), remedy="journal")
    if wrong:
        return needs_attention("journal", *facts, quoted(wrong[0].splitlines()[-1]), remedy="journal")
    if damaged:
        return needs_attention("journal", *facts, *(match.message() for match in damaged), remedy="journal_lines")
    return ok("journal", *facts)


def _store_reason(fault: apsw.Error | OSError | UnicodeDecodeError) -> Message:
    return reason_of(fault) if isinstance(fault, OSError) else quoted(str(fault))


def config(path: Path) -> Check:
    """Check that the settings file is valid and writable. Otherwise changes made on the screen are lost."""
    try:
        read_config(path)
    except FileNotFoundError:
        place = path.parent
        while not place.exists():
            place = place.parent
        if not is_writable(place, os.W_OK | os.X_OK):
            return needs_attention("config", detail("no_settings"), remedy="config_rights", place=str(place))
        return ok("config", detail("no_settings"), str(path))
    except ConfigError as fault:
        return needs_attention("config", fault.message, remedy="config", file=str(path))
    if not is_writable(path, os.W_OK) or not is_writable(path.parent, os.W_OK | os.X_OK):
        return needs_attention("config", str(path), remedy="config_rights", place=str(path.parent))
    return ok("config", str(path))


# Tournament hub: whether this table has joined one, its address, and whether it accepts the table now.


CONNECT_STEP_TIMEOUT_S = 3.0
"""Timeout of each connection step; on a local network it takes a few hundredths of a second."""


def hub(system: System, config: Config, config_file: Path, folder: Path) -> Check:
    """Check the hub: the one in the settings if it was not joined before, else the joined one.

    `folder` has the link state.
    Connects briefly, as the table does. An open app keeps its own connection.
    """
    notes = peek_state(folder)
    if notes is None:
        return needs_attention("hub", detail("unreadable", place=str(folder / STATE_FILE)), remedy="hub_again")
    if (config.hub.address is None) is not (config.hub.token is None):
        absent = "token" if config.hub.token is None else "address"
        return needs_attention("hub", detail("hub_half", key=absent), remedy="hub_settings", file=str(config_file))
    configured = config.hub.credentials
    if configured is not None and configured != notes.configured:
        fault = join_fault(*configured)
        if fault is not None:
            return needs_attention("hub", fault, remedy="hub_settings", file=str(config_file))
        address, token = configured
        facts: tuple[CheckDetail, ...] = (address,)
    elif notes.address is None or notes.token is None:
        return off("hub", detail("no_hub"), remedy="hub")
    else:
        address, token = notes.address, notes.token
        facts = (address, notes.state.name) if notes.state and notes.state.name else (address,)
    fault = join_fault(address, token)
    if fault is not None:
        return needs_attention("hub", fault, remedy="hub_again")
    return _check_connection(address, parse_token(token), facts, min(CONNECT_STEP_TIMEOUT_S, system.timeout_s))


def _check_connection(address: str, token: Token, facts: tuple[CheckDetail, ...], seconds: float) -> Check:
    """Return the result of a connection attempt, after two connection steps at most.

    Does not wait for slow name resolution.
    """
    results: SimpleQueue[Message | bool] = SimpleQueue()
    Thread(target=lambda: results.put(_try_connect(address, token, seconds)), name="hub check", daemon=True).start()
    try:
        outcome = results.get(timeout=2 * seconds)
    except Empty:
        outcome = False
    if isinstance(outcome, Message):
        return Check("hub", Health.ATTENTION, facts, outcome)
    if outcome:
        return ok("hub", *facts, detail("hub_there"))
    return missing("hub", *facts, detail("hub_away"), remedy="hub_away")


def _try_connect(address: str, token: Token, seconds: float) -> Message | bool:
    """Return what to do about a hub that refuses this table; otherwise whether the hub is reachable."""
    from companion.link.table_link import (  # a table without tournaments does not load it
        AccessDenied,
        Unreachable,
        UntrustedHost,
        connect_to_hub,
        trouble_message,
    )

    async def connect_once() -> None:
        connection = await connect_to_hub(*parse_address(address), token, _on_closed, seconds)
        await connection.close()

    try:
        asyncio.run(connect_once())
    except (AccessDenied, UntrustedHost) as fault:
        return trouble_message(fault, address)
    except Unreachable:
        return False
    return True


async def _on_closed() -> None:
    """Ignore the end of the connection."""


# System: time, power, temperature, services, versions.


MIN_PLAUSIBLE_TIME = datetime(2026, 1, 1, tzinfo=UTC)
"""A clock with an earlier time was never set: a Raspberry Pi without a battery starts in the past."""
SYNCHRONISED = "/run/systemd/timesync/synchronized"
"""Exists once systemd-timesyncd has set the time from the network since boot."""

MAX_TEMPERATURE_C = 80.0
"""Degrees Celsius at which a Raspberry Pi starts throttling."""
LOW_NOW, SLOWED, LOW_BEFORE = 1 << 0, 1 << 2 | 1 << 3, 1 << 16
"""Bits of `get_throttled`: undervoltage now; throttled, or at the soft temperature limit; undervoltage since boot."""

SERVICE, SYSTEMD_FOLDER = "tapis-vert.service", "/run/systemd/system"
MAX_RESTARTS = 3
"""Restarts of the service since boot that count as a fault."""

REPORTED_PACKAGES = ("kivy", "opencv-python-headless", "numpy", "onnxruntime", "apsw", "msgspec")


def versions() -> Check:
    """Check the versions of the program, Python and important packages, including apsw's SQLite."""
    facts = [f"tapis-vert {__version__}", f"Python {platform.python_version()}", f"SQLite {apsw.sqlite_lib_version()}"]
    lacking = []
    for name in REPORTED_PACKAGES:
        try:
            facts.append(f"{name} {metadata.version(name)}")
        except metadata.PackageNotFoundError:
            if not (name == "opencv-python-headless" and cv2.__version__):
                lacking.append(name)
    if not (3, 11) <= sys.version_info[:2] <= (3, 13):
        return needs_attention("versions", *facts, remedy="python")
    if lacking:
        return needs_attention("versions", *facts, remedy="packages", names=", ".join(lacking))
    return ok("versions", *facts)


def clock(system: System) -> Check:
    """Check the clock, which dates every journal line: set by the network, or kept by a battery."""
    present = system.now()
    facts: list[CheckDetail] = [f"{present:%Y-%m-%d %H:%M %Z}".strip()]
    if present < MIN_PLAUSIBLE_TIME:
        return needs_attention("clock", *facts, remedy="clock")
    battery = bool(system.glob("/sys/class/rtc/rtc*"))
    if battery:
        facts.append(detail("battery"))
    synchronised = _is_time_synchronised(system)
    if synchronised:
        return ok("clock", *facts, detail("network_time"))
    if synchronised is None or battery:
        return ok("clock", *facts)
    return needs_attention("clock", *facts, detail("no_network_time"), remedy="clock")


def _is_time_synchronised(system: System) -> bool | None:
    """Return whether the network has set the time since boot; None if unknown."""
    if system.path(SYNCHRONISED).exists():
        return True
    output = system.output_of("timedatectl", "show", "--property=NTPSynchronized", "--value")
    return None if output is None or output.strip() not in ("yes", "no") else output.strip() == "yes"


def power(system: System) -> Check:
    """Check the supply voltage of a Raspberry Pi. Even short drops damage SD cards."""
    bits = _throttled_bits(system)
    if bits is None:
        return ok("power", detail("not_measured"))
    if bits & LOW_NOW:
        return needs_attention("power", detail("low_now"), f"0x{bits:x}", remedy="power")
    if bits & LOW_BEFORE:
        return needs_attention("power", detail("low_before"), f"0x{bits:x}", remedy="power")
    return ok("power", detail("steady"))


def processor(system: System) -> Check:
    """Check the processor temperature and throttling."""
    readings = [system.text(path) or "" for path in system.glob("/sys/class/thermal/thermal_zone*/temp")]
    degrees = [int(text) / 1000 for text in readings if re.fullmatch(r"-?\d+", text)]
    bits = _throttled_bits(system) or 0
    model = system.text("/proc/device-tree/model")
    facts: list[CheckDetail] = [model] if model else []
    if degrees:
        facts.append(f"{max(degrees):.0f} °C")
    if (degrees and max(degrees) >= MAX_TEMPERATURE_C) or bits & SLOWED:
        return needs_attention("processor", *facts, remedy="hot")
    return ok("processor", *(facts or [detail("not_measured")]))


def _throttled_bits(system: System) -> int | None:
    """Return the firmware's throttling bits, from the kernel or `vcgencmd`; None on other computers."""
    values = [
        text
        for path in system.glob("/sys/devices/platform/soc*/soc*:firmware/get_throttled")
        if (text := system.text(path))
    ]
    if not values:
        output = system.output_of("vcgencmd", "get_throttled") or ""
        values = [output.strip().partition("throttled=0x")[2]]
    try:
        return int(values[0], 16)
    except ValueError:
        return None


def service(system: System) -> Check:
    """Check that the table starts at boot, and how often the service was restarted."""
    if not system.path(SYSTEMD_FOLDER).is_dir():
        return off("service", detail("no_systemd"), remedy="service")
    wanted = "--property=LoadState,ActiveState,UnitFileState,NRestarts,Result"
    output = system.output_of("systemctl", "show", SERVICE, wanted) or ""
    state = dict(line.split("=", 1) for line in output.splitlines() if "=" in line)
    if state.get("LoadState", "not-found") == "not-found":
        return off("service", detail("not_installed"), remedy="service")
    restarts = state.get("NRestarts", "0")
    facts = (SERVICE, state.get("ActiveState", ""))
    if state.get("ActiveState") == "failed":
        return needs_attention("service", *facts, quoted(state.get("Result", "")), remedy="service_failed")
    if restarts.isdecimal() and int(restarts) >= MAX_RESTARTS:
        return needs_attention("service", *facts, detail("restarts", n=int(restarts)), remedy="service_failed")
    if state.get("UnitFileState") not in ("enabled", "static", "enabled-runtime"):
        return off("service", *facts, remedy="service_enable")
    return ok("service", *facts)


POLL_INTERVAL_S = 0.02
"""Seconds between two checks for an answer."""


def greet_tray(port: str, timeout_s: float = GREETING_SECONDS + 1.0) -> Link:
    """Connect to the tray on a port, for at most `timeout_s` seconds, and return its status.

    Turns its lights off again.
    """
    tray = SerialTray(port)
    tray.start()
    try:
        end = time.monotonic() + timeout_s
        while time.monotonic() < end and not tray.link.online and tray.link.trouble in (None, Trouble.ABSENT):
            time.sleep(POLL_INTERVAL_S)
        return tray.link
    finally:
        tray.close()


# Panel (buttons on the Pi's pins) and lit tray (USB).


Greet = Callable[[str], Link]
"""Opens the tray on a port briefly and returns its status."""


def panel(system: System, wanted: str, pins: Path | None, links: Sequence[Link] = ()) -> Check:
    """Check the wiring file, the pins and the driver; if an app has the panel open, its link status."""
    if wanted == NONE:
        return off("panel", detail("panel_off"), remedy="panel_off")
    try:
        wiring = read_wiring(pins)
    except WiringError as fault:
        return needs_attention(
            "panel", _wrong_pins(fault), remedy="pins" if pins and pins.exists() else "pins_missing", file=str(pins)
        )
    wiring_facts = (detail("buttons", n=len(wiring.buttons)), detail("lamps", n=len(wiring.lamps)))
    if wanted == SIMULATED:
        return ok("panel", detail("simulated"), *wiring_facts)
    link = _link(links, PressSource.PANEL)
    if link is not None and link.online:
        return ok("panel", link.name, *wiring_facts)
    return _panel_pins(system, wanted, link, wiring_facts)


def _panel_pins(system: System, wanted: str, link: Link | None, wiring_facts: tuple[CheckDetail, ...]) -> Check:
    """Check the GPIO chips and their driver, for a panel that is not known to be online."""
    on_a_pi = (system.text("/proc/device-tree/model") or "").startswith("Raspberry Pi")
    chips = system.glob("/dev/gpiochip*") if on_a_pi or wanted != AUTO else []
    if not chips:
        return missing("panel", detail("no_pins"), remedy="no_panel")
    chip_paths = ", ".join(system.display_path(chip) for chip in chips)
    if not any(system.is_accessible(chip) for chip in chips):
        return needs_attention("panel", chip_paths, remedy="group", group="gpio")
    if not system.has_module("lgpio"):
        return needs_attention("panel", chip_paths, remedy="install", package="python3-lgpio")
    if link is not None and link.trouble is not None:
        return _trouble_check("panel", link, chip_paths)
    return ok("panel", chip_paths, *wiring_facts)


def tray(system: System, wanted: str, greet: Greet | None = None, links: Sequence[Link] = ()) -> Check:
    """Check the tray's port and, if it is not in use, the answer of the tray.

    `links` are the devices held by an open app; then the tray is not contacted.
    """
    if wanted == NONE:
        return off("tray", detail("tray_off"), remedy="tray_off")
    if wanted == SIMULATED:
        return ok("tray", detail("simulated"))
    port = _port(system, wanted)
    if port is None:
        if waits_for_uf2(system.path("/sys/bus/usb/devices")):
            return needs_attention("tray", detail("tray_empty"), remedy="tray_flash")
        if wanted != AUTO:
            return missing("tray", detail("not_there", place=wanted), remedy="tray_named", place=wanted)
        return missing("tray", detail("nothing"), remedy="no_tray")
    if not system.is_accessible(port):
        return needs_attention("tray", system.display_path(port), remedy="group", group="dialout")
    link = _link(links, PressSource.TRAY) or (greet(str(port)) if greet else None)
    if link is None:
        return ok("tray", system.display_path(port))
    if link.online:
        return ok("tray", system.display_path(port), *([link.detail] if link.detail else []))
    return _trouble_check("tray", link, system.display_path(port))


def _port(system: System, wanted: str) -> Path | None:
    if wanted != AUTO:
        named = system.path(wanted)
        return named if named.exists() else None
    return next(iter(system.glob("/dev/ttyACM*")), None)


def _link(links: Sequence[Link], source: PressSource) -> Link | None:
    return next((link for link in links if link.source is source and not link.simulated), None)


def _trouble_check(part: str, link: Link, place: str) -> Check:
    """Return the check of a faulty device, with the remedy from the device messages."""
    trouble = link.trouble or Trouble.SILENT
    return Check(part, Health.ATTENTION, (place, *_detail(link)), Message(f"button.trouble.{trouble}"))


def _wrong_pins(fault: WiringError) -> Message:
    near = "_near" if fault.facts.get("near") else ""
    return Message(f"button.pins.{fault.fault}{near}", fault.facts)


def _detail(link: Link) -> tuple[CheckDetail, ...]:
    return (quoted(link.detail),) if link.detail else ()
