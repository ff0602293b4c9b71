"""The bundled NBA cards: any two teams can play, and every match length has enough players to buy."""

from __future__ import annotations

from itertools import combinations

import pytest

from companion.games.nba import NBA
from companion.games.nba.card_sets import sample_cards
from companion.games.nba.tables import DURATIONS, TYPES

CARDS = sample_cards()


def header(*teams, **setup):
    sides = dict(zip(("one", "two", "three", "four"), teams, strict=False))
    return {
        "journal": 1,
        "game": "nba",
        "sides": {side: {"name": team.name} for side, team in sides.items()},
        "setup": {
            "level": "full",
            "cards": dict(CARDS.cards),
            "rosters": {side: dict(team.roster) for side, team in sides.items()},
            **setup,
        },
    }


@pytest.mark.parametrize("number", [2, 3, 4])
def test_any_of_the_teams_may_meet(number):
    assert len(CARDS.teams) == 4
    for teams in combinations(CARDS.teams, number):
        state = NBA.initial_state(header(*teams))
        assert state.collective("one") >= 6


def test_a_match_of_every_length_finds_its_market():
    for cards in DURATIONS.values():
        state = NBA.initial_state(header(*CARDS.teams[:2], market_cards=cards, market_list=list(CARDS.market(cards))))
        assert state.deck == cards - 2


def test_every_team_can_play_its_base_tactics():
    state = NBA.initial_state(header(*CARDS.teams))
    for side in state.setup.sides:
        for id in state.setup.rosters[side].tactics:
            tactic = state.setup.tactic(id)
            assert state.collective(side) >= tactic.complexity
            assert all(state.roll_size(side, tactic).values())
    bought = [card for card in CARDS.cards.values() if card["kind"] == "tactic" and not card.get("base")]
    assert {card["type"] for card in bought} == set(TYPES)


def test_no_name_stands_on_two_cards():
    names = [card["name"] for card in CARDS.cards.values()]
    assert len(set(names)) == len(names)
