"""The greedy player: always legal, always ends, beats a random player, and assumes a possible hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

import pytest

from companion.games.nba import NBA, turns
from companion.games.nba.cards import read_cards
from companion.games.nba.dice_set import RULEBOOK_DICE
from companion.games.nba.greedy_player import greedy_event, hand, mean_points, payment
from companion.games.nba.match_generator import random_header
from companion.games.nba.setup import read_header
from companion.games.nba.state import State
from tests.games.nba.kit import CARDS, Match, dice, full, player, solo

Mover = Callable[[State, Random], dict[str, Any]]


def played(state: State, random: Random, mover: Callable[[State], Mover]) -> State:
    """Play the match to its end; every event must be legal."""
    for _ in range(2000):
        if state.phase == "over":
            return state
        event = NBA.parse(mover(state)(state, random))
        NBA.validate(state, event)
        state, _ = NBA.apply(state, event)
    raise AssertionError("the match does not end")


@pytest.mark.parametrize("seed", range(25))
def test_it_plays_every_kind_of_match_to_its_end(seed: int) -> None:
    random = Random(seed)
    state = played(turns.initial_state(read_header(random_header(random))), random, lambda state: greedy_event)
    assert state.result is not None


@pytest.mark.parametrize("sound", ["ann", "ben"])
def test_it_beats_one_who_plays_at_random(sound: str) -> None:
    def mover(state: State) -> Mover:
        return greedy_event if (state.active or sound) == sound else unyielding

    played_out = [played(Match(full(duration="short")).state, Random(seed), mover) for seed in range(12)]
    winners = [state.result.winner for state in played_out if state.result is not None]
    assert winners.count(sound) >= 10


def unyielding(state: State, random: Random) -> dict[str, Any]:
    """Return an event of the random player without its rare concessions and rulings."""
    while True:
        event = NBA.random_event(state, random)
        if event["event"] not in ("concede", "ruling"):
            return event


def test_the_solo_opponent_is_played_as_its_rules_say() -> None:
    state = played(Match(solo(market_cards=6)).state, Random(1), lambda state: greedy_event)
    assert state.team("ben").bought


def test_a_tie_is_played_off_twice_at_most() -> None:
    match = Match(full(market_cards=6)).pass_turns(11)
    assert greedy_event(match.state, Random(0)) == {"event": "overtime"}
    for _ in range(2):
        match.play("overtime")
        match.pass_turns(7)
    assert greedy_event(match.state, Random(0)) == {"event": "accept_draw"}


def test_it_prepares_and_plays_the_tactic_that_promises_most() -> None:
    match = Match(full())
    match.play("prepare", tactics=["t-out", "t-post", "t-drive"])
    assert match.state.phase == "actions"
    event = greedy_event(match.state, Random(0))
    while event["event"] != "activate":
        match.play(**event)
        event = greedy_event(match.state, Random(0))
    means = {id: Fraction(odds["expected"]) for id, odds in match.view["odds"].items()}
    assert means[event["tactic"]] == max(means.values())


def test_it_rolls_again_what_the_advice_says() -> None:
    cards = {**CARDS, "s-c": player("c", "starter", 0, 2, iq=1, inside=2, stop=1, rebounds=5)}
    head = full(cards=cards)
    head["setup"]["rosters"] = {**head["setup"]["rosters"], "ben": {"court": {**_court(), "c": "b-c"}}}
    match = Match(head)
    match.play("prepare", tactics=["t-mixed"])
    match.play("activate", tactic="t-mixed", dice=dice("penetration 6 0 0, inside 4 0 0"))
    assert greedy_event(match.state, Random(0))["dice"] == match.view["roll"]["advice"]["dice"] == [4, 5]


def _court() -> dict[str, str]:
    court: dict[str, str] = full()["setup"]["rosters"]["ann"]["court"]
    return court


def test_its_hand_is_of_six_cards_that_it_owns_and_stays_the_same_all_turn() -> None:
    match = Match(full())
    first = hand(match.state, "ann")
    owned = Counter(id for id, card in CARDS.items() if card.get("role") == "substitute" or card.get("base"))
    hand_cards = Counter(card.id for card in (*first.players, *first.tactics))
    assert hand_cards.total() == 6
    assert hand_cards <= owned
    match.play("adjust", tactics_replaced=1)
    assert hand(match.state, "ann") == first
    match.pass_turns(2)
    assert hand(match.state, "ann") != first


def test_cards_removed_or_in_play_are_not_in_its_hand() -> None:
    match = Match(full()).reshape("ann", eliminated=tuple(id for id in CARDS if id.startswith("b-")))
    match.reshape("ann", prepared=("t-out", "t-drive"))
    hand_cards = hand(match.state, "ann")
    assert hand_cards.players == ()
    assert sorted(card.id for card in hand_cards.tactics) == ["t-post", "t-switch", "t-trap"]


def test_it_pays_with_the_least_value_and_the_fewest_cards() -> None:
    cards = read_cards({str(n): player("c", value=value) for n, value in enumerate((1, 1, 2, 3))}).values()
    assert payment(list(cards), 3) == ("3",)
    assert payment(list(cards), 6) == ("0", "2", "3")
    assert payment(list(cards), 8) is None
    assert payment([], 0) == ()


def test_the_mean_of_a_mismatch_by_every_throw() -> None:
    """One blue and one red die against a grey and a brown one of the set of record, unknown numbers in thirds."""
    blue, red = (0, 0, 0, 2, 6, 9), (0, 2, 3, 4, 6, 6)
    share = Fraction(2, 3)
    grey = [(0, 1), (1, 1), (0, 1), (2, share), (0, 1 - share), (2, share), (0, 1 - share), (3, 1)]
    brown = [(0, 1), (1, 1), (1, share), (0, 1 - share), (0, 1), (0, 1), (3, 1)]
    total = sum(
        max(0, one + two - less - more) * chance * often
        for one, two, (less, chance), (more, often) in product(blue, red, grey, brown)
    )
    attack, defence = {"three_points": 1, "inside": 0, "penetration": 1}, {"interception": 0, "block": 1, "stop": 1}
    assert mean_points(RULEBOOK_DICE, attack, defence) == Fraction(total) / 6**4
