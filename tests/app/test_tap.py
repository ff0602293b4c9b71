"""Tests of the tap guard and of the font lookup."""

from __future__ import annotations

from companion import typefaces
from companion.app import fonts
from companion.app.widgets.button import TAP_DEBOUNCE_S, TapGuard


def taps(*times: float) -> list[bool]:
    """Return which taps at these times count."""
    guard = TapGuard(iter(times).__next__)
    return [guard.accepts_tap() for _ in times]


def test_a_second_tap_too_soon_is_ignored():
    assert taps(10.0, 10.0 + TAP_DEBOUNCE_S * 0.9, 10.0 + TAP_DEBOUNCE_S) == [True, False, True]


def test_ignored_taps_do_not_keep_the_door_shut():
    assert taps(0.0, 0.1, 0.2, 0.31) == [True, False, False, True]


def test_a_font_is_found_wherever_it_lies_under_a_folder(tmp_path):
    deep = tmp_path / "unhinted" / "RobotoTTF"
    deep.mkdir(parents=True)
    (deep / "Lato-Regular.ttf").write_bytes(b"")
    assert typefaces.find_font("Lato-Regular.ttf", (tmp_path / "nowhere", tmp_path)) == deep / "Lato-Regular.ttf"


def test_a_missing_font_is_said_and_replaced(tmp_path, caplog, monkeypatch):
    monkeypatch.setattr(typefaces, "entry_points", lambda **_: ())
    assert fonts.register((tmp_path,)) == {"condensed": False, "sentence": False}
    assert "fonts-lato" in caplog.text
