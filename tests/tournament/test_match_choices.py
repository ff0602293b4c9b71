"""Settings that a tournament fixes: the header of a match tells with which it was played."""

from __future__ import annotations

import pytest

from companion.games.catalogue import NoCards
from companion.games.registry import SPECS
from companion.tournament.match_choices import different_setting, match_rows, played_settings

ROWS = [
    (game, row.id)
    for game, spec in SPECS.items()
    for row in match_rows(game)
    if row.id in spec.tournament.played_settings
]


@pytest.mark.parametrize(("game", "row"), ROWS)
def test_the_header_of_a_preparation_tells_each_setting(game: str, row: str) -> None:
    options = next(each.options for each in match_rows(game) if each.id == row)
    assert len(options) > 1
    for value, _ in options:
        preparation = SPECS[game].prepare({}, NoCards())
        if game == "nba":
            preparation.choose("level", "scores")  # needs no cards
        preparation.choose(row, value)
        played = played_settings(game, preparation.header()["setup"])
        assert played[row] == value
        others = [other for other, _ in options if other != value]
        assert different_setting(game, {row: value}, played) is None
        assert all(different_setting(game, {row: other}, played) is not None for other in others)


def test_every_setting_that_can_be_compared_is_one_that_a_tournament_fixes() -> None:
    for game, spec in SPECS.items():
        assert set(spec.tournament.played_settings) <= {row.id for row in match_rows(game)}, game
