"""Recorded sources: clips, folders and slides, their order and times, and unreadable files."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.doubles import scene, write_clip
from tests.vision.slides import Slides
from vision.cameras.protocol import Camera, EndOfSource, Frame, SourceError
from vision.cameras.sources import Clip, Folder
from vision.pictures import UnreadablePicture


def every(source: Camera) -> list[Frame]:
    frames = []
    with source:
        while True:
            try:
                frames.append(source.frame(1.0))
            except EndOfSource:
                return frames


def grey(level: int) -> np.ndarray:
    return np.full((48, 64, 3), level, np.uint8)


def write(path: Path, level: int) -> None:
    cv2.imwrite(str(path), grey(level))


def test_a_folder_is_sorted_by_name_with_numbers_as_numbers(tmp_path: Path) -> None:
    for number in (0, 2, 10, 1):
        write(tmp_path / f"{number}.png", 10 * number)
    (tmp_path / "notes.txt").write_text("no picture")
    frames = every(Folder(tmp_path))
    assert [int(frame.picture[0, 0, 0]) for frame in frames] == [0, 10, 20, 100]
    assert [frame.t for frame in frames] == pytest.approx([0, 1 / 30, 2 / 30, 3 / 30])


def test_a_folder_at_another_rate(tmp_path: Path) -> None:
    for number in range(3):
        write(tmp_path / f"{number:03}.png", number)
    assert [frame.t for frame in every(Folder(tmp_path, fps=10))] == pytest.approx([0, 0.1, 0.2])


def test_a_file_that_cannot_be_read_is_named_and_left_out(tmp_path: Path) -> None:
    write(tmp_path / "0.png", 0)
    (tmp_path / "1.png").write_bytes(b"not a picture")
    (tmp_path / "2.png").write_bytes(b"")
    write(tmp_path / "3.png", 30)
    complaints: list[str] = []
    frames = every(Folder(tmp_path, complain=lambda message: complaints.append(str(message))))
    assert [frame.sequence for frame in frames] == [0, 3]
    assert frames[1].t == pytest.approx(0.1)
    assert len(complaints) == 2
    assert "1.png: not a picture" in complaints[0]


def test_one_picture_is_a_source_of_one_frame(tmp_path: Path) -> None:
    write(tmp_path / "die.png", 7)
    assert [frame.t for frame in every(Folder(tmp_path / "die.png"))] == [0.0]


def test_a_picture_is_turned_as_its_camera_was_held(tmp_path: Path) -> None:
    upright = np.zeros((20, 40, 3), np.uint8)
    upright[:10] = 255
    good, data = cv2.imencode(".jpg", upright)
    assert good
    header = b"\xff\xe1\x00\x22Exif\x00\x00MM\x00\x2a\x00\x00\x00\x08\x00\x01"
    turned_by_180 = b"\x01\x12\x00\x03\x00\x00\x00\x01\x00\x03\x00\x00\x00\x00\x00\x00"
    bare = data.tobytes()
    (tmp_path / "0.jpg").write_bytes(bare[:2] + header + turned_by_180 + bare[2:])
    (frame,) = every(Folder(tmp_path))
    assert frame.picture[2].mean() < 20
    assert frame.picture[17].mean() > 235


@pytest.mark.parametrize("make", [lambda path: Folder(path, fps=0), lambda path: Clip(path, fps=-1)])
def test_a_rate_must_be_positive(make, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(SourceError, match="frames a second must be more than 0"):
        make(tmp_path)


def test_what_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="there is no such file or folder"):
        Folder(tmp_path / "gone").open()
    with pytest.raises(SourceError, match="there is no such file"):
        Clip(tmp_path / "gone.mp4").open()
    with pytest.raises(SourceError, match="holds no pictures"):
        Folder(tmp_path).open()
    (tmp_path / "text.mp4").write_text("no clip")
    with pytest.raises(SourceError, match="is not a clip that can be read"):
        Clip(tmp_path / "text.mp4").open()


def test_a_clip_has_its_own_times_or_those_of_the_given_rate(tmp_path: Path) -> None:
    write_clip(tmp_path / "a.avi", [scene([(5, 40.0 * i, 200.0)]) for i in range(1, 6)], fps=25.0)
    frames = every(Clip(tmp_path / "a.avi"))
    assert [frame.t for frame in frames] == pytest.approx([0, 0.04, 0.08, 0.12, 0.16])
    assert [frame.t for frame in every(Clip(tmp_path / "a.avi", fps=10))] == pytest.approx([0, 0.1, 0.2, 0.3, 0.4])


def test_a_recording_can_be_opened_again(tmp_path: Path) -> None:
    write_clip(tmp_path / "a.avi", [scene([])] * 4)
    clip = Clip(tmp_path / "a.avi")
    assert [frame.t for frame in every(clip)] == [frame.t for frame in every(clip)]
    with pytest.raises(EndOfSource):
        clip.frame(1.0)


def test_slides_show_each_picture_after_an_empty_one() -> None:
    slides = Slides([grey(1), grey(2)], grey(9), slide_s=0.1, empty=0.05, fps=20)
    assert [int(frame.picture[0, 0, 0]) for frame in every(slides)] == [9, 1, 1, 9, 2, 2]


def test_a_slide_that_cannot_be_read_is_an_error_and_not_left_out(tmp_path: Path) -> None:
    (tmp_path / "a.jpg").write_bytes(b"x")
    with pytest.raises(UnreadablePicture, match=r"a\.jpg"):
        every(Slides([tmp_path / "a.jpg"], grey(0)))


def test_a_folder_that_may_not_be_listed_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(folder: Path) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "iterdir", forbidden)
    with pytest.raises(SourceError, match=r"cannot be read \(Permission denied\)"):
        Folder(tmp_path).open()
