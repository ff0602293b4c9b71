"""What the doctor looks at, a function a part, each given the system that it looks at."""

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
from companion.link.notes import FILE, peek
from companion.messages.token import Token, address_of, fault_of, read
from companion.table.health import Check, Fact, Health
from companion.voice.tones import find_player
from hardware.ports import Link, Source, Trouble
from hardware.tray import GREETING_SECONDS, SerialTray, waits_for_uf2
from hardware.wiring import WiringError, read_wiring
from vision.calibration import record
from vision.calibration_words import health_of
from vision.cameras import webcam
from vision.cameras.protocol import SourceError
from vision.cameras.sources import PICTURE_ENDINGS, Clip, Folder
from vision.models import FOLDER as MODELS
from vision.pictures import quieten


def found(id: str, **args: object) -> Message:
    """A fact in words (`doctor.found.…`)."""
    return Message(f"doctor.found.{id}", args)


def good(part: str, *facts: Fact) -> Check:
    """In order."""
    return Check(part, Health.OK, facts)


def look(part: str, *facts: Fact, do: str, **args: object) -> Check:
    """Worth a look; `do` is the one thing to do (`doctor.next.…`)."""
    return Check(part, Health.LOOK, facts, Message(f"doctor.next.{do}", args))


def missing(part: str, *facts: Fact, do: str, **args: object) -> Check:
    """Not there; the table plays without it."""
    return Check(part, Health.ABSENT, facts, Message(f"doctor.next.{do}", args))


def off(part: str, *facts: Fact, do: str, **args: object) -> Check:
    """Switched off in the settings, or not set up."""
    return Check(part, Health.OFF, facts, Message(f"doctor.next.{do}", args))


# The computer as the checks see it: its files below a root, its programs on a search path, its clock. Handed in.


PATIENCE = 6.0
"""Seconds that a program may take to answer."""


@dataclass(frozen=True, slots=True)
class System:
    """Places are written as the system has them (`/dev/video0`) and looked up below `root`; no look raises."""

    root: Path = Path("/")
    environ: Mapping[str, str] = field(default_factory=lambda: os.environ)
    now: Callable[[], datetime] = field(default_factory=lambda: SystemClock().now)
    patience: float = PATIENCE

    def path(self, place: str) -> Path:
        """Where a place is."""
        return self.root / place.lstrip("/")

    def shown(self, path: Path) -> str:
        """A path as the system has it."""
        return "/" + str(path.relative_to(self.root)) if self.root != Path("/") else str(path)

    def text(self, place: str | Path) -> str | None:
        """What a small file says, without the ends' white space and zeros; None if it cannot be read."""
        path = place if isinstance(place, Path) else self.path(place)
        try:
            return path.read_bytes().decode("utf-8", "replace").strip("\0 \t\r\n")
        except OSError:
            return None

    def all(self, pattern: str) -> list[Path]:
        """The places that fit, in the order of their names, `video2` before `video10`."""
        return sorted(self.root.glob(pattern.lstrip("/")), key=lambda path: (len(str(path)), str(path)))

    def open_to_us(self, path: Path) -> bool:
        """Whether we may read and write it."""
        return writable(path, os.R_OK | os.W_OK)

    def program(self, name: str) -> str | None:
        """Where a program is, None if it is not there."""
        return shutil.which(name, path=self.environ.get("PATH", os.defpath))

    def says(self, name: str, *arguments: str) -> str | None:
        """What a program prints; None if it is not there, fails, or does not answer in time."""
        found = self.program(name)
        if found is None:
            return None
        environment = {**self.environ, "LC_ALL": "C"}
        try:
            done = subprocess.run(
                [found, *arguments],
                capture_output=True,
                timeout=self.patience,
                env=environment,
                stdin=subprocess.DEVNULL,
            )
        except (OSError, subprocess.TimeoutExpired):
            return None
        return (done.stdout + done.stderr).decode("utf-8", "replace") if done.returncode == 0 else None

    def module(self, name: str) -> bool:
        """Whether a Python package is installed."""
        return importlib.util.find_spec(name) is not None


def writable(path: Path, how: int = os.W_OK) -> bool:
    """Whether we may write it (or what `how` asks), by the user whose rights we use."""
    return os.access(path, how, effective_ids=True)


# The screen: what draws on it, how large it is, and whether it feels fingers.


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


# The eyes of the table: the camera, and the nets that read what it sees.


WEBCAM, DRAWN = "camera:", "drawn:"
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


# What is heard: the voice with its languages, the player of short sounds, and a card to play them.


NO_CARD = "no soundcards"
SPOKEN = ("fr", "en")


def sound(system: System, voice: str) -> Check:
    """espeak-ng and its two voices. `voice` is the setting: `off` is nobody's fault."""
    if voice == "off":
        return off("sound", found("voice_off"), do="voice_off")
    program = system.program("espeak-ng")
    if program is None:
        return missing("sound", found("no_program", name="espeak-ng"), do="install", package="espeak-ng")
    dumb = [code for code in SPOKEN if not _speaks(system, code)]
    if dumb:
        return look(
            "sound", "espeak-ng", found("no_voice", names=", ".join(dumb)), do="install", package="espeak-ng-data"
        )
    return good("sound", "espeak-ng", ", ".join(SPOKEN))


