"""Short tones: made as WAV files of sine waves, played by the first player of the system that is found."""

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

SAMPLE_RATE_HZ = 22_050
"""Samples a second."""

Wave = NDArray[np.float64]
_PARTIALS = {"soft": (1.0, 0.15), "horn": (1.0, 0.7, 0.5, 0.35, 0.2)}
_TONES: dict[str, tuple[str, tuple[tuple[float, float, float], ...]]] = {
    "read": ("soft", ((0.0, 0.09, 880.0),)),
    "question": ("soft", ((0.0, 0.14, 587.3), (0.15, 0.22, 880.0))),
    "refusal": ("soft", ((0.0, 0.13, 311.1), (0.14, 0.2, 233.1))),
    "goal": ("horn", ((0.0, 0.9, 233.1), (0.0, 0.9, 293.7), (0.0, 0.9, 349.2))),
}
"""Of each sound its timbre and its notes: start, length (seconds) and frequency."""

TONE_NAMES = tuple(_TONES)


def tone(name: str) -> Wave:
    """The samples of a sound, its loudest at 1."""
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
    """A sound as a WAV file of 16 bits; `volume` is a percentage."""
    samples = (tone(name) * 0.8 * 32767 * volume / 100).astype("<i2")
    buffer = io.BytesIO()
    with wave.open(buffer, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(SAMPLE_RATE_HZ)
        file.writeframes(samples.tobytes())
    return buffer.getvalue()


def _envelope(count: int, timbre: str) -> Wave:
    """Begins and ends without a click; the soft ones fade at once, the horn holds."""
    attack, release = round(0.008 * SAMPLE_RATE_HZ), round(0.06 * SAMPLE_RATE_HZ)
    envelope = np.ones(count)
    envelope[:attack] = np.linspace(0, 1, attack)
    if timbre == "soft":
        envelope *= np.exp(-np.arange(count) / count * 3)
    envelope[-release:] *= np.linspace(1, 0, release)
    return envelope


# Plays the tones through the first player of sound files that the system has; nobody waits for it.


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
        self._stop()
        quiet = subprocess.DEVNULL
        try:
            command = [*self._command, str(self._file(name, volume))]
            self._playing = subprocess.Popen(command, stdin=quiet, stdout=quiet, stderr=quiet)
        except OSError as fault:
            log.warning("no tone is played: %s", fault)

    def close(self) -> None:
        """Silence, and nothing left on the disk."""
        self._stop()
        self._folder.cleanup()

    def _file(self, name: str, volume: int) -> Path:
        """The tone at a volume, written when it is first wanted."""
        if name not in TONE_NAMES:
            raise ValueError(f"no tone {name!r}")
        file = Path(self._folder.name) / f"{name}-{volume}.wav"
        if not file.exists():
            file.write_bytes(wav(name, volume))
        return file

    def _stop(self) -> None:
        if self._playing is not None:
            self._playing.kill()
            self._playing.wait()
            self._playing = None


def find_player(folders: str | None = None) -> tuple[str, ...] | None:
    """The command of the first player there is, None without any; in `folders` (as `PATH`) if they are given."""
    for program, *options in PLAYERS:
        path = shutil.which(program, path=folders)
        if path is not None:
            return (path, *options)
    return None
