"""Contrast between each text and its background, measured on screenshots (WCAG 2.1, 1.4.3)."""

from __future__ import annotations

from typing import Any

import numpy as np
from kivy.core.window import Window
from kivy.graphics.opengl import GL_RGBA, GL_UNSIGNED_BYTE, glReadPixels

MIN_CONTRAST = 4.5
ROUNDING = 0.05
"""Tolerance for 8-bit colours: the theme's ratios are computed from exact colours."""
ALIKE = 0.08
"""Two colours count as equal if no channel differs by more."""
MIN_CONTRAST_REST = 0.2

Pixels = np.ndarray[Any, np.dtype[np.uint8]]


def faint(texts: list[Any], box: Any, hidden: Any) -> list[str]:
    """Return a message for each text below 4.5:1; `box` returns a text's corners, `hidden` whether it is scrolled
    away."""
    width, height = Window.size
    raw = glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE)
    screen: Pixels = np.frombuffer(raw, dtype=np.uint8).reshape(height, width, 4)[..., :3]
    found = []
    for text in texts:
        if hidden(text):
            continue
        left, bottom, right, top = (round(number) for number in box(text))
        behind = screen[max(0, bottom) : min(height, top), max(0, left) : min(width, right)]
        if behind.size == 0:
            continue
        under = ground(behind, np.asarray(text.color[:3]))
        ratio = contrast(_ink(text, under), under)
        if ratio < MIN_CONTRAST - ROUNDING:
            found.append(f"faint: {text.text!r} has {ratio:.1f} to 1")
    return found


def ground(pixels: Pixels, ink: np.ndarray[Any, Any]) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return the most frequent colour of a screen region (0 to 1): the background of its text.

    Large figures fill most of their box. Then the background is the most frequent colour of the other pixels, if any.
    """
    flat = pixels.reshape(-1, 3)
    most = _commonest(flat)
    if np.abs(most - ink).max() > ALIKE:
        return most
    rest = flat[np.abs(flat / 255.0 - ink).max(axis=1) > ALIKE]
    return _commonest(rest) if len(rest) >= MIN_CONTRAST_REST * len(flat) else most


def _commonest(flat: Pixels) -> np.ndarray[Any, np.dtype[np.float64]]:
    coarse = (flat >> 3).astype(np.int64)
    keys = (coarse[:, 0] << 10) | (coarse[:, 1] << 5) | coarse[:, 2]
    often = np.bincount(keys).argmax()
    return np.asarray(flat[keys == often].mean(axis=0) / 255.0)


def _ink(text: Any, behind: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return a text's colour blended over `behind`, with the opacity of every parent widget."""
    alpha, widget = float(text.color[3]), text
    while widget is not None and widget.parent is not widget and hasattr(widget, "opacity"):
        alpha *= float(widget.opacity)
        widget = widget.parent
    return np.asarray(text.color[:3]) * alpha + behind * (1 - alpha)


def contrast(a: np.ndarray[Any, Any], b: np.ndarray[Any, Any]) -> float:
    """Return the contrast ratio of two colours of 0 to 1: from 1 (none) to 21 (black and white)."""
    high, low = sorted((_luminance(a), _luminance(b)), reverse=True)
    return float((high + 0.05) / (low + 0.05))


def _luminance(colour: np.ndarray[Any, Any]) -> float:
    linear = np.where(colour <= 0.04045, colour / 12.92, ((colour + 0.055) / 1.055) ** 2.4)
    return float(linear @ np.array([0.2126, 0.7152, 0.0722]))
