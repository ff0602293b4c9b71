"""Random matches end, replay to the same state, and satisfy all invariants."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import invariant, precondition, rule

from companion.games.hoops21 import HOOPS21
from companion.games.hoops21.greedy_player import greedy_event
from companion.games.hoops21.rulebook import RULEBOOK
from companion.games.hoops21.state import State
from companion.games.hoops21.tables import ACTIONS, PHASES, RESTARTS, SIDES, SYMBOLS, opponent
from tests.games import matches
from tests.games.matches import AnyMatch

MAX_EVENTS = 5000
SEEDS = range(40)


def played(seed: int, sound: bool = False) -> tuple[dict[str, Any], list[dict[str, Any]], State]:
    """Return the header, the events and the final state of a random match."""
    return matches.played(HOOPS21, seed, MAX_EVENTS, greedy_event if sound else None)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_random_match_ends_and_replays_to_the_same_state(seed: int) -> None:
    header, events, end = played(seed)
    assert end.phase == "over"
    state = HOOPS21.initial_state(header)
    for fields in events:
        event = HOOPS21.parse(fields)
        HOOPS21.validate(state, event)
        state, _ = HOOPS21.apply(state, event)
    assert state == end
    assert hash(state) == hash(end)
    assert HOOPS21.view(state) == HOOPS21.view(end)


@pytest.mark.parametrize("seed", range(12))
def test_sound_players_end_their_match(seed: int) -> None:
    _, events, end = played(seed, sound=True)
    assert end.winner is not None
    assert max(end.score) >= end.setup.target
    assert {fields["event"] for fields in events} <= set(RULEBOOK.events)


@pytest.mark.parametrize("seed", range(12))
def test_the_score_is_what_was_made(seed: int) -> None:
    """Sound players make no rulings, so every point is in the statistics."""
    _, _, end = played(seed, sound=True)
    for points, stats in zip(end.score, end.stats, strict=True):
        twos = stats.dunks + stats.slam_dunks + stats.two_made
        assert points == 2 * twos + 3 * stats.three_made + stats.ft_made


def test_the_same_seed_gives_the_same_journal() -> None:
    assert played(7) == played(7)


def test_random_matches_use_every_event_and_every_setting() -> None:
    used: Counter[str] = Counter()
    settings_met: set[str] = set()
    for seed in range(60):
        header, events, _ = played(seed)
        used.update(fields["event"] for fields in events)
        settings_met |= set(header.get("setup", {})) | set(header.get("setup", {}).get("court", {}))
    assert set(RULEBOOK.events) - set(used) <= {"concede"}
    keys = {"target", "advanced_token", "dice_faces", "court", "sections", "arc", "modifiers"}
    assert settings_met == keys


VIEW_KEYS = """phase score attack pawn token dice_next waiting_for choose free_throws inbound winner stats odds"""
STATS = """throws_won dunks slam_dunks two_made two_tried three_made three_tried ft_made ft_tried steals"""


def any_event(state: State, random: Random) -> dict[str, Any]:
    """Return an arbitrary event, legal or not."""

    def some(count: int) -> list[str]:
        return random.choices(SYMBOLS, k=count)

    side, name = random.choice(SIDES), random.choice(RULEBOOK.events)
    both = {one: some(random.choice((5, 6, 6, 6))) for one in SIDES}
    section = random.randint(0, state.setup.court.sections + 1)
    fields: dict[str, dict[str, Any]] = {
        "jump_ball": both,
        "throw": both,
        "shot": both,
        "token": {"use": random.random() < 0.5},
        "choose": random.choice([{"symbol": random.choice(SYMBOLS)}, {"action": random.choice(ACTIONS)}, {}]),
        "free_throw": {side: some(6)},
        "inbound_throw": {"team": side, "dice": some(random.randint(1, 6))},
        "inbound_end": random.choice([{"stolen": False}, {"stolen": True, "section": section}]),
        "reroll": {"kept": some(random.randint(0, 2)), "rolled": some(random.randint(3, 6))},
        "concede": {"team": side},
        "ruling": {
            "text": "x",
            "points": {side: random.randint(-1, 2)},
            "token": side,
            "restart": random.choice(RESTARTS),
            "section": section,
            "team": side,
        },
    }
    return {"event": name, **fields.get(name, {})}


class Matches(AnyMatch):
    """A match played by the random player, with arbitrary events tried in between."""

    game = HOOPS21
    anything = staticmethod(any_event)
    giving_up = ("concede",)

    @precondition(lambda self: self.state.phase != "over")
    @rule(seed=st.integers(0, 2**32))
    def a_sound_event(self, seed: int) -> None:
        self.play(greedy_event(self.state, Random(seed)))

    @invariant()
    def the_view_has_its_keys(self) -> None:
        view = HOOPS21.view(self.state)
        assert view.keys() == set(VIEW_KEYS.split())
        assert view["phase"] in PHASES
        for side in SIDES:
            assert view["stats"][side].keys() == set(STATS.split())
        assert (view["choose"] is not None) == (view["phase"] == "choose")
        assert (view["inbound"] is not None) == (view["phase"] == "inbound")
        assert bool(view["waiting_for"]) == (view["phase"] != "over")

    @invariant()
    def the_pawn_stands_where_the_roles_say(self) -> None:
        """A pawn on a team's own half means that this team defends, except during inbounding (HB-2.4)."""
        state = self.state
        assert (state.pawn is None) == (state.attack is None)
        if state.pawn is None or state.attack is None:
            assert state.phase in ("jump_ball", "over")
            return
        court = state.setup.court
        assert 1 <= state.pawn <= court.sections
        if state.phase == "inbound":
            assert court.attacker(state.pawn) == opponent(state.attack)
        elif state.phase != "over":
            assert court.attacker(state.pawn) == state.attack
            assert state.distance < court.half

    @invariant()
    def what_is_pending_fits_the_phase(self) -> None:
        state = self.state
        assert (state.contest is not None) == (state.phase in ("tie", "reroll", "choose"))
        assert (state.set_aside is not None) == (state.phase == "inbound")
        missed = state.contest is not None and state.contest.kind == "free_throw"
        assert (state.free_throws is not None) == (state.phase == "free_throw" or missed)
        if state.phase != "throw":
            assert state.dice_next == (6, 6)
        if state.phase not in ("jump_ball", "over"):
            assert state.token is not None

    @invariant()
    def the_score_ends_the_match(self) -> None:
        state = self.state
        assert min(state.score) >= 0
        assert (state.winner is not None) == (state.phase == "over")
        if max(state.score) >= state.setup.target:
            assert state.phase == "over"


Matches.TestCase.settings = settings(max_examples=40, stateful_step_count=20)
TestMatches = Matches.TestCase
