"""Short tones: sine waves written as WAV files and played by the first available system player."""

from __future__ import annotations

import io
import logging
import shutil
import subprocess
import tempfile
import wave
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.files import write_atomically

SAMPLE_RATE_HZ = 22_050
"""Samples per second."""

Wave = NDArray[np.float64]
_PARTIALS = {"soft": (1.0, 0.15), "horn": (1.0, 0.7, 0.5, 0.35, 0.2)}
_TONES: dict[str, tuple[str, tuple[tuple[float, float, float], ...]]] = {
    "read": ("soft", ((0.0, 0.09, 880.0),)),
    "question": ("soft", ((0.0, 0.14, 587.3), (0.15, 0.22, 880.0))),
    "refusal": ("soft", ((0.0, 0.13, 311.1), (0.14, 0.2, 233.1))),
    "goal": ("horn", ((0.0, 0.9, 233.1), (0.0, 0.9, 293.7), (0.0, 0.9, 349.2))),
}
"""Timbre and notes of each sound. A note is start, duration (both in seconds) and frequency in Hz."""

TONE_NAMES = tuple(_TONES)


def tone(name: str) -> Wave:
    """Return the samples of a sound, with a peak of 1."""
    timbre, notes = _TONES[name]
    samples = np.zeros(
        max(round(start * SAMPLE_RATE_HZ) + round(seconds * SAMPLE_RATE_HZ) for start, seconds, _ in notes)
    )
    for start, seconds, frequency in notes:
        time = np.arange(round(seconds * SAMPLE_RATE_HZ)) / SAMPLE_RATE_HZ
        partials = enumerate(_PARTIALS[timbre], 1)
        note = sum((share * np.sin(2 * np.pi * frequency * n * time) for n, share in partials), np.zeros(len(time)))
        first = round(start * SAMPLE_RATE_HZ)
        samples[first : first + len(note)] += note * _envelope(len(note), timbre)
    loudest: Wave = samples / np.abs(samples).max()
    return loudest


def wav(name: str, volume: int) -> bytes:
    """Return a sound as a 16-bit WAV file; `volume` is a percentage."""
    samples = (tone(name) * 0.8 * 32767 * volume / 100).astype("<i2")
    buffer = io.BytesIO()
    with wave.open(buffer, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(SAMPLE_RATE_HZ)
        file.writeframes(samples.tobytes())
    return buffer.getvalue()


def _envelope(count: int, timbre: str) -> Wave:
    """Return an envelope without clicks at both ends. `soft` decays at once; `horn` sustains."""
    attack, release = round(0.008 * SAMPLE_RATE_HZ), round(0.06 * SAMPLE_RATE_HZ)
    envelope = np.ones(count)
    envelope[:attack] = np.linspace(0, 1, attack)
    if timbre == "soft":
        envelope *= np.exp(-np.arange(count) / count * 3)
    envelope[-release:] *= np.linspace(1, 0, release)
    return envelope


# Plays the tones through the first available player; calls do not block.


PLAYERS = (("pw-play",), ("paplay",), ("aplay", "-q"))

log = logging.getLogger(__name__)


class Tones:
    """Player of tones. `command` is the player command, followed by the file. A new tone cuts the old one."""

    def __init__(self, command: tuple[str, ...]) -> None:
        self._command = command
        self._folder = tempfile.TemporaryDirectory(prefix="tapis-vert-tones-")
        self._playing: subprocess.Popen[bytes] | None = None

    def play(self, name: str, volume: int = 100) -> None:
        """Start a tone at a volume in percent. If the player cannot be started, logs a warning."""
        self._stop()
        quiet = subprocess.DEVNULL
        try:
            command = [*self._command, str(self._file(name, volume))]
            self._playing = subprocess.Popen(command, stdin=quiet, stdout=quiet, stderr=quiet)
        except OSError as fault:
            log.warning("no tone is played: %s", fault)

    def close(self) -> None:
        """Stop playing and delete the temporary files."""
        self._stop()
        self._folder.cleanup()

    def _file(self, name: str, volume: int) -> Path:
        """Return the file of a tone at a volume; it is written on first use."""
        if name not in TONE_NAMES:
            raise ValueError(f"no tone {name!r}")
        file = Path(self._folder.name) / f"{name}-{volume}.wav"
        if not file.exists():
            write_atomically(file, wav(name, volume))
        return file

    def _stop(self) -> None:
        if self._playing is not None:
            self._playing.kill()
            self._playing.wait()
            self._playing = None


def find_player(folders: str | None = None) -> tuple[str, ...] | None:
    """Return the command of the first available player, or None. `folders` (like `PATH`) limits the search."""
    for program, *options in PLAYERS:
        path = shutil.which(program, path=folders)
        if path is not None:
            return (path, *options)
    return None
