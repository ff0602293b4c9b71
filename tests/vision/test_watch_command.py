"""`companion watch`: source names, output lines, exit status, and messages."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import cv2
import pytest

from tests.vision.doubles import BlobReader, Film, film, scene, write_clip
from vision import commands, dice_sets
from vision.cameras import sources
from vision.cameras.picamera import PiCamera
from vision.cameras.protocol import CameraLost, Frame, SourceError
from vision.cameras.simulated_tray import SimulatedTray
from vision.cameras.sources import Clip, Folder, camera_of
from vision.cameras.webcam import Webcam
from vision.commands import WatchOptions, run_watch
from vision.messages import message_printer
from vision.roll import RollRequest

PIPS = dice_sets.load("pips")


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch) -> BlobReader:
    """Replace the command's reader with one for coloured squares."""
    made = BlobReader()
    monkeypatch.setattr(commands, "Reader", lambda dice_set, **_: made)
    return made


def run(
    source: str, *, count: int | None = None, most: int | None = None, fps: float | None = None, dice: str = "pips"
) -> tuple[int, list[dict[str, Any]], str]:
    """Return exit status, lines and messages of the command."""
    out, err = io.StringIO(), io.StringIO()
    status = run_watch(source, dice, WatchOptions(count, most, fps), out, message_printer(err))
    return status, [json.loads(line) for line in out.getvalue().splitlines()], err.getvalue()


def frames(folder: Path) -> Path:
    """Create a folder of frames: an empty tray, a die, another one beside it."""
    empty, one, two = scene([]), scene([(5, 200.0, 200.0)]), scene([(5, 200.0, 200.0), (2, 420.0, 300.0)])
    for number in range(60):
        picture = empty if number < 15 else one if number < 40 else two
        cv2.imwrite(str(folder / f"{number:03}.png"), picture)
    return folder


def test_the_names_of_sources(tmp_path: Path) -> None:
    write_clip(tmp_path / "a.avi", [scene([])])
    cv2.imwrite(str(tmp_path / "a.png"), scene([]))
    kinds = {"camera:0": Webcam, "picamera": PiCamera, "drawn:7": SimulatedTray, str(tmp_path): Folder}
    kinds |= {str(tmp_path / "a.avi"): Clip, str(tmp_path / "a.png"): Folder}
    for name, kind in kinds.items():
        assert type(camera_of(name, PIPS)) is kind


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("camera:x", "camera: must be followed by a number, as in camera:0"),
        ("drawn:", "drawn: must be followed by a number"),
        ("drawn:" + "9" * 5000, "drawn: must be followed by a number"),
        ("", "'' is no source"),
        ("a\0b", "is no source"),
        ("x" * 300, "cannot be read"),
        ("nowhere.mp4", "nowhere.mp4: no such file or folder, and not camera:N, picamera or drawn:SEED"),
    ],
)
def test_a_name_that_is_none_is_refused(name: str, sentence: str) -> None:
    with pytest.raises(SourceError, match=sentence):
        camera_of(name, PIPS)


@pytest.mark.parametrize("name", ["camera:0", "picamera", "drawn:1"])
def test_a_rate_is_for_recordings_only(name: str) -> None:
    with pytest.raises(SourceError, match="for clips and folders only"):
        camera_of(name, PIPS, fps=10.0)


def test_a_folder_is_watched(tmp_path: Path, reader: BlobReader) -> None:
    status, lines, stderr = run(str(frames(tmp_path)))
    assert (status, stderr) == (0, "")
    assert [sorted(die["value"] for die in line["dice"]) for line in lines] == [[5], [2, 5]]
    assert "again" not in lines[0]
    assert lines[1]["again"] is True
    assert 0.5 <= lines[0]["t"] <= 0.9
    assert set(lines[0]) == {"t", "status", "dice", "ms"}


def test_a_folder_at_a_slower_rate_has_later_times(tmp_path: Path, reader: BlobReader) -> None:
    _, lines, _ = run(str(frames(tmp_path)), fps=15)
    assert [line["t"] for line in lines] == [pytest.approx(1.3, abs=0.15), pytest.approx(3.0, abs=0.15)]


def test_a_clip_is_watched(tmp_path: Path, reader: BlobReader) -> None:
    one = scene([(5, 200.0, 200.0)])
    write_clip(tmp_path / "clip.avi", [scene([])] * 15 + [one] * 20)
    status, lines, _ = run(str(tmp_path / "clip.avi"))
    assert status == 0
    assert [line["dice"][0]["value"] for line in lines] == [5]


def test_it_ends_after_so_many_rolls(tmp_path: Path, reader: BlobReader) -> None:
    assert len(run(str(frames(tmp_path)), most=1)[1]) == 1


def test_the_number_of_dice_reaches_the_reader(tmp_path: Path, reader: BlobReader) -> None:
    run(str(frames(tmp_path)), count=2)
    (request,) = set(reader.requests)
    assert isinstance(request, RollRequest)
    assert request.count == 2


def test_a_frame_that_cannot_be_read_is_named_and_fails_the_command_at_its_end(
    tmp_path: Path, reader: BlobReader
) -> None:
    (frames(tmp_path) / "020.png").write_bytes(b"broken")
    status, lines, stderr = run(str(tmp_path))
    assert status == 1
    assert len(lines) == 2
    assert "020.png" in stderr


@pytest.mark.parametrize(
    ("source", "dice", "sentence"),
    [
        ("nowhere", "pips", "nowhere: no such file or folder"),
        ("drawn:1", "dominoes", "there is no dice set 'dominoes'"),
        ("camera:250", "pips", "camera:250 is not there"),
    ],
)
def test_what_cannot_be_watched_is_refused_in_one_sentence(
    source: str, dice: str, sentence: str, reader: BlobReader
) -> None:
    status, lines, stderr = run(source, dice=dice)
    assert (status, lines) == (2, [])
    assert sentence in stderr
    assert stderr.count("\n") == 1


@pytest.mark.parametrize("name", ["", "clip.avi"])
def test_what_may_not_be_read_is_refused(
    name: str, tmp_path: Path, reader: BlobReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_clip(tmp_path / "clip.avi", [scene([])])
    monkeypatch.setattr(sources.os, "access", lambda path, mode: False)
    status, lines, stderr = run(str(tmp_path / name))
    assert (status, lines) == (2, [])
    assert stderr == f"{tmp_path / name}: cannot be read (Permission denied)\n"


class Unplugged(Film):
    """A camera that returns no frames after its film."""

    def frame(self, timeout: float) -> Frame:
        if self._next == len(self._shots):
            raise CameraLost("camera:0 has given no picture for 2 s")
        return super().frame(timeout)


def test_a_camera_that_stays_away_is_given_up(reader: BlobReader, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands, "camera_of", lambda *args, **options: Unplugged([(0.0, scene([]))]))
    status, _, stderr = run("camera:0")
    assert status == 1
    assert stderr.splitlines() == [
        "camera:0 has given no picture for 2 s; waiting for it",
        "camera:0 has given no picture for 2 s; given up",
    ]


def test_somebody_who_presses_ctrl_c_is_done(reader: BlobReader, monkeypatch: pytest.MonkeyPatch) -> None:
    class Pressed(Film):
        def frame(self, timeout: float) -> Frame:
            if self._next == 10:
                raise KeyboardInterrupt
            return super().frame(timeout)

    shots = film(([(5, 200.0, 200.0)], 2.0))._shots
    monkeypatch.setattr(commands, "camera_of", lambda *args, **options: Pressed(shots))
    assert run("camera:0")[0] == 0
