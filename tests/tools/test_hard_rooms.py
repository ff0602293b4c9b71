"""Scenes that only the training uses: difficult backgrounds, and flat objects that look like dice."""

import numpy as np
import pytest

from tools.training import camera_effects, lighting_effects, lookalikes, printed
from tools.training.grounds import cloth
from tools.training.lookalikes import lay_lookalikes
from vision.drawing.faces import FloatImage
from vision.drawing.rendering import Material


def rng(seed: int = 3) -> np.random.Generator:
    return np.random.default_rng(seed)


@pytest.fixture
def table() -> FloatImage:
    return np.asarray(0.3 + 0.2 * rng(1).random((90, 120, 3)), np.float32)


def test_lookalikes_change_part_of_the_table_and_stay_colours(table: FloatImage) -> None:
    laid = table.copy()
    lay_lookalikes(laid, 20.0, 6, rng())
    changed = (laid != table).any(2).mean()
    assert 0.02 < changed < 0.9
    assert laid.min() >= 0
    assert laid.max() <= 1


def test_keys_are_laid_with_what_is_written_on_them(table: FloatImage) -> None:
    for seed in range(6):
        laid = table.copy()
        lookalikes._keys(laid, np.array([60.0, 45.0]), 25.0, rng(seed))
        changed = laid[(laid != table).any(2)]
        assert changed.min() >= 0
        assert changed.max() <= 1
        assert len(np.unique(changed.round(3), axis=0)) >= 3  # the well, the caps, their tops


@pytest.mark.parametrize("maker", [maker for _, maker in lookalikes._MAKERS])
def test_each_kind_of_thing_is_seen_repeats_and_may_lie_beyond_the_rim(maker: lookalikes.Maker) -> None:
    plain = np.full((90, 120, 3), 0.45, np.float32)
    for seed in range(4):
        laid, again, aside = plain.copy(), plain.copy(), plain.copy()
        maker(laid, np.array([60.0, 45.0]), 25.0, rng(seed))
        maker(again, np.array([60.0, 45.0]), 25.0, rng(seed))
        maker(aside, np.array([-4.0, 92.0]), 25.0, rng(seed))
        assert np.array_equal(laid, again)
        assert np.abs(laid - plain).max() > 0.1
        assert min(laid.min(), aside.min()) >= 0
        assert max(laid.max(), aside.max()) <= 1


def test_a_body_seen_from_aside_stands_up_and_throws_a_shadow() -> None:
    laid = np.full((100, 100, 3), 0.5, np.float32)
    stand = lookalikes.DisplayStand(np.array([50.0, 60.0]), np.diag([20.0, 12.0]), 16.0, np.array([1.0, 0.0]))
    lookalikes._solid(laid, stand, np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) / 2, (0.0, 1.0), (0.9, 0.9, 0.9))
    top, front, beside = (float(laid[y, x].mean()) for x, y in ((50, 44), (50, 60), (66, 62)))
    assert top > front + 0.1
    assert beside < 0.45


def test_a_page_fills_its_corners_and_bears_print(table: FloatImage) -> None:
    quad = np.array([[20.0, 10.0], [95.0, 15.0], [110.0, 80.0], [8.0, 75.0]])
    one, other = table.copy(), table.copy()
    printed.lay_page(one, quad, rng(5))
    printed.lay_page(other, quad, rng(5))
    assert np.array_equal(one, other)
    assert np.abs(one - table)[40:50, 40:80].mean() > 0.1
    assert np.array_equal(one[:3, 112:], table[:3, 112:])
    assert one[20:70, 30:90].std() > 0.02


def test_a_cloth_bears_a_pattern() -> None:
    for seed in range(6):
        texture = cloth((80, 80), rng(seed))
        assert texture.shape == (80, 80, 3)
        assert texture.std(axis=(0, 1)).max() > 0.03


