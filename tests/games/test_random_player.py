"""One random player plays every game by the offered choices, without knowledge of the rules."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from companion.games.random_player import random_event
from companion.games.registry import GAMES

MAX_EVENTS = 3000


def played(id: str, seed: int) -> tuple[list[dict[str, Any]], bool]:
    """Return the events of a match and whether it ended; checks that every event is legal."""
    game, random = GAMES[id], Random(seed)
    state, events = game.initial_state(game.random_header(random)), []
    while not game.finished(state) and len(events) < MAX_EVENTS:
        fields = random_event(game, state, random)
        event = game.parse(fields)
        game.validate(state, event)
        state, _ = game.apply(state, event)
        events.append(fields)
    return events, game.finished(state)


@pytest.mark.parametrize("id", GAMES)
@pytest.mark.parametrize("seed", range(4))
def test_a_match_is_played_to_its_end(id: str, seed: int) -> None:
    assert played(id, seed)[1]


@pytest.mark.parametrize("id", GAMES)
def test_the_same_seed_gives_the_same_match(id: str) -> None:
    assert played(id, 3) == played(id, 3)
