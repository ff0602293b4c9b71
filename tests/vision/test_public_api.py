"""The public function `vision.read`."""

from pathlib import Path

import cv2
import numpy as np
import pytest

import vision
from vision.dice_sets import DiceSetError
from vision.drawing.tray import DrawnDie, draw_tray
from vision.pictures import Picture, UnreadablePicture
from vision.roll import Status


@pytest.fixture(scope="module")
def picture() -> Picture:
    dice = (DrawnDie(face=3, x=200, y=200, edge=46), DrawnDie(face=5, x=400, y=250, yaw=0.5, edge=46))
    return draw_tray(dice, np.random.default_rng(1))


def test_a_file_and_its_pixels_are_read_alike(picture: Picture, tmp_path: Path) -> None:
    path = tmp_path / "photo.png"
    cv2.imwrite(str(path), picture)
    for source in (picture, path, str(path)):
        roll = vision.read(source, "pips")
        assert roll.status is Status.OK
        assert [die.face.value for die in roll.dice] == [3, 5]


def test_another_number_of_dice_than_expected_is_asked_about(picture: Picture) -> None:
    assert vision.read(picture, "pips", 2).status is Status.OK
    assert vision.read(picture, "pips", 3).status is Status.ASK


def test_what_cannot_be_read_is_an_error_of_its_own(picture: Picture, tmp_path: Path) -> None:
    with pytest.raises(UnreadablePicture):
        vision.read(tmp_path / "none.png")
    with pytest.raises(DiceSetError):
        vision.read(picture, "no such set")