def _speaks(system: System, code: str) -> bool:
    """`espeak-ng --voices=fr` has a heading and a line a voice."""
    listed = system.says("espeak-ng", f"--voices={code}") or ""
    return any(line.split()[1:2] and line.split()[1].startswith(code) for line in listed.splitlines()[1:])


def tones(system: System, effects: bool) -> Check:
    """A player of sounds and a card that the kernel knows."""
    if not effects:
        return off("tones", found("tones_off"), do="tones_off")
    command = find_player(system.environ.get("PATH"))
    if command is None:
        return missing("tones", found("no_program", name="aplay"), do="install", package="alsa-utils")
    cards = system.text("/proc/asound/cards")
    if cards is None or NO_CARD in cards:
        return missing("tones", command[0].rpartition("/")[2], found("no_sound_card"), do="no_sound_card")
    names = [line.partition(" - ")[2].strip() for line in cards.splitlines() if " - " in line]
    return good("tones", command[0].rpartition("/")[2], *names)


# What is kept: the disk with its room and its age, the journal, the settings.


LEAST_FREE = 200 * 1024 * 1024
"""Bytes: some thousand matches with their pictures."""
MEGABYTE = 1_000_000
WORN = 0x09
"""The state of a flash memory that tells its age (JEDEC eMMC 5.0, in tenths of its life): 80 to 90 % used up."""
MATCHES = "matches.sqlite"
STEPS = 100_000
"""Steps of SQLite between two looks at the time."""


