"""Tests of the configuration: defaults, an error message for every kind of mistake, and saved settings."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from msgspec.structs import fields

from companion import config as module
from companion.config import (
    MAX_CONFIG_BYTES,
    Config,
    ConfigError,
    DisplayConfig,
    config_path,
    data_folder,
    has_last_good,
    keep_last_good,
    last_good_file,
    load_config,
    load_usable_config,
    read_config,
    restore_last_good,
    save_setting,
)
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
        ("[sound]\nvolume = 0x" + "f" * 5000, "config.syntax", {}),
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
    assert sorted(os.listdir(path.parent)) == ["config.toml", "config.toml.last-good"]


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


# What the app works with when the file has faults.

BROKEN = ["[display\n", "\x00", "[sound]\nvolume = " + "9" * 5000, "a = " + "[" * 5000, "#" * (MAX_CONFIG_BYTES + 1)]


def test_a_wrong_key_has_its_default_and_the_others_count(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        '[display]\nlangage = "en"\ncontrast = "dark"\n[sond]\nvolume = 1\n[table]\nname = "Corner"\n'
        '[camera]\nrotation = 91\nsource = "none"\n[data]\nfolder = "/srv/table"\n',
    )
    usable = load_usable_config(path)
    assert usable.config.display == DisplayConfig(contrast="dark")
    assert (usable.config.table.name, usable.config.camera.source) == ("Corner", "none")
    assert usable.config.camera.rotation == 0
    assert (usable.config.data.folder, usable.is_folder_known) == ("/srv/table", True)
    assert [fault.id for fault in usable.faults] == [
        *("config.unknown_key_near", "config.unknown_section_near", "config.value")
    ]
    with pytest.raises(ConfigError) as strict:
        read_config(path)
    assert strict.value.message == usable.faults[0], "a command names the first fault"


def test_a_valid_file_has_no_faults(tmp_path: Path) -> None:
    path = written(tmp_path, '[table]\nname = "Corner"\n')
    usable = load_usable_config(path)
    assert (usable.config, usable.faults, usable.is_folder_known) == (read_config(path), (), True)
    assert load_usable_config(environ={"HOME": str(tmp_path)}).faults == ()


@pytest.mark.parametrize("text", BROKEN, ids=range(len(BROKEN)))
def test_a_broken_file_is_replaced_by_the_last_good_one(tmp_path: Path, text: str) -> None:
    path = written(tmp_path, '[table]\nname = "Corner"\n[data]\nfolder = "/srv/table"\n')
    keep_last_good(path)
    good = read_config(path)
    written(tmp_path, text)
    usable = load_usable_config(path)
    assert (usable.config, usable.is_folder_known) == (good, True)
    assert len(usable.faults) == 1
    assert has_last_good(path)
    restore_last_good(path)
    assert load_usable_config(path).faults == ()
    assert read_config(path) == good
    assert (tmp_path / "config.toml.damaged").read_text() == text


def test_a_file_with_another_encoding_is_replaced_too(tmp_path: Path) -> None:
    path = written(tmp_path, '[table]\nname = "Corner"\n')
    keep_last_good(path)
    path.write_bytes('[table]\nname = "Café"\n'.encode("latin-1"))
    assert load_usable_config(path).config.table.name == "Corner"


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ('[data]\nfoldr = "/srv/table"\n', False),
        ('[dtaa]\nfolder = "/srv/table"\n', False),
        ("[data]\nfolder = 3\n", False),
        ('folder = "/srv/table"\n', False),
        ('data = "/srv/table"\n', False),
        ('[data\nfolder = "/srv/table"\n', False),
        ('[data]\nfolder = "/srv/table"\npictures = 3\n', True),
        ('[display]\nlangage = "en"\n', True),
        ("[display\n", True),
    ],
)
def test_a_fault_that_may_hide_the_data_folder_is_told(tmp_path: Path, text: str, known: bool) -> None:
    path = written(tmp_path, text)
    usable = load_usable_config(path)
    assert usable.faults
    assert usable.is_folder_known is known or usable.config.data.folder == "/srv/table"
    last_good_file(path).write_text('[data]\nfolder = "/srv/good"\n')
    usable = load_usable_config(path)
    assert usable.is_folder_known
    assert usable.config.data.folder in ("/srv/good", "/srv/table", None)


def test_a_lost_file_is_replaced_by_the_last_good_one(tmp_path: Path) -> None:
    path = written(tmp_path, '[table]\nname = "Corner"\n')
    keep_last_good(path)
    path.unlink()
    usable = load_usable_config(path)
    assert (usable.config.table.name, [fault.id for fault in usable.faults]) == ("Corner", ["config.missing"])
    restore_last_good(path)
    assert read_config(path).table.name == "Corner"


def test_a_damaged_last_good_file_is_not_offered(tmp_path: Path) -> None:
    path = written(tmp_path, "[display\n")
    assert not has_last_good(path)
    last_good_file(path).write_bytes(b"\xff")
    assert not has_last_good(path)
    assert load_usable_config(path).config == Config()


def test_a_last_good_file_that_cannot_be_written_stops_nothing(tmp_path: Path) -> None:
    path = written(tmp_path, '[table]\nname = "Corner"\n')
    last_good_file(path).mkdir()
    keep_last_good(path)
    assert not has_last_good(path)


def test_putting_it_back_where_nothing_can_be_written_is_told(tmp_path: Path) -> None:
    path = written(tmp_path, "[display\n")
    with pytest.raises(ConfigError) as fault:
        restore_last_good(path)
    assert fault.value.message.id == "config.not_saved"
    assert path.read_text() == "[display\n"
