"""Plays the tones through the first player of sound files that the system has; nobody waits for it."""

from __future__ import annotations

import logging
import shutil
import subprocess
import tempfile
from pathlib import Path

from companion.voice.tones import NAMES, wav

PLAYERS = (("pw-play",), ("paplay",), ("aplay", "-q"))

log = logging.getLogger(__name__)


class Tones:
    """`command` plays the file that is put after it. The newest tone cuts the one before."""

    def __init__(self, command: tuple[str, ...]) -> None:
        self._command = command
        self._folder = tempfile.TemporaryDirectory(prefix="tapis-vert-tones-")
        self._playing: subprocess.Popen[bytes] | None = None

    def play(self, name: str, volume: int = 100) -> None:
        """Begins a tone at a volume (a percentage). A player that cannot be started is logged, and silent."""
        self._end()
        quiet = subprocess.DEVNULL
        try:
            command = [*self._command, str(self._file(name, volume))]
            self._playing = subprocess.Popen(command, stdin=quiet, stdout=quiet, stderr=quiet)
        except OSError as fault:
            log.warning("no tone is played: %s", fault)

    def close(self) -> None:
        """Silence, and nothing left on the disk."""
        self._end()
        self._folder.cleanup()

    def _file(self, name: str, volume: int) -> Path:
        """The tone at a volume, written when it is first wanted."""
        if name not in NAMES:
            raise ValueError(f"no tone {name!r}")
        file = Path(self._folder.name) / f"{name}-{volume}.wav"
        if not file.exists():
            file.write_bytes(wav(name, volume))
        return file

    def _end(self) -> None:
        if self._playing is not None:
            self._playing.kill()
            self._playing.wait()
            self._playing = None


def find(folders: str | None = None) -> tuple[str, ...] | None:
    """The command of the first player there is, None without any; in `folders` (as `PATH`) if they are given."""
    for program, *options in PLAYERS:
        path = shutil.which(program, path=folders)
        if path is not None:
            return (path, *options)
    return None
