"""Percentages: one rounding for a chance that stands alone and for the parts of a bar."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.footclub import odds
from companion.games.footclub.scene import shot_bar
from companion.games.wording import part_percent, percentages, whole_percent


@given(st.lists(st.integers(1, 50), min_size=1, max_size=6))
def test_percentages_sum_to_a_hundred_and_stay_near(weights: list[int]) -> None:
    chances = [Fraction(weight, sum(weights)) for weight in weights]
    percents = percentages(chances)
    assert sum(percents) == 100
    assert all(abs(share - chance * 100) < 4 for share, chance in zip(percents, chances, strict=True))


def test_a_small_chance_does_not_show_as_none_and_a_large_one_not_as_certain() -> None:
    assert percentages([Fraction(1, 432), Fraction(431, 432)]) == (1, 99)
    assert percentages([Fraction(0), Fraction(1)]) == (0, 100)
    assert [whole_percent(Fraction(n, 1000)) for n in (0, 1, 999, 1000)] == [0, 1, 99, 100]


@given(st.lists(st.integers(0, 50), min_size=2, max_size=6).filter(any))
def test_a_part_shows_what_it_shows_alone_unless_it_is_the_largest(weights: list[int]) -> None:
    chances = [Fraction(weight, sum(weights)) for weight in weights]
    differing = [
        chance for share, chance in zip(percentages(chances), chances, strict=True) if share != whole_percent(chance)
    ]
    assert differing in ([], [max(chances)])


@pytest.mark.parametrize("bonus", range(-odds.CLAMP, odds.CLAMP + 1))
def test_the_bar_and_the_tile_of_a_shot_agree_on_the_goal(bonus: int) -> None:
    chances = odds.shot(bonus)
    parts = [Fraction(part.chance) for part in shot_bar(chances, "blue").parts]
    assert part_percent(chances, "goal").args["value"] == percentages(parts)[0]
