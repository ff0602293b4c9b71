"""Layout check of a screen: text that is cut, too small, too faint or covered; touch targets too small or too close."""

from __future__ import annotations

import re
from typing import Any

from kivy.core.window import Window
from kivy.metrics import dp

from tests.app.contrast import faint

MIN_TARGET_PX = 48
TALLEST_PIXELS = (800, 480)
"""The 7 inch display has pixels that are wider than high: 9 mm are 51 pixels vertically (SCREENS 2)."""
MIN_TARGET_UPRIGHT_PX = 51
_PATH = re.compile(r"/(boot|dev|etc|home|media|mnt|opt|root|run|tmp|usr|var)/")
"""The beginning of a path on the systems that the app runs on."""
_TECHNICAL_PAGES = ("DiagnosticPage", "TroublePage")
_PLACEHOLDER = re.compile(r"\{\w+\}")
MIN_TYPE_DP = 12
"""Smallest type that a player reads at arm's length: four fifths of the smallest type of the theme."""
SLACK = 1.5
"""Tolerance in pixels for rounding."""


def faults_of(root: Any, widgets: list[Any], taps: list[Any]) -> list[str]:
    """Return a message for each fault, in the order of the widgets."""
    from companion.app.widgets.text import Text

    texts = [widget for widget in widgets if isinstance(widget, Text) and widget.text.strip()]
    top = root.sheets[-1] if root.sheets else root.page
    texts = [text for text in texts if _within(text, top)]
    faint_texts = faint(texts, box, _scrolled_away)
    unfilled = [f"a value is missing: {text.text!r}" for text in texts if _PLACEHOLDER.search(text.text)]
    return [
        *unfilled,
        *_clipped(texts),
        *_cut(texts),
        *_spilled(taps),
        *_overlaps(texts),
        *_tiny(texts),
        *_small(taps),
        *_crossing(taps),
        *faint_texts,
        *_paths(root.page, texts),
    ]


def box(widget: Any) -> tuple[float, float, float, float]:
    """Return left, bottom, right, top in window pixels; for a text, only the area of its letters."""
    x, y = widget.pos
    width, height = widget.size
    if hasattr(widget, "texture_size"):
        used, tall = widget.texture_size
        used, tall = _inked(widget, used, tall)
        if widget.halign == "right":
            x += width - used
        elif widget.halign == "center":
            x += (width - used) / 2
        y += {"top": height - tall, "bottom": 0}.get(widget.valign, (height - tall) / 2)
        width, height = used, tall
    return _corners(widget, x, y, x + width, y + height)


def _inked(widget: Any, used: float, tall: float) -> tuple[float, float]:
    """Return the size of the text lines; the texture may be as large as its layout box."""
    lines = getattr(widget._label, "_cached_lines", ())
    if lines:
        used = max(line.w for line in lines)
        tall = sum(line.h for line in lines)
    return used, tall


def _within(widget: Any, top: Any) -> bool:
    while widget is not None and widget.parent is not widget:
        if widget is top:
            return True
        widget = widget.parent
    return False


def _spilled(taps: list[Any]) -> list[str]:
    """Return the texts of buttons that are higher than their button."""
    from companion.app.widgets.button import PushButton

    found = []
    for tap in [tap for tap in taps if type(tap) is PushButton]:
        tall = sum(line.height for line in (tap._head, tap._small) if line.text)
        if tall > tap.height * 1.02 + dp(4) and not _scrolled_away(tap):  # lines are a little higher than their letters
            found.append(f"spilled: {tap.spoken_name()!r} needs {tall:.0f}, has {tap.height:.0f}")
    return found


def _scrolled_away(widget: Any) -> bool:
    """Return True if a scroll view hides the widget or a part of it."""
    from kivy.uix.scrollview import ScrollView

    parent = widget.parent
    while parent is not None and parent.parent is not parent:
        if isinstance(parent, ScrollView):
            bottom = parent.to_window(*parent.pos)[1]
            low, high = widget.to_window(*widget.pos)[1], widget.to_window(widget.x, widget.top)[1]
            return bool(low < bottom or high > bottom + parent.height)
        parent = parent.parent
    return False


