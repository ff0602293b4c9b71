"""A rest with an uncertain die is read again before a question; a held roll is reported when no more frames follow."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tests.vision.doubles import BOX, Film, PreparedReader, blurred, certain, film, ok, rolls, scene
from vision.pictures import Picture
from vision.roll import Doubt, Roll, RollRequest, Status
from vision.watching.rest_detector import LIVE_TIMINGS
from vision.watching.watcher import DOUBT_WAIT, Watcher

FIVE = [(5, 200.0, 200.0)]
OTHER = (400.0, 280.0, 40.0, 40.0)
TWO = [(5, 200.0, 200.0), (2, 420.0, 300.0)]
UNSURE = Roll(Status.ASK, (replace(certain(5, BOX), doubt=Doubt.FACE),))
EMPTY = Roll(Status.EMPTY)


def test_a_doubt_of_some_stills_only_is_settled_by_further_ones_before_anything_is_said() -> None:
    (at_once,) = rolls(film((FIVE, 1.0)), PreparedReader(ok(5)), LIVE_TIMINGS)
    (roll,) = rolls(film((FIVE, 1.0)), PreparedReader(UNSURE, UNSURE, ok(5)), LIVE_TIMINGS)
    assert (roll.status, roll.again, [die.certain for die in roll.dice]) == (Status.OK, False, [True])
    assert at_once.t is not None
    assert roll.t is not None
    assert 0.1 < roll.t - at_once.t < DOUBT_WAIT


def test_a_doubt_that_stays_is_said_after_a_few_looks() -> None:
    reader = PreparedReader(UNSURE)
    (roll,) = rolls(film((FIVE, 3.0)), reader, LIVE_TIMINGS)
    assert (roll.status, reader.reads) == (Status.ASK, 6)
    assert roll.t is not None
    assert roll.t < DOUBT_WAIT


def test_one_look_with_another_face_is_not_outvoted() -> None:
    another = Roll(Status.OK, (certain(4, BOX),))
    (roll,) = rolls(film((FIVE, 3.0)), PreparedReader(UNSURE, another, ok(5)), LIVE_TIMINGS)
    assert (roll.status, [die.doubt for die in roll.dice]) == (Status.ASK, [Doubt.FACE])


def test_who_waits_longer_for_stillness_looks_again_only_once() -> None:
    reader = PreparedReader(UNSURE)
    (roll,) = rolls(film((FIVE, 3.0)), reader)
    assert (roll.status, reader.reads) == (Status.ASK, 4)
    assert roll.t is not None
    assert roll.t < 0.8


def test_a_doubt_that_no_noise_makes_is_said_at_once() -> None:
    reader = PreparedReader(Roll(Status.ASK, (replace(certain(5, BOX), doubt=Doubt.COCKED),)))
    (roll,) = rolls(film((FIVE, 3.0)), reader)
    assert (roll.status, reader.reads) == (Status.ASK, 2)


def test_dice_that_are_taken_up_while_they_are_held_were_thrown_all_the_same() -> None:
    taken_up = film(([], 1.0), (FIVE, 0.24), ([], 1.0))
    (roll,) = rolls(taken_up, PreparedReader(EMPTY, EMPTY, UNSURE), LIVE_TIMINGS)
    assert (roll.status, [die.face.value for die in roll.dice]) == (Status.ASK, [5])
    assert roll.t is not None
    assert 1.0 <= roll.t < 1.24


def test_dice_that_move_on_while_they_are_held_are_said_once_for_each_rest() -> None:
    elsewhere = [(4, 500.0, 100.0)]
    there = replace(UNSURE, dice=(replace(certain(4, (480.0, 80.0, 40.0, 40.0)), doubt=Doubt.FACE),))
    got = rolls(
        film(([], 1.0), (FIVE, 0.24), (elsewhere, 1.0)),
        PreparedReader(EMPTY, EMPTY, UNSURE, UNSURE, there),
        LIVE_TIMINGS,
    )
    assert [(roll.again, [die.face.value for die in roll.dice]) for roll in got] == [(False, [5]), (True, [4])]


def test_a_faint_die_that_is_taken_up_while_it_is_held_was_thrown_all_the_same() -> None:
    def tray_picture(there: bool) -> Picture:
        picture = np.full((480, 640, 3), 90, np.uint8)
        if there:
            picture[185:215, 185:215] = 76
        return picture

    shots = [(frame / 30, tray_picture(30 <= frame < 38)) for frame in range(70)]
    (roll,) = rolls(Film(shots), PreparedReader(EMPTY, EMPTY, UNSURE, UNSURE, EMPTY), LIVE_TIMINGS)
    assert roll.status is Status.ASK


def test_a_die_that_was_looked_at_at_rest_does_not_turn() -> None:
    turning = Roll(Status.ASK, (blurred(BOX),))
    taken_up = film(([], 1.0), (FIVE, 0.4), ([], 1.0))
    (roll,) = rolls(taken_up, PreparedReader(EMPTY, EMPTY, UNSURE, UNSURE, turning), LIVE_TIMINGS)
    assert (roll.status, [die.face.value for die in roll.dice]) == (Status.ASK, [5])


def test_frames_that_are_missing_while_dice_are_held_make_no_new_roll() -> None:
    moved = [(5, 260.0, 200.0)]
    there = Roll(Status.OK, (certain(5, (240.0, 180.0, 40.0, 40.0)),))
    doubtful = replace(there, status=Status.ASK, dice=(replace(there.dice[0], doubt=Doubt.FACE),))
    times = [*(frame / 30 for frame in range(36)), *(5 + frame / 30 for frame in range(30))]
    shots = [(t, scene(FIVE if t < 1 else moved)) for t in times]
    got = rolls(Film(shots), PreparedReader(ok(5), ok(5), doubtful, doubtful, there), LIVE_TIMINGS)
    assert [roll.again for roll in got] == [False, True]


def test_looks_for_another_request_do_not_count() -> None:
    requests = [RollRequest("pips", (("pips", 1),)), RollRequest("pips", (("pips", 2),))]
    watcher = Watcher(PreparedReader(UNSURE, UNSURE, ok(5)), timings=LIVE_TIMINGS, request_of=lambda: requests[0])
    heard = []
    with film((FIVE, 1.0)) as source:
        for frame in range(30):
            if frame == 6:
                requests.reverse()
            heard.append(watcher.on_frame(source.frame(1.0)))
    (roll,) = [result.roll for result in heard if result is not None]
    assert roll.status is Status.OK


def test_what_is_held_when_the_camera_is_lost_is_said_at_once() -> None:
    watcher = Watcher(PreparedReader(UNSURE), timings=LIVE_TIMINGS)
    with film((FIVE, 1.0)) as source:
        assert [watcher.on_frame(source.frame(1.0)) for _ in range(7)] == [None] * 7
    result = watcher.on_interruption()
    assert result is not None
    assert result.roll.status is Status.ASK
    assert watcher.on_interruption() is None


def test_what_is_held_when_the_source_ends_is_said() -> None:
    (roll,) = rolls(film(([], 1.0), (FIVE, 0.24)), PreparedReader(EMPTY, EMPTY, UNSURE), LIVE_TIMINGS)
    assert roll.status is Status.ASK


def test_what_is_held_when_the_reader_fails_is_said() -> None:
    failed = Roll(Status.ERROR)
    half = Roll(Status.ASK, (certain(5, BOX), replace(certain(2, OTHER), doubt=Doubt.FACE)))
    (roll,) = rolls(film((TWO, 1.0)), PreparedReader(half, half, failed), LIVE_TIMINGS)
    assert (roll.status, [die.doubt for die in roll.dice]) == (Status.ASK, [None, Doubt.FACE])


def test_what_is_held_is_said_in_time_although_an_insect_keeps_walking() -> None:
    def walked(frame: int) -> Picture:
        picture = scene(FIVE)
        if frame > 5:
            picture[300:307, 8 * frame : 8 * frame + 7] = 20
        return picture

    reader = PreparedReader(UNSURE)
    with Film([(i / 30, walked(i)) for i in range(60)]) as source:
        watcher = Watcher(reader, timings=LIVE_TIMINGS)
        heard = [(frame / 30, watcher.on_frame(source.frame(1.0))) for frame in range(25)]
    (timed_roll,) = [(t, result.roll) for t, result in heard if result is not None]
    assert (timed_roll[1].status, reader.reads) == (Status.ASK, 2)
    assert DOUBT_WAIT <= timed_roll[0] < DOUBT_WAIT + 0.1


def test_looks_at_dice_that_have_shifted_since_do_not_count() -> None:
    shots = [(i / 30, scene(FIVE if i < 7 else [(5, 200.0, 203.0)])) for i in range(40)]
    there = Roll(Status.OK, (certain(5, (180.0, 183.0, 40.0, 40.0)),))
    roll = rolls(Film(shots), PreparedReader(UNSURE, UNSURE, there), LIVE_TIMINGS)[-1]
    assert (roll.status, [die.box[1] for die in roll.dice]) == (Status.OK, [183.0])


def test_dice_that_nobody_saw_come_are_a_new_roll_however_often_they_were_looked_at() -> None:
    def after_a_gap(then: list[tuple[int, float, float]]) -> Film:
        return Film([(i / 30, scene(FIVE)) for i in range(20)] + [(5 + i / 30, scene(then)) for i in range(60)])

    box = (480.0, 80.0, 40.0, 40.0)
    four = certain(4, box)
    for first in (replace(four, doubt=Doubt.FACE), blurred(box)):
        sayings = PreparedReader(ok(5), ok(5), *[Roll(Status.ASK, (first,))] * 2, Roll(Status.OK, (four,)))
        got = rolls(after_a_gap([(4, 500.0, 100.0)]), sayings, LIVE_TIMINGS)
        assert [(roll.status, roll.again) for roll in got] == [(Status.OK, False), (Status.OK, False)]
    half = Roll(Status.ASK, (certain(5, BOX), replace(certain(2, OTHER), doubt=Doubt.FACE)))
    both = Roll(Status.OK, (certain(5, BOX), certain(2, OTHER)))
    got = rolls(after_a_gap(TWO), PreparedReader(ok(5), ok(5), half, half, both), LIVE_TIMINGS)
    assert [(roll.status, roll.again) for roll in got][-1] == (Status.OK, True), "one die lies where it lay"


def test_a_doubt_that_a_later_rest_settles_is_said() -> None:
    with_token = scene(FIVE)
    with_token[400:430, 500:530] = 160
    shots = [(i / 30, scene(FIVE) if i < 60 else with_token) for i in range(120)]
    got = rolls(Film(shots), PreparedReader(*[UNSURE] * 4, ok(5)))
    assert [(roll.again, roll.status) for roll in got] == [(False, Status.ASK), (True, Status.OK)]