def test_the_same_state_lays_the_same_things(table: FloatImage) -> None:
    one, other = table.copy(), table.copy()
    lay_lookalikes(one, 20.0, 4, rng())
    lay_lookalikes(other, 20.0, 4, rng())
    assert np.array_equal(one, other)


def test_two_lamps_tint_the_sides_differently(table: FloatImage) -> None:
    ratio = lighting_effects.two_lamps(table, rng()) / table
    warmth = ratio[..., 2] / ratio[..., 0]
    assert warmth.max() > 1.02
    assert warmth.min() < 0.98


def test_a_burnt_out_picture_is_brighter_and_its_lights_lose_their_colour(table: FloatImage) -> None:
    table[:30] = (0.2, 0.5, 0.95)
    burnt = lighting_effects.overexposed(table, rng())
    assert (burnt >= table).all()
    assert np.ptp(burnt[0, 0]) < np.ptp(table[0, 0]) * 1.1


def test_defocus_keeps_the_light_and_takes_the_detail(table: FloatImage) -> None:
    soft = lighting_effects.out_of_focus(table, 60.0, rng())
    assert soft.mean() == pytest.approx(float(table.mean()), abs=0.01)
    assert soft.std() < 0.7 * table.std()
    assert lighting_effects.out_of_focus(table, 8.0, rng()) is table


def test_a_ground_takes_the_dice_s_colour(table: FloatImage) -> None:
    lighting_effects.match_ground_to_dice(table, (0.1, 0.2, 0.8), rng())
    blue, green, red = table.reshape(-1, 3).mean(0)
    assert red > 2 * green > 2 * blue


def test_a_wide_lamp_is_mirrored() -> None:
    mirrored = lighting_effects.with_reflection(Material((0.1, 0.1, 0.8), (0.9, 0.9, 0.9)), rng())
    assert mirrored.window > 0
    assert min(mirrored.window_size) >= 0.3


def test_a_far_cast_shifts_the_colours(table: FloatImage) -> None:
    for seed in range(6):
        blue, green, red = (camera_effects.strong_colour_cast(table, rng(seed)) / table).reshape(-1, 3).mean(0)
        assert max(blue, green, red) > 1.25 * min(blue, green, red)


def test_glare_only_adds_light(table: FloatImage) -> None:
    for seed in range(6):
        lit = camera_effects.glare(table, rng(seed))
        assert (lit >= table).all()
        assert lit.max() > table.max() + 0.05


def test_corners_darken(table: FloatImage) -> None:
    ratio = camera_effects.vignette(table, rng()) / table
    assert ratio[0, 0].mean() < 0.95 * ratio[45, 60].mean()


def test_a_portrait_keeps_its_dice_sharp(table: FloatImage) -> None:
    kept = np.zeros((90, 120), np.float32)
    kept[40:50, 50:70] = 1
    soft = camera_effects.portrait_blurred(table, kept, rng())
    assert np.allclose(soft[42:48, 55:65], table[42:48, 55:65], atol=0.02)
    assert soft[:15, :15].std() < 0.7 * table[:15, :15].std()


@pytest.mark.parametrize("edge", [12.0, 40.0, 200.0])
def test_a_phone_s_picture_repeats_and_still_shows_dice(edge: float) -> None:
    """A bright square of the size of a die remains visible, whatever processing the phone applies."""
    table = np.full((240, 240, 3), 0.25, np.float32)
    half = round(edge / 2)
    table[120 - half : 120 + half, 120 - half : 120 + half] = 0.8
    for seed in range(8):
        picture = camera_effects.simulate_phone(table, rng(seed), edge)
        assert np.array_equal(picture, camera_effects.simulate_phone(table, rng(seed), edge))
        assert (picture.shape, picture.dtype) == ((240, 240, 3), np.uint8)
        inner = picture[120 - half // 2 : 120 + half // 2, 120 - half // 2 : 120 + half // 2]
        assert inner.mean() > picture[:10, :10].mean() + 40
