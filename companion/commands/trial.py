"""`companion trial`: runs the app off screen on a copy of the matches and waits for its first watchdog signals.

An update runs it with the new version before replacing the old one.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

import tomlkit

from companion.clock import SystemClock
from companion.commands import checks
from companion.commands.backup import copy_matches
from companion.commands.checks import System
from companion.commands.doctor import detail_text
from companion.commands.exit_codes import DONE, FAILED
from companion.commands.settings import language_of
from companion.commands.start import STRICT_VARIABLE
from companion.commands.watchdog import ALIVE, PERIOD_VARIABLE, PROCESS_VARIABLE, READY, SOCKET_VARIABLE
from companion.config import FILE_VARIABLE, config_path, data_folder, load_config
from companion.journal.database import StoreError
from companion.journal.store_files import STORE_FILE
from companion.language import Language
from companion.table.health import Health

PERIOD_USEC = "3000000"
MIN_ALIVE_SIGNALS = 2
"""Watchdog signals required after the first frame, to show that the app keeps running."""
MAX_OUTPUT_LINES = 15
WITHOUT_DEVICES = {
    "camera": {"source": "none"},
    "hardware": {"panel": "none", "tray": "none"},
}
"""Disables the devices, which the running version may be using."""


def run_trial(chosen: Path | None, seconds: float) -> int:
    """Run the trial, with a timeout of `seconds` for each signal. Uses no data or device of the table.

    Returns the exit status.
    """
    language = language_of(chosen)
    data = data_folder(load_config(chosen))
    if not _check_parts(data, language):
        return FAILED
    clock = SystemClock()
    started_at = clock.monotonic()
    with tempfile.TemporaryDirectory(prefix="tapis-vert-trial.") as name:
        folder = Path(name)
        try:
            (folder / "data").mkdir()
            copy_matches(data / STORE_FILE, folder / "data" / STORE_FILE, pictures=False)
            config = _write_trial_config(config_path(chosen), folder)
        except StoreError as trouble:
            print(language.text(trouble.message), file=sys.stderr)
            return FAILED
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notify_socket, (folder / "said").open("w+b") as output:
            notify_socket.bind(str(folder / "notify"))
            notify_socket.settimeout(seconds)
            app = subprocess.Popen(
                [sys.executable, "-m", "companion", "--config", str(config), "run"],
                env=_environment(folder),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                cwd=folder,
            )
            try:
                is_alive = _wait_until_alive(notify_socket)
            finally:
                app.kill()
                app.wait()
        if is_alive:
            print(language("cli.trial.good", n=round(clock.monotonic() - started_at)), file=sys.stderr)
            return DONE
        lines = (folder / "said").read_text(errors="replace").splitlines()[-MAX_OUTPUT_LINES:]
        print("\n".join([*lines, language("cli.trial.bad")]), file=sys.stderr)
        return FAILED


def _check_parts(data: Path, language: Language) -> bool:
    """Check the parts that every table needs, with the doctor's checks.

    Prints faults; returns True if there are none.
    """
    system = System()
    results = (checks.versions(), checks.reader(), checks.disk(system, data))
    failed = [check for check in results if check.health is Health.ATTENTION]
    for check in failed:
        found = ", ".join(detail_text(language, fact) for fact in check.details)
        print(f"{language(f'cli.part.{check.part}')}: {found}", file=sys.stderr)
        print(f"→ {language.text(check.remedy)}" if check.remedy else "", file=sys.stderr)
    return not failed


def _wait_until_alive(notify_socket: socket.socket) -> bool:
    """Return True if the app reported ready and kept running for a while."""
    is_ready = False
    signs = 0
    while not is_ready or signs < MIN_ALIVE_SIGNALS:
        try:
            states = notify_socket.recv(4096).decode(errors="replace").split("\n")
        except TimeoutError:
            return False
        is_ready = is_ready or READY in states
        signs += ALIVE in states
    return True


def _write_trial_config(path: Path, folder: Path) -> Path:
    """Write the current settings for a table without devices, with its data in `folder`."""
    document = tomlkit.parse(path.read_text(encoding="utf-8-sig")) if path.exists() else tomlkit.document()
    for section, values in {**WITHOUT_DEVICES, "data": {"folder": str(folder / "data")}}.items():
        document.setdefault(section, tomlkit.table()).update(values)
    trial = folder / "config.toml"
    trial.write_text(tomlkit.dumps(document), encoding="utf-8")
    return trial


def _environment(folder: Path) -> dict[str, str]:
    variables = {SOCKET_VARIABLE: str(folder / "notify"), PERIOD_VARIABLE: PERIOD_USEC}
    variables |= {
        STRICT_VARIABLE: "1",
        "SDL_VIDEODRIVER": "offscreen",
        "SDL_AUDIODRIVER": "dummy",
        "KIVY_NO_CONSOLELOG": "1",
    }
    left_out = (FILE_VARIABLE, PROCESS_VARIABLE, "DISPLAY", "WAYLAND_DISPLAY", "KIVY_HOME")
    return {**{name: value for name, value in os.environ.items() if name not in left_out}, **variables}
