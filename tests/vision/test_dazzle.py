"""Dice that are burnt out: the camera lets in less light, and the same roll is read again in that."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from tests.vision.doubles import BOX, BlobReader, Film, Sayings, certain, ok, scene
from vision.cameras.attended import Attended
from vision.cameras.protocol import LEAST_LIGHT, Picture
from vision.dazzle import STEP, burnt, dazzles
from vision.drawing.material import Light
from vision.eye import Eye
from vision.roll import Roll, SeenRoll, Status
from vision.settle import LIVE
from vision.watch import DAZZLED, Watcher
from vision.worker import make_reader

GLARE = Light(ambient=1.6, diffuse=1.6)
"""A lamp so near that blue and green faces are taken for each other."""

BALLS = [("ball", face, "white") for face in range(1, 7)]


def lying(value: tuple[int, int, int], ground: int = 90) -> Picture:
    """A tray with one plain die of that blue, green and red in BOX."""
    picture = np.full((480, 640, 3), ground, np.uint8)
    left, top, width, height = (int(side) for side in BOX)
    picture[top : top + height, left : left + width] = value
    return picture


@pytest.mark.parametrize("value", [(255, 255, 255), (60, 255, 240), (40, 130, 252)], ids=str)
def test_one_channel_at_its_end_is_burnt_out(value: tuple[int, int, int]) -> None:
    assert burnt(lying(value), BOX) == 1.0


@pytest.mark.parametrize("value", [(249, 249, 249), (20, 120, 235)], ids=str)
def test_a_bright_die_is_not_burnt_out(value: tuple[int, int, int]) -> None:
    assert burnt(lying(value, ground=255), BOX) == 0.0


def test_a_small_reflection_dazzles_nobody() -> None:
    picture = lying((40, 130, 220))
    left, top, width, height = (int(side) for side in BOX)
    picture[top + height // 2 - 3 : top + height // 2 + 3, left + width // 2 - 3 : left + width // 2 + 3] = 255
    assert 0.0 < burnt(picture, BOX) < 0.3
    assert not dazzles(picture, [certain(1, BOX)])


def test_a_box_outside_the_picture_is_not_burnt_out() -> None:
    assert burnt(lying((255, 255, 255)), (-80.0, -80.0, 40.0, 40.0)) == 0.0


def watched(tray: Attended, dim: Callable[[float], bool], frames: int = 150) -> list[tuple[float, Roll]]:
    """The rolls of six thrown balls, each with the seconds since the dice came to rest."""
    watcher = Watcher(make_reader("ball"), patience=LIVE, dim=dim)
    for _ in range(20):
        watcher.see(tray.frame(1.0))
    tray.throw(BALLS)
    rolls, rest = [], None
    for _ in range(frames):
        frame = tray.frame(1.0)
        rest = frame.t if rest is None and tray.at_rest else rest
        settled = watcher.see(frame)
        if settled is not None:
            rolls.append((frame.t - (frame.t if rest is None else rest), settled.roll))
    return rolls


def colours(roll: Roll) -> list[str]:
    return sorted(die.face.colour or "?" for die in roll.dice)


def test_burnt_out_dice_are_read_in_less_light_and_said_once() -> None:
    every = ["blue", "green", "orange", "red", "violet", "yellow"]
    blinded, shaded = Attended(2), Attended(2)
    for tray in (blinded, shaded):
        tray.relight(GLARE)
    (*_, (_, dazzled)) = watched(blinded, lambda share: False)
    assert colours(dazzled) != every, "else this light is none that a test needs"
    ((seconds, roll),) = watched(shaded, shaded.dim)
    assert (roll.status, colours(roll)) == (Status.OK, every)
    assert seconds < DAZZLED


def test_the_next_throw_is_not_waited_for_again() -> None:
    tray = Attended(2)
    tray.relight(GLARE)
    watched(tray, tray.dim)
    tray.clear(by_hand=False)
    ((seconds, _),) = watched(tray, tray.dim)
    assert seconds < 0.3


def test_an_eye_dims_its_camera() -> None:
    tray = Attended(2)
    tray.relight(GLARE)
    eye = Eye(tray, make_reader, lambda: tray.t, "ball", LIVE)
    for _ in range(20):
        eye.turn(1.0)
    tray.throw(BALLS)
    (seen,) = [news for _ in range(150) for news in eye.turn(1.0) if isinstance(news, SeenRoll)]
    assert seen.roll.status is Status.OK
    assert tray.frame(1.0).dimmed < 1


def test_what_stays_burnt_out_is_said_as_it_is() -> None:
    asked: list[float] = []

    def dim(share: float) -> bool:
        asked.append(share)
        return len(asked) < 3

    with Film([(i / 30, lying((255, 255, 255))) for i in range(60)]) as source:
        watcher = Watcher(Sayings(ok(5)), patience=LIVE, dim=dim)
        heard = [watcher.see(source.frame(1.0)) for _ in range(60)]
    (told,) = [settled.roll for settled in heard if settled is not None]
    assert told.status is Status.OK
    assert asked == [STEP] * 3


def test_dice_that_are_taken_up_while_the_light_is_changed_were_thrown_all_the_same() -> None:
    shots = [lying((255, 255, 255)) if 30 <= i < 38 else scene([]) for i in range(90)]
    with Film([(i / 30, shot) for i, shot in enumerate(shots)]) as source:
        watcher = Watcher(_Bright(), patience=LIVE, dim=lambda share: True)
        heard = [watcher.see(source.frame(1.0)) for _ in range(90)]
    (told,) = [settled.roll for settled in heard if settled is not None]
    assert told.status is Status.OK


class _Bright(BlobReader):
    """Sees a die where it is white."""

    def read(self, picture: Picture, request: object = None) -> Roll:
        return ok(5) if picture.max() == 255 else Roll(Status.EMPTY)


def test_a_dimmed_tray_shows_what_was_burnt_out_a_few_frames_later() -> None:
    tray = Attended(3)
    tray.relight(Light(ambient=0.9, diffuse=0.9))
    tray.throw([("pips", 1, "white")])
    for _ in range(90):
        before = tray.frame(1.0)
    die = tray.lying[0]
    box = (die.x - die.edge / 2, die.y - die.edge / 2, die.edge, die.edge)
    assert burnt(before.picture, box) > 0.8
    while tray.dim(STEP):
        pass
    frames = [tray.frame(1.0) for _ in range(6)]
    assert [frame.dimming for frame in frames] == [True, True, False, False, False, False]
    assert LEAST_LIGHT <= frames[-1].dimmed < LEAST_LIGHT / STEP
    assert frames[0].picture.mean() == pytest.approx(before.picture.mean(), rel=0.02)
    assert burnt(frames[-1].picture, box) < 0.1
    assert frames[-1].picture.mean() < 0.7 * before.picture.mean()
