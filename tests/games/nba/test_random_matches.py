"""Random matches end, replay to the same state, and satisfy all invariants."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from random import Random
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from companion.games.base import Refusal
from companion.games.nba import NBA
from companion.games.nba.rulebook import RULEBOOK
from companion.games.nba.state import State
from companion.games.nba.tables import MAX_PREPARED, PHASES, POSITIONS, SKILLS, TRACK_SLOTS, TYPES
from tests.games import matches

MAX_EVENTS = 1500
SEEDS = range(20)


def played(seed: int) -> tuple[dict[str, Any], list[dict[str, Any]], State]:
    """Return the header, the events and the final state of a random match."""
    return matches.played(NBA, seed, MAX_EVENTS)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_random_match_ends_and_replays_to_the_same_state(seed: int) -> None:
    header, events, end = played(seed)
    assert end.phase == "over"
    assert end.result is not None
    state = NBA.initial_state(header)
    for fields in events:
        event = NBA.parse(fields)
        NBA.validate(state, event)
        state, _ = NBA.apply(state, event)
    assert state == end
    assert hash(state) == hash(end)
    assert NBA.view(state) == NBA.view(end)


def test_the_same_seed_gives_the_same_journal() -> None:
    assert played(7) == played(7)


def test_random_matches_use_every_event_and_every_setup() -> None:
    used: Counter[str] = Counter()
    sides, levels, setups = set(), set(), set()
    for seed in range(70):
        header, events, _ = played(seed)
        used.update(fields["event"] for fields in events)
        setup = header["setup"]
        sides.add(len(header["sides"]))
        levels.add(setup["level"])
        setups |= set(setup) | {key for key, on in setup.get("variants", {}).items() if on}
    assert set(RULEBOOK.events) - set(used) <= {"concede", "accept_draw", "overtime"}
    assert (sides, levels) == ({2, 3, 4}, {"scores", "full"})
    assert setups >= {"clock", "duration", "market_list", "dice_set", "coaches", "legacy", "solo", "fatigue", "first"}
    assert setups >= {"team_selection", "draft", "money_time", "decisive", "mismatch"}


VIEW_KEYS = """level period turn limit turns_left ultimate phase active first closing money_time done score matches
attack defence roll odds teams market fatigue bought eliminated tokens ai dice_set over winner draw ranking"""


class RandomMatch(RuleBasedStateMachine):
    """A match played with random legal events, with illegal ones tried in between."""

    @initialize(seed=st.integers(0, 2**32 - 1))
    def start_match(self, seed: int) -> None:
        self.random = Random(seed)
        self.state = NBA.initial_state(NBA.random_header(self.random))

    @precondition(lambda self: not NBA.finished(self.state))
    @rule(steps=st.integers(1, 12))
    def goes_on(self, steps: int) -> None:
        for _ in range(steps):
            if NBA.finished(self.state):
                return
            event = NBA.parse(NBA.random_event(self.state, self.random))
            NBA.validate(self.state, event)
            before = self.state
            self.state, _ = NBA.apply(self.state, event)
            assert NBA.apply(before, event)[0] == self.state

    @rule(name=st.sampled_from(sorted(RULEBOOK.events)), side=st.sampled_from(("one", "two", "nobody")))
    def something_else_is_refused_or_legal(self, name: str, side: str) -> None:
        fields = {"event": name, "side": side, "dice": [], "to": [], "tactic": "b0", "paid": [], "card": "n0"}
        before = self.state
        with suppress(Refusal):
            NBA.validate(before, NBA.parse({**fields, "slot": 1, "cards": [], "market": [], "text": "x"}))
        assert self.state is before

    @invariant()
    def what_must_hold_holds(self) -> None:
        state = self.state
        view = NBA.view(state)
        assert set(view) == set(VIEW_KEYS.split())
        assert view["phase"] in PHASES
        assert all(points >= 0 for match in view["matches"] for points in match.values())
        assert view["over"] == NBA.finished(state)
        fatigue = view["fatigue"]
        boxed = sum(fatigue["removed"].values()) if state.setup.removed_to == "box" else 0
        assert fatigue["pile"] + sum(fatigue["held"].values()) + boxed == state.setup.fatigue_cards
        assert all(count >= 0 for count in (fatigue["pile"], *fatigue["held"].values()))
        for side, team in view["teams"].items():
            assert set(team["court"]) == set(POSITIONS)
            assert set(team["skills"]) == set(SKILLS)
            solo = state.setup.is_solo(side)
            assert solo or all(len(team["prepared"][type_]) <= MAX_PREPARED for type_ in TYPES)
        track = view["market"]["track"]
        assert track is None or (len(track) == TRACK_SLOTS and view["market"]["on_track"] <= TRACK_SLOTS)


RandomMatch.TestCase.settings = settings(max_examples=12, stateful_step_count=12, deadline=None)
TestRandomMatch = RandomMatch.TestCase
