"""The benchmark of the odds: correct figures pass, a wrong one fails, and every game with odds is measured."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from companion.games.registry import GAMES
from tools.benchmarks.odds import SAMPLERS, measure
from tools.benchmarks.odds_figures import Figure, chance_of, mean_of

FEW = 4_000
UNLIKELY = 5.5
"""Standard errors; in tens of thousands of runs, none of a thousand correct figures deviates more by chance."""


@pytest.mark.parametrize("game", SAMPLERS)
def test_every_figure_stands_some_throws(game: str) -> None:
    figures = list(SAMPLERS[game](np.random.default_rng(5), FEW))
    assert len(figures) > 100
    assert len({figure.name for figure in figures}) == len(figures)
    rare = [figure for figure in figures if figure.z > UNLIKELY and figure.exact * FEW > 10]
    assert [str(figure) for figure in rare] == []


def test_every_game_that_shows_chances_is_measured() -> None:
    assert SAMPLERS.keys() == GAMES.keys() - {"occasion"}


def test_a_wrong_chance_and_a_wrong_mean_are_found() -> None:
    dice = np.random.default_rng(5).integers(1, 7, 100_000)
    assert chance_of("six", Fraction(1, 6), dice == 6).z < 4 < chance_of("six", Fraction(1, 5), dice == 6).z
    assert mean_of("die", Fraction(7, 2), dice).z < 4 < mean_of("die", Fraction(18, 5), dice).z


def test_what_never_varies_is_right_or_infinitely_wrong() -> None:
    assert Figure("sure", Fraction(1), 1.0, 0.0, FEW).z == 0
    assert Figure("sure", Fraction(1), 0.999, 0.0, FEW).z == float("inf")


def test_the_measures_name_the_worst_of_each_game() -> None:
    measured = measure(100)
    assert measured["throws"] == 100
    for game in measured["games"].values():
        assert game["count"] == len(game["figures"])
        assert game["largest_z"] == max(row["z"] for row in game["figures"])
    assert measured["largest_z"] == max(game["largest_z"] for game in measured["games"].values())
    assert measured["right"] == (measured["largest_z"] <= measured["limit_z"])
