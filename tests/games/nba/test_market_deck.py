"""The deck of the player market drawn by the app (NBA-3.5); the draft is tested with the preparation."""

from __future__ import annotations

from random import Random

import pytest

from companion.games.base import Refusal
from companion.games.nba.cards import read_cards
from companion.games.nba.market_deck import count_cheap, draw_deck
from companion.games.nba.setup import read_market
from tests.games.nba.kit import player


def catalogue(*costs: int) -> dict[str, dict[str, object]]:
    return {f"n{number}": player("pg", cost=cost) for number, cost in enumerate(costs)}


@pytest.mark.parametrize("seed", range(20))
def test_NBA_3_5_a_drawn_deck_is_sorted_and_has_four_cards_of_cost_3_to_5(seed: int) -> None:
    cards = catalogue(*[8] * 30, 3, 4, 5, 3)
    deck = draw_deck(cards, 20, {"n0"}, Random(seed))
    assert read_market(deck, 20, False, read_cards(cards)) == tuple(deck)
    assert count_cheap(cards, deck) == 4
    assert "n0" not in deck


def test_a_catalogue_without_these_cards_is_refused() -> None:
    for cards in (catalogue(*[8] * 30, 3, 4, 5), catalogue(*[4] * 19)):
        with pytest.raises(Refusal) as refused:
            draw_deck(cards, 20, (), Random(1))
        assert refused.value.rule == "NBA-3.5"
