"""The greedy player: always legal, better than random, and never worse than the odds allow."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

import pytest

from companion.games.footclub import FOOTCLUB
from companion.games.footclub.state import State
from companion.games.registry import find_player
from companion.journal.ledger import Ledger
from companion.table.autoplay import play

sound_event = find_player(FOOTCLUB, "sound")


@pytest.mark.parametrize("seed", range(12))
def test_its_matches_end_and_replay_to_the_same_state(seed: int) -> None:
    header, *events = play(FOOTCLUB, Random(seed), sound_event)
    ledger = Ledger(FOOTCLUB, header)
    for fields in events:
        ledger.commit(ledger.propose(fields))
    assert FOOTCLUB.finished(ledger.state)


def test_same_seed_same_match() -> None:
    one, other = (list(play(FOOTCLUB, Random(4), sound_event)) for _ in range(2))
    assert one == other


def test_it_scores_more_than_a_player_without_a_plan() -> None:
    """Over 60 matches blue is the greedy player and red is random."""
    goals = [0, 0]
    for seed in range(60):
        random = Random(seed)

        def mixed(state: State, random: Random) -> Mapping[str, object]:
            fields = sound_event(state, random)
            return fields if fields.get("side") != "red" else FOOTCLUB.random_event(state, random)

        header, *events = play(FOOTCLUB, random, mixed)
        ledger = Ledger(FOOTCLUB, header)
        for fields in events:
            ledger.commit(ledger.propose(fields))
        for index, scored in enumerate(ledger.state.score):
            goals[index] += scored
    assert goals[0] > 1.15 * goals[1], goals
