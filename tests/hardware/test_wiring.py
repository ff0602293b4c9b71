"""The pin configuration file: read completely; each mistake is reported with file, section and key."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardware.ports import Role
from hardware.wiring import Wiring, WiringError, read_wiring


def read(folder: Path, text: str) -> Wiring:
    file = folder / "pins.toml"
    file.write_text(text, encoding="utf-8")
    return read_wiring(file)


def test_the_wiring_of_the_assembly_guide_has_every_role_and_no_pin_twice() -> None:
    wiring = read_wiring()
    assert set(wiring.buttons) == set(wiring.lamps) == set(Role)
    pins = [*wiring.buttons.values(), *wiring.lamps.values(), wiring.buzzer]
    assert len(set(pins)) == 11
    assert not {2, 3, 14, 15} & set(pins)  # the touchscreen's bus and the serial console stay free


def test_what_is_left_out_is_not_wired(tmp_path: Path) -> None:
    assert read(tmp_path, "") == Wiring()
    wiring = read(tmp_path, '[buttons]\nundo = 4\nto = "3v3"\n[lamps]\nlit_by = "low"\ndimmed = false\n')
    assert wiring == Wiring({Role.UNDO: 4}, closed_low=False, lit_high=False, dimmed=False)
    assert read(tmp_path, '[buzzer]\npin = 12\nsound = "beep"\n') == Wiring(buzzer=12, tones=False)


@pytest.mark.parametrize(
    ("text", "fault", "facts"),
    [
        ("[button]\n", "section", {"section": "button", "near": "buttons"}),
        ("[tray]\n", "section", {"section": "tray", "near": ""}),
        ("buttons = 3\n", "value", {"section": "buttons"}),
        ("[buttons]\nconfrim = 4\n", "key", {"section": "buttons", "key": "confrim", "near": "confirm"}),
        ("[lamps]\nblue = 4\n", "key", {"section": "lamps", "key": "blue"}),
        ("[buzzer]\nconfirm = 4\n", "key", {"section": "buzzer", "key": "confirm"}),
        ('[buttons]\nundo = "4"\n', "pin", {"section": "buttons", "key": "undo", "value": '"4"'}),
        ("[buttons]\nundo = true\n", "pin", {"section": "buttons", "key": "undo"}),
        ("[buttons]\nundo = 1\n", "pin", {"section": "buttons", "key": "undo", "value": "1", "wanted": "2-27"}),
        ("[lamps]\nundo = 28\n", "pin", {"section": "lamps", "key": "undo"}),
        ("[buzzer]\npin = 4.0\n", "pin", {"section": "buzzer", "key": "pin"}),
        ('[buttons]\nto = "5v"\n', "value", {"section": "buttons", "key": "to", "value": '"5v"'}),
        ("[lamps]\ndimmed = 1\n", "value", {"section": "lamps", "key": "dimmed"}),
        (
            "[buttons]\nundo = 4\nleft = 4\n",
            "twice",
            {"section": "buttons", "key": "left", "value": "4", "other": "[buttons] undo"},
        ),
        ("[buttons]\nundo = 4\n[buzzer]\npin = 4\n", "twice", {"section": "buzzer", "other": "[buttons] undo"}),
        ("[buttons\n", "syntax", {}),
        (f"[buttons]\nundo = 0x{'f' * 4000}\n", "pin", {"key": "undo", "value": "…"}),
        (f"[lamps]\ndimmed = [0x{'f' * 4000}]\n", "value", {"key": "dimmed", "value": "…"}),
    ],
)
def test_mistakes_are_named(tmp_path: Path, text: str, fault: str, facts: dict[str, str]) -> None:
    with pytest.raises(WiringError) as error:
        read(tmp_path, text)
    assert error.value.fault == fault
    assert error.value.facts["file"] == str(tmp_path / "pins.toml")
    assert {key: error.value.facts[key] for key in facts} == facts


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(WiringError) as error:
        read_wiring(tmp_path / "none.toml")
    assert error.value.fault == "unreadable"
    (tmp_path / "pins.toml").write_bytes(b"\xff\xfe[buttons]")
    with pytest.raises(WiringError) as error:
        read_wiring(tmp_path / "pins.toml")
    assert (error.value.fault, error.value.facts["reason"]) == ("unreadable", "UTF-8")
