"""`companion run`: the touchscreen app, with a real camera if there is one, else the simulated table."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from pathlib import Path
from random import SystemRandom

from companion.app import preferences
from companion.clock import SystemClock
from companion.commands.backup import write_backup
from companion.commands.checks import System, display, ribbon_cameras
from companion.commands.devices import TableCameras, select_devices
from companion.commands.exit_codes import DONE, FAILED
from companion.commands.make_platform import LazyHubLink
from companion.commands.own_dice import FOLDER as OWN_SETS
from companion.commands.own_dice import dice_memories, table_reader
from companion.commands.report import reader_versions
from companion.commands.simulated_table import SimulatedTable
from companion.commands.watchdog import watchdog
from companion.config import (
    AUTO,
    NONE,
    PICAMERA,
    SIMULATED,
    Config,
    DisplayConfig,
    TableConfig,
    config_path,
    data_folder,
    load_config,
)
from companion.games.registry import GAMES
from companion.journal.database import StoreError
from companion.journal.store import Store
from companion.language import Language
from companion.table.controls import Controls, Devices
from companion.table.health import Health
from companion.table.hub_port import HubPort
from companion.table.matches import Matches
from companion.table.misreads import FOLDER as MISREADS
from companion.table.misreads import Misreads
from companion.table.ports import ReaderPort
from vision import dice_sets
from vision.calibration.record import FILE_NAME as CALIBRATION
from vision.cameras import webcam
from vision.watching.supervisor import LIVE_SUPERVISION, ProcessReader
from vision.watching.worker import reader_setup

_MEGABYTE = 1_000_000


def run_app(chosen: Path | None) -> int:
    """Run the app until it is closed. Returns the exit status. Raises: ConfigError."""
    config = load_config(chosen)
    language = Language(config.display.language)
    print_line = partial(print, file=sys.stderr, flush=True)
    if display(System()).health is Health.MISSING and not os.environ.get("SDL_VIDEODRIVER"):
        print_line(language("cli.no_display"))
        return FAILED
    source = camera_source(config)
    source_text = language(f"cli.source.{source}") if source in (SIMULATED, NONE) else source
    print_line(language("cli.camera", source=source_text))
    selected = select_devices(config, config_path(chosen), SystemClock().monotonic)
    for message in selected.messages:
        print_line(language.text(message))
    devices = Devices(selected.devices)
    folder = data_folder(config)
    try:
        with Store.open(folder / "matches.sqlite", SystemClock()) as store:
            store.purge_pictures(config.data.pictures_mb * _MEGABYTE)
            if config.data.pictures_days:
                store.purge_old_pictures(SystemClock().now() - timedelta(days=config.data.pictures_days))
            store.purge_removed()
            table = _Table(store, config, config_path(chosen), source, folder, devices)
            return _run_window(print_line, language, lambda: _run_watched(table))
    except StoreError as trouble:
        print_line(language.text(trouble.message))
        return FAILED


def _run_window(print_line: Callable[[str], None], language: Language, window: Callable[[], None]) -> int:
    """Run the window. Reports a display that does not respond, for which Kivy exits the program."""
    try:
        window()
    except SystemExit as left:
        if left.code:
            print_line(language("cli.no_display"))
            return FAILED
    return DONE


def camera_source(
    config: Config, webcams: Callable[[], list[int]] = webcam.list_webcams, system: System | None = None
) -> str:
    """Return the configured source; for `auto` the first available: Pi camera, webcam, simulated table.

    A Pi without a webcam waits for its ribbon camera, which may be loose. With a webcam, the Pi camera is skipped if
    none is detected.
    """
    if config.camera.source != AUTO:
        return config.camera.source
    found, system = webcams(), system or System()
    if system.has_module("picamera2") and not (found and ribbon_cameras(system) == []):
        return PICAMERA
    return f"camera:{found[0]}" if found else SIMULATED


def reader_of(
    source: str, own_sets: Path, game_id: str, calibration: Path | None = None, rotation: int = 0
) -> ReaderPort | None:
    """Return the reader for a game's dice on a source, in its own process; None without a camera.

    - `own_sets`: folder of the dice faces confirmed by players
    - `calibration`: the camera's calibration file
    - `rotation`: rotation of the picture in degrees
    """
    if source == NONE:
        return None
    dice_set = game_id if game_id in dice_sets.names() else "pips"
    if source == SIMULATED:
        return SimulatedTable(dice_set, own_sets=own_sets, calibration=calibration)
    setup = replace(
        reader_setup(source, dice_set, calibration, rotation), reader=partial(table_reader, own_sets, False)
    )
    return ProcessReader(setup, supervision=LIVE_SUPERVISION)


@dataclass(frozen=True, slots=True)
class _Table:
    """The opened parts of this table. `source` is the camera source, `folder` the data folder."""

    store: Store
    config: Config
    config_file: Path
    source: str
    folder: Path
    devices: Devices


def _run_watched(table: _Table) -> None:
    """Open the window, with watchdog notifications if systemd expects them."""
    watching = watchdog(table.folder, SystemClock().now)
    hub = LazyHubLink(table.store.path, table.folder, SystemClock(), table.config.hub.credentials)
    try:
        _open_window(table, watching.on_frame if watching else None, hub)
    finally:
        hub.close()
        if watching:
            watching.close()


_WINDOW_SIZE = (800, 480)
"""Window size in pixels on a desktop: that of the 7-inch display."""


def _open_window(table: _Table, on_frame: Callable[[], None] | None, hub: HubPort) -> None:
    config, config_file, folder, source = table.config, table.config_file, table.folder, table.source
    os.environ.setdefault("KIVY_NO_ARGS", "1")
    os.environ.setdefault("KIVY_HOME", str(folder / "kivy"))
    from companion.app.app import TapisVertApp, prepare_window
    from companion.commands.devices import photo_taker
    from companion.commands.make_platform import export_config, make_platform

    fullscreen = not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
    misreads = Misreads(folder / MISREADS, reader_versions()) if config.data.misreads else None
    learned_faces = dice_memories(GAMES, folder / OWN_SETS)
    cameras = TableCameras(source, partial(_open_reader, folder, config.camera.rotation))
    prepare_window(_WINDOW_SIZE, fullscreen)
    TapisVertApp(
        Matches(table.store, GAMES, misreads, learned_faces),
        config,
        config_file=config_file,
        reader_factory=cameras.reader,
        squads=folder / "clubs",
        platform=replace(
            make_platform(
                folder,
                frozenset({"camera"}) if source == SIMULATED else frozenset(),
                fullscreen,
                config_file,
                links=lambda: table.devices.links,
            ),
            controls=Controls(table.devices, SystemClock().monotonic),
            export_config=export_config(folder, config.data.csv),
            take_photo=photo_taker(source, frozenset({NONE, SIMULATED})),
            on_frame=on_frame,
            random=SystemRandom(),
            cameras=cameras,
            learned_faces=learned_faces,
            hub=hub,
            write_backup=partial(_back_up, folder, config_file),
            first_step=preferences.pending_first_step(config, used=_is_in_use(table.store, config)),
        ),
    ).run()


def _open_reader(folder: Path, rotation: int, source: str, game_id: str) -> ReaderPort | None:
    return reader_of(source, folder / OWN_SETS, game_id, folder / CALIBRATION, rotation)


def _back_up(folder: Path, config_file: Path, file: Path) -> None:
    write_backup(folder, config_file, file, True, SystemClock().now())


def _is_in_use(store: Store, config: Config) -> bool:
    """Return True if the table has matches or changed settings; then the first-start questions are skipped."""
    return bool(store.matches()) or (config.display, config.table.name) != (DisplayConfig(), TableConfig().name)
