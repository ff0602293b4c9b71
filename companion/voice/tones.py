"""The short sounds, made of sines: a die read, a question, a refusal, the goal horn. Numbers only, no device."""

from __future__ import annotations

import io
import wave

import numpy as np
from numpy.typing import NDArray

RATE = 22_050
"""Samples a second."""

Wave = NDArray[np.float64]
_PARTIALS = {"soft": (1.0, 0.15), "horn": (1.0, 0.7, 0.5, 0.35, 0.2)}
_SCORES: dict[str, tuple[str, tuple[tuple[float, float, float], ...]]] = {
    "read": ("soft", ((0.0, 0.09, 880.0),)),
    "question": ("soft", ((0.0, 0.14, 587.3), (0.15, 0.22, 880.0))),
    "refusal": ("soft", ((0.0, 0.13, 311.1), (0.14, 0.2, 233.1))),
    "goal": ("horn", ((0.0, 0.9, 233.1), (0.0, 0.9, 293.7), (0.0, 0.9, 349.2))),
}
"""Of each sound its timbre and its notes: start, length (seconds) and frequency."""

NAMES = tuple(_SCORES)


def tone(name: str) -> Wave:
    """The samples of a sound, its loudest at 1."""
    timbre, notes = _SCORES[name]
    mixed = np.zeros(max(round(start * RATE) + round(seconds * RATE) for start, seconds, _ in notes))
    for start, seconds, frequency in notes:
        time = np.arange(round(seconds * RATE)) / RATE
        partials = enumerate(_PARTIALS[timbre], 1)
        note = sum((share * np.sin(2 * np.pi * frequency * n * time) for n, share in partials), np.zeros(len(time)))
        first = round(start * RATE)
        mixed[first : first + len(note)] += note * _swell(len(note), timbre)
    loudest: Wave = mixed / np.abs(mixed).max()
    return loudest


def wav(name: str, volume: int) -> bytes:
    """A sound as a WAV file of 16 bits; `volume` is a percentage."""
    samples = (tone(name) * 0.8 * 32767 * volume / 100).astype("<i2")
    written = io.BytesIO()
    with wave.open(written, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(samples.tobytes())
    return written.getvalue()


def _swell(count: int, timbre: str) -> Wave:
    """Begins and ends without a click; the soft ones fade at once, the horn holds."""
    attack, release = round(0.008 * RATE), round(0.06 * RATE)
    shape = np.ones(count)
    shape[:attack] = np.linspace(0, 1, attack)
    if timbre == "soft":
        shape *= np.exp(-np.arange(count) / count * 3)
    shape[-release:] *= np.linspace(1, 0, release)
    return shape
