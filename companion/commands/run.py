"""`companion run`: the touchscreen app, with a real camera if there is one, else the simulated table."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from random import SystemRandom
from threading import Event

from companion.app import preferences
from companion.clock import SystemClock
from companion.commands.backup import write_backup
from companion.commands.checks import System, display, ribbon_cameras
from companion.commands.devices import SelectedDevices, TableCameras, select_devices
from companion.commands.exit_codes import DONE, FAILED
from companion.commands.make_platform import LazyHubLink
from companion.commands.own_dice import FOLDER as OWN_SETS
from companion.commands.own_dice import OwnDice, dice_memories, table_reader
from companion.commands.report import reader_versions
from companion.commands.settings import terminal_language
from companion.commands.simulated_table import SimulatedTable
from companion.commands.start import Start, open_table, restart_program
from companion.commands.watchdog import watchdog
from companion.config import (
    AUTO,
    NONE,
    PICAMERA,
    SIMULATED,
    Config,
    ConfigError,
    DisplayConfig,
    TableConfig,
    load_config,
    with_setting,
)
from companion.games.registry import GAMES
from companion.journal.database import StoreError
from companion.journal.store import Store
from companion.language import Language, reason_of
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

log = logging.getLogger(__name__)


def run_app(chosen: Path | None) -> int:
    """Run the app until it is closed. Returns the exit status.

    What is wrong with settings, matches or devices is printed and shown by the app, which starts in any case.
    Raises: ConfigError without a display.
    """
    print_line = partial(print, file=sys.stderr, flush=True)
    if display(System()).health is Health.MISSING and not os.environ.get("SDL_VIDEODRIVER"):
        print_line(Language(load_config(chosen).display.language)("cli.no_display"))
        return FAILED
    restart = Event()
    try:
        start = open_table(chosen, SystemClock(), restart.set)
    except StoreError as trouble:
        print_line(terminal_language(chosen).text(trouble.message))
        return FAILED
    status = _run_started(start, print_line)
    if restart.is_set():
        restart_program()
    return status


def _run_started(start: Start, print_line: Callable[[str], None]) -> int:
    """Run the app with the opened parts. Returns the exit status."""
    config = start.config
    language = Language(config.display.language)
    for message in start.trouble.messages if start.trouble else ():
        print_line(language.text(message))
    source = camera_source(config)
    source_text = language(f"cli.source.{source}") if source in (SIMULATED, NONE) else source
    print_line(language("cli.camera", source=source_text))
    selected = _devices(start)
    for message in selected.messages:
        print_line(language.text(message))
    misreads = Misreads(start.folder / MISREADS, reader_versions()) if config.data.misreads else None
    learned_faces = dice_memories(GAMES, start.folder / OWN_SETS)
    matches = Matches(start.store, GAMES, misreads, learned_faces)
    table = _Table(start, matches, learned_faces, source, Devices(selected.devices))
    try:
        return _run_window(print_line, language, lambda: _run_watched(table))
    finally:
        matches.store.close()


def _devices(start: Start) -> SelectedDevices:
    """Return panel and tray. With an invalid pin file there is no panel, and the app says so."""
    monotonic = SystemClock().monotonic
    try:
        return select_devices(start.config, start.config_file, monotonic)
    except ConfigError as fault:
        start.add_message(fault.message)
        selected = select_devices(with_setting(start.config, "hardware", "panel", NONE), start.config_file, monotonic)
        return replace(selected, messages=(fault.message, *selected.messages))


def _run_window(print_line: Callable[[str], None], language: Language, window: Callable[[], None]) -> int:
    """Run the window. Reports a display that does not respond, for which Kivy exits the program."""
    try:
        window()
    except SystemExit as left:
        if left.code:
            print_line(language("cli.no_display"))
            return FAILED
    except Exception as fault:
        log.exception("the app ended with an error")
        print_line(language("cli.app_failed", reason=reason_of(fault)))
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
    """The opened parts of this table. `source` is the camera source."""

    start: Start
    matches: Matches
    learned_faces: Mapping[str, OwnDice]
    source: str
    devices: Devices


def _run_watched(table: _Table) -> None:
    """Open the window, with watchdog notifications if systemd expects them."""
    folder = table.start.folder
    watching = watchdog(folder, SystemClock().now)
    hub = LazyHubLink(table.start.store.path, folder, SystemClock(), table.start.config.hub.credentials)
    try:
        _open_window(table, watching.on_frame if watching else None, hub)
    finally:
        hub.close()
        if watching:
            watching.close()


_WINDOW_SIZE = (800, 480)
"""Window size in pixels on a desktop: that of the 7-inch display."""


def _open_window(table: _Table, on_frame: Callable[[], None] | None, hub: HubPort) -> None:
    start, source = table.start, table.source
    config, config_file, folder = start.config, start.config_file, start.folder
    os.environ.setdefault("KIVY_NO_ARGS", "1")
    os.environ.setdefault("KIVY_HOME", str(folder / "kivy"))
    from companion.app.app import TapisVertApp, prepare_window
    from companion.commands.devices import photo_taker
    from companion.commands.make_platform import export_config, make_platform

    fullscreen = not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
    cameras = TableCameras(source, partial(_open_reader, folder, config.camera.rotation))
    prepare_window(_WINDOW_SIZE, fullscreen)
    app = TapisVertApp(
        table.matches,
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
            learned_faces=table.learned_faces,
            hub=hub,
            write_backup=partial(_back_up, folder, config_file),
            start_trouble=start.trouble,
            first_step=preferences.pending_first_step(config, used=_is_in_use(start.store, config)),
        ),
    )
    if start.trouble is not None and start.trouble.restart is not None:
        start.trouble.restart = _and_then(start.trouble.restart, app.stop)
    app.run()


def _and_then(first: Callable[[], None], second: Callable[[], object]) -> Callable[[], None]:
    def call() -> None:
        first()
        second()

    return call


def _open_reader(folder: Path, rotation: int, source: str, game_id: str) -> ReaderPort | None:
    return reader_of(source, folder / OWN_SETS, game_id, folder / CALIBRATION, rotation)


def _back_up(folder: Path, config_file: Path, file: Path) -> None:
    write_backup(folder, config_file, file, True, SystemClock().now())


def _is_in_use(store: Store, config: Config) -> bool:
    """Return True if the table has matches or changed settings; then the first-start questions are skipped."""
    return bool(store.matches()) or (config.display, config.table.name) != (DisplayConfig(), TableConfig().name)
