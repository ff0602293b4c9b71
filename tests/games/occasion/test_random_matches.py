"""Random matches end, replay to the same state, and satisfy all invariants."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import settings
from hypothesis.stateful import invariant

from companion.games.occasion import OCCASION
from companion.games.occasion.greedy_player import greedy_event
from companion.games.occasion.rulebook import RULEBOOK
from companion.games.occasion.state import State
from companion.games.occasion.tables import FOUL_EFFECTS, MOVES, PHASES, SIDES
from tests.games import matches
from tests.games.matches import AnyMatch

MAX_EVENTS = 1500
SEEDS = range(40)
Player = Callable[[State, Random], dict[str, Any]]
VIEW_KEYS = """phase turn attack score visible occasion carrier bonus_x2 duel options energy_used discard cards_shown
waiting_for winner"""


def played(seed: int, player: Player = OCCASION.random_event) -> tuple[dict[str, Any], list[dict[str, Any]], State]:
    """Return the header, the events and the final state of a match that a player plays for both sides."""
    return matches.played(OCCASION, seed, MAX_EVENTS, player)


@pytest.mark.parametrize("player", [OCCASION.random_event, greedy_event], ids=["random", "sound"])
@pytest.mark.parametrize("seed", SEEDS)
def test_a_match_ends_and_replays_to_the_same_state(seed: int, player: Player) -> None:
    header, events, end = played(seed, player)
    assert end.phase == "over"
    state = OCCASION.initial_state(header)
    for fields in events:
        event = OCCASION.parse(fields)
        OCCASION.validate(state, event)
        state, _ = OCCASION.apply(state, event)
    assert state == end
    assert hash(state) == hash(end)
    assert OCCASION.view(state) == OCCASION.view(end)


@pytest.mark.parametrize("posts", [{}, {"P": "line"}], ids=["none", "one"])
@pytest.mark.parametrize("player", [OCCASION.random_event, greedy_event], ids=["random", "sound"])
def test_a_match_of_one_post_or_none_is_played_to_its_end(player: Player, posts: dict[str, str]) -> None:
    header = {**OCCASION.random_header(Random(1)), "setup": {"posts": posts}}
    for seed in range(20):
        random, state = Random(seed), OCCASION.initial_state(header)
        for _ in range(MAX_EVENTS):
            if OCCASION.finished(state):
                break
            event = OCCASION.parse(player(state, random))
            OCCASION.validate(state, event)
            state, _ = OCCASION.apply(state, event)
        assert state.phase == "over"


def test_the_same_seed_gives_the_same_journal() -> None:
    assert played(7) == played(7)
    assert played(7, greedy_event) == played(7, greedy_event)


def test_random_matches_use_every_event_in_every_phase() -> None:
    used: Counter[str] = Counter()
    phases: Counter[str] = Counter()
    for seed in range(60):
        header, events, _ = played(seed)
        used.update(fields["event"] for fields in events)
        state = OCCASION.initial_state(header)
        for fields in events:
            state, _ = OCCASION.apply(state, OCCASION.parse(fields))
            phases[state.phase] += 1
    assert set(RULEBOOK.events) - set(used) == set()
    assert set(PHASES) - set(phases) == set()


ASIDE = ("ruling", "concede", "foul_called", "match_ended", "define_card", "ability_used", "reveal")
"""Declarations at the table, independent of the player."""


def test_the_sound_player_beats_the_random_one() -> None:
    goals = Counter[bool]()
    for seed in range(40):
        random = Random(seed)
        state = OCCASION.initial_state(OCCASION.random_header(random))
        while not OCCASION.finished(state):
            sides = OCCASION.view(state)["waiting_for"]
            player = greedy_event if sides == ["home"] else OCCASION.random_event
            fields = player(state, random)
            if fields["event"] in ASIDE:
                fields = {"event": "match_ended"} if state.phase == "choose_occasion" else greedy_event(state, random)
            before, scorer = sum(state.score), state.attack
            state, _ = OCCASION.apply(state, OCCASION.parse(fields))
            if sum(state.score) > before:
                goals[scorer == "home"] += 1
    assert goals[True] > goals[False]


def any_event(state: State, random: Random) -> dict[str, Any]:
    """Return an arbitrary event, legal or not."""
    ids = [*state.players[0], *state.players[1], "nobody"]
    cards = [*state.occasions, "nothing"]
    zones = [zone.id for chance in state.occasions.values() for zone in chance.zones] + ["Z"]
    side, player = random.choice(SIDES), random.choice(ids)
    some = random.choices(ids, k=random.randint(0, 3))
    fields: dict[str, dict[str, Any]] = {
        "occasion_played": {"card": random.choice(cards), "zone": random.choice(zones)},
        "attack_move": {"player": player, "move": random.choice(MOVES)},
        "defence_choice": {"choice": random.choice(("oppose", "let_pass")), "player": player},
        "add_support": {"players": some},
        "ability_used": {"player": player, "ability": random.choice(("vision", "wall", "cross")), "points": 1},
        "reveal": {"value": random.randint(-1, 9)},
        "foul_called": {"effect": random.choice(FOUL_EFFECTS), "player": player},
        "advance": {"zone": random.choice(zones)},
        "occasion_shown": {"card": random.choice(cards)},
        "define_card": {"kind": random.choice(("player", "occasion")), "id": player, "card": {}},
        "cards_recovered": {"players": some, "energy": random.randint(0, 3)},
        "ruling": {"text": "x", "goals": {side: random.randint(-1, 1)}},
    }
    name = random.choice(RULEBOOK.events)
    return {"event": name, "side": side, **fields.get(name, {})}


class Matches(AnyMatch):
    """A match played by the random player, with arbitrary events tried in between."""

    game = OCCASION
    anything = staticmethod(any_event)
    giving_up = ("concede", "match_ended")

    @invariant()
    def the_view_has_its_keys(self) -> None:
        assert OCCASION.view(self.state).keys() == set(VIEW_KEYS.split())

    @invariant()
    def every_card_lies_in_one_place(self) -> None:
        for side in SIDES:
            placed_ids = [*self.state.used(side), *self.state.in_play(side)]
            assert len(set(placed_ids)) == len(placed_ids)
            assert all(self.state.card(side, id) is not None for id in placed_ids)
            assert len(self.state.visible_to(side)) <= 2

    @invariant()
    def the_phase_tells_what_lies_in_the_middle(self) -> None:
        state = self.state
        if state.phase != "over":
            assert (state.place is None) == (state.phase == "choose_occasion")
        assert (state.duel is not None) == (state.phase in ("defence", "support", "reveal", "verdict"))
        assert bool(state.options) == (state.phase == "advance")
        assert state.carrier is None or state.duel is None

    @invariant()
    def nothing_falls_below_zero(self) -> None:
        assert min(*self.state.score, *self.state.energy_used) >= 0
        assert sum(map(len, self.state.discard)) <= sum(map(len, self.state.players))

    @invariant()
    def somebody_is_waited_for(self) -> None:
        assert bool(OCCASION.view(self.state)["waiting_for"]) == (self.state.phase != "over")


Matches.TestCase.settings = settings(max_examples=25, stateful_step_count=20, deadline=None)
TestMatches = Matches.TestCase
