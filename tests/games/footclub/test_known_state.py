"""What a club may know: its own dealt hand, and nothing secret of the other club."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from companion.games.footclub import FOOTCLUB
from companion.games.footclub.known_state import known_state
from companion.games.footclub.spec import SPEC
from companion.games.footclub.squads import header, sample_clubs
from companion.games.footclub.state import State
from companion.games.footclub.tables import SIDES, TYPES, index_of, opponent
from companion.games.side_player import STRENGTHS, SidePlayer
from tests.games.footclub.scenes import KICK_OFF, played

PLAYERS = {side: SidePlayer(SPEC, frozenset({side}), "strong", "a match") for side in SIDES}
MAX_STEPS = 600
BOTH = SidePlayer(SPEC, frozenset(SIDES), "strong", "a match")


def steps(seed: int) -> Iterator[tuple[State, dict[str, Any], State]]:
    """Yield the events of a match between two players of the app, each with the state before and after."""
    random = Random(seed)
    blue, red, *_ = sample_clubs()
    setup = header(blue, red, home="blue")
    setup["setup"]["options"] = {"consent": True}
    state = FOOTCLUB.initial_state(setup)
    for _ in range(MAX_STEPS):
        if FOOTCLUB.finished(state):
            return
        events = (player.event(state, random) for player in (*PLAYERS.values(), BOTH))
        fields = dict(next(event for event in events if event))
        after, _ = FOOTCLUB.apply(state, FOOTCLUB.parse(fields))
        yield state, fields, after
        state = after
    raise AssertionError("endless")


def hand_of(state: State, side: str, seed: str = "a match") -> Counter[str]:
    counts = known_state(state, {side}, seed).clubs[index_of(side)].cards_left
    return Counter(dict(zip(TYPES, counts or (), strict=True)))


def cards_used(fields: dict[str, Any], side: str) -> int:
    if fields.get("side") != side:
        return 0
    return len(fields["cards"]) if fields["event"] == "discard" else 1


@pytest.mark.parametrize("seed", range(5))
def test_a_hand_is_dealt_by_the_rules_and_changes_only_by_what_is_played(seed: int) -> None:
    for before, fields, after in steps(seed):
        for side in SIDES:
            club = after.club(side)
            if not after.half or not club.hand:
                continue
            hand = hand_of(after, side)
            left = Counter(dict(zip(TYPES, club.cards_left or (), strict=True)))
            assert hand.total() == club.hand
            assert hand <= left
            if before.half == after.half and before.club(side).hand:
                gone = hand_of(before, side) - hand
                assert gone.total() <= cards_used(fields, side), fields


def test_another_match_has_other_hands() -> None:
    state, *_ = played(*KICK_OFF)
    hands = {str(sorted(hand_of(state, "blue", str(seed)).items())) for seed in range(20)}
    assert len(hands) > 10


def with_other_secrets(state: State, side: str) -> State:
    """Return the state with other secret facts of the club that is not `side`."""
    other = state.club(opponent(side))
    if other.cards_left is not None:
        moved = (*other.cards_left[1:], other.cards_left[0])
        other = replace(other, cards_left=moved, tactics_known=not other.tactics_known)
    if state.phase == "pre_match" and state.club(side).lineup is None and other.lineup is not None:
        lines = tuple(tuple(reversed(line)) for line in other.lineup)
        other = replace(other, lineup=lines, captain=lines[-1][-1])
    return replace(state, clubs=state.with_clubs(other))


@pytest.mark.parametrize("strength", STRENGTHS)
@pytest.mark.parametrize("side", SIDES)
def test_a_player_does_not_look_at_the_secrets_of_the_other_club(side: str, strength: str) -> None:
    player = SidePlayer(SPEC, frozenset({side}), strength, "a match")  # type: ignore[arg-type]
    compared = 0
    for before, _, _ in steps(1):
        other = with_other_secrets(before, side)
        compared += other != before
        assert player.event(before, Random(5)) == player.event(other, Random(5)), before.phase
    assert compared > 50


def test_the_team_sheet_of_the_other_club_is_hidden_until_the_own_one_is_done() -> None:
    state, *_ = played(*KICK_OFF[:1])
    known = known_state(state, {"red"}, "").club("blue")
    assert known.lineup is None
    assert known.captain is None
    assert {player.status for player in known.players.values()} == {"bench"}
    both, *_ = played(*KICK_OFF[:2])
    assert known_state(both, {"red"}, "").club("blue").lineup == state.club("blue").lineup
    assert known_state(state, {"blue"}, "").club("blue").lineup == state.club("blue").lineup


def test_a_person_who_played_the_club_before_leaves_a_full_hand() -> None:
    state, *_ = played(*KICK_OFF)
    club = state.club("red")
    left = tuple(0 if index else sum(club.cards_left or ()) for index in range(len(TYPES)))
    odd = replace(state, clubs=state.with_clubs(replace(club, cards_left=left, hand=3)))
    assert hand_of(odd, "red").total() == 3
