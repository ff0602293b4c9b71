"""The tap guard, and where the fonts are found."""

from __future__ import annotations

from companion.app import fonts
from companion.app.widgets.tap import SECOND_TAP, TapGuard


def test_a_second_tap_too_soon_is_ignored():
    guard = TapGuard()
    assert guard.passes(10.0)
    assert not guard.passes(10.0 + SECOND_TAP * 0.9)
    assert guard.passes(10.0 + SECOND_TAP)


def test_an_ignored_tap_does_not_keep_the_door_shut():
    guard = TapGuard()
    assert guard.passes(0.0)
    for tenth in range(1, 3):
        assert not guard.passes(tenth / 10)
    assert guard.passes(0.31)


def test_a_font_is_found_wherever_it_lies_under_a_folder(tmp_path):
    deep = tmp_path / "unhinted" / "RobotoTTF"
    deep.mkdir(parents=True)
    (deep / "Lato-Regular.ttf").write_bytes(b"")
    assert fonts.find("Lato-Regular.ttf", (tmp_path / "nowhere", tmp_path)) == deep / "Lato-Regular.ttf"


def test_a_missing_font_is_said_and_replaced(tmp_path, caplog, monkeypatch):
    monkeypatch.setattr(fonts, "entry_points", lambda **_: ())
    assert fonts.register((tmp_path,)) == {"condensed": False, "sentence": False}
    assert "fonts-lato" in caplog.text
