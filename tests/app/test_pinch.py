"""Tests of the pinch gesture: spread for larger text, pinch for smaller text, nothing with one finger."""

from __future__ import annotations

from companion.app.idle_monitor import PinchGesture, next_size


def spread(*distances: float) -> list[int]:
    """Return the text size steps for two fingers moved through these distances."""
    pinch = PinchGesture()
    assert not pinch.down("a", (0.0, 0.0))
    assert pinch.down("b", (distances[0], 0.0))
    return [pinch.move("b", (distance, 0.0)) for distance in distances[1:]]


def test_apart_is_larger_and_together_smaller():
    assert spread(100, 120, 140) == [0, 1]
    assert spread(200, 160, 140) == [0, -1]


def test_one_step_for_each_time_the_distance_grows():
    assert spread(100, 136, 150, 190) == [1, 0, 1]


def test_trembling_fingers_do_nothing():
    assert spread(100, 110, 90, 105, 80) == [0, 0, 0, 0]


def test_fingers_close_to_each_other_do_not_jump():
    assert spread(1, 5, 20, 39) == [0, 0, 0]


def test_one_finger_and_a_third_one_do_nothing():
    pinch = PinchGesture()
    pinch.down("a", (0.0, 0.0))
    assert pinch.move("a", (500.0, 0.0)) == 0
    pinch.down("b", (100.0, 0.0))
    assert not pinch.down("c", (200.0, 0.0))
    assert pinch.move("c", (900.0, 0.0)) == 0
    pinch.up("c")
    assert pinch.move("stranger", (900.0, 0.0)) == 0
    pinch.up("b")
    assert pinch.move("a", (0.0, 0.0)) == 0


def test_the_sizes_end():
    sizes = (100, 115, 130)
    assert [next_size(sizes, size, 1) for size in sizes] == [115, 130, 130]
    assert [next_size(sizes, size, -1) for size in sizes] == [100, 100, 115]
