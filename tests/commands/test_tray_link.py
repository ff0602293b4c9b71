"""`companion tray`: its messages when no tray can be reached, and its output for a connected tray."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from companion.commands import tray
from companion.commands.tray import FAILED, REFUSED, firmware_files, run_flash, run_info
from firmware import protocol
from firmware.release import RELEASE
from hardware.tray import SerialPort
from tests.hardware.tray_rigs import SerialRig


@pytest.fixture(autouse=True)
def _own_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "config.toml").write_text('[display]\nlanguage = "en"\n')
    monkeypatch.setenv("TAPIS_VERT_CONFIG", str(tmp_path / "config.toml"))


def test_a_tray_tells_who_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    rig = SerialRig()
    try:
        port = str(rig.folder / "port")
        assert run_info(None, port) == 0
        info = json.loads(capsys.readouterr().out)
        assert (info["port"], info["protocol"], info["version"]) == (port, protocol.VERSION, RELEASE)
        assert info["buttons"] == ["confirm", "undo"]
    finally:
        rig.close()


def test_no_tray_no_port_and_no_serial_port(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tray, "find_port", lambda port: None if port == "auto" else os.devnull)
    monkeypatch.setattr(tray, "waits_for_uf2", lambda: False)
    assert run_flash(None, None, None) == FAILED
    assert "No tray is plugged in" in capsys.readouterr().err
    monkeypatch.setattr(tray, "waits_for_uf2", lambda: True)
    assert run_flash(None, None, None) == FAILED
    assert "RPI-RP2" in capsys.readouterr().err
    assert run_flash(None, os.devnull, None) == FAILED
    assert "this is not a serial port" in capsys.readouterr().err
    monkeypatch.undo()
    assert run_info(tmp_path / "config.toml", str(tmp_path / "nothing")) == FAILED
    assert f"There is no port {tmp_path}/nothing" in capsys.readouterr().err


def test_a_port_that_the_app_has_is_busy(capsys: pytest.CaptureFixture[str]) -> None:
    rig = SerialRig()
    try:
        port = str(rig.folder / "port")
        line = SerialPort(port)
        assert run_flash(None, port, None) == FAILED
        assert "close the app first" in capsys.readouterr().err
        line.close()
    finally:
        rig.close()


def test_settings_that_are_wrong_are_refused_before_anything_is_touched(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = tmp_path / "tray.json"
    wrong.write_text('{"ring": {"lights": 0}}')
    assert run_flash(None, os.devnull, wrong) == REFUSED
    assert "ring.lights: a whole number from 2 to 60 is needed" in capsys.readouterr().err
    assert run_flash(None, os.devnull, tmp_path / "nowhere.json") == REFUSED
    assert "nowhere.json: No such file" in capsys.readouterr().err


def test_the_firmware_that_ships_is_whole() -> None:
    names = {file.name for file in firmware_files()}
    assert {"protocol.py", "tray.py", "board.py", "start.py", "__init__.py"} <= names
    assert "main.py" not in names
