"""The light over a calibrated tray: what has changed of it since, and the dice's colours in it."""

import numpy as np
import pytest

from vision.drawing.ground import tray_ground
from vision.pictures import Picture
from vision.tray_light import TrayLight, change_of_light
from vision.white_balance import BODY_COLOURS, Witness, from_dice, in_known_light
from vision.white_balance.light import decode, encode

BODIES = {name: BODY_COLOURS[name] for name in ("ivory", "grey", "brown", "blue", "yellow", "red")}
WARM, NEUTRAL = (0.6, 1.0, 1.4), (1.0, 1.0, 1.0)


def ground(seed: int = 3) -> Picture:
    drawn = tray_ground((240, 320), np.random.default_rng(seed), (0.5, 0.45, 0.4))
    return np.asarray(np.clip(drawn, 0, 1) * 255, np.uint8)


def relit(picture: Picture, times: tuple[float, float, float]) -> Picture:
    return np.asarray(encode(decode(picture / 255) * np.array(times)) * 255, np.uint8)


@pytest.mark.parametrize("times", [NEUTRAL, WARM, (0.4, 0.4, 0.4), (1.3, 1.2, 1.1)])
def test_the_change_of_light_is_told_by_the_ground(times: tuple[float, float, float]) -> None:
    now = relit(ground(), times)
    now[60:120, 80:140] = 255  # dice lie there
    change = change_of_light(ground(), now, [(80, 60, 140, 120)])
    assert change == pytest.approx(times, rel=0.06)
    assert TrayLight(ground(), 0.5).now(now, [(80, 60, 140, 120)]) == pytest.approx([0.5 * t for t in times], rel=0.06)


def test_a_dark_or_another_ground_tells_nothing() -> None:
    black = np.zeros((240, 320, 3), np.uint8)
    assert change_of_light(black, black, []) is None
    rng = np.random.default_rng(4)
    motley = np.repeat(np.repeat(rng.integers(40, 200, (12, 16, 3), np.uint8), 20, 0), 20, 1)
    assert change_of_light(ground(), motley, []) is None


@pytest.mark.parametrize("white", [NEUTRAL, WARM, (0.5, 0.4, 0.3)])
@pytest.mark.parametrize("shade", [1.0, 0.7, 0.4])
@pytest.mark.parametrize("body", BODIES)
def test_a_single_die_is_told_in_a_known_light_though_its_place_is_darker(
    body: str, shade: float, white: tuple[float, float, float]
) -> None:
    blue, green, red = encode(decode(BODIES[body]) * np.array(white) * shade)
    dice = [Witness((float(blue), float(green), float(red)))]
    named = in_known_light(from_dice(dice, BODIES), dice, BODIES, white).name(0)
    assert named[0] == body
    assert named[1] > 0.8


def test_no_dice_say_nothing() -> None:
    assert in_known_light(from_dice([], BODIES), [], BODIES, NEUTRAL).colours == ()
