"""The picture strip that explains a reading: every candidate has a card with its outcome."""

from __future__ import annotations

import io
import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision import dice_sets
from vision.classification.face_nets import near_crop
from vision.commands import run_read
from vision.decision import explain
from vision.decision.reader import Reader
from vision.drawing.tray import DrawnDie, draw_tray, make_ground
from vision.messages import message_printer
from vision.pictures import Picture
from vision.roll import Status

GROUND = make_ground(np.random.default_rng(1))


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader(dice_sets.load("pips"))


def tray(count: int) -> Picture:
    places = [(90 + 90 * column, 80 + 80 * row) for row in range(5) for column in range(6)]
    dice = [DrawnDie(face=1 + i % 6, x=x, y=y, yaw=0.3 * i) for i, (x, y) in enumerate(places[:count])]
    return draw_tray(dice, np.random.default_rng(1), ground=GROUND)


@pytest.mark.parametrize("count", [0, 1, 5, 30])
def test_there_is_a_card_for_every_candidate(reader: Reader, count: int) -> None:
    picture = tray(count)
    roll, image = explain.explain_reading(reader, picture, None, "tray.png")
    found = explain.explain_candidates(picture, *reader.detect(picture), roll)
    rows = -(-len(found) // explain.COLUMNS)
    assert len(found) >= len(roll.dice)
    assert image.shape[1] == explain.WIDTH
    assert image.shape[0] == 112 + round(480 * explain.WIDTH / 640) + rows * explain.CARD
    assert [step.number for step in found] == list(range(1, len(found) + 1))


def test_every_reading_has_its_own_candidate_and_the_rest_are_dropped(reader: Reader) -> None:
    picture = tray(5)
    roll = reader.read(picture)
    found = explain.explain_candidates(picture, *reader.detect(picture), roll)
    kept = [step for step in found if step.die is not None]
    assert len(kept) == len(roll.dice)
    for step in kept:
        assert step.die is not None
        assert step.outcome == ("certain" if step.die.certain else "asked")
        left, top, width, height = step.die.box
        assert left <= step.candidate.x <= left + width
        assert top <= step.candidate.y <= top + height
    assert {step.outcome for step in found if step.die is None} <= {"overlapped", "nothing"}


def test_a_candidate_within_a_die_is_overlapped_and_one_elsewhere_nothing(reader: Reader) -> None:
    picture = tray(1)
    candidates, classifications = reader.detect(picture)
    (roll, own) = reader.read(picture), candidates[0]
    left, top, width, height = roll.dice[0].box
    pip = type(own)(own.x + 3, own.y + 3, 5.0, (own.x, own.y, own.x + 6, own.y + 6), 0.3, own.faces)
    far = type(own)(left + width + 150, top + height + 150, 20.0, (400, 400, 420, 420), 0.3, own.faces)
    found = explain.explain_candidates(picture, [own, pip, far], [classifications[0]] * 3, roll)
    assert [(step.outcome, step.candidate) for step in found] == [
        ("certain", own),
        ("overlapped", pip),
        ("nothing", far),
    ]


def test_the_crop_shows_the_die_in_the_middle_and_grey_outside(reader: Reader) -> None:
    picture = tray(1)
    candidate = reader.detect(picture)[0][0]
    crop = near_crop(picture, candidate)
    assert crop.shape == (96, 96, 3)
    assert crop[36:60, 36:60].max() > 180
    corner = type(candidate)(0.0, 0.0, 20.0, (0, 0, 10, 10), 0.5, candidate.faces)
    assert (near_crop(picture, corner)[:40, :40] == 114).all()


def test_classes_have_names() -> None:
    numbers = (0, 1, 6, 7, 8, 9, 18, 19, 20, 23)
    names = "nothing, 1 pip, 6 pips, unknown, plain, digit 0, digit 9, 6 or 9, ball, free throw"
    assert ", ".join(explain.class_name(number) for number in numbers) == names


def test_read_writes_a_strip_for_each_picture(tmp_path: Path) -> None:
    for folder, count in (("one", 1), ("two", 2)):
        (tmp_path / folder).mkdir()
        cv2.imwrite(str(tmp_path / folder / "tray.png"), tray(count))
    images = [str(tmp_path / folder / "tray.png") for folder in ("one", "two")]
    out, err = io.StringIO(), io.StringIO()
    assert (
        run_read(
            [*images, str(tmp_path / "none.png")], "pips", None, out, message_printer(err), tmp_path / "new" / "strips"
        )
        == 1
    )
    lines = [json.loads(line) for line in out.getvalue().splitlines()]
    assert [line["status"] for line in lines[:2]] == [Status.OK, Status.OK]
    assert [len(line["dice"]) for line in lines] == [1, 2, 0]
    strips = sorted(path.name for path in (tmp_path / "new" / "strips").iterdir())
    assert strips == ["tray-2.explained.png", "tray.explained.png"]
    assert cv2.imread(str(tmp_path / "new" / "strips" / "tray.explained.png")) is not None


def test_a_folder_that_cannot_be_written_is_refused_before_anything_is_read(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    out, err = io.StringIO(), io.StringIO()
    assert run_read(["x.png"], "pips", None, out, message_printer(err), tmp_path / "file") == 2
    assert out.getvalue() == ""
    assert err.getvalue().startswith(f"{tmp_path / 'file'}: ")
    assert len(err.getvalue().splitlines()) == 1


def test_what_lies_in_the_folder_is_left_alone(tmp_path: Path) -> None:
    """A strip never takes the name of an input picture, and other files are kept."""
    for name in ("tray.png", "tray.explained.png"):
        cv2.imwrite(str(tmp_path / name), tray(1))
    (tmp_path / ".explained").write_text("a player's own")
    images = [str(tmp_path / "tray.png"), str(tmp_path / "tray.explained.png")]
    before = (tmp_path / "tray.explained.png").read_bytes()
    assert run_read(images, "pips", None, io.StringIO(), message_printer(io.StringIO()), tmp_path) == 0
    assert (tmp_path / "tray.explained.png").read_bytes() == before
    assert (tmp_path / ".explained").read_text() == "a player's own"
    strips = {"tray-2.explained.png", "tray.explained.explained.png"}
    assert {path.name for path in tmp_path.iterdir()} == {".explained", "tray.png", "tray.explained.png", *strips}


def test_a_disk_that_fills_up_costs_the_strip_not_the_reading(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cv2.imwrite(str(tmp_path / "tray.png"), tray(1))

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    out, err = io.StringIO(), io.StringIO()
    assert run_read([str(tmp_path / "tray.png")], "pips", None, out, message_printer(err), tmp_path / "strips") == 1
    assert json.loads(out.getvalue())["status"] == "ok"
    assert "No space left" in err.getvalue()
    assert list((tmp_path / "strips").iterdir()) == []


def test_long_and_foreign_names_fit(reader: Reader) -> None:
    roll, image = explain.explain_reading(reader, tray(0), None, "été " * 80 + ".jpg")
    assert roll.status is Status.EMPTY
    assert (image[:112, -8:] == image[0, 0]).all()


@pytest.mark.parametrize("shape", [(4000, 1, 3), (640, 12, 3), (1, 4000, 3)])
def test_a_narrow_picture_is_shown_no_taller_than_two_strips_are_wide(
    reader: Reader, shape: tuple[int, int, int]
) -> None:
    _, image = explain.explain_reading(reader, np.zeros(shape, np.uint8), None, "narrow")
    assert image.shape[1] == explain.WIDTH
    assert image.shape[0] <= 3 * explain.WIDTH
