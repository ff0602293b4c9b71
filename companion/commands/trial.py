"""`companion trial`: opens the app off screen on a copy of the matches and waits for its first signs of life.

An update asks it of the new version before it takes the place of the old one.
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
from companion.commands.backup import MATCHES, snapshot
from companion.commands.checks import System
from companion.commands.doctor import told
from companion.commands.exit_codes import DONE, FAILED
from companion.commands.settings import language_of
from companion.commands.watchdog import ALIVE, PERIOD_VARIABLE, PROCESS_VARIABLE, READY, SOCKET_VARIABLE
from companion.config import FILE_VARIABLE, config_path, data_folder, load_config
from companion.journal.database import StoreError
from companion.language import Language
from companion.table.health import Health

PERIOD_USEC = "3000000"
SIGNS = 2
"""Signs of life after the first frame: it does not only open, it goes on."""
SHOWN_LINES = 15
HANDS_OFF = {
    "camera": {"source": "none"},
    "hardware": {"panel": "none", "tray": "none"},
}
"""The parts of the table may be in use by the version that runs."""


def run_trial(chosen: Path | None, seconds: float) -> int:
    """Waits so long at most for each sign, and touches no data or device of the table. Returns the status."""
    say = language_of(chosen)
    data = data_folder(load_config(chosen))
    if not _whole(data, say):
        return FAILED
    clock = SystemClock()
    began = clock.monotonic()
    with tempfile.TemporaryDirectory(prefix="tapis-vert-trial.") as name:
        folder = Path(name)
        try:
            (folder / "data").mkdir()
            snapshot(data / MATCHES, folder / "data" / MATCHES, pictures=False)
            config = _config(config_path(chosen), folder)
        except StoreError as trouble:
            print(say.text(trouble.message), file=sys.stderr)
            return FAILED
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as heard, (folder / "said").open("w+b") as words:
            heard.bind(str(folder / "notify"))
            heard.settimeout(seconds)
            app = subprocess.Popen(
                [sys.executable, "-m", "companion", "--config", str(config), "run"],
                env=_environment(folder),
                stdin=subprocess.DEVNULL,
                stdout=words,
                stderr=words,
                cwd=folder,
            )
            try:
                alive = _alive(heard)
            finally:
                app.kill()
                app.wait()
        if alive:
            print(say("cli.trial.good", n=round(clock.monotonic() - began)), file=sys.stderr)
            return DONE
        lines = (folder / "said").read_text(errors="replace").splitlines()[-SHOWN_LINES:]
        print("\n".join([*lines, say("cli.trial.bad")]), file=sys.stderr)
        return FAILED


def _whole(data: Path, say: Language) -> bool:
    """Whether nothing is wrong with the parts that every table needs, as the doctor sees them; says what is."""
    system = System()
    seen = (checks.versions(), checks.reader(), checks.disk(system, data))
    wrong = [check for check in seen if check.health is Health.LOOK]
    for check in wrong:
        found = ", ".join(told(say, fact) for fact in check.found)
        print(f"{say(f'cli.part.{check.part}')}: {found}", file=sys.stderr)
        print(f"→ {say.text(check.remedy)}" if check.remedy else "", file=sys.stderr)
    return not wrong


def _alive(heard: socket.socket) -> bool:
    """Whether the app said that it is ready and went on for a while."""
    ready = False
    signs = 0
    while not ready or signs < SIGNS:
        try:
            said = heard.recv(4096).decode(errors="replace").split("\n")
        except TimeoutError:
            return False
        ready = ready or READY in said
        signs += ALIVE in said
    return True


def _config(path: Path, folder: Path) -> Path:
    """The settings in force, for a table without devices whose data lie in `folder`."""
    document = tomlkit.parse(path.read_text(encoding="utf-8-sig")) if path.exists() else tomlkit.document()
    for section, values in {**HANDS_OFF, "data": {"folder": str(folder / "data")}}.items():
        document.setdefault(section, tomlkit.table()).update(values)
    trial = folder / "config.toml"
    trial.write_text(tomlkit.dumps(document), encoding="utf-8")
    return trial


def _environment(folder: Path) -> dict[str, str]:
    mute = {SOCKET_VARIABLE: str(folder / "notify"), PERIOD_VARIABLE: PERIOD_USEC}
    mute |= {"SDL_VIDEODRIVER": "offscreen", "SDL_AUDIODRIVER": "dummy", "KIVY_NO_CONSOLELOG": "1"}
    left_out = (FILE_VARIABLE, PROCESS_VARIABLE, "DISPLAY", "WAYLAND_DISPLAY", "KIVY_HOME")
    return {**{name: value for name, value in os.environ.items() if name not in left_out}, **mute}
