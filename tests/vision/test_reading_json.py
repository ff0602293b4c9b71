"""The JSON lines of `read` and `watch`: exactly the fields of the contract, and clear errors."""

import io
import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision import commands
from vision.messages import message_printer
from vision.pictures import UnreadablePicture, downscaled, load_picture
from vision.roll import DieReading, Doubt, Face, Roll, Status


def test_a_die_has_the_fields_of_the_contract() -> None:
    die = DieReading("pips", Face(5), (1.04, 2, 30, 31), 0.99871, None, "white", ((Face(5), 1.0),))
    assert commands.die_json(die) == {
        "kind": "pips",
        "value": 5,
        "colour": None,
        "symbol": None,
        "body": "white",
        "box": [1.0, 2, 30, 31],
        "confidence": 0.9987,
        "doubt": None,
    }


def test_a_doubt_is_named() -> None:
    die = DieReading("ball", Face(colour="red"), (0, 0, 1, 1), 0.5, Doubt.CUT_OFF)
    encoded = commands.die_json(die)
    assert (encoded["colour"], encoded["doubt"]) == ("red", "cut_off")


def test_time_and_again_are_those_of_watch() -> None:
    assert commands.roll_json(Roll(Status.EMPTY, ms=1.26)) == {"status": "empty", "dice": [], "ms": 1.3}
    seen = commands.roll_json(Roll(Status.OK, t=2.03333, again=True))
    assert (seen["t"], seen["again"]) == (2.033, True)


def test_an_empty_picture_and_a_broken_file(tmp_path: Path) -> None:
    blank, broken = tmp_path / "blank.png", tmp_path / "broken.jpg"
    cv2.imwrite(str(blank), np.full((200, 300, 3), 120, np.uint8))
    broken.write_bytes(b"\xff\xd8\xff no picture")
    out, err = io.StringIO(), io.StringIO()
    status = commands.run_read(
        [str(broken), str(blank), str(tmp_path / "none.png")], "pips", None, out, message_printer(err)
    )
    lines = [json.loads(line) for line in out.getvalue().splitlines()]
    assert status == 1
    assert [line["status"] for line in lines] == ["error", "empty", "error"]
    assert [line["image"] for line in lines] == [str(broken), str(blank), str(tmp_path / "none.png")]
    assert "broken.jpg: not a picture" in err.getvalue()
    assert "none.png" in err.getvalue()


def test_a_face_that_nobody_taught_the_reader_is_told_before_anything_is_read(tmp_path: Path) -> None:
    faces = ", ".join(f"{{ value = {value} }}" for value in (1, 2, 3, 4, 5, 12))
    own, blank = tmp_path / "own.toml", tmp_path / "blank.png"
    own.write_text(f"[kinds.tall]\nmarks = 'digits'\nfaces = [{faces}]\n")
    cv2.imwrite(str(blank), np.full((200, 300, 3), 120, np.uint8))
    out, err = io.StringIO(), io.StringIO()
    assert commands.run_read([str(blank)], str(own), None, out, message_printer(err)) == 0
    assert err.getvalue() == (
        "own: [kinds.tall] faces, number 6: 12: the reader does not know it, and will ask about a die that shows it\n"
    )


@pytest.mark.parametrize(("count", "status"), [(None, "empty"), (0, "empty"), (2, "ask")])
def test_a_picture_without_dice_is_empty_unless_some_are_awaited(
    tmp_path: Path, count: int | None, status: str
) -> None:
    blank = tmp_path / "blank.png"
    cv2.imwrite(str(blank), np.full((200, 300, 3), 120, np.uint8))
    out = io.StringIO()
    assert commands.run_read([str(blank)], "pips", count, out, message_printer(io.StringIO())) == 0
    assert json.loads(out.getvalue())["status"] == status


def test_an_unknown_set_is_wrong_use() -> None:
    out, err = io.StringIO(), io.StringIO()
    assert commands.run_read(["a.png"], "marbles", None, out, message_printer(err)) == 2
    assert out.getvalue() == ""
    assert "marbles" in err.getvalue()


def test_pictures_come_upright(tmp_path: Path) -> None:
    """EXIF orientation 6: the stored picture is rotated by 90 degrees."""
    stored = np.zeros((20, 40, 3), np.uint8)
    stored[:, :20] = 255
    code = cv2.imencode(".jpg", stored)[1].tobytes()
    exif = (
        b"Exif\x00\x00MM\x00*\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00\x06\x00\x00\x00\x00\x00\x00"
    )
    path = tmp_path / "turned.jpg"
    path.write_bytes(code[:2] + b"\xff\xe1" + (len(exif) + 2).to_bytes(2, "big") + exif + code[2:])
    upright = load_picture(path)
    assert upright.shape == (40, 20, 3)
    assert upright[:15].mean() > 240
    assert upright[25:].mean() < 15


def test_an_empty_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "empty.jpg"
    path.write_bytes(b"")
    with pytest.raises(UnreadablePicture, match=r"empty\.jpg: the file is empty"):
        load_picture(path)


def test_shrinking_never_enlarges() -> None:
    picture = np.zeros((100, 200, 3), np.uint8)
    assert downscaled(picture, 640)[1] == 1.0
    small, factor = downscaled(picture, 50)
    assert small.shape[:2] == (25, 50)
    assert factor == 0.25