def _clipped(texts: list[Any]) -> list[str]:
    found = []
    for text in texts:
        if _scrolled_away(text):
            continue
        used, tall = _inked(text, *text.texture_size)
        if used > text.width + SLACK or tall > text.height * 1.02 + dp(4):
            found.append(f"clipped: {text.text!r} needs {used:.0f}x{tall:.0f}, has {text.width:.0f}x{text.height:.0f}")
            continue
        if _broken(text):
            found.append(f"cut, or broken inside a word: {text.text!r}")
        if text.flow == "box" and "…" not in text.text and text.is_shortened:
            found.append(f"shortened: {text.text!r}")
        left, bottom, right, top = box(text)
        if left < -SLACK or bottom < -SLACK or right > Window.width + SLACK or top > Window.height + SLACK:
            found.append(f"outside: {text.text!r} at {left:.0f},{bottom:.0f} to {right:.0f},{top:.0f}")
    return found


def _paths(page: Any, texts: list[Any]) -> list[str]:
    """Return the texts with the path of a file. Only the pages for whoever installs the table may show one."""
    if type(page).__name__ in _TECHNICAL_PAGES:
        return []
    return [f"a path: {text.text!r}" for text in texts if _PATH.search(text.text)]


def _cut(texts: list[Any]) -> list[str]:
    """Return the texts that lost their end. Names of clubs and people are shortened first: they may be very long."""
    from companion.app.widgets.text import Name

    names = [text for text in texts if isinstance(text, Name) and not text.initials]
    return [f"cut: {name.text!r} of {name.full_text!r}" for name in names if name.is_cut]


def _broken(text: Any) -> bool:
    """Return True if words are missing or broken (Kivy drops lines that do not fit, and breaks words that are too
    wide).
    """
    lines = ["".join(word.text for word in line.words) for line in getattr(text._label, "_cached_lines", ())]
    written = [part for line in lines for part in _unbreakable_parts(line)]
    return bool(lines) and written != _unbreakable_parts(text.text)


def _unbreakable_parts(text: str) -> list[str]:
    """Return the parts that must stay together. A line may break after every Chinese or Japanese character."""
    return re.findall(r"[\u3000-\u9fff]|[^\s\u3000-\u9fff]+", text)


def _overlaps(texts: list[Any]) -> list[str]:
    found = []
    boxes = [(text, box(text)) for text in texts if not _scrolled_away(text)]
    inset = dp(2.5)
    for at, (first, a) in enumerate(boxes):
        for second, b in boxes[at + 1 :]:
            wide = min(a[2], b[2]) - max(a[0], b[0])
            high = min(a[3], b[3]) - max(a[1], b[1])
            if wide > inset and high > inset * 1.6:
                found.append(f"overlap: {first.text!r} and {second.text!r}")
    return found


def _tiny(texts: list[Any]) -> list[str]:
    """Return the texts in type that is too small; font sizes are rounded down to whole pixels."""
    return [
        f"tiny: {text.text!r} {text.font_size / dp(1):.1f} dp"
        for text in texts
        if text.font_size < dp(MIN_TYPE_DP) - 0.5
    ]


def _small(taps: list[Any]) -> list[str]:
    wide = dp(MIN_TARGET_PX) - SLACK
    high = dp(MIN_TARGET_UPRIGHT_PX if tuple(Window.size) == TALLEST_PIXELS else MIN_TARGET_PX) - SLACK
    return [
        f"small: {tap.spoken_name()!r} {tap.width:.0f}x{tap.height:.0f}"
        for tap in taps
        if tap.width < wide or tap.height < high
    ]


def _crossing(taps: list[Any]) -> list[str]:
    """Return overlapping touch targets: a finger between them would hit the wrong one."""
    frames = [(tap, _frame(tap)) for tap in taps if not _scrolled_away(tap)]
    return [
        f"targets over each other: {first.spoken_name()!r} and {second.spoken_name()!r}"
        for at, (first, a) in enumerate(frames)
        for second, b in frames[at + 1 :]
        if _shared(a, b) > SLACK and not _within(second, first)
    ]


def _shared(a: tuple[float, float, float, float], b: tuple[float, float, float, float]) -> float:
    """Return the smaller overlap of two boxes in pixels; negative if they do not overlap."""
    return min(min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1]))


def _frame(widget: Any) -> tuple[float, float, float, float]:
    return _corners(widget, widget.x, widget.y, widget.right, widget.top)


def _corners(widget: Any, left: float, low: float, right: float, high: float) -> tuple[float, float, float, float]:
    """Convert a box of a widget to window pixels; for a rotated widget the corners are exchanged."""
    (x, y), (other_x, other_y) = widget.to_window(left, low), widget.to_window(right, high)
    return min(x, other_x), min(y, other_y), max(x, other_x), max(y, other_y)
