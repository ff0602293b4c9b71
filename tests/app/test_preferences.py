"""The app applies every screen and sound preference, saves it separately, and reads it back unchanged."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest
from msgspec.structs import fields as struct_fields

from companion.app.preferences import DISPLAY_KEYS, SOUND_KEYS, Preferences, SettingsStore
from companion.config import Config, ConfigError, DisplayConfig, SoundConfig, read_config

OTHERWISE = {
    "language": "en", "width_mm": 154.0, "rotation": 90, "text_scale": 130,
    "contrast": "light", "less_motion": True, "hand": "left", "seats": "facing", "brightness": 40,
    "saver_minutes": 0, "keyboard": "hidden", "moments": False, "effects": False, "volume": 5, "voice": "all",
}  # fmt: skip


def test_every_option_of_screen_and_sound_is_obeyed():
    assert {field.name for field in struct_fields(DisplayConfig)} == set(DISPLAY_KEYS)
    assert {field.name for field in struct_fields(SoundConfig)} == set(SOUND_KEYS)
    assert {field.name for field in fields(Preferences)} == {*DISPLAY_KEYS, *SOUND_KEYS, "swapped"}


def test_they_begin_as_the_configuration_has_them():
    assert Preferences.of(Config()) == Preferences()


@pytest.mark.parametrize("name", sorted(OTHERWISE))
def test_one_that_is_changed_is_kept_and_read_back(tmp_path, name):
    file = tmp_path / "config.toml"
    changed = replace(Preferences(), **{name: OTHERWISE[name]})
    assert changed != Preferences()
    changed.save(file, Preferences())
    assert Preferences.of(read_config(file)) == changed
    assert len(file.read_text().strip().splitlines()) == 2, "a section and the one setting"


def test_a_setting_refused_by_the_disk_is_written_with_the_next(tmp_path):
    folder = tmp_path / "settings"
    folder.write_bytes(b"a file in place of the folder")
    store = SettingsStore(Config(), folder / "config.toml")
    assert store.save("table", "name", "Corner") is not None
    folder.unlink()
    assert store.save("camera", "rotation", 90) is None
    kept = read_config(folder / "config.toml")
    assert (kept.table.name, kept.camera.rotation) == ("Corner", 90)


def test_where_players_sit_tonight_is_not_kept(tmp_path):
    file = tmp_path / "config.toml"
    replace(Preferences(), swapped=True).save(file, Preferences())
    assert not file.exists()


@pytest.mark.parametrize(
    ("section", "line"),
    [
        ("display", "brightness = 5"),
        ("display", "brightness = 101"),
        ("display", "saver_minutes = 300"),
        ("display", 'keyboard = "big"'),
        ("sound", "volume = -1"),
        ("sound", 'voice = "loud"'),
    ],
)
def test_a_value_out_of_range_names_its_key(tmp_path, section, line):
    file = tmp_path / "config.toml"
    file.write_text(f"[{section}]\n{line}\n")
    with pytest.raises(ConfigError) as fault:
        read_config(file)
    assert fault.value.message.id == "config.value"
    assert fault.value.message.args["key"] == line.split(" ")[0]
