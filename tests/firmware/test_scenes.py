"""Light scenes: plain white during reading, sides at their seats, no flashing, limited current."""

from __future__ import annotations

from itertools import pairwise

import pytest

from firmware import scenes
from firmware.scenes import LightRing
from firmware.settings import DEFAULTS, LIGHT_MILLIAMPS, MOST_MILLIAMPS
from hardware.ports import MOMENT_SECONDS, LightScene, Moment

LIGHTS, EDGE, LEVEL = (DEFAULTS["ring"][key] for key in ("lights", "edge", "level"))
RED, BLUE = (255, 0, 0), (0, 0, 255)
TIMES = range(0, 6000, scenes.FRAME_MS)


def lights(ring: LightRing) -> list[tuple[int, ...]]:
    return [tuple(ring.rgb[at : at + 3]) for at in range(0, len(ring.rgb), 3)]


def drawn(scene: str, reading: bool = False, since: int = 0, rotation: int = 0) -> list[tuple[int, ...]]:
    ring = LightRing(LIGHTS, EDGE, LEVEL, rotation)
    ring.draw(scene, reading, (RED, BLUE), since)
    return lights(ring)


def played(moment: str, reading: bool = False, since: int = 0) -> list[tuple[int, ...]]:
    ring = LightRing(LIGHTS, EDGE, LEVEL)
    ring.play(moment, reading, (RED, BLUE), since)
    return lights(ring)


def test_the_house_and_the_tray_know_the_same_scenes_and_moments() -> None:
    assert set(scenes.SCENES) == {scene.value for scene in LightScene}
    assert set(scenes.MOMENTS) == {moment.value for moment in Moment}
    assert max(scenes.MOMENTS.values()) <= MOMENT_SECONDS * 1000


@pytest.mark.parametrize("scene", [*scenes.SCENES, scenes.WAITING, scenes.STRANGE])
def test_where_dice_are_read_the_ring_is_even_white_in_every_scene(scene: str) -> None:
    for since in TIMES:
        assert drawn(scene, reading=True, since=since)[:LIGHTS] == [(LEVEL,) * 3] * LIGHTS
    for moment in scenes.MOMENTS:
        for since in TIMES:
            assert played(moment, reading=True, since=since)[:LIGHTS] == [(LEVEL,) * 3] * LIGHTS


@pytest.mark.parametrize("scene", ["reading", "question"])
def test_scenes_of_reading_are_white_by_themselves(scene: str) -> None:
    assert drawn(scene)[:LIGHTS] == [(LEVEL,) * 3] * LIGHTS


def test_whose_turn_it_is_shows_at_their_side() -> None:
    left, right = drawn("left"), drawn("right")
    half = LIGHTS // 2
    assert left[:half] == [(LEVEL, 0, 0)] * half
    assert right[half:LIGHTS] == [(0, 0, LEVEL)] * half
    assert max(max(light) for light in left[half:LIGHTS] + right[:half]) < LEVEL // 8
    assert drawn("both") == [(LEVEL, 0, 0)] * half + [(0, 0, LEVEL)] * half + [(LEVEL, 0, 0)] * 2 + [(0, 0, LEVEL)] * 2


def test_a_ring_that_is_built_in_turned_shows_the_same() -> None:
    turned = drawn("both", rotation=5)
    assert turned[5 : 5 + LIGHTS // 2] == [(LEVEL, 0, 0)] * (LIGHTS // 2)


def test_the_edge_keeps_the_colour_while_dice_are_read() -> None:
    assert drawn("left", reading=True)[LIGHTS : LIGHTS + EDGE // 2] == [(LEVEL, 0, 0)] * (EDGE // 2)


def test_an_unknown_scene_is_a_quiet_one() -> None:
    assert drawn("of a later release") == drawn("rest")
    assert drawn("off") == [(0, 0, 0)] * (LIGHTS + EDGE)


def test_nothing_draws_more_than_the_port_gives() -> None:
    white = LIGHT_MILLIAMPS / 255 / 3
    everything = [drawn(scene, since=since) for scene in (*scenes.SCENES, scenes.WAITING) for since in TIMES]
    everything += [played(moment, since=since) for moment in scenes.MOMENTS for since in TIMES]
    assert max(sum(map(sum, picture)) for picture in everything) * white <= MOST_MILLIAMPS


def flashes(pictures: list[list[tuple[int, ...]]], light: int) -> int:
    """Count how often a light changes from dark to bright."""
    bright = [max(picture[light]) > LEVEL // 2 for picture in pictures]
    return sum(now and not before for before, now in pairwise(bright))


def test_no_light_flashes_more_than_twice_a_second() -> None:
    for moment, length in scenes.MOMENTS.items():
        pictures = [played(moment, since=since) for since in range(0, length, scenes.FRAME_MS)]
        for light in range(LIGHTS + EDGE):
            assert flashes(pictures, light) <= max(1, 2 * length / 1000), moment


def test_what_moves_says_so() -> None:
    for scene in (*scenes.SCENES, scenes.WAITING, scenes.STRANGE):
        changes = len({tuple(drawn(scene, since=since)) for since in TIMES}) > 1
        assert changes == scenes.moves(scene, None), scene
