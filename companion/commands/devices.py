"""The devices of the table: which camera, panel and tray it gets, real or simulated; screen light, photographs."""

from __future__ import annotations

import errno
import importlib.util
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import cv2

from companion.config import AUTO, NONE, PICAMERA, SIMULATED, Config, ConfigError, pins_file
from companion.games.base import Message
from companion.table.ports import ReaderPort
from hardware.ports import Device
from hardware.simulated import SimulatedPanel, SimulatedTray
from hardware.tray import SerialTray, find
from hardware.wiring import Wiring, WiringError, read_wiring
from vision import dice_sets
from vision.cameras import webcam
from vision.cameras.protocol import CameraLost, EndOfSource, SourceError
from vision.cameras.sources import camera_of
from vision.pictures import Picture

MODEL_FILE = Path("/proc/device-tree/model")
"""What the processor's board calls itself: other computers have pins, too, and no panel on them."""


@dataclass(frozen=True, slots=True)
class SelectedDevices:
    """The devices of the table, and which they are, in words."""

    devices: tuple[Device, ...]
    messages: tuple[Message, ...]


def select_devices(
    config: Config,
    config_file: Path,
    monotonic: Callable[[], float],
    *,
    is_raspberry_pi: Callable[[], bool] | None = None,
    port_of: Callable[[str], str | None] = find,
) -> SelectedDevices:
    """Panel and tray as the configuration wants them. Raises ConfigError for a file of pins that cannot be used."""
    panel, on_panel = _panel(config, config_file, monotonic, is_raspberry_pi or _is_raspberry_pi)
    tray, on_tray = _tray(config.hardware.tray, monotonic, port_of)
    messages = (Message("cli.device.panel", {"state": on_panel}), Message("cli.device.tray", {"state": on_tray}))
    return SelectedDevices((*panel, *tray), messages)


def wiring_of(config: Config, config_file: Path) -> Wiring:
    """The panel's wiring. Raises ConfigError, which names file, section and key."""
    try:
        return read_wiring(pins_file(config, config_file))
    except WiringError as fault:
        near = "_near" if fault.facts.get("near") else ""
        raise ConfigError(Message(f"button.pins.{fault.fault}{near}", fault.facts)) from None


def _panel(
    config: Config, config_file: Path, monotonic: Callable[[], float], is_raspberry_pi: Callable[[], bool]
) -> tuple[Sequence[Device], Message]:
    wanted = config.hardware.panel
    if wanted == NONE:
        return (), Message("cli.device.none")
    if wanted == SIMULATED or (wanted == AUTO and not is_raspberry_pi()):
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


def _is_raspberry_pi() -> bool:
    """Whether this is a Raspberry Pi with what drives its pins."""
    try:
        model = MODEL_FILE.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    return model.startswith("Raspberry Pi") and importlib.util.find_spec("gpiozero") is not None


# The camera of the table as the players choose it: what there is, what each sees, which one the next match gets.


PREVIEW_DICE_SET = "pips"
"""The dice that are looked for while somebody only looks."""

MakeReader = Callable[[str, str], ReaderPort | None]
"""Gives the reader behind a source for a game's dice."""


class TableCameras:
    """`companion.app.platform.Eyes` over the real cameras; `source` is the one that the next match gets."""

    def __init__(
        self,
        source: str,
        reader: MakeReader,
        webcams: Callable[[], list[int]] = webcam.present,
        has_picamera: Callable[[], bool] = lambda: importlib.util.find_spec("picamera2") is not None,
    ) -> None:
        self.source = source
        self._reader, self._webcams, self._has_picamera = reader, webcams, has_picamera

    def list_sources(self) -> Sequence[str]:
        """What dice could be seen through, the one in force first; to see nothing is the last choice."""
        real_sources = [
            *([PICAMERA] if self._has_picamera() else []),
            *(f"camera:{number}" for number in self._webcams()),
        ]
        found = real_sources or [SIMULATED]
        return tuple(dict.fromkeys([*([self.source] if self.source != NONE else []), *found, NONE]))

    def open_preview(self, source: str) -> ReaderPort | None:
        """A reader behind that source, to see what it sees. Whoever asks closes it."""
        return self._reader(source, PREVIEW_DICE_SET)

    def select(self, source: str) -> str:
        """The next match gets this one. Returns what the settings keep of it."""
        self.source = source
        return AUTO if source == SIMULATED else source

    def reader(self, game_id: str) -> ReaderPort | None:
        """The reader for a game's dice."""
        return self._reader(self.source, game_id)


# One photograph from the camera of the table, for the catalogue of cards.


FRAME_TIMEOUT_S = 4.0
"""Seconds within which a camera must have given a picture."""
WARM_UP_FRAMES = 6
"""Frames let pass while the camera finds its light."""
JPEG_QUALITY = 90


def photo_taker(source: str, without_camera: frozenset[str]) -> Callable[[], bytes] | None:
    """What takes a picture from a source; None for those that are no camera (`eyeless`)."""
    if source in without_camera:
        return None
    return lambda: take_photo(source)


def _exposed_picture(source: str) -> Picture:
    """The camera's picture once it has found its light; a shorter recording's last one."""
    with camera_of(source, dice_sets.load("pips")) as camera:
        picture = camera.frame(FRAME_TIMEOUT_S).picture
        with suppress(EndOfSource):
            for _ in range(WARM_UP_FRAMES):
                picture = camera.frame(FRAME_TIMEOUT_S).picture
    return picture


def take_photo(source: str) -> bytes:
    """A JPEG of what the camera sees now. Waits for it; raises OSError if it does not answer."""
    try:
        picture = _exposed_picture(source)
    except (CameraLost, EndOfSource, SourceError) as fault:
        raise OSError(source) from fault
    written, jpeg = cv2.imencode(".jpg", picture, (cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY))
    if not written:
        raise OSError(errno.EIO, source)
    return bytes(jpeg.tobytes())


# The panel's own light, and whether a keyboard is plugged in, as Linux tells them.


LETTER_KEY_BITS = sum(1 << code for code in (*range(16, 26), *range(30, 39), *range(44, 51)))
"""The keys of a to z in the bits of a device (linux/input-event-codes.h)."""

log = logging.getLogger(__name__)


class PanelBacklight:
    """The first backlight of a folder whose brightness may be written; a panel without one does not obey."""

    def __init__(self, folder: Path = Path("/sys/class/backlight")) -> None:
        self._folder = folder

    def set_brightness(self, percent: int) -> bool:
        """Sets the brightness, never quite dark; False when no panel obeyed."""
        for light in sorted(self._folder.glob("*")):
            try:
                most = int((light / "max_brightness").read_text())
                (light / "brightness").write_text(str(max(1, round(most * percent / 100))))
            except (OSError, ValueError) as fault:
                log.info("%s does not obey: %s", light.name, fault)
            else:
                return True
        return False


def is_keyboard_plugged(devices: Path = Path("/proc/bus/input/devices")) -> bool:
    """Whether a device has all letters: buttons and remote controls call themselves keyboards, too."""
    try:
        found = devices.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    return any(_has_letter_keys(line) for line in found.splitlines() if line.startswith("B: KEY="))


def _has_letter_keys(line: str) -> bool:
    try:
        lowest = int(line.rpartition("=")[2].split()[-1], 16)
    except (IndexError, ValueError):
        return False
    return lowest & LETTER_KEY_BITS == LETTER_KEY_BITS
