"""The tray's settings file: valid content, and error messages for invalid content."""

from __future__ import annotations

import json

import pytest

from firmware import settings
from firmware.settings import SettingsError


def test_without_a_file_it_is_as_the_wiring_says() -> None:
    assert settings.read("{}") == settings.DEFAULTS


def test_what_is_left_out_is_as_it_was_and_null_is_not_there() -> None:
    read = settings.read('{"ring": {"lights": 16, "level": 40}, "lid": null, "buttons": {"referee": 3}}')
    assert read["ring"] == {"pin": 16, "lights": 16, "edge": 4, "level": 40, "turn": 0}
    assert "lid" not in read
    assert settings.order(read["buttons"]) == ["referee"]
    assert settings.DEFAULTS["ring"]["lights"] == 24, "the defaults stay as they are"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{", "tray.json: no JSON"),
        ("[]", "tray.json: sections in braces are due"),
        ("[" * 20_000, "tray.json: no JSON"),
        ('{"rings": {}}', "tray.json: unknown section rings"),
        ('{"ring": null}', "tray.json: ring: keys in braces are due"),
        ('{"ring": {"lamps": 3}}', "tray.json: ring: unknown key lamps"),
        ('{"ring": {"lights": 900}}', "tray.json: ring.lights: a whole number from 2 to 60 is due"),
        ('{"ring": {"lights": true}}', "tray.json: ring.lights: a whole number from 2 to 60 is due"),
        ('{"ring": {"lights": 8.5}}', "tray.json: ring.lights: a whole number from 2 to 60 is due"),
        ('{"buttons": {"confirm": 16}}', "tray.json: buttons.confirm: pin 16 is that of ring"),
        ('{"piezo": {"pin": 4}}', "tray.json: piezo.pin: 26, 27 or 28 is due"),
        ('{"ring": {"level": 200}}', "tray.json: ring.level: 1317 mA would be drawn, at most 450"),
    ],
)
def test_a_wrong_file_is_told_by_section_and_key(text: str, expected: str) -> None:
    with pytest.raises(SettingsError) as error:
        settings.read(text)
    assert str(error.value) == expected


def test_every_key_has_its_limits() -> None:
    keys = {key for section in settings.DEFAULTS.values() for key in section}
    assert keys <= set(settings.LIMITS)
    assert settings.read(json.dumps(settings.DEFAULTS)) == settings.DEFAULTS
