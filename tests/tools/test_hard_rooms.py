"""What only the training draws: hard rooms, and flat things that look like dice."""

import numpy as np
import pytest

from tools.training import lookalikes, rooms
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


def test_the_same_state_lays_the_same_things(table: FloatImage) -> None:
    one, other = table.copy(), table.copy()
    lay_lookalikes(one, 20.0, 4, rng())
    lay_lookalikes(other, 20.0, 4, rng())
    assert np.array_equal(one, other)


def test_two_lamps_tint_the_sides_differently(table: FloatImage) -> None:
    ratio = rooms.two_lamps(table, rng()) / table
    warmth = ratio[..., 2] / ratio[..., 0]
    assert warmth.max() > 1.02
    assert warmth.min() < 0.98


def test_a_burnt_out_picture_is_brighter_and_its_lights_lose_their_colour(table: FloatImage) -> None:
    table[:30] = (0.2, 0.5, 0.95)
    burnt = rooms.burnt_out(table, rng())
    assert (burnt >= table).all()
    assert np.ptp(burnt[0, 0]) < np.ptp(table[0, 0]) * 1.1


def test_defocus_keeps_the_light_and_takes_the_detail(table: FloatImage) -> None:
    soft = rooms.out_of_focus(table, 60.0, rng())
    assert soft.mean() == pytest.approx(float(table.mean()), abs=0.01)
    assert soft.std() < 0.7 * table.std()
    assert rooms.out_of_focus(table, 8.0, rng()) is table


def test_a_ground_takes_the_dice_s_colour(table: FloatImage) -> None:
    rooms.matched_ground(table, (0.1, 0.2, 0.8), rng())
    blue, green, red = table.reshape(-1, 3).mean(0)
    assert red > 2 * green > 2 * blue


def test_a_wide_lamp_is_mirrored() -> None:
    shown = rooms.mirroring(Material((0.1, 0.1, 0.8), (0.9, 0.9, 0.9)), rng())
    assert shown.window > 0
    assert min(shown.window_size) >= 0.3
