"""The table's devices: real or simulated camera, panel and tray; screen brightness; card photos."""

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
from hardware.simulated import SimulatedPanel, SimulatedTrayDevice
from hardware.tray import SerialTray, find_port
from hardware.wiring import Wiring, WiringError, read_wiring
from vision import dice_sets
from vision.cameras import webcam
from vision.cameras.protocol import CameraLost, EndOfSource, SourceError
from vision.cameras.sources import camera_of
from vision.pictures import Picture

MODEL_FILE = Path("/proc/device-tree/model")
"""Board model. Other computers have GPIO pins too, but no panel on them."""


@dataclass(frozen=True, slots=True)
class SelectedDevices:
    """The devices of the table, with their descriptions."""

    devices: tuple[Device, ...]
    messages: tuple[Message, ...]


def select_devices(
    config: Config,
    config_file: Path,
    monotonic: Callable[[], float],
    *,
    is_raspberry_pi: Callable[[], bool] | None = None,
    port_of: Callable[[str], str | None] = find_port,
) -> SelectedDevices:
    """Return panel and tray as configured. Raises: ConfigError for an invalid pin file."""
    panel, on_panel = _panel(config, config_file, monotonic, is_raspberry_pi or _is_raspberry_pi)
    tray, on_tray = _tray(config.hardware.tray, monotonic, port_of)
    messages = (Message("cli.device.panel", {"state": on_panel}), Message("cli.device.tray", {"state": on_tray}))
    return SelectedDevices((*panel, *tray), messages)


def wiring_of(config: Config, config_file: Path) -> Wiring:
    """Return the panel's wiring. Raises: ConfigError with file, section and key."""
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
    from hardware.panel import Panel  # imported only where gpiozero is installed

    return (Panel(wiring_of(config, config_file), monotonic=monotonic),), Message("cli.device.gpio")


def _tray(
    wanted: str, monotonic: Callable[[], float], port_of: Callable[[str], str | None]
) -> tuple[Sequence[Device], Message]:
    """Return the tray. A real tray may be plugged in later; until then the simulated one replaces it."""
    if wanted == NONE:
        return (), Message("cli.device.none")
    if wanted == SIMULATED:
        return (SimulatedTrayDevice(monotonic),), Message("cli.device.simulated")
    real, port = SerialTray(wanted, monotonic), port_of(wanted)
    if port is not None:
        return (real,), Message("cli.device.port", {"port": port})
    return (real, SimulatedTrayDevice(monotonic)), Message("cli.device.simulated")


def _is_raspberry_pi() -> bool:
    """Return True on a Raspberry Pi with the GPIO library."""
    try:
        model = MODEL_FILE.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    return model.startswith("Raspberry Pi") and importlib.util.find_spec("gpiozero") is not None


# Camera selection by the players: available cameras, previews, and the camera of the next match.


PREVIEW_DICE_SET = "pips"
"""Dice set used in camera previews."""

MakeReader = Callable[[str, str], ReaderPort | None]
"""Returns the reader of a camera source for a game's dice."""


class TableCameras:
    """`companion.app.platform.CameraSelector` with the real cameras. `source` is the camera of the next match."""

    def __init__(
        self,
        source: str,
        reader: MakeReader,
        webcams: Callable[[], list[int]] = webcam.list_webcams,
        has_picamera: Callable[[], bool] = lambda: importlib.util.find_spec("picamera2") is not None,
    ) -> None:
        self.source = source
        self._reader, self._webcams, self._has_picamera = reader, webcams, has_picamera

    def list_sources(self) -> Sequence[str]:
        """Return the available sources, the current one first. The last one is no camera."""
        real_sources = [
            *([PICAMERA] if self._has_picamera() else []),
            *(f"camera:{number}" for number in self._webcams()),
        ]
        found = real_sources or [SIMULATED]
        return tuple(dict.fromkeys([*([self.source] if self.source != NONE else []), *found, NONE]))

    def open_preview(self, source: str) -> ReaderPort | None:
        """Return a reader on that source for a preview. The caller closes it."""
        return self._reader(source, PREVIEW_DICE_SET)

    def select(self, source: str) -> str:
        """Select the source of the next match. Returns the value for the settings."""
        self.source = source
        return AUTO if source == SIMULATED else source

    def reader(self, game_id: str) -> ReaderPort | None:
        """Return the reader for a game's dice."""
        return self._reader(self.source, game_id)


# A single photo from the table's camera, for the card catalogue.


FRAME_TIMEOUT_S = 4.0
"""Timeout in seconds for a camera picture."""
WARM_UP_FRAMES = 6
"""Frames skipped while the camera adjusts its exposure."""
JPEG_QUALITY = 90


def photo_taker(source: str, without_camera: frozenset[str]) -> Callable[[], bytes] | None:
    """Return a function that takes a photo from a source; None for a source in `without_camera`."""
    if source in without_camera:
        return None
    return lambda: take_photo(source)


def _exposed_picture(source: str) -> Picture:
    """Return the camera's picture after exposure adjustment; for a short recording, the last one."""
    with camera_of(source, dice_sets.load("pips")) as camera:
        picture = camera.frame(FRAME_TIMEOUT_S).picture
        with suppress(EndOfSource):
            for _ in range(WARM_UP_FRAMES):
                picture = camera.frame(FRAME_TIMEOUT_S).picture
    return picture


def take_photo(source: str) -> bytes:
    """Return a JPEG of the current camera picture. Blocks. Raises: OSError if the camera does not answer."""
    try:
        picture = _exposed_picture(source)
    except (CameraLost, EndOfSource, SourceError) as fault:
        raise OSError(source) from fault
    written, jpeg = cv2.imencode(".jpg", picture, (cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY))
    if not written:
        raise OSError(errno.EIO, source)
    return bytes(jpeg.tobytes())


# Panel backlight and keyboard detection on Linux.


LETTER_KEY_BITS = sum(1 << code for code in (*range(16, 26), *range(30, 39), *range(44, 51)))
"""Bits of the keys a to z (linux/input-event-codes.h)."""

log = logging.getLogger(__name__)


class PanelBacklight:
    """The first backlight of a folder with writable brightness. Without one, `set_brightness` returns False."""

    def __init__(self, folder: Path = Path("/sys/class/backlight")) -> None:
        self._folder = folder

    def set_brightness(self, percent: int) -> bool:
        """Set the brightness, never fully dark. Returns False if no backlight accepted it."""
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
    """Return True if a device has all letter keys: buttons and remote controls are listed as keyboards too."""
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
