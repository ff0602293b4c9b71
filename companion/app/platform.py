"""What the app finds around its screen: voice, tones, backlight, lock, papers. All handed in."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from typing import Protocol

from companion.app.pin_lock import PinLock
from companion.language import Language
from companion.table.controls import Controls
from companion.table.health import Check
from companion.table.hub_port import HubPort
from companion.table.ports import ReaderPort
from companion.table.report import MatchReport

MAX_FILE_NAME_CHARS = 80
"""Signs of a file's name before its ending."""

_UNSAFE = re.compile(r'[\x00-\x1f/\\:*?"<>|]+')


class PdfWriter(Protocol):
    """Makes the PDF of reports."""

    def __call__(self, reports: Sequence[MatchReport], language: Language, /) -> bytes: ...


@dataclass(frozen=True, slots=True)
class ExportConfig:
    """`places` lists where files may be put: the exchange folder first (made when something is put there), then sticks.

    `versions` name the program (`tapis-vert`) and its nets; `separator` is that of CSV files.
    """

    pdf: PdfWriter
    list_folders: Callable[[], Sequence[Path]]
    versions: Mapping[str, str]
    separator: str = "auto"


def file_name(day: str, title: str, extension: str) -> str:
    """A name that every file system takes: the day, the match, the ending."""
    cleaned = _UNSAFE.sub(" ", f"{day} {title}")
    return f"{' '.join(cleaned.split())[:MAX_FILE_NAME_CHARS].strip(' .')}.{extension}"


class Voice(Protocol):
    """Says a text in a language (`fr`, `en`) at a volume in percent. No call waits; the newest text cuts the others."""

    def speak(self, text: str, language: str, volume: int) -> None: ...

    def stop(self) -> None: ...

    def close(self) -> None: ...


class Chimes(Protocol):
    """Plays a short sound by its name, at a volume in percent."""

    def play(self, name: str, volume: int) -> None: ...

    def close(self) -> None: ...


class Backlight(Protocol):
    """The light behind the panel. `shine` takes a percentage and says whether the panel obeyed."""

    def set_brightness(self, percent: int) -> bool: ...


class CameraSelector(Protocol):
    """The cameras there are: `sources` names them (it may take a moment), `look` sees through one, `choose` takes it.

    A source is named as in the settings, `simulated` for the drawn table and `none` for no camera; `choose` returns
    what the settings keep. `source` is the one in force.
    """

    @property
    def source(self) -> str: ...

    def list_sources(self) -> Sequence[str]: ...

    def open_preview(self, source: str) -> ReaderPort | None: ...

    def select(self, source: str) -> str: ...


class LearnedFaces(Protocol):
    """What players have confirmed of the dice of a game: `told` counts the faces known, and all in question."""

    @property
    def known_and_total(self) -> tuple[int, int]: ...

    def forget(self) -> None:
        """Nothing is known any more. Raises OSError."""
        ...


@dataclass(frozen=True, slots=True)
class Platform:
    """The parts there are; None for one that is missing: silence, a dark veil, nothing locked, nothing to look at.

    `keyboard`: whether one is plugged in. `kiosk`: the app fills the screen and is all there is. `photograph` takes one
    picture (JPEG) with the camera; it waits for it, and raises OSError or ValueError. `chance` shuffles cards; without
    one handed in it is the same every time. `drawn` is called after every frame, for whoever watches over the app.
    `controls` are the buttons and lights beside the screen, `eyes` the cameras over the tray. `first_step` is where the
    questions of the first start begin, None where nothing is to be asked. `own_dice` is what is known of each game's
    dice. `hub` is the link to a tournament's hub, `referee` the lock of the table's referee. `backup` writes all that
    the table knows into a file; it waits, and raises OSError or StoreError.
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
    first_step: str | None = None
    learned_faces: Mapping[str, LearnedFaces] = field(default_factory=dict)
    write_backup: Callable[[Path], object] | None = None
    hub: HubPort | None = None
    referee_lock: PinLock | None = None
    take_photo: Callable[[], bytes] | None = None
    on_frame: Callable[[], None] | None = None
    random: Random = field(default_factory=partial(Random, 0))
