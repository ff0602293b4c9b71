"""Tests of the configuration: defaults, an error message for every kind of mistake, and saved settings."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from msgspec.structs import fields

from companion import config as module
from companion.config import Config, ConfigError, config_path, data_folder, load_config, read_config, save_setting
from companion.games.base import Message
from companion.language import LANGUAGES, Language


def written(folder: Path, text: str) -> Path:
    path = folder / "config.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_without_a_file_everything_has_its_default(tmp_path: Path) -> None:
    assert load_config(environ={"HOME": str(tmp_path)}) == Config()


def test_a_file_changes_what_it_names_and_nothing_else(tmp_path: Path) -> None:
    config = read_config(written(tmp_path, '\ufeff[display]\nlanguage = "en"\nwidth_mm = 154\n'))
    assert (config.display.language, config.display.width_mm) == ("en", 154.0)
    assert config.sound == Config().sound


def test_the_file_in_force_is_chosen_then_named_then_the_users_own() -> None:
    chosen, named = Path("/a/b.toml"), {"TAPIS_VERT_CONFIG": "/c/d.toml", "HOME": "/home/x"}
    assert config_path(chosen, named) == chosen
    assert config_path(None, named) == Path("/c/d.toml")
    assert config_path(None, {"HOME": "/home/x"}) == Path("/home/x/.config/tapis-vert/config.toml")
    assert config_path(None, {"XDG_CONFIG_HOME": "/etc/y"}) == Path("/etc/y/tapis-vert/config.toml")
    relative = {"XDG_CONFIG_HOME": "y", "HOME": "/home/x"}
    assert config_path(None, relative) == Path("/home/x/.config/tapis-vert/config.toml")


def test_the_data_folder_is_configured_or_the_users_own(tmp_path: Path) -> None:
    assert data_folder(Config(), {"HOME": "/home/x"}) == Path("/home/x/.local/share/tapis-vert")
    assert data_folder(Config(), {"XDG_DATA_HOME": "/var/y"}) == Path("/var/y/tapis-vert")
    config = read_config(written(tmp_path, f'[data]\nfolder = "{tmp_path}/matches"\n'))
    assert data_folder(config, {}) == tmp_path / "matches"


def test_a_chosen_or_named_file_must_be_there(tmp_path: Path) -> None:
    absent = tmp_path / "none.toml"
    for chosen, environ in ((absent, {}), (None, {"TAPIS_VERT_CONFIG": str(absent)})):
        with pytest.raises(ConfigError) as caught:
            load_config(chosen, environ)
        assert caught.value.message.id == "config.missing"


@pytest.mark.parametrize(
    ("text", "id", "expected"),
    [
        ('[displai]\nlanguage = "fr"', "config.unknown_section_near", {"section": "displai", "near": "display"}),
        ('[hardware]\ntray = "COM3"', "config.value", {"section": "hardware", "key": "tray"}),
        ('[hardware]\npanel = "usb"', "config.value", {"section": "hardware", "key": "panel"}),
        ('[hardware]\npin = "x"', "config.unknown_key_near", {"key": "pin", "near": "pins"}),
        ("[network]", "config.unknown_section", {"section": "network"}),
        ("display = 3", "config.not_section", {"section": "display"}),
        ('[[display]]\nlanguage = "fr"', "config.not_section", {"section": "display"}),
        ('[display]\nLangage = "fr"', "config.unknown_key_near", {"key": "Langage", "near": "language"}),
        ("[sound]\nqqq = 1", "config.unknown_key", {"section": "sound", "key": "qqq"}),
        ("[display]\ntext_scale = 120", "config.value", {"key": "text_scale", "value": "120"}),
        ('[display]\nlanguage = "de"', "config.value", {"key": "language", "value": '"de"'}),
        ("[display]\nwidth_mm = 3.5", "config.value", {"key": "width_mm", "value": "3.5"}),
        ("[display]\nwidth_mm = nan", "config.value", {"key": "width_mm", "value": "nan"}),
        ("[display]\nwidth_mm = true", "config.value", {"key": "width_mm", "value": "true"}),
        ('[display]\nless_motion = "yes"', "config.value", {"key": "less_motion"}),
        ("[sound]\nvolume = 101", "config.value", {"key": "volume"}),
        ("[sound]\nvolume = 1.5", "config.value", {"key": "volume"}),
        ("[sound]\neffects = 1", "config.value", {"key": "effects"}),
        ('[table]\nname = ""', "config.value", {"key": "name", "value": '""'}),
        ("[table]\nname = 2026-01-01", "config.value", {"key": "name", "value": "2026-01-01"}),
        (f'[table]\nname = "{"x" * 300}"', "config.value", {"key": "name", "value": '"' + "x" * 56 + "..."}),
        ("[table\n", "config.syntax", {}),
        ("[table]\n[table]\n", "config.syntax", {}),
        ("a = " + "[" * 5000, "config.syntax", {}),
        ("[sound]\nvolume = " + "9" * 5000, "config.syntax", {}),
        ("[sound]\nvolume = 0x" + "f" * 5000, "config.value", {"key": "volume", "value": "0x" + "f" * 55 + "..."}),
        ("[sound]\nvolume = 99999999999999999999999", "config.value", {"value": "99999999999999999999999"}),
        ("[sound]\nvolume = -" + "9" * 70, "config.value", {"key": "volume", "value": "-" + "9" * 56 + "..."}),
        ('name = "x"', "config.outside", {"key": "name", "known": "[table]"}),
        ("rotation = 90\n[sound]", "config.outside", {"key": "rotation", "known": "[display], [camera]"}),
        ("volumes = [1]", "config.outside", {"key": "volumes"}),
        ("[[displai]]", "config.unknown_section_near", {"section": "displai", "near": "display"}),
        ('[table]\nname = " \\u200b"', "config.value", {"key": "name"}),
        ('[table]\nname = "a\\u0007b"', "config.value", {"key": "name"}),
        ('[data]\nfolder = "~nosuchuser/x"', "config.value", {"key": "folder", "value": '"~nosuchuser/x"'}),
        ('[data]\nfolder = "a\\u0000b"', "config.value", {"key": "folder"}),
        ('[camera]\nsource = "camera:"', "config.value", {"key": "source", "value": '"camera:"'}),
        ('[camera]\nsource = "drawn:x"', "config.value", {"key": "source", "value": '"drawn:x"'}),
        ('[camera]\nsource = "webcam:0"', "config.value", {"key": "source", "value": '"webcam:0"'}),
    ],
)
def test_a_mistake_is_told_in_one_sentence(tmp_path: Path, text: str, id: str, expected: dict[str, str]) -> None:
    path = written(tmp_path, text)
    with pytest.raises(ConfigError) as caught:
        read_config(path)
    message = caught.value.message
    assert message.id == id
    assert expected.items() <= message.args.items()
    for code in LANGUAGES:
        sentence = Language(code).text(message)
        assert sentence.startswith(str(path))
        assert all(str(part) in sentence for part in expected.values())
        assert "{" not in sentence
        assert "config." not in sentence.removeprefix(str(path))


@pytest.mark.parametrize(
    "source", ["auto", "none", "simulated", "camera:0", "picamera", "drawn:12", "/a/clip.avi", "take 2: rest.avi"]
)
def test_sources_are_taken_as_watch_takes_them(tmp_path: Path, source: str) -> None:
    assert read_config(written(tmp_path, f'[camera]\nsource = "{source}"\n')).camera.source == source


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    (tmp_path / "latin.toml").write_bytes(b'[table]\nname = "caf\xe9"\n')
    for path in (tmp_path / "latin.toml", tmp_path):
        with pytest.raises(ConfigError) as caught:
            read_config(path)
        assert caught.value.message.id == "config.unreadable"


def test_a_saved_setting_keeps_comments_and_order(tmp_path: Path) -> None:
    path = written(tmp_path, '# my table\n[display] # the 7 inch\nlanguage = "fr" # for now\nhand = "left"\n')
    assert save_setting(path, "display", "language", "en").display.language == "en"
    assert path.read_text() == '# my table\n[display] # the 7 inch\nlanguage = "en" # for now\nhand = "left"\n'
    save_setting(path, "sound", "volume", 30)
    save_setting(path, "display", "hand", None)
    config = read_config(path)
    assert (config.sound.volume, config.display.hand, config.display.language) == (30, "right", "en")
    assert "# my table" in path.read_text()


def test_the_first_setting_makes_file_and_folder(tmp_path: Path) -> None:
    path = tmp_path / "new" / "config.toml"
    save_setting(path, "display", "text_scale", 115)
    assert read_config(path).display.text_scale == 115
    assert os.listdir(path.parent) == ["config.toml"]


@pytest.mark.parametrize(
    ("section", "key", "value"),
    [
        ("display", "langage", "fr"),
        ("displai", "language", "fr"),
        ("sound", "volume", 300),
        ("table", "name", "\ud800"),
    ],
)
def test_a_wrong_setting_leaves_the_file_as_it_was(tmp_path: Path, section: str, key: str, value: str | int) -> None:
    path = written(tmp_path, "[sound]\nvolume = 1\n")
    with pytest.raises(ConfigError):
        save_setting(path, section, key, value)
    assert path.read_text() == "[sound]\nvolume = 1\n"
    assert os.listdir(tmp_path) == ["config.toml"]


def test_a_broken_file_is_not_written_over(tmp_path: Path) -> None:
    path = written(tmp_path, "[sound\n")
    with pytest.raises(ConfigError):
        save_setting(path, "sound", "volume", 3)
    assert path.read_text() == "[sound\n"


def test_a_save_that_fails_half_way_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path, "[sound]\nvolume = 1\n")

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(module.os, "fsync", full)
    with pytest.raises(ConfigError) as caught:
        save_setting(path, "sound", "volume", 3)
    assert caught.value.message.args["reason"] == Message("system.enospc")
    assert path.read_text() == "[sound]\nvolume = 1\n"
    assert os.listdir(tmp_path) == ["config.toml"]


def test_a_saved_file_keeps_its_rights_and_its_link(tmp_path: Path) -> None:
    path = written(tmp_path, "")
    path.chmod(0o640)
    link = tmp_path / "link.toml"
    link.symlink_to(path)
    save_setting(link, "sound", "volume", 3)
    assert link.is_symlink()
    assert path.stat().st_mode & 0o777 == 0o640
    assert read_config(path).sound.volume == 3


def test_every_key_is_in_the_papers() -> None:
    """The reverse holds too: the documents name no key that the configuration lacks."""
    documented: dict[str, list[str]] = {}
    for line in (Path(__file__).parents[1] / "docs" / "CONFIG.md").read_text(encoding="utf-8").splitlines():
        cell = line.removeprefix("| ").split(" | ")[0]
        if cell.startswith("**`["):
            documented[cell.strip("*`[]")] = []
        elif documented and cell.startswith("`"):
            documented[list(documented)[-1]].append(cell.strip("`"))
    known = {part.name: [key.name for key in fields(part.type)] for part in fields(Config)}
    assert {part: sorted(keys) for part, keys in documented.items()} == {
        part: sorted(keys) for part, keys in known.items()
    }
