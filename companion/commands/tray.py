"""`companion tray`: identify the lit tray and flash its firmware."""

from __future__ import annotations

import importlib.util
import json
import sys
from collections.abc import Callable
from importlib import resources
from pathlib import Path

from companion.commands.exit_codes import DONE, FAILED, REFUSED
from companion.commands.settings import language_of
from companion.config import load_config
from companion.games.base import Message
from companion.language import Language, quoted, reason_of
from firmware import protocol
from firmware import settings as tray_settings
from firmware.release import RELEASE
from hardware.ports import Trouble
from hardware.tray import AUTO, SerialPort, SerialPortError, find_port, waits_for_uf2
from hardware.tray_flash import FlashError, copy, enter_repl, greet_tray, tray_info
from vision.files import read_limited

NON_PORT_SETTINGS = ("auto", "simulated", "none")
"""Values of the setting `hardware.tray` that are not a port."""
_MAX_SETTINGS_BYTES = 100_000
"""Maximum size of the tray's settings. The board has 1,400,000 bytes for files."""

START_FILE = "main.py"

PrintLine = Callable[[str], None]


def firmware_files() -> list[Path]:
    """Return the firmware modules of this release, without the start file."""
    folder = Path(str(resources.files("firmware")))
    return sorted(file for file in folder.glob("*.py") if file.name != START_FILE)


def run_info(config: Path | None, port: str | None) -> int:
    """Print the tray's identity as one JSON object. Returns the exit status."""
    language, print_line = language_of(config), _print_line
    where = _port(config, port, language, print_line)
    if where is None:
        return FAILED
    try:
        link = greet_tray(where)
    except SerialPortError as error:
        return _print_line_fault(language, print_line, where, error)
    if link is None:
        print_line(language("cli.tray.no_answer", port=where))
        return FAILED
    print(json.dumps({"port": where, "protocol": link.peer_version, **link.peer_about}, ensure_ascii=False))
    if link.peer_version != protocol.VERSION:
        print_line(language("cli.tray.other_protocol", theirs=link.peer_version, ours=protocol.VERSION))
        return FAILED
    return DONE


def run_flash(config: Path | None, port: str | None, settings: Path | None) -> int:
    """Copy the firmware, restart the board and verify that the new firmware answers. Returns the exit status."""
    language, print_line = language_of(config), _print_line
    if settings is not None:
        try:
            tray_settings.read(read_limited(settings, _MAX_SETTINGS_BYTES).decode())
        except (OSError, ValueError) as error:
            print_line(language("cli.tray.settings", file=settings, reason=_settings_fault(error)))
            return REFUSED
    if importlib.util.find_spec("mpremote") is None:
        print_line(language("cli.tray.no_mpremote"))
        return FAILED
    where = _port(config, port, language, print_line)
    if where is None:
        return FAILED
    try:
        if greet_tray(where) is not None:
            print_line(language("cli.tray.to_prompt", port=where))
            enter_repl(where)
        else:
            SerialPort(where).close()
    except SerialPortError as error:
        return _print_line_fault(language, print_line, where, error)
    print_line(language("cli.tray.copying", port=where, release=RELEASE))
    try:
        copy(where, firmware_files(), Path(str(resources.files("firmware"))) / START_FILE, settings)
    except FlashError as error:
        print_line(language("cli.tray.no_prompt", port=where, reason=quoted(error.output)))
        return FAILED
    found = tray_info(where)
    if found is None or found.get("version") != RELEASE or found.get("protocol") != protocol.VERSION:
        release = found.get("version") if found is not None else "–"
        print_line(language("cli.tray.unproven", port=where, release=RELEASE, found=release))
        return FAILED
    print_line(language("cli.tray.flashed", port=where, release=RELEASE))
    return DONE


def _port(config: Path | None, port: str | None, language: Language, print_line: PrintLine) -> str | None:
    """Return the given port, else the configured one, else any connected board.

    Prints an error and returns None if none.
    """
    chosen = load_config(config).hardware.tray
    wanted = port or (AUTO if chosen in NON_PORT_SETTINGS else chosen)
    where = find_port(wanted)
    if where is None:
        if wanted != AUTO:
            print_line(language("cli.tray.no_port", port=wanted))
        else:
            print_line(language("cli.tray.boot_mode" if waits_for_uf2() else "cli.tray.absent"))
    return where


def _settings_fault(error: OSError | ValueError) -> Message:
    if isinstance(error, tray_settings.SettingsError):
        return Message(f"cli.tray.settings.{error.fault}", error.facts)
    return reason_of(error)


def _print_line_fault(language: Language, print_line: PrintLine, where: str, error: SerialPortError) -> int:
    known = {Trouble.RIGHTS: "cli.tray.rights", Trouble.BUSY: "cli.tray.busy", Trouble.FOREIGN: "cli.tray.foreign"}
    print_line(language(known.get(error.trouble, "cli.tray.gone"), port=where, reason=reason_of(error)))
    return FAILED


def _print_line(sentence: str) -> None:
    print(sentence, file=sys.stderr, flush=True)
