"""What the doctor says of parts that are there, missing or not allowed."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from companion.commands import checks
from companion.commands.checks import Health
from companion.commands.run import SIMULATED, camera_source
from companion.config import Camera, Config


def test_a_webcam_is_found(tmp_path: Path) -> None:
    (tmp_path / "video0").touch()
    assert "video0" in checks.camera(tmp_path).found


def test_a_missing_camera_has_a_remedy(tmp_path: Path) -> None:
    check = checks.camera(tmp_path)
    assert check.health is Health.ABSENT
    assert check.remedy is not None


def test_pins_without_their_driver_have_a_remedy(tmp_path: Path) -> None:
    (tmp_path / "gpiochip0").touch()
    check = checks.gpio(tmp_path)
    assert (check.health, check.found.endswith("gpiochip0")) in {(Health.OK, True), (Health.LOOK, True)}


def test_a_tray_is_found(tmp_path: Path) -> None:
    (tmp_path / "ttyACM0").touch()
    assert checks.tray(tmp_path).health is Health.OK


def test_a_connected_output_is_a_display(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    output = tmp_path / "card1-HDMI-A-1"
    output.mkdir()
    (output / "status").write_text("disconnected\n")
    assert checks.display(tmp_path).health is Health.ABSENT
    (output / "status").write_text("connected\n")
    assert checks.display(tmp_path).found == "card1-HDMI-A-1"


def test_a_full_disk_wants_a_look(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "LEAST_FREE", 2**62)
    assert checks.disk(tmp_path / "not" / "there" / "yet").health is Health.LOOK


def test_a_clock_that_was_never_set() -> None:
    assert checks.clock(lambda: datetime(2020, 1, 1, tzinfo=UTC)).health is Health.LOOK
    assert checks.clock(lambda: datetime(2027, 1, 1, tzinfo=UTC)).health is Health.OK


def test_the_camera_named_in_the_configuration_wins() -> None:
    assert camera_source(Config(camera=Camera(source="clip.mp4")), webcams=lambda: [0]) == "clip.mp4"


def test_the_first_webcam_else_the_simulated_table() -> None:
    assert camera_source(Config(), webcams=lambda: [2, 3]) == "camera:2"
    assert camera_source(Config(), webcams=list) == SIMULATED