def disk(
    system: System, folder: Path, free: Callable[[Path], int] = lambda path: shutil.disk_usage(path).free
) -> Check:
    """Room and right to write where the matches are kept, and what the card tells of its age."""
    place = folder
    while not place.exists():
        place = place.parent
    left = free(place)
    facts = (str(folder), found("free", mb=left // MEGABYTE), *_card(system))
    if _read_only(system, place):
        return look("disk", str(folder), found("read_only"), do="disk_read_only")
    if not place.is_dir():
        return look("disk", str(folder), os.strerror(errno.ENOTDIR), do="disk_folder", place=str(place))
    if not writable(place, os.W_OK | os.X_OK):
        return look("disk", str(folder), do="disk_rights", place=str(place))
    fault = _unmakeable(place)
    if fault is not None:
        return look("disk", str(folder), fault, do="disk_folder", place=str(place))
    errors = sum(int(system.text(path) or 0) for path in system.all("/sys/fs/ext4/*/errors_count"))
    if errors:
        return look("disk", *facts, found("disk_errors", n=errors), do="disk_errors")
    worn = [path for path in system.all("/sys/block/mmcblk*/device/life_time") if _age(system.text(path)) >= WORN]
    if worn:
        return look("disk", *facts, found("disk_worn"), do="disk_worn")
    if left < LEAST_FREE:
        return look("disk", *facts, do="disk_room")
    return good("disk", *facts)


def _unmakeable(place: Path) -> str | None:
    """Why nothing can be made there, found by making a folder: some file systems hold only what the kernel shows."""
    try:
        os.rmdir(tempfile.mkdtemp(prefix=".tapis-vert-", dir=place))
    except OSError as fault:
        return None if fault.errno in (errno.ENOSPC, errno.EDQUOT) else fault.strerror  # room is told of by itself
    return None


def _card(system: System) -> list[Fact]:
    """The name and the month of the card or flash memory that the kernel shows."""
    facts: list[Fact] = []
    for device in system.all("/sys/block/mmcblk?/device"):
        words = [system.text(device / name) for name in ("type", "name", "date")]
        if any(words):
            facts.append(" ".join(word for word in words if word))
    return facts


def _age(life_time: str | None) -> int:
    """The worse of the two ages told; 0 where none is."""
    try:
        return max((int(word, 16) for word in (life_time or "").split()), default=0)
    except ValueError:
        return 0


def _read_only(system: System, place: Path) -> bool:
    """Whether the file system that holds the place is mounted so that nobody may write."""
    mounts = [line.split() for line in (system.text("/proc/mounts") or "").splitlines()]
    holding = [
        (len(words[1]), words[3].split(","))
        for words in mounts
        if len(words) > 3 and Path(place).is_relative_to(words[1].replace("\\040", " "))
    ]
    return bool(holding) and "ro" in max(holding, key=lambda held: held[0])[1]


def journal(folder: Path, patience: float) -> Check:
    """Whether SQLite finds the matches whole. Reads beside an open app, for `patience` seconds at most."""
    path = folder / MATCHES
    if not path.exists():
        return good("journal", found("no_matches"))
    end = monotonic() + patience
    try:
        connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
        try:
            ((matches,),) = connection.execute("SELECT count(*) FROM matches WHERE removed IS NULL")
            facts: list[Fact] = [found("matches", n=matches), found("size", mb=path.stat().st_size // MEGABYTE)]
            connection.set_progress_handler(lambda: monotonic() > end, STEPS)
            try:
                wrong = [row[0] for row in connection.execute("PRAGMA quick_check(1)") if row[0] != "ok"]
            except apsw.InterruptError:
                wrong = []
                facts.append(found("partly_checked"))
        finally:
            connection.close()
    except (apsw.Error, OSError) as fault:
        return look("journal", str(path), str(fault), do="journal")
    if wrong:
        return look("journal", *facts, wrong[0].splitlines()[-1], do="journal")
    return good("journal", *facts)


def config(path: Path) -> Check:
    """The settings' file: sound, and ours to write, or nothing that is set on the screen outlasts the evening."""
    try:
        read_config(path)
    except FileNotFoundError:
        place = path.parent
        while not place.exists():
            place = place.parent
        if not writable(place, os.W_OK | os.X_OK):
            return look("config", found("no_settings"), do="config_rights", place=str(place))
        return good("config", found("no_settings"), str(path))
    except ConfigError as fault:
        return look("config", fault.message, do="config", file=str(path))
    if not writable(path, os.W_OK) or not writable(path.parent, os.W_OK | os.X_OK):
        return look("config", str(path), do="config_rights", place=str(path.parent))
    return good("config", str(path))


# The tournament's hub: whether this table has joined one, at which address, and whether it is let in now.


STEP_SECONDS = 3.0
"""For each step of entering; on the network of a hall it takes a few hundredths."""


def hub(system: System, config: Config, config_file: Path, folder: Path) -> Check:
    """The hub that the settings name, if it has not been joined before, else the one joined; `folder` has the notes.

    It is entered as the table does, for a moment: an open app keeps its own connection.
    """
    notes = peek(folder)
    if notes is None:
        return look("hub", found("unreadable", place=str(folder / FILE)), do="hub_again")
    if (config.hub.address is None) is not (config.hub.token is None):
        absent = "token" if config.hub.token is None else "address"
        return look("hub", found("hub_half", key=absent), do="hub_settings", file=str(config_file))
    configured = config.hub.named
    if configured is not None and configured != notes.configured:
        fault = fault_of(*configured)
        if fault is not None:
            return look("hub", fault, do="hub_settings", file=str(config_file))
        address, token = configured
        facts: tuple[Fact, ...] = (address,)
    elif notes.address is None or notes.token is None:
        return off("hub", found("no_hub"), do="hub")
    else:
        address, token = notes.address, notes.token
        facts = (address, notes.state.name) if notes.state and notes.state.name else (address,)
    fault = fault_of(address, token)
    if fault is not None:
        return look("hub", fault, do="hub_again")
    return _entered(address, read(token), facts, min(STEP_SECONDS, system.patience))


def _entered(address: str, token: Token, facts: tuple[Fact, ...], seconds: float) -> Check:
    """What comes of it, after two of those steps at most: a name that nobody resolves is not waited for."""
    came: SimpleQueue[Message | bool] = SimpleQueue()
    Thread(target=lambda: came.put(_enter(address, token, seconds)), name="hub check", daemon=True).start()
    try:
        outcome = came.get(timeout=2 * seconds)
    except Empty:
        outcome = False
    if isinstance(outcome, Message):
        return Check("hub", Health.LOOK, facts, outcome)
    if outcome:
        return good("hub", *facts, found("hub_there"))
    return missing("hub", *facts, found("hub_away"), do="hub_away")


def _enter(address: str, token: Token, seconds: float) -> Message | bool:
    """What to do about a hub that does not let this table in; whether there is one."""
    from companion.link.table_link import (  # a table that plays alone loads none of it
        Away,
        Refused,
        Stranger,
        enter,
        trouble_of,
    )

    async def visit() -> None:
        connection = await enter(*address_of(address), token, _closed, seconds)
        await connection.close()

    try:
        asyncio.run(visit())
    except (Refused, Stranger) as fault:
        return trouble_of(fault, address)
    except Away:
        return False
    return True


async def _closed() -> None:
    """The connection has ended."""


# What keeps the table running: time, power, heat, services, versions.


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


LOOK = 0.02
"""Seconds between two looks at whether it has answered."""


def greet(port: str, patience: float = GREETING_SECONDS + 1.0) -> Link:
    """How the tray on a port is, after `patience` seconds at most. Its lights go out again."""
    tray = SerialTray(port)
    tray.start()
    try:
        end = time.monotonic() + patience
        while time.monotonic() < end and not tray.link.online and tray.link.trouble in (None, Trouble.ABSENT):
            time.sleep(LOOK)
        return tray.link
    finally:
        tray.close()


# What stands beside the screen: the panel of buttons on its pins, the lit tray on its port.


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
