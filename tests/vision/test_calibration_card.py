"""The calibration card in rendered pictures: position, light, sharpness; and focus."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.calibration.card import find_card
from vision.calibration.picture_quality import FocusPeak, FocusSweep, detail, sweep_focus
from vision.calibration.rectification import corner_distance
from vision.cameras.simulated_effects import Lens, Mount
from vision.cameras.simulated_tray import AdjustableTray
from vision.pictures import Picture
from vision.white_balance import black_body, linear_to_srgb, srgb_to_linear

MOUNTS = (Mount(), Mount(zoom=0.75), Mount(0.08, -0.07, 0.05, 0.8, (30, -20)), Mount(turned=0.3, zoom=0.75))


def picture_of(rig: AdjustableTray) -> Picture:
    """Return the picture of the next frame."""
    return rig.frame(0.0).picture


@pytest.mark.parametrize("mount", MOUNTS, ids=range(len(MOUNTS)))
@pytest.mark.parametrize("turned", [0.0, 0.4, 1.6, 3.2])
def test_the_card_is_found_where_it_lies(mount: Mount, turned: float) -> None:
    rig = AdjustableTray(3, mount=mount)
    pose = rig.lay_card(turned=turned)
    found = find_card(picture_of(rig))
    assert found is not None
    assert corner_distance(found.corners, rig.to_camera_pixels(pose.corners())) < 4.0
    assert found.scale == pytest.approx(44 / 16 * mount.zoom, rel=0.06)
    assert found.balance.known


@pytest.mark.parametrize("kelvin", [2700, 3500, 5000, 6500, 8500])
def test_the_lights_colour_is_known_from_the_card(kelvin: int) -> None:
    """The logarithm of each gain is right within 0.08: a pixel's value changes by less than 4 %."""
    rig = AdjustableTray(3, mount=Mount(zoom=0.8))
    rig.lay_card()
    light = black_body(1e6 / kelvin, 0.05)
    lit = np.round(linear_to_srgb(srgb_to_linear(picture_of(rig) / 255) * light * 0.8 / max(light)) * 255).astype(
        np.uint8
    )
    found = find_card(lit)
    assert found is not None
    off = np.log(np.asarray(found.balance.gains) * light)
    assert np.abs(off - off.mean()).max() < 0.08


def test_half_a_card_and_dice_are_no_card() -> None:
    rig = AdjustableTray(3)
    rig.throw([("pips", 4, "white"), ("pips", 1, "black"), ("pips", 6, "white"), ("pips", 5, "white")])
    for _ in range(60):
        picture = picture_of(rig)
    assert find_card(picture) is None
    rig.lay_card(x=20.0)
    assert find_card(picture_of(rig)) is None


def test_a_blurred_card_has_wider_edges() -> None:
    rig = AdjustableTray(3)
    rig.lay_card()
    sharp = picture_of(rig)
    blurred = np.asarray(cv2.GaussianBlur(sharp, (0, 0), 1.6), np.uint8)
    one, other = find_card(sharp), find_card(blurred)
    assert one is not None
    assert other is not None
    assert other.blur - one.blur == pytest.approx(2.56 * 1.6 - one.blur, abs=1.3)


def run(looking: FocusSweep, rig: AdjustableTray) -> FocusPeak:
    """Run the focus sweep with the frames that it requests."""
    next(looking)
    try:
        while True:
            looking.send(picture_of(rig))
    except StopIteration as done:
        peak: FocusPeak = done.value
        return peak


@pytest.mark.parametrize("best", [0.6, 3.3, 5.8, 9.4])
def test_a_lens_is_turned_to_where_the_picture_is_sharpest(best: float) -> None:
    rig = AdjustableTray(7, mount=Mount(zoom=0.85), lens=Lens(best=best, at=5.0))
    peak = run(sweep_focus(rig), rig)
    assert peak.found
    assert peak.dioptres == pytest.approx(best, abs=0.35)
    assert rig.lens.at == peak.dioptres


def test_a_lens_that_changes_nothing_has_no_focus() -> None:
    rig = AdjustableTray(7, lens=Lens(blur=0.0))
    assert not run(sweep_focus(rig), rig).found


def test_detail_does_not_depend_on_the_light() -> None:
    rig = AdjustableTray(7)
    bright = picture_of(rig)
    dark = np.asarray(cv2.convertScaleAbs(bright, alpha=0.5), np.uint8)
    assert detail(dark) == pytest.approx(detail(bright), rel=0.2)
