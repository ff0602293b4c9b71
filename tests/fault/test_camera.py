"""A short form of the camera and tray rounds. Each promise is also broken on purpose, and the rounds notice it."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from firmware import protocol
from tests.fault.camera import FAULTS, CameraFault, camera_faults, tray_noise, tray_reboots, tray_unplugged
from vision.watching.picture_faults import FrameUse, PictureFaults

BY_NAME = {fault.name: fault for fault in FAULTS}


def found(folder: Path, fault: CameraFault, count: int, seed: int) -> list[str]:
    """Return the faults that a round finds."""
    return [wrong for _, problems in camera_faults(folder, fault, count, Random(seed)) for wrong in problems]


@pytest.mark.parametrize("name", ["frozen", "hung"])
def test_a_fault_of_the_camera_loses_and_doubles_no_throw(tmp_path: Path, name: str) -> None:
    assert found(tmp_path, BY_NAME[name], 1, 1) == []


def test_the_line_of_the_tray_loses_and_doubles_no_press() -> None:
    for rounds in (tray_noise, tray_unplugged, tray_reboots):
        assert [wrong for _, problems in rounds(20, Random(1)) for wrong in problems] == []


def test_a_picture_that_is_not_judged_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PictureFaults, "on_frame", lambda judge, frame: FrameUse.READ)
    assert "the screen was not told" in found(tmp_path, BY_NAME["white"], 2, 1)


def test_a_message_that_is_not_sent_again_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocol, "FIRST_RETRY_MS", 10**9)
    monkeypatch.setattr(protocol._Outgoing, "_measure", lambda outgoing, took: None)
    assert any(problems for _, problems in tray_noise(5, Random(1)))
