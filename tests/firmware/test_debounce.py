"""Buttons: one press however the contact bounces, held once it is held, and none lost while the program was busy."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.debounce import HOLD_MS, SETTLE_MS, Button


def looked_at(button: Button, level: bool, start: int, end: int) -> list[tuple[bool, int]]:
    """What is told while a level stands and somebody looks every few milliseconds."""
    told = []
    for now in range(start, end, 4):
        told += button.feed(level, now)
    return told


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
def test_a_bouncing_contact_is_one_press(pressing: list[int], letting_go: list[int]) -> None:
    button, now, told = Button(), 50, []
    for bounces, level in ((pressing, True), (letting_go, False)):
        for index, gap in enumerate([0, *bounces]):
            now += gap
            told += button.feed(level if index % 2 == 0 else not level, now)
        now += 5
        told += button.feed(level, now)
        now += SETTLE_MS + 30
        told += button.settled(now)
    assert [held for held, _ in told] == [False]


def test_a_spark_is_no_press() -> None:
    button = Button()
    assert button.feed(True, 100) == []
    assert button.feed(False, 100 + SETTLE_MS - 1) == []
    assert button.settled(5000) == []


@pytest.mark.parametrize(("length", "held"), [(SETTLE_MS, False), (HOLD_MS - 1, False), (HOLD_MS, True)])
def test_edges_seen_by_interrupts_tell_a_press_that_is_long_over(length: int, held: bool) -> None:
    """The program was busy for ten seconds; only interrupts wrote down when the contact changed."""
    button = Button()
    told = button.feed(True, 1000) + button.feed(False, 1000 + length) + button.settled(11_000)
    assert told == [(held, 1000)]
