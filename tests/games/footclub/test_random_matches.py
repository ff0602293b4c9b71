"""Random matches end, replay to the same state, and satisfy all invariants."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from hypothesis import settings
from hypothesis.stateful import invariant

from companion.games.footclub import FOOTCLUB
from companion.games.footclub.rulebook import RULEBOOK
from companion.games.footclub.state import Club, State
from companion.games.footclub.tables import COLOURS, OFFENSIVES, PILE_SIZES, PLACES, POSTS, SIDES, TYPES
from tests.games import matches
from tests.games.matches import AnyMatch

MAX_EVENTS = 3000
SEEDS = range(40)


def played(seed: int) -> tuple[dict[str, Any], list[dict[str, Any]], State]:
    """Return the header, the events and the final state of a random match."""
    return matches.played(FOOTCLUB, seed, MAX_EVENTS)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_random_match_ends_and_replays_to_the_same_state(seed: int) -> None:
    header, events, end = played(seed)
    assert end.phase == "finished"
    assert end.result is not None
    state = FOOTCLUB.initial_state(header)
    for fields in events:
        event = FOOTCLUB.parse(fields)
        FOOTCLUB.validate(state, event)
        state, _ = FOOTCLUB.apply(state, event)
    assert state == end
    assert hash(state) == hash(end)
    assert FOOTCLUB.view(state) == FOOTCLUB.view(end)


def test_the_same_seed_gives_the_same_journal() -> None:
    assert played(7) == played(7)


def test_random_matches_use_every_event() -> None:
    used: Counter[str] = Counter()
    for seed in range(60):
        used.update(fields["event"] for fields in played(seed)[1])
    assert set(RULEBOOK.events) - set(used) <= {"forfeit"}


VIEW_KEYS = """phase half turn home format score goals ball_colour possession ball_holder change_window counter_for
clubs offensive duel odds shootout market carry_over result"""
CLUB_KEYS = """att def optimised formation hand_limit lineup initial_bonus captain bench supporters kop stands hand deck
must_discard discard tactics_known cards_left replacements_left changed permuted supporter_laid booking_halves bookings
defensive_malus reds players"""
PLAYER_KEYS = {"status", "level", "freshness", "yellow", "half_yellow", "injury", "boost"}
STATUSES = {"pitch", "bench", "out", "injured_off", "sent_off", "suspended"}


def in_flight(state: State, club: Club) -> int:
    """Return the number of cards played that have not taken effect yet (FC-4.1)."""
    offensive = state.offensive is not None and state.offensive.side == club.side and state.offensive.set_piece is None
    return offensive + (state.duel is not None and state.duel.side == club.side)


def any_event(state: State, random: Random) -> dict[str, Any]:
    """Return an arbitrary event, legal or not."""
    ids = [id for club in state.clubs for id in (*club.players, club.goalkeeper.id)]
    ids += [card.id for card in state.setup.team_cards.players[:6]] + ["nobody"]

    def some(count: int) -> list[str]:
        return [random.choice(ids) for _ in range(count)]

    side, name = random.choice(SIDES), random.choice(RULEBOOK.events)
    section: Any = random.choice(PLACES)
    if name == "press":
        section = [section, random.choice(PLACES)]
    named = random.choice([{"section": section}, {"ribbon": [section] * 6}, {"card": random.randint(1, 42)}])
    club = state.club(side) if state.clubs else None
    lineup = dict(zip(POSTS, map(list, club.lineup or ()), strict=False)) if club else {}
    fields: dict[str, dict[str, Any]] = {
        "market_staff": {"side": side, "coach": random.choice(ids), "goalkeeper": random.choice(ids)},
        "market_open": {"first": side, "pairs": [some(2) for _ in range(3)]},
        "market_pick": {"side": side, "revealed": some(2), "take": random.choice(ids), "pair": some(2)},
        "market_transfer": {"side": side, "offered": some(5), "take": some(2)},
        "team_sheet": {"side": side, "lineup": {post: some(2) for post in POSTS}, "captain": random.choice(ids)},
        "tactics": {"side": side, "cards": {random.choice(TYPES): random.randint(0, 14)}},
        "ball": {"colour": random.choice(COLOURS)},
        "change": {"side": side, "subs": [{"out": out, "in": into} for out, into in [some(2)] * random.randint(0, 2)]},
        "permute": {"side": side, "players": random.sample(ids, 2)},
        "captain": {"side": side, "player": random.choice(ids)},
        "press": {"side": side, **named, "pay": random.choices(("token", "supporter", "kop"), k=2)},
        "tackle": {"side": side, **named, "mode": random.choice(("regular", "aggressive"))},
        "roll": {"dice": [random.randint(1, 2), random.randint(1, 2)]},
        "offensive": {
            "side": side,
            "kind": random.choice(OFFENSIVES),
            **named,
            "skill": random.choice(("none", "kop")),
        },
        "spend": {"side": side, "supporters": random.randint(0, 3), "kop": True},
        "defensive_support": {"side": side, **named},
        "shot": random.choice(
            [{"defence": 3}, {"attack": 3}, {"defence": 3, "attack": 3, "player": random.choice(ids)}]
        ),
        "recover": {"side": side, "card": random.choice(TYPES)},
        "discard": {"side": side, "cards": random.choices(TYPES, k=random.randint(1, 3))},
        "extra_time": {"play": random.random() < 0.5},
        "shooters": {"side": side, "players": random.sample(ids, 5) if len(ids) > 4 else list("abcde")},
        "shootout": {"first": side},
    }
    event = {"event": name, **fields.get(name, {"side": side})}
    if name == "change" and random.random() < 0.3:
        event["lineup"] = lineup
    if name == "change" and random.random() < 0.3:
        event["captain"] = random.choice(ids)
    return event


class Matches(AnyMatch):
    """A match played by the random player, with arbitrary events tried in between."""

    game = FOOTCLUB
    anything = staticmethod(any_event)
    giving_up = ("forfeit",)

    cards = (0, 0)

    def play(self, fields: dict[str, Any]) -> None:
        super().play(fields)
        if fields["event"] == "ball":
            blue, red = (club.supporters + PILE_SIZES[self.state.half] for club in self.state.clubs)
            self.cards = (blue, red)

    @invariant()
    def the_view_has_its_keys(self) -> None:
        view = FOOTCLUB.view(self.state)
        assert view.keys() == set(VIEW_KEYS.split())
        for club in view["clubs"].values():
            assert club.keys() == set(CLUB_KEYS.split())
            assert all(player.keys() == PLAYER_KEYS for player in club["players"].values())
            assert {player["status"] for player in club["players"].values()} <= STATUSES

    @invariant()
    def cards_are_neither_made_nor_lost(self) -> None:
        if self.state.colour is None:
            return
        for club, total in zip(self.state.clubs, self.cards, strict=True):
            assert min(club.hand, club.deck, club.supporters, *club.discard) >= 0
            seen = club.hand + club.deck + sum(club.discard) + club.supporters
            waiting = 0 if self.state.phase == "finished" else in_flight(self.state, club)
            assert seen + waiting == total or self.state.phase == "finished"
            assert club.cards_left is not None
            assert min(club.cards_left) >= 0
            if club.tactics_known:
                assert sum(club.cards_left) == club.hand + club.deck

    @invariant()
    def the_score_is_the_goals(self) -> None:
        state = self.state
        if state.result is None or state.result.by != "forfeit":
            assert state.score == tuple(sum(goal.side == side for goal in state.goals) for side in SIDES)

    @invariant()
    def the_team_is_who_stands_on_the_pitch(self) -> None:
        for club in self.state.clubs:
            on_pitch = club.on_pitch
            assert len(set(on_pitch)) == len(on_pitch)
            assert set(on_pitch) == {id for id, player in club.players.items() if player.status == "pitch"}
            assert club.captain is None or club.captain in on_pitch
            assert all(player.level >= 0 and player.freshness >= 0 for player in club.players.values())
            assert 0 <= club.replacements_left <= 3

    @invariant()
    def the_ball_is_at_somebodys_feet(self) -> None:
        state = self.state
        assert (state.possession is None) == (state.colour is None)
        if state.possession is not None:
            club = state.club(state.possession)
            assert state.holder in club.on_pitch if state.holder is not None else club.captain is None


Matches.TestCase.settings = settings(max_examples=60, stateful_step_count=25)
TestMatches = Matches.TestCase
