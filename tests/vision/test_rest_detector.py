"""Settling detection: noise, flicker, drift, hands, slow spinning, and sources with a bad start or end."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import cv2
import numpy as np
import pytest

from tests.vision.doubles import noisy, scene
from vision.cameras.protocol import Frame
from vision.cameras.simulated_effects import grain
from vision.pictures import Picture
from vision.watching.motion import (
    Small,
    change_mask,
    colour_similarity,
    is_change,
    is_hand,
    is_motion,
    is_scene_cut,
    lighting_invariant_change,
    relit_share,
    shrink,
    similarity,
)
from vision.watching.rest_detector import Cleared, Rest, RestDetector, RestTimings, TrayState

FIVE = [(5, 200.0, 200.0)]
TWO = [(5, 200.0, 200.0), (2, 420.0, 300.0)]


def run(settle: RestDetector, shots: Iterable[tuple[float, Picture]]) -> list[tuple[float, Rest | Cleared]]:
    """Return all results for these pictures with their times in seconds."""
    events = []
    for number, (t, picture) in enumerate(shots):
        found = settle.on_frame(Frame(picture, t, number))
        if found is not None:
            events.append((t, found))
    return events


FrameSource = Picture | Callable[[float], Picture]


def shots(
    *parts: tuple[FrameSource, float], fps: float = 30.0, noise: float = 2.0, start: float = 0.0
) -> list[tuple[float, Picture]]:
    """Return pictures (or functions of the second within the part), each shown for its number of seconds."""
    sheet = grain(np.random.default_rng(1), noise)
    made: list[tuple[float, Picture]] = []
    for picture, seconds in parts:
        for i in range(round(seconds * fps)):
            frame = picture(i / fps) if callable(picture) else picture
            made.append((start + len(made) / fps, noisy(frame, sheet, len(made))))
    return made


def rests(events: list[tuple[float, Rest | Cleared]]) -> list[tuple[float, Rest]]:
    return [(t, found) for t, found in events if isinstance(found, Rest)]


def sliding(seconds: float) -> Callable[[float], Picture]:
    """Return a die that slides in from the left and stops at (200, 200) after `seconds`."""
    return lambda t: scene([(5, 200 - 300 * (seconds - t), 200.0)])


def with_arm(picture: Picture, x: int) -> Picture:
    """Return the picture with an arm over the lower edge."""
    covered = picture.copy()
    cv2.line(covered, (x, 300), (x + 20, 700), (120, 150, 210), 90)
    return covered


def coming_in() -> list[tuple[FrameSource, float]]:
    """Return 0.4 seconds in which an arm comes in from the left."""
    return [(with_arm(scene(TWO), x), 0.1) for x in (60, 140, 220, 260)]


@pytest.mark.parametrize("fps", [5, 10, 15, 30, 60])
def test_settles_at_the_same_moment_at_every_frame_rate(fps: float) -> None:
    rest_events = rests(run(RestDetector(), shots((scene([]), 1.0), (sliding(1.0), 1.0), (scene(FIVE), 2.0), fps=fps)))
    assert len(rest_events) == 2, "the empty tray at first, then the die"
    t, rest = rest_events[1]
    assert rest.since == pytest.approx(2.0, abs=1.01 / fps)
    assert 2.0 + 0.35 - 1e-6 <= t + 1 / fps <= 2.0 + 0.35 + 2.01 / fps


@pytest.mark.parametrize("noise", [0.0, 2.0, 6.0, 12.0])
def test_noise_of_the_sensor_is_no_movement(noise: float) -> None:
    assert len(rests(run(RestDetector(), shots((scene(TWO), 4.0), noise=noise)))) == 1


def test_a_lamp_flickering_in_bands_is_no_movement() -> None:
    rows = np.arange(480)[:, None, None]

    def lit(t: float) -> Picture:
        bands = 1 + 0.08 * np.sin(2 * np.pi * (rows / 240 + 13.7 * t))
        return np.clip(scene(TWO) * bands * (1 + 0.1 * np.sin(9 * t)), 0, 255).astype(np.uint8)

    assert len(rests(run(RestDetector(), shots((lit, 4.0))))) == 1


def test_the_sun_moving_over_the_tray_is_no_movement() -> None:
    columns = np.linspace(-1, 1, 640)[None, :, None]

    def lit(t: float) -> Picture:
        return np.clip(scene(TWO) * (1 + 0.006 * t * columns), 0, 255).astype(np.uint8)

    assert len(rests(run(RestDetector(), shots((lit, 40.0), fps=5)))) == 1


def test_a_slow_spinner_is_waited_for() -> None:
    def turning(t: float) -> Picture:
        picture = scene([])
        corners = cv2.boxPoints(((320.0, 240.0), (40.0, 40.0), 70.0 * t)).astype(np.int32)
        cv2.fillConvexPoly(picture, corners, (30, 30, 220))
        return picture

    rest_events = rests(run(RestDetector(), shots((scene([]), 1.0), (turning, 3.0), (turning(2.97), 1.0))))
    assert [round(rest.since, 1) for _, rest in rest_events] == [0.0, pytest.approx(3.9, abs=0.2)]


def test_dice_lying_there_at_the_start_are_offered() -> None:
    rest_events = rests(run(RestDetector(), shots((scene(FIVE), 1.0))))
    assert len(rest_events) == 1
    assert rest_events[0][1].since == 0.0


def test_the_stills_are_the_sharpest_of_the_rest() -> None:
    soft = cv2.GaussianBlur(scene(TWO), (0, 0), 0.8)
    settle = RestDetector(stills=2)
    pictures = [soft, scene(TWO), soft, soft, soft, soft, soft, scene(TWO), soft, scene(TWO), soft, soft, soft]
    rest_events = rests(run(settle, [(i / 30, picture) for i, picture in enumerate(pictures)]))
    assert sorted(frame.sequence for frame in rest_events[0][1].frames) == [7, 9], (
        "1 is too near to the movement before"
    )


def test_a_hand_passing_over_dice_that_stay_says_nothing() -> None:
    passing = [(with_arm(scene(TWO), x), 0.1) for x in range(100, 500, 40)]
    events = run(RestDetector(), shots((scene(TWO), 1.0), *passing, (scene(TWO), 1.5)))
    assert len(events) == 1


def test_a_resting_hand_is_waited_for_but_not_for_ever() -> None:
    settle = RestDetector()
    assert len(run(settle, shots((scene([]), 1.0)))) == 1
    settle.mark_empty()
    arm = with_arm(scene(TWO), 300)
    assert run(settle, shots(*coming_in(), (arm, 2.5), start=1.0)) == []
    assert settle.state is TrayState.HAND
    assert len(run(settle, shots((arm, 1.5), start=3.9))) == 1


def test_a_cut_to_another_picture_is_no_hand_that_came_in() -> None:
    settle = RestDetector()
    run(settle, shots((scene([]), 1.0)))
    settle.mark_empty()
    assert len(run(settle, shots((with_arm(scene(TWO), 300), 0.6), start=1.0))) == 1


def test_a_hand_that_comes_before_the_first_rest_is_waited_for() -> None:
    arm = with_arm(scene(TWO), 300)
    rest_events = rests(run(RestDetector(), shots((scene(TWO), 0.3), *coming_in(), (arm, 2.0), (scene(TWO), 1.0))))
    assert [rest.since for _, rest in rest_events] == [pytest.approx(2.7, abs=0.04)]


def test_a_thing_that_stayed_for_long_is_no_hand_once_it_is_gone() -> None:
    arm = with_arm(scene(TWO), 300)
    rest_events = rests(run(RestDetector(), shots((scene(TWO), 0.3), *coming_in(), (arm, 3.5), (scene(TWO), 0.5))))
    assert [rest.since for _, rest in rest_events] == [pytest.approx(0.7, abs=0.04), pytest.approx(4.2, abs=0.04)]


def test_what_changes_from_one_picture_to_the_next_has_not_moved() -> None:
    rest_events = rests(
        run(RestDetector(), shots((scene([]), 1.0), (scene(FIVE), 1.0), (sliding(0.2), 0.2), (scene(TWO), 1.0)))
    )
    assert [rest.is_instant for _, rest in rest_events] == [False, True, False]


def test_dice_are_offered_once_the_resting_hand_is_gone() -> None:
    settle = RestDetector()
    run(settle, shots((scene([]), 1.0)))
    settle.mark_empty()
    rest_events = rests(
        run(settle, shots(*coming_in(), (with_arm(scene(TWO), 300), 0.9), (scene(TWO), 1.0), start=1.0))
    )
    assert [rest.since for _, rest in rest_events] == [pytest.approx(2.3, abs=0.04)]


def test_the_tray_seen_empty_for_a_moment_is_cleared() -> None:
    settle = RestDetector()
    run(settle, shots((scene([]), 1.0)))
    settle.mark_empty()
    events = run(settle, shots((scene(FIVE), 1.0), (scene([]), 0.2), (scene(TWO), 1.0), start=1.0))
    assert [type(found) for _, found in events] == [Rest, Cleared, Rest]


def test_a_tray_that_stays_empty_is_never_offered_again() -> None:
    settle = RestDetector()
    run(settle, shots((scene([]), 1.0)))
    settle.mark_empty()
    passing = [(with_arm(scene([]), x), 0.1) for x in range(100, 500, 40)]
    assert run(settle, shots(*passing, (scene([]), 3.0), start=1.0)) == []
    assert settle.state is TrayState.EMPTY


def test_a_covered_lens_is_no_rest_and_changes_nothing() -> None:
    black = np.full((480, 640, 3), 4, np.uint8)
    events = run(RestDetector(), shots((scene(TWO), 1.0), (black, 2.0), (scene(TWO), 1.0)))
    assert len(events) == 1


def test_after_a_covered_lens_other_dice_are_known_to_be_unseen_so_far() -> None:
    black = np.full((480, 640, 3), 4, np.uint8)
    rest_events = rests(run(RestDetector(), shots((scene(TWO), 1.0), (black, 2.0), (scene(FIVE), 1.0))))
    assert [rest.blind for _, rest in rest_events] == [False, True]


def test_missing_frames_make_the_next_rest_unseen_so_far() -> None:
    settle = RestDetector()
    run(settle, shots((scene(TWO), 1.0)))
    rest_events = rests(run(settle, shots((scene(FIVE), 1.0), start=9.0)))
    assert [rest.blind for _, rest in rest_events] == [True]


def test_a_source_of_one_frame_is_a_rest_when_it_ends() -> None:
    settle = RestDetector()
    assert run(settle, shots((scene(FIVE), 0.034))) == []
    rest = settle.end()
    assert rest is not None
    assert rest.frames[0].sequence == 0


@pytest.mark.parametrize(("seconds", "counts"), [(0.06, False), (0.25, True)])
def test_a_source_ending_on_dice_that_lie_still_long_enough(seconds: float, counts: bool) -> None:
    settle = RestDetector()
    run(settle, shots((scene([]), 1.0), (sliding(0.5), 0.5), (scene(FIVE), seconds)))
    assert (settle.end() is not None) is counts


def test_a_source_ending_after_its_rest_was_said_says_it_once() -> None:
    settle = RestDetector()
    assert len(run(settle, shots((scene(FIVE), 1.0)))) == 1
    assert settle.end() is None


def test_a_source_without_frames_ends_without_a_rest() -> None:
    assert RestDetector().end() is None


def test_looking_again_offers_the_same_rest_once_more() -> None:
    settle = RestDetector(RestTimings(still=0.3))
    assert len(run(settle, shots((scene(FIVE), 0.5)))) == 1
    settle.offer_again(0.5)
    assert [t for t, _ in run(settle, shots((scene(FIVE), 1.0), start=0.5))] == [pytest.approx(0.8, abs=0.04)]


def test_the_small_stream_of_a_camera_is_watched_where_there_is_one() -> None:
    full, still = scene(FIVE), cv2.resize(scene([]), (320, 240))
    settle = RestDetector()
    events = [
        settle.on_frame(Frame(np.roll(full, 40 * i, axis=1), i / 30, i, np.asarray(still, np.uint8))) for i in range(20)
    ]
    assert sum(found is not None for found in events) == 1


def small(picture: Picture) -> np.ndarray:
    return shrink(Frame(picture, 0.0, 0))


def test_the_pip_of_a_small_die_is_a_change() -> None:
    before, now = scene(FIVE, edge=24), scene(FIVE, edge=24)
    cv2.circle(now, (200, 200), 4, (20, 20, 20), -1)
    assert is_change(change_mask(small(now), small(before)))


def test_a_camera_trembling_by_a_pixel_is_no_change() -> None:
    print_on_it = np.random.default_rng(5).integers(0, 2, (60, 80, 1), dtype=np.uint8) * 150
    before = cv2.max(scene(TWO), np.asarray(np.kron(print_on_it, np.ones((8, 8, 3))), np.uint8))
    shift = np.float32([[1, 0, 0.8], [0, 1, -0.8]])
    now = cv2.warpAffine(before, shift, (640, 480), borderMode=cv2.BORDER_REPLICATE)
    assert not is_change(change_mask(small(np.asarray(now, np.uint8)), small(before)))


def test_exposure_that_follows_a_hand_is_no_change_where_the_picture_is_burnt_out() -> None:
    paper = scene(TWO, ground=120)
    paper[50:120, 400:600] = 200
    bright = np.clip(paper.astype(float) * 1.5, 0, 255).astype(np.uint8)
    dimmer = np.clip(paper.astype(float) * 1.2, 0, 255).astype(np.uint8)
    assert not is_change(change_mask(small(dimmer), small(bright)))
    assert not is_change(change_mask(small(bright), small(dimmer)))


def test_dice_at_the_edge_are_no_hand_and_another_scene_is_none_either() -> None:
    empty = small(scene([]))
    at_edge = scene([(value, 20 + 42 * value, 10.0) for value in range(1, 7)])
    assert not hand_in(small(at_edge), empty)
    assert hand_in(small(with_arm(scene([]), 300)), empty)
    other = np.random.default_rng(3).integers(0, 255, (12, 16, 3), dtype=np.uint8)
    another = small(np.asarray(cv2.resize(other, (640, 480), interpolation=cv2.INTER_NEAREST), np.uint8))
    assert is_scene_cut(change_mask(another, empty))
    assert not hand_in(another, empty)


def hand_in(now: Small, before: Small) -> bool:
    return is_hand(change_mask(now, before), lighting_invariant_change(now, before))


def shaded(picture: Picture) -> Picture:
    """Return the picture with a broad soft shadow over its left side."""
    shade = 1 - 0.4 / (1 + np.exp((np.arange(640) - 250) / 12))
    return np.asarray(picture * shade[None, :, None], np.uint8)


def test_a_shadow_is_a_change_of_light_and_no_hand() -> None:
    before, now = small(scene(TWO)), small(shaded(scene(TWO)))
    assert is_change(change_mask(now, before))
    assert not is_motion(lighting_invariant_change(now, before))
    assert not hand_in(now, before)


def test_a_hand_in_light_that_changed_everywhere_is_a_hand() -> None:
    before = small(scene([]))
    light = np.linspace(0.55, 1.45, 640)[None, :, None]
    without, now = (small(np.asarray(picture * light, np.uint8)) for picture in (scene(TWO), with_arm(scene(TWO), 300)))
    assert is_scene_cut(change_mask(now, before))
    assert hand_in(now, before)
    assert not hand_in(without, before)


def test_a_die_beside_a_shadow_is_more_than_light() -> None:
    before, now = small(scene(FIVE)), small(shaded(scene(TWO)))
    assert is_motion(lighting_invariant_change(now, before))


def test_an_insect_stirs_nothing_and_a_die_turning_in_its_place_does() -> None:
    empty, before = small(scene([])), scene(FIVE)
    with_insect, turned = before.copy(), scene([])
    cv2.ellipse(with_insect, (400, 300), (6, 4), 20, 0, 360, (20, 20, 20), -1)
    corners = cv2.boxPoints(((200.0, 200.0), (40.0, 40.0), 45.0)).astype(np.int32)
    cv2.fillConvexPoly(turned, corners, before[200, 200].tolist())
    things = lighting_invariant_change(small(before), empty)
    for at_rest in (things, None):
        assert not is_motion(
            lighting_invariant_change(small(with_insect), small(before)), lambda at_rest=at_rest: at_rest
        )
        assert is_motion(lighting_invariant_change(small(turned), small(before)), lambda at_rest=at_rest: at_rest)


def test_likeness_ignores_light_and_sees_movement() -> None:
    before = small(scene(FIVE))
    box = (180 / 640, 180 / 480, 40 / 640, 40 / 480)
    assert similarity(before * 0.8, before, box) > 0.95
    assert similarity(small(scene([(5, 203.0, 201.0)])), before, box) > 0.95, "a camera that was knocked"
    assert relit_share(before * 0.8, before, box) == 1.0
    assert relit_share(before * 0.95, before, box) == 0.0
    assert similarity(small(scene([(5, 218.0, 200.0)])), before, box) < 0.7
    assert similarity(small(scene([])), before, box) < 0.7


def with_cast_shadow(picture: Picture, way: int) -> Picture:
    """Return the picture with the die at (200, 200) shaded and its shadow to the right, or to the left if `way` is
    -1."""
    shade = np.ones((480, 640, 1), np.float32)
    left = 200 + 20 * way
    shade[190:215, min(left, left + 20 * way) : max(left, left + 20 * way)] = 0.5
    shade[180:220, 180:220] = np.linspace(1 + 0.25 * way, 1 - 0.25 * way, 40)[None, :, None]
    return np.asarray(picture * shade, np.uint8)


def test_likeness_of_colours_ignores_shadows_and_sees_movement() -> None:
    picture, box = scene(FIVE), (172 / 640, 172 / 480, 56 / 640, 56 / 480)
    before, now = (small(with_cast_shadow(picture, way)) for way in (1, -1))
    assert similarity(now, before, box) < 0.9
    assert colour_similarity(now, before, box) > 0.95
    assert colour_similarity(small(scene([(5, 218.0, 200.0)])), before, box) < 0.7
    assert colour_similarity(small(scene([])), before, box) < 0.5
