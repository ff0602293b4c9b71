"""The watcher turns frames into rolls: one roll per settling, `again` for moved dice, none without a change."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.doubles import (
    BOX,
    BlobReader,
    Film,
    PreparedReader,
    TruthReader,
    blurred,
    certain,
    film,
    ok,
    rolls,
    scene,
)
from tests.vision.slides import Slides
from vision.cameras.protocol import Camera, CameraLost
from vision.cameras.simulated_tray import SimulatedTray, TrayAction
from vision.pictures import Picture
from vision.roll import DieReading, Doubt, Face, Note, Roll, RollRequest, Status
from vision.watching.watcher import vote, watch

FIVE = [(5, 200.0, 200.0)]
TWO = [(5, 200.0, 200.0), (2, 420.0, 300.0)]


def roll_values(source: Camera) -> list[tuple[bool, list[int | None]]]:
    """Return for each roll its `again` flag and its values."""
    return [(roll.again, sorted(die.face.value or 0 for die in roll.dice)) for roll in rolls(source)]


def test_one_roll_a_settling() -> None:
    assert roll_values(film(([], 1.0), (FIVE, 1.0), ([], 1.0), (TWO, 1.0), ([], 0.5))) == [
        (False, [5]),
        (False, [2, 5]),
    ]


def test_the_time_is_that_of_the_last_frame_read() -> None:
    (roll,) = rolls(film(([], 1.0), (FIVE, 1.0)))
    assert roll.t is not None
    assert 1.0 <= roll.t <= 1.4


def test_an_empty_tray_says_nothing() -> None:
    assert roll_values(film(([], 3.0))) == []


def test_dice_lying_there_from_the_start_are_read() -> None:
    assert roll_values(film((TWO, 1.0), ([], 0.3), (FIVE, 1.0))) == [(False, [2, 5]), (True, [5])]


def test_a_tray_never_seen_empty_long_enough_to_be_read_is_cleared_once_it_was() -> None:
    assert roll_values(film((TWO, 1.0), ([], 0.6), (FIVE, 1.0))) == [(False, [2, 5]), (False, [5])]


def test_a_die_moved_after_the_roll_is_the_same_roll_anew() -> None:
    moved = [(5, 200.0, 200.0), (2, 440.0, 310.0)]
    assert roll_values(film(([], 1.0), (TWO, 1.0), (moved, 1.0))) == [(False, [2, 5]), (True, [2, 5])]


def test_a_die_turned_onto_another_face_is_the_same_roll_anew() -> None:
    turned = [(5, 200.0, 200.0), (3, 420.0, 300.0)]
    assert roll_values(film(([], 1.0), (TWO, 1.0), (turned, 1.0))) == [(False, [2, 5]), (True, [3, 5])]


def test_a_dark_die_turned_in_its_place_on_a_dark_ground_is_the_same_roll_anew() -> None:
    def tray_with_die(angle: float) -> Picture:
        picture = np.full((480, 640, 3), 60, np.uint8)
        corners = cv2.boxPoints(((200.0, 200.0), (60.0, 60.0), angle))
        cv2.fillConvexPoly(picture, np.round(corners).astype(np.int32), (38, 38, 38), cv2.LINE_AA)
        return picture

    turned = Film([(i / 30, tray_with_die(0.0 if i < 30 else 30.0)) for i in range(60)])
    die = Roll(Status.OK, (certain(5, (170.0, 170.0, 60.0, 60.0)),))
    assert [roll.again for roll in rolls(turned, PreparedReader(die))] == [False, True]


def test_a_second_die_thrown_in_beside_the_first_is_the_same_roll_anew() -> None:
    assert roll_values(film(([], 1.0), (FIVE, 1.0), (TWO, 1.0))) == [(False, [5]), (True, [2, 5])]


def test_a_die_taken_away_is_the_same_roll_anew() -> None:
    assert roll_values(film(([], 1.0), (TWO, 1.0), (FIVE, 1.0))) == [(False, [2, 5]), (True, [5])]


def in_light(gain: Callable[[float], NDArray[np.float32]]) -> Film:
    """Return two seconds of a tray in a light of `gain` (of the second, 480 x 640 x 1)."""
    picture = scene(TWO)
    for x, y in ((190, 190), (210, 190), (200, 200), (190, 210), (210, 210)):
        cv2.circle(picture, (x, y), 4, (230, 230, 230), -1)
    return Film([(i / 30, np.asarray(np.clip(picture * gain(i / 30), 0, 255), np.uint8)) for i in range(60)])


def lamp(way: float) -> NDArray[np.float32]:
    """Return a lamp at the left or right (-1 to 1) as the only light on the tray.

    The sides of the die at (200, 200) get another shade, with a shadow beside it.
    """
    light = np.ones((480, 640, 1), np.float32)
    light[180:220, 180:220] = np.linspace(1 + 0.4 * way, 1 - 0.4 * way, 40)[None, :, None]
    light[175:225, 220:260] *= 1 - 0.3 * (1 + way)
    light[175:225, 140:180] *= 1 - 0.3 * (1 - way)
    return light


def test_a_lamp_switched_makes_no_new_roll() -> None:
    assert len(rolls(in_light(lambda t: lamp(1.0 if t < 1 else -1.0)))) == 1


def test_a_lamp_fading_makes_no_new_roll() -> None:
    assert len(rolls(in_light(lambda t: lamp(1.0 - 2 * min(1.0, max(0.0, 3 * (t - 0.8))))))) == 1


def test_the_edge_of_a_patch_of_sun_on_a_die_makes_no_new_roll() -> None:
    def sun(t: float) -> NDArray[np.float32]:
        light = np.ones((480, 640, 1), np.float32)
        light[210:270, 190:250] = 1.5 if t > 1 else 1.0
        return light

    assert len(rolls(in_light(sun))) == 1


def test_a_die_turned_in_its_place_under_another_lamp_is_the_same_roll_anew() -> None:
    turned = [(5, 200.0, 200.0), (3, 420.0, 300.0)]
    shots = [
        (i / 30, np.asarray(scene(TWO if i < 30 else turned) * (1.0 if i < 30 else 0.7), np.uint8)) for i in range(60)
    ]
    assert [roll.again for roll in rolls(Film(shots))] == [False, True]


def test_something_laid_down_that_is_no_die_says_nothing() -> None:
    with_token = scene(TWO)
    with_token[80:110, 500:530] = 160
    shots = [(i / 30, scene(TWO) if i < 30 else with_token) for i in range(75)]
    assert len(rolls(Film(shots))) == 1


def test_other_pictures_one_after_the_other_are_other_rolls() -> None:
    chance = np.random.default_rng(2)
    grounds = [np.kron(chance.integers(60, 190, (12, 16, 1)), np.ones((40, 40, 3))).astype(np.uint8) for _ in range(2)]
    for ground, (value, x, y) in zip(grounds, TWO, strict=True):
        ground[int(y) - 20 : int(y) + 20, int(x) - 20 : int(x) + 20] = scene([(value, 20.0, 20.0)])[:40, :40]
    shots = [(i / 30, grounds[i // 30]) for i in range(60)]
    assert [roll.again for roll in rolls(Film(shots))] == [False, False]


def test_slides_are_a_roll_each_even_the_same_picture_twice() -> None:
    pictures = [scene(FIVE), scene(FIVE), scene(TWO)]
    assert roll_values(Slides(pictures, scene([]))) == [(False, [5]), (False, [5]), (False, [2, 5])]


def test_the_picture_is_the_one_that_was_read() -> None:
    with film(([], 1.0), (FIVE, 1.0)) as source:
        (result,) = watch(source, BlobReader())
    (die,) = result.roll.dice
    x, y = int(die.box[0] + die.box[2] / 2), int(die.box[1] + die.box[3] / 2)
    assert result.picture[y, x].astype(int).max() - result.picture[y, x].min() > 100


def test_the_reader_is_told_what_is_awaited() -> None:
    request, reader = RollRequest("pips", (("pips", 2),)), BlobReader()
    with film((TWO, 1.0)) as source:
        list(watch(source, reader, request_of=lambda: request))
    assert reader.requests == [request, request]


def test_looks_that_agree_are_certain_and_no_third_is_needed() -> None:
    reader = PreparedReader(ok(5))
    (roll,) = rolls(film((FIVE, 1.0)), reader)
    assert (roll.status, roll.dice[0].doubt, reader.reads) == (Status.OK, None, 2)


def test_poor_light_is_still_asked_about_when_the_looks_are_made_one_roll() -> None:
    dim = replace(ok(5), status=Status.ASK, notes=(Note.POOR_LIGHT,))
    ghost = replace(certain(2, (500.0, 400.0, 40.0, 40.0)), doubt=Doubt.FACE)
    empty = Roll(Status.EMPTY)
    for last_roll in (dim, replace(dim, dice=(*dim.dice, ghost))):
        (roll,) = rolls(film(([], 1.0), (FIVE, 1.0)), PreparedReader(empty, empty, last_roll))
        assert (roll.status, roll.notes, len(roll.dice)) == (Status.ASK, (Note.POOR_LIGHT,), 1)


def test_looks_that_disagree_are_a_doubt_with_both_faces() -> None:
    (roll,) = rolls(film((FIVE, 1.0)), PreparedReader(ok(5), ok(6), ok(5)))
    assert roll.status is Status.ASK
    assert roll.dice[0].doubt is Doubt.FACE
    assert [face for face, _ in roll.dice[0].possible] == [Face(5), Face(6)]


def test_one_unsure_look_among_three_that_name_the_same_face_is_certain() -> None:
    unsure = Roll(Status.ASK, (replace(certain(5, BOX), doubt=Doubt.FACE, confidence=0.7),))
    (roll,) = rolls(film((FIVE, 1.0)), PreparedReader(ok(5), unsure, ok(5)))
    assert (roll.status, roll.dice[0].doubt) == (Status.OK, None)


def test_a_die_that_one_look_misses_is_a_doubt() -> None:
    both = Roll(Status.OK, (certain(5, BOX), certain(2, (400.0, 280.0, 40.0, 40.0))))
    (roll,) = rolls(film((TWO, 1.0)), PreparedReader(both, ok(5), both))
    assert roll.status is Status.ASK
    assert [die.doubt for die in roll.dice] == [None, Doubt.HIDDEN]


def test_a_blurred_die_is_waited_for() -> None:
    still_turning = Roll(Status.ASK, (blurred(BOX),))
    (roll,) = rolls(film((FIVE, 2.0)), PreparedReader(still_turning, still_turning, still_turning, ok(5)))
    assert (roll.status, roll.dice[0].face) == (Status.OK, Face(5))


def test_a_die_that_stays_blurred_is_said_to_be_in_doubt() -> None:
    (roll,) = rolls(film((FIVE, 4.0)), PreparedReader(Roll(Status.ASK, (blurred(BOX),))))
    assert roll.dice[0].doubt is Doubt.BLURRED


EMPTY = Roll(Status.EMPTY)
BOTH = Roll(Status.OK, (certain(5, BOX), certain(2, (400.0, 280.0, 40.0, 40.0))))


def test_a_die_pushed_aside_and_read_no_more_is_a_doubt() -> None:
    pushed = [(5, 200.0, 200.0), (2, 432.0, 300.0)]
    got = rolls(film(([], 1.0), (TWO, 1.0), (pushed, 1.0)), PreparedReader(EMPTY, EMPTY, BOTH, BOTH, ok(5)))
    assert [(roll.status, [die.doubt for die in roll.dice]) for roll in got] == [
        (Status.OK, [None, None]),
        (Status.ASK, [None, Doubt.HIDDEN]),
    ]


def test_a_die_that_was_not_touched_shows_what_it_showed_though_it_is_read_no_more() -> None:
    added = [*TWO, (4, 500.0, 100.0)]
    new = Roll(Status.OK, (certain(5, BOX), certain(4, (480.0, 80.0, 40.0, 40.0))))
    got = rolls(film(([], 1.0), (TWO, 1.0), (added, 1.0)), PreparedReader(EMPTY, EMPTY, BOTH, BOTH, new))
    assert [(roll.status, sorted(die.face.value or 0 for die in roll.dice)) for roll in got] == [
        (Status.OK, [2, 5]),
        (Status.OK, [2, 4, 5]),
    ]


def test_the_only_die_read_no_more_is_no_empty_tray() -> None:
    pushed = [(5, 212.0, 200.0)]
    got = rolls(film(([], 1.0), (FIVE, 1.0), (pushed, 1.0)), PreparedReader(EMPTY, EMPTY, ok(5), ok(5), EMPTY))
    assert [(roll.status, roll.again) for roll in got] == [(Status.OK, False), (Status.ASK, True)]


def test_a_die_taken_away_is_not_missed() -> None:
    got = rolls(film(([], 1.0), (TWO, 1.0), (FIVE, 1.0)), PreparedReader(EMPTY, EMPTY, BOTH, BOTH, ok(5)))
    assert [(roll.status, len(roll.dice)) for roll in got] == [(Status.OK, 2), (Status.OK, 1)]


def test_what_a_reader_takes_for_a_die_in_the_empty_tray_is_no_die_beside_real_ones() -> None:
    ghost = DieReading("pips", Face(1), (500.0, 400.0, 40.0, 40.0), 0.3, doubt=Doubt.FOREIGN)
    with_ghost = Roll(Status.ASK, (certain(5, BOX), ghost))
    empty = Roll(Status.EMPTY)
    (roll,) = rolls(film(([], 1.0), (FIVE, 1.0)), PreparedReader(empty, empty, with_ghost))
    assert (roll.status, len(roll.dice)) == (Status.OK, 1)
    doubtful = Roll(Status.ASK, (certain(5, BOX), replace(ghost, box=(400.0, 280.0, 40.0, 40.0))))
    (roll,) = rolls(film(([], 1.0), (TWO, 1.0)), PreparedReader(empty, empty, doubtful))
    assert (roll.status, len(roll.dice)) == (Status.ASK, 2)


def test_an_empty_tray_says_nothing_even_if_dice_are_awaited() -> None:
    assert rolls(film(([], 2.0)), PreparedReader(Roll(Status.ASK))) == []


def test_a_reader_that_fails_says_nothing() -> None:
    assert rolls(film((FIVE, 1.0)), PreparedReader(Roll(Status.ERROR))) == []


def test_a_lost_camera_is_waited_for() -> None:
    def play() -> Iterator[TrayAction]:
        yield lambda tray: tray.throw([("pips", 4, "white")])
        yield lambda tray: tray.lose(1.0)
        yield lambda tray: tray.clear(by_hand=False)

    tray = SimulatedTray(4, programme=play())
    losses: list[tuple[CameraLost, int]] = []
    with tray:
        found = list(watch(tray, TruthReader(tray), on_loss=lambda loss, in_a_row: losses.append((loss, in_a_row))))
    assert [result.roll.again for result in found] == [False]
    assert [in_a_row for _, in_a_row in losses] == list(range(1, len(losses) + 1))
    assert len(losses) == pytest.approx(30, abs=1)


def reading(value: int, confidence: float, doubt: Doubt | None, x: float = 100.0) -> DieReading:
    face = Face(value=value)
    return DieReading("pips", face, (x, 100.0, 50.0, 50.0), confidence, doubt, "white", ((face, confidence),))


def test_one_place_holds_one_die() -> None:
    reading_roll = Roll(
        Status.ASK, (reading(3, 0.07, Doubt.COCKED), reading(3, 0.99, None, x=101.0), reading(5, 0.98, None, x=300.0))
    )
    together = vote([reading_roll, reading_roll])
    assert [(die.face.value, die.doubt) for die in together.dice] == [(3, None), (5, None)]


def test_two_faces_in_one_place_are_a_doubt() -> None:
    reading_roll = Roll(Status.ASK, (reading(3, 0.9, None), reading(4, 0.8, None, x=101.0)))
    (die,) = vote([reading_roll, reading_roll]).dice
    assert die.doubt is Doubt.FACE
    assert {face.value for face, _ in die.possible} == {3, 4}
