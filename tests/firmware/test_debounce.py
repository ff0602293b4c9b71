"""Debouncing of buttons: one press per bouncing contact, a hold reported once, no press lost while the program is
busy."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.debounce import HOLD_MS, SETTLE_MS, Button


def looked_at(button: Button, level: bool, start: int, end: int) -> list[tuple[bool, int]]:
    """Return the events while the level is constant and the button is polled every few milliseconds."""
    presses = []
    for now in range(start, end, 4):
        presses += button.feed(level, now)
    return presses


def test_a_press_is_told_when_it_ends_with_the_time_it_began() -> None:
    button = Button()
    assert looked_at(button, False, 0, 100) == []
    assert looked_at(button, True, 100, 300) == []
    assert button.down
    assert looked_at(button, False, 300, 400) == [(False, 100)]
    assert not button.down


def test_a_hold_is_told_at_once_and_only_once() -> None:
    button = Button()
    assert looked_at(button, True, 0, HOLD_MS) == []
    assert looked_at(button, True, HOLD_MS, 3000) == [(True, 0)]
    assert looked_at(button, False, 3000, 3200) == []
    assert looked_at(button, True, 3200, 3300) + looked_at(button, False, 3300, 3400) == [(False, 3200)]


@given(st.lists(st.integers(1, SETTLE_MS - 1), max_size=9), st.lists(st.integers(1, SETTLE_MS - 1), max_size=9))
def test_a_bouncing_contact_is_one_press(press_bounces: list[int], letting_go: list[int]) -> None:
    button, now, presses = Button(), 50, []
    for bounces, level in ((press_bounces, True), (letting_go, False)):
        for index, gap in enumerate([0, *bounces]):
            now += gap
            presses += button.feed(level if index % 2 == 0 else not level, now)
        now += 5
        presses += button.feed(level, now)
        now += SETTLE_MS + 30
        presses += button.poll(now)
    assert [is_long for is_long, _ in presses] == [False]


def test_a_spark_is_no_press() -> None:
    button = Button()
    assert button.feed(True, 100) == []
    assert button.feed(False, 100 + SETTLE_MS - 1) == []
    assert button.poll(5000) == []


@pytest.mark.parametrize(("length", "is_long"), [(SETTLE_MS, False), (HOLD_MS - 1, False), (HOLD_MS, True)])
def test_edges_seen_by_interrupts_tell_a_press_that_is_long_over(length: int, is_long: bool) -> None:
    """The program was busy for ten seconds; only interrupts recorded the edges."""
    button = Button()
    presses = button.feed(True, 1000) + button.feed(False, 1000 + length) + button.poll(11_000)
    assert presses == [(is_long, 1000)]
