"""The platform's real parts on folders that imitate Linux, and the recovery from a forgotten PIN."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.app.pin_lock import PinLock
from companion.clock import SystemClock
from companion.commands.checks import tones
from companion.commands.devices import PanelBacklight, is_keyboard_plugged
from companion.commands.make_platform import LOCK_FILE, REFEREE_FILE, make_platform, mark_simulated, run_unlock
from companion.games.base import Message
from companion.table.health import Check, Health
from tests.commands.small_system import system

KEYBOARD = """I: Bus=0003 Vendor=046d Product=c31c Version=0110
N: Name="USB Keyboard"
H: Handlers=sysrq kbd event3 leds
B: EV=120013
B: KEY=1000000000007 ff9f207ac14057ff febeffdfffefffff fffffffffffffffe
"""
POWER_BUTTON = """I: Bus=0019 Vendor=0000 Product=0001 Version=0000
N: Name="pwr_button"
H: Handlers=kbd event0
B: EV=3
B: KEY=10000000000000 0
"""


def light(folder: Path, most: str = "31") -> Path:
    made = folder / "10-0045"
    made.mkdir(parents=True)
    (made / "max_brightness").write_text(f"{most}\n")
    (made / "brightness").write_text("31\n")
    return made


def test_a_panel_shines_as_it_is_told_and_is_never_dark(tmp_path):
    made = light(tmp_path)
    panel = PanelBacklight(tmp_path)
    for percent, written in ((100, "31"), (50, "16"), (1, "1"), (0, "1")):
        assert panel.set_brightness(percent)
        assert (made / "brightness").read_text() == written


def test_without_a_panel_that_obeys_nobody_pretends(tmp_path):
    assert not PanelBacklight(tmp_path / "nothing").set_brightness(50)
    light(tmp_path, most="many")
    assert not PanelBacklight(tmp_path).set_brightness(50)


@pytest.mark.parametrize(
    ("devices", "plugged"),
    [("", False), (POWER_BUTTON, False), (POWER_BUTTON + KEYBOARD, True), ("B: KEY=\nB: KEY=zz\n", False)],
)
def test_a_keyboard_has_letters(tmp_path, devices, plugged):
    file = tmp_path / "devices"
    file.write_text(devices)
    assert is_keyboard_plugged(file) is plugged


def test_where_devices_cannot_be_read_the_keys_are_shown(tmp_path):
    assert not is_keyboard_plugged(tmp_path / "none")


def test_the_house_has_its_parts_and_says_which_are_simulated(tmp_path):
    made = make_platform(tmp_path, frozenset({"camera"}), True, config(tmp_path))
    assert made.is_kiosk_mode
    assert made.lock is not None
    assert not made.lock.has_pin
    found = {check.part: check for check in made.diagnose()}
    assert found["camera"].simulated
    assert not found["disk"].simulated
    for part in (made.voice, made.chimes):
        if part is not None:
            part.close()


def test_a_part_that_wants_a_look_is_not_hidden_behind_a_simulated_one():
    simulated = frozenset({"camera"})
    plug = Message("doctor.next.no_camera")
    assert mark_simulated(Check("camera", Health.MISSING, (), plug), simulated).simulated
    assert not mark_simulated(Check("camera", Health.ATTENTION, ("/dev/video0",), plug), simulated).simulated
    assert not mark_simulated(Check("tray", Health.MISSING, (), plug), simulated).simulated


def config(folder: Path) -> Path:
    file = folder / "config.toml"
    file.write_text(f'[data]\nfolder = "{folder}/data"\n[display]\nlanguage = "en"\n')
    return file


def test_a_forgotten_pin_is_taken_away_by_a_command(tmp_path, capsys):
    lock = PinLock(tmp_path / "data" / LOCK_FILE, SystemClock().monotonic)
    lock.set_pin("2580")
    assert run_unlock(config(tmp_path)) == 0
    assert not lock.has_pin
    assert "open to all" in capsys.readouterr().err
    assert run_unlock(config(tmp_path)) == 0
    assert "has no PIN" in capsys.readouterr().err


def test_a_damaged_referees_pin_is_taken_away_too(tmp_path, capsys):
    referee = PinLock(tmp_path / "data" / REFEREE_FILE, SystemClock().monotonic)
    referee.set_pin("2580")
    assert run_unlock(config(tmp_path)) == 0
    assert referee.has_pin, "a valid one stays"
    (tmp_path / "data" / REFEREE_FILE).write_bytes(b"\xff")
    assert run_unlock(config(tmp_path)) == 0
    assert not referee.has_pin


def test_a_lock_that_cannot_be_taken_away_is_told(tmp_path, capsys):
    (tmp_path / "data" / LOCK_FILE).mkdir(parents=True)
    assert run_unlock(config(tmp_path)) == 1
    assert LOCK_FILE in capsys.readouterr().err


def test_without_a_player_the_next_step_is_its_package(tmp_path):
    check = tones(system(tmp_path), effects=True)
    assert check.health is Health.MISSING
    assert check.remedy is not None
    assert check.remedy.args == {"package": "alsa-utils"}
