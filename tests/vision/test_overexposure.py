"""Overexposed dice: the camera reduces the exposure, and the same roll is read again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from tests.vision.doubles import BOX, BlobReader, Film, PreparedReader, TruthReader, certain, ok, scene
from vision.cameras.protocol import MIN_LIGHT_SHARE, Frame
from vision.cameras.simulated_tray import SimulatedTray, TrayAction
from vision.detection.exposure import DIMMING_STEP, is_overexposed, overexposed_share
from vision.drawing.rendering import Light
from vision.pictures import Picture
from vision.roll import Doubt, Roll, RollRequest, SeenRoll, Status
from vision.watching.rest_detector import LIVE_TIMINGS
from vision.watching.watcher import BURNT_OUT_WAIT, Watcher
from vision.watching.worker import Observer, make_reader

GLARE = Light(ambient=1.6, diffuse=1.6)
"""A lamp so near that blue and green faces are confused."""

BALLS = [("ball", face, "white") for face in range(1, 7)]


def red(roll: Roll) -> Roll:
    """Return a reading whose dice are all identified by their colour."""
    return replace(roll, dice=tuple(replace(die, face=replace(die.face, colour="red")) for die in roll.dice))


RED = red(ok(5))


class RedReader(TruthReader):
    """Returns the true dice, all as red."""

    def read(self, picture: Picture, request: RollRequest | None = None) -> Roll:
        return red(super().read(picture, request))


def tray_with_die(value: tuple[int, int, int], ground: int = 90) -> Picture:
    """Return a tray with one plain die of that blue, green and red in BOX."""
    picture = np.full((480, 640, 3), ground, np.uint8)
    left, top, width, height = (int(side) for side in BOX)
    picture[top : top + height, left : left + width] = value
    return picture


@pytest.mark.parametrize("value", [(255, 255, 255), (60, 255, 240), (40, 130, 252)], ids=str)
def test_one_channel_at_its_end_is_burnt_out(value: tuple[int, int, int]) -> None:
    assert overexposed_share(tray_with_die(value), BOX) == 1.0


@pytest.mark.parametrize("value", [(249, 249, 249), (20, 120, 235)], ids=str)
def test_a_bright_die_is_not_burnt_out(value: tuple[int, int, int]) -> None:
    assert overexposed_share(tray_with_die(value, ground=255), BOX) == 0.0


def test_what_is_certain_without_its_colour_need_not_be_read_again() -> None:
    white = tray_with_die((255, 255, 255))
    assert is_overexposed(white, RED.dice)
    assert is_overexposed(white, [replace(certain(5, BOX), doubt=Doubt.FACE)])
    assert not is_overexposed(white, [certain(5, BOX)])


def test_a_small_reflection_dazzles_nobody() -> None:
    picture = tray_with_die((40, 130, 220))
    left, top, width, height = (int(side) for side in BOX)
    picture[top + height // 2 - 3 : top + height // 2 + 3, left + width // 2 - 3 : left + width // 2 + 3] = 255
    assert 0.0 < overexposed_share(picture, BOX) < 0.3
    assert not is_overexposed(picture, RED.dice)


def test_a_box_outside_the_picture_is_not_burnt_out() -> None:
    assert overexposed_share(tray_with_die((255, 255, 255)), (-80.0, -80.0, 40.0, 40.0)) == 0.0


def watched(tray: SimulatedTray, limit_light: Callable[[float], bool], frames: int = 150) -> list[tuple[float, Roll]]:
    """Return the rolls of six thrown balls, each with the seconds since the dice came to rest."""
    watcher = Watcher(make_reader("ball"), timings=LIVE_TIMINGS, limit_light=limit_light)
    for _ in range(20):
        watcher.on_frame(tray.frame(1.0))
    tray.throw(BALLS)
    rolls, rest = [], None
    for _ in range(frames):
        frame = tray.frame(1.0)
        rest = frame.t if rest is None and tray.at_rest else rest
        result = watcher.on_frame(frame)
        if result is not None:
            rolls.append((frame.t - (frame.t if rest is None else rest), result.roll))
    return rolls


def colours(roll: Roll) -> list[str]:
    return sorted(die.face.colour or "?" for die in roll.dice)


def test_burnt_out_dice_are_read_in_less_light_and_said_once() -> None:
    every = ["blue", "green", "orange", "red", "violet", "yellow"]
    blinded, shaded = SimulatedTray(2), SimulatedTray(2)
    for tray in (blinded, shaded):
        tray.relight(GLARE)
    (*_, (_, dazzled)) = watched(blinded, lambda share: False)
    assert (dazzled.status, colours(dazzled)) != (Status.OK, every), "else this light is none that a test needs"
    ((seconds, roll),) = watched(shaded, shaded.limit_light)
    assert (roll.status, colours(roll)) == (Status.OK, every)
    assert seconds < BURNT_OUT_WAIT


def test_the_next_throw_is_not_waited_for_again() -> None:
    tray = SimulatedTray(2)
    tray.relight(GLARE)
    watched(tray, tray.limit_light)
    tray.clear(by_hand=False)
    ((seconds, _),) = watched(tray, tray.limit_light)
    assert seconds < 0.3


def test_an_eye_dims_its_camera() -> None:
    tray = SimulatedTray(2)
    tray.relight(GLARE)
    observer = Observer(tray, make_reader, lambda: tray.t, "ball")
    for _ in range(20):
        observer.step(1.0)
    tray.throw(BALLS)
    (seen,) = [news for _ in range(150) for news in observer.step(1.0) if isinstance(news, SeenRoll)]
    assert seen.roll.status is Status.OK
    assert tray.frame(1.0).dimmed < 1


def test_what_stays_burnt_out_is_said_as_it_is() -> None:
    asked: list[float] = []

    def limit_light(share: float) -> bool:
        asked.append(share)
        return len(asked) < 3

    with Film([(i / 30, tray_with_die((255, 255, 255))) for i in range(60)]) as source:
        watcher = Watcher(PreparedReader(RED), timings=LIVE_TIMINGS, limit_light=limit_light)
        heard = [watcher.on_frame(source.frame(1.0)) for _ in range(60)]
    (roll,) = [result.roll for result in heard if result is not None]
    assert roll.status is Status.OK
    assert asked == [DIMMING_STEP] * 3


def test_dice_that_are_taken_up_while_the_light_is_changed_were_thrown_all_the_same() -> None:
    shots = [tray_with_die((255, 255, 255)) if 30 <= i < 38 else scene([]) for i in range(90)]
    with Film([(i / 30, shot) for i, shot in enumerate(shots)]) as source:
        watcher = Watcher(_WhiteDieReader(), timings=LIVE_TIMINGS, limit_light=lambda share: True)
        heard = [watcher.on_frame(source.frame(1.0)) for _ in range(90)]
    (roll,) = [result.roll for result in heard if result is not None]
    assert roll.status is Status.OK


class _WhiteDieReader(BlobReader):
    """Sees a die in each white area."""

    def read(self, picture: Picture, request: object = None) -> Roll:
        return RED if picture.max() == 255 else Roll(Status.EMPTY)


WHITE = [("pips", 1, "white"), ("pips", 5, "white")]

DEEDS: dict[str, tuple[TrayAction, int]] = {
    "take": (lambda tray: tray.pick_up(0), 1),  # type: ignore[attr-defined]
    "nudge": (lambda tray: tray.nudge(0, 30, 0, face=4), 2),
    "throw": (lambda tray: tray.throw([("pips", 3, "white")]), 3),
}
"""Actions while two dice are in the tray, and the number of dice afterwards."""


def glaring(seed: int) -> SimulatedTray:
    tray = SimulatedTray(seed)
    tray.relight(GLARE)
    return tray


def film_of(tray: SimulatedTray, deeds: dict[int, TrayAction], frames: int = 170) -> list[tuple[float, bool, int]]:
    """Return the rolls of two white dice thrown into glare at frame 20: second, `again`, number of dice.

    An action is performed a number of frames after the first request for less exposure.
    """
    asked: list[float] = []

    def limit_light(share: float) -> bool:
        asked.append(tray.t)
        return tray.limit_light(share)

    watcher = Watcher(RedReader(tray), timings=LIVE_TIMINGS, limit_light=limit_light)
    said_rolls = []
    for number in range(frames):
        if number == 20:
            tray.throw(WHITE)
        deed = deeds.get(round(30 * (tray.t - asked[0]))) if asked else None
        if deed is not None:
            deed(tray)
        result = watcher.on_frame(tray.frame(1.0))
        if result is not None:
            said_rolls.append((tray.t, result.roll.again, len(result.roll.dice)))
    return said_rolls


@pytest.mark.parametrize("seed", [2, 3])
@pytest.mark.parametrize("after", [1, 4, 12])
@pytest.mark.parametrize("name", DEEDS)
def test_a_roll_is_not_lost_when_something_moves_before_it_was_said(name: str, after: int, seed: int) -> None:
    deed, left = DEEDS[name]
    said_rolls = film_of(glaring(seed), {after: deed})
    assert [(again, dice) for _, again, dice in said_rolls] == [(False, 2), (True, left)]


@pytest.mark.parametrize("seed", [20, 21, 22, 23])
def test_a_hand_that_holds_still_is_none_the_more_a_roll_after_the_light_was_changed(seed: int) -> None:
    assert len(film_of(glaring(seed), {60: lambda tray: tray.hand(stays=1.5)}, 200)) == 1


def test_a_lamp_that_goes_out_makes_the_camera_let_in_all_its_light_again() -> None:
    tray = glaring(2)
    film_of(tray, {})
    assert tray.frame(1.0).dimmed < 1
    tray.clear(by_hand=False)
    tray.relight(Light(ambient=0.2, diffuse=0.2))
    ((_, roll),) = watched(tray, tray.limit_light)
    assert roll.status is Status.OK


def test_hands_that_pass_do_not_put_a_roll_off_again_and_again() -> None:
    said_rolls = film_of(glaring(3), {1 + 45 * number: lambda tray: tray.hand() for number in range(5)}, 260)
    assert said_rolls[0][0] < 4.0
    assert [again for _, again, _ in said_rolls] == [False] + [True] * (len(said_rolls) - 1)


@pytest.mark.parametrize("seed", range(1, 6))
def test_a_die_that_still_spins_is_waited_for_in_a_glare_too(seed: int) -> None:
    tray = glaring(seed)
    watcher = Watcher(RedReader(tray), timings=LIVE_TIMINGS, limit_light=tray.limit_light)
    tray.throw([("pips", 1, "white")], spins=2.0)  # with 2.5 s it asks about the blurred die first, as it should
    heard = [watcher.on_frame(tray.frame(1.0)) for _ in range(260)]
    assert [result.roll.status for result in heard if result is not None] == [Status.OK]


def test_a_source_that_ends_while_its_light_is_changed_says_what_lay_there() -> None:
    asked: list[float] = []

    def limit_light(share: float) -> bool:
        asked.append(share)
        return True

    watcher = Watcher(PreparedReader(RED), timings=LIVE_TIMINGS, limit_light=limit_light)
    for number in range(8):
        watcher.on_frame(Frame(tray_with_die((255, 255, 255)), number / 30, number, dimming=bool(asked)))
    result = watcher.end()
    assert result is not None
    assert result.roll.status is Status.OK


def test_a_dimmed_tray_shows_what_was_burnt_out_a_few_frames_later() -> None:
    tray = SimulatedTray(3)
    tray.relight(Light(ambient=0.9, diffuse=0.9))
    tray.throw([("pips", 1, "white")])
    for _ in range(90):
        before = tray.frame(1.0)
    die = tray.dice[0]
    box = (die.x - die.edge / 2, die.y - die.edge / 2, die.edge, die.edge)
    assert overexposed_share(before.picture, box) > 0.8
    assert not tray.limit_light(0.9 * MIN_LIGHT_SHARE)
    assert tray.limit_light(MIN_LIGHT_SHARE)
    frames = [tray.frame(1.0) for _ in range(6)]
    assert [frame.dimming for frame in frames] == [True, True, False, False, False, False]
    assert frames[-1].dimmed == MIN_LIGHT_SHARE
    assert frames[0].picture.mean() == pytest.approx(before.picture.mean(), rel=0.02)
    assert overexposed_share(frames[-1].picture, box) < 0.1
    assert frames[-1].picture.mean() < 0.7 * before.picture.mean()
