"""Interfaces to the app's surroundings: voice, tones, backlight, lock and exports. All are injected."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from typing import Protocol

from companion.app.pin_lock import PinLock
from companion.app.start_trouble import StartTrouble
from companion.clock import SystemClock
from companion.language import Language
from companion.table.controls import Controls
from companion.table.health import Check
from companion.table.hub_port import HubPort, Pairing
from companion.table.ports import ReaderPort
from companion.table.report import MatchReport

MAX_FILE_NAME_CHARS = 80
"""Maximum length of a file name before its extension, in characters."""

_UNSAFE = re.compile(r'[\x00-\x1f/\\:*?"<>|]+')


class PdfWriter(Protocol):
    """Renderer of reports as PDF."""

    def __call__(self, reports: Sequence[MatchReport], language: Language, /) -> bytes: ...


class SheetWriter(Protocol):
    """Renderer of the sheets for play on paper, by game and kind."""

    def kinds(self, game: str, /) -> Sequence[str]:
        """Return the kinds of sheets that a game has: `score`, `stars`, `guide`."""
        ...

    def pdf(self, game: str, kind: str, language: Language, /) -> bytes:
        """Return a sheet as PDF."""
        ...


@dataclass(frozen=True, slots=True)
class ExportConfig:
    """Settings of file exports.

    - `list_folders` returns possible target folders: the exchange folder first (created on the first export), then USB
      drives.
    - `versions` names the program (`tapis-vert`) and its models.
    - `separator` is the separator of CSV files.
    - `sheets` renders the sheets for play on paper; None: they cannot be made here.
    """

    pdf: PdfWriter
    list_folders: Callable[[], Sequence[Path]]
    versions: Mapping[str, str]
    separator: str = "auto"
    sheets: SheetWriter | None = None


def folder_label(folder: Path, table_folder: Path, translate: Callable[..., str]) -> str:
    """Return what players call a folder for exports: this table, or a USB drive with its name."""
    if folder == table_folder:
        return translate("app.report.place.table")
    return translate("app.report.place.stick", name=folder.name)


def place_label(path: Path, folders: Sequence[Path], translate: Callable[..., str]) -> str:
    """Return what players call the place of a file for import: this table or a USB drive, and its folders there.

    `folders` are those that were searched, the table's first.
    """
    folder = next(folder for folder in folders if path.is_relative_to(folder))
    return ", ".join((folder_label(folder, folders[0], translate), *path.parent.relative_to(folder).parts))


def file_name(day: str, title: str, extension: str) -> str:
    """Return a file name that is valid on every file system: the day, the match, the extension."""
    cleaned = _UNSAFE.sub(" ", f"{day} {title}")
    return f"{' '.join(cleaned.split())[:MAX_FILE_NAME_CHARS].strip(' .')}.{extension}"


class Voice(Protocol):
    """Speech output in a language (`fr`, `en`) at a volume in percent. Does not block; a new text cuts the old one."""

    def speak(self, text: str, language: str, volume: int) -> None: ...

    def stop(self) -> None: ...

    def close(self) -> None: ...


class Chimes(Protocol):
    """Player of short named sounds, at a volume in percent."""

    def play(self, name: str, volume: int) -> None: ...

    def close(self) -> None: ...


class Backlight(Protocol):
    """Backlight of the panel. `set_brightness` takes a percentage and returns False if the panel did not accept it."""

    def set_brightness(self, percent: int) -> bool: ...


CodeReader = Callable[[bytes], str]
"""Returns the text of the QR code in a JPEG picture; empty if there is none."""


class CameraSelector(Protocol):
    """Selection of the camera.

    - `list_sources` returns the available sources; it can be slow.
    - `open_preview` opens a reader on one source.
    - `select` switches to a source and returns the value to save in the settings.
    - `source` is the current source.

    Sources are named as in the settings: `simulated` for the drawn table, `none` for no camera.
    """

    @property
    def source(self) -> str: ...

    def list_sources(self) -> Sequence[str]: ...

    def open_preview(self, source: str) -> ReaderPort | None: ...

    def select(self, source: str) -> str: ...


class LearnedFaces(Protocol):
    """Die faces of a game that players have confirmed. `known_and_total` counts the known faces and all faces."""

    @property
    def known_and_total(self) -> tuple[int, int]: ...

    def forget(self) -> None:
        """Forget all learned faces. Raises: OSError."""
        ...


@dataclass(frozen=True, slots=True)
class Platform:
    """Available platform services. None means the part is missing: no sound, a dark overlay, no lock, no camera.

    - `lock`: the PIN lock.
    - `has_keyboard`: a physical keyboard is connected.
    - `is_kiosk_mode`: the app fills the screen and is the only program.
    - `controls`: buttons and lights beside the screen.
    - `cameras`: the cameras above the tray.
    - `start_trouble`: what is wrong since the start; None if all is well.
    - `first_step`: first step of the setup assistant; None if it is not needed.
    - `learned_faces`: learned die faces by game.
    - `write_backup`: writes all data of the table to a file. Blocks; raises OSError or StoreError.
    - `hub`: the link to a tournament hub.
    - `pairing`: asks a hub to let the table join by a code.
    - `referee_lock`: the PIN lock of the table's referee.
    - `take_photo`: takes one JPEG photo. Blocks; raises OSError or ValueError.
    - `read_code`: reads the QR code in a picture.
    - `on_frame`: called after every frame, for the watchdog.
    - `random`: shuffles cards. The default generator gives the same order every time.
    - `monotonic`: seconds that never run backwards, for the match clock.
    """

    voice: Voice | None = None
    chimes: Chimes | None = None
    backlight: Backlight | None = None
    lock: PinLock | None = None
    diagnose: Callable[[], Sequence[Check]] | None = None
    export_config: ExportConfig | None = None
    has_keyboard: bool = True
    is_kiosk_mode: bool = False
    controls: Controls | None = None
    cameras: CameraSelector | None = None
    start_trouble: StartTrouble | None = None
    first_step: str | None = None
    learned_faces: Mapping[str, LearnedFaces] = field(default_factory=dict)
    write_backup: Callable[[Path], object] | None = None
    hub: HubPort | None = None
    pairing: Pairing | None = None
    referee_lock: PinLock | None = None
    take_photo: Callable[[], bytes] | None = None
    read_code: CodeReader | None = None
    on_frame: Callable[[], None] | None = None
    random: Random = field(default_factory=partial(Random, 0))
    monotonic: Callable[[], float] = SystemClock().monotonic
