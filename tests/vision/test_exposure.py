"""Dark pictures are stretched and read; with too little contrast the dice become questions."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.test_roll_request import CLEAR, TWO, FixedDetectionsReader
from vision import dice_sets
from vision.decision.reader import Reader
from vision.detection.exposure import is_clipped, normalise_levels
from vision.drawing.tray import DrawnDie, draw_tray
from vision.pictures import Picture
from vision.roll import Note, RollRequest, Status

DICE = [DrawnDie(face=face, x=130 + 120 * i, y=200 + 40 * (i % 2), edge=48) for i, face in enumerate((5, 2, 6, 3))]
LIGHT = draw_tray(DICE, np.random.default_rng(4))


def darker(picture: Picture, times: float, noise: float = 0.0) -> Picture:
    grain = np.random.default_rng(1).normal(0, noise, picture.shape) if noise else 0.0
    return np.clip(picture * times + grain, 0, 255).astype(np.uint8)


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader(dice_sets.load("pips"))


def test_an_ordinary_picture_is_left_as_it_is() -> None:
    assert normalise_levels(LIGHT).picture is LIGHT
    assert not normalise_levels(LIGHT).is_poor


def test_where_hardly_any_levels_are_left_it_is_asked(reader: Reader) -> None:
    result = normalise_levels(darker(LIGHT, 0.025))
    assert (result.is_poor, result.picture.max() > 150) == (True, True)
    assert reader.read(darker(LIGHT, 0.025)).status is Status.ASK


@pytest.mark.parametrize("times", [0.3, 0.1, 0.05])
def test_a_dark_picture_is_read_as_a_light_one(reader: Reader, times: float) -> None:
    result = normalise_levels(darker(LIGHT, times))
    assert (result.picture.max() > 180, result.is_poor) == (True, False)
    roll = reader.read(darker(LIGHT, times))
    assert (roll.status, sorted(die.face.value or 0 for die in roll.dice)) == (Status.OK, [2, 3, 5, 6])
    assert roll.notes == ()


def test_a_dark_table_that_is_lit_well_is_left_as_it_is() -> None:
    """After brightening, an orange ball was read as a yellow one."""
    table = np.random.default_rng(3).normal(30, 3, LIGHT.shape).clip(0, 255).astype(np.uint8)
    table[200:240, 300:340] = (20, 25, 90)
    assert normalise_levels(table).picture is not table
    table[210:216, 310:316] = 190
    assert normalise_levels(table).picture is table


def test_a_flat_picture_is_spread_once_something_lies_in_it(reader: Reader) -> None:
    misted = np.clip(LIGHT * 0.15 + 110, 0, 255).astype(np.uint8)
    result = normalise_levels(misted)
    assert result.picture is misted
    assert result.spread is not None
    assert np.ptp(result.spread) > 150
    roll = reader.read(misted)
    assert (roll.status, sorted(die.face.value or 0 for die in roll.dice)) == (Status.OK, [2, 3, 5, 6])
    thicker = np.clip(LIGHT * 0.08 + 190, 0, 255).astype(np.uint8)
    assert [die.certain for die in reader.read(thicker).dice].count(True) == 4
    felt = np.random.default_rng(5).normal(120, 4, LIGHT.shape).astype(np.uint8)
    assert normalise_levels(felt).spread is not None
    assert reader.read(felt).status is Status.EMPTY


def test_a_small_die_on_a_plain_table_keeps_its_colour() -> None:
    table = np.random.default_rng(6).normal(150, 3, LIGHT.shape).clip(0, 255).astype(np.uint8)
    table[200:220, 300:320] = (80, 205, 250)
    spread = normalise_levels(table).spread
    assert spread is not None
    assert is_clipped(spread, 310, 210, 20)
    assert not is_clipped(spread, 100, 100, 20)
    assert not is_clipped(spread, -90, -90, 20)


def test_where_noise_hides_what_lies_there_it_is_asked(reader: Reader) -> None:
    grainy = darker(LIGHT, 0.08, 4.0)
    assert normalise_levels(grainy).is_poor
    roll = reader.read(grainy)
    assert (roll.status, Note.POOR_LIGHT in roll.notes) == (Status.ASK, True)


def test_a_burnt_out_picture_is_asked_about_unless_just_the_dice_awaited_lie_there() -> None:
    burnt = np.full((480, 640, 3), 254, np.uint8)
    burnt[200:300] = 90
    roll = FixedDetectionsReader(CLEAR).read(burnt)
    assert (roll.status, roll.notes) == (Status.ASK, (Note.POOR_LIGHT,))
    assert FixedDetectionsReader(CLEAR).read(burnt, TWO).status is Status.OK
    three = FixedDetectionsReader(CLEAR).read(burnt, RollRequest("pips", (("pips", 3),)))
    assert (three.status, three.notes) == (Status.ASK, (Note.COUNT_MISMATCH, Note.POOR_LIGHT))


def test_in_the_dark_a_single_picture_is_asked_about_and_a_watched_tray_is_empty(reader: Reader) -> None:
    night = np.random.default_rng(2).integers(0, 3, LIGHT.shape, np.uint8)
    assert (reader.read(night).status, reader.read(night).notes) == (Status.ASK, (Note.POOR_LIGHT,))
    watched = Reader(dice_sets.load("pips"), one_tray=True)
    assert watched.read(night).status is Status.EMPTY


@pytest.mark.parametrize("shape", [(1, 1, 3), (2, 900, 3), (700, 1, 3)])
@pytest.mark.parametrize("level", [0, 8, 255])
def test_pictures_of_any_size_and_brightness_are_taken(shape: tuple[int, int, int], level: int) -> None:
    assert normalise_levels(np.full(shape, level, np.uint8)).picture.shape == shape
