"""The end of a match reads the same in every game."""

from __future__ import annotations

from random import Random

import pytest

from companion.games.registry import GAMES
from companion.games.wording import MATCH_OVER, result_message
from companion.table.autoplay import play
from companion.table.history import headline_of, winner_of


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("game_id", GAMES)
def test_the_result_is_told_in_the_same_words(game_id: str, seed: int) -> None:
    game = GAMES[game_id]
    header, *events = play(game, Random(seed))
    state = game.initial_state(header)
    for fields in events:
        state, _ = game.apply(state, game.parse(fields))
    assert game.finished(state)
    winner = winner_of(game, state)
    headline = headline_of(game, state)
    assert headline is not None
    assert headline.text == result_message(None if winner is None else header["sides"][winner]["name"])
    assert game.decision(state).title == MATCH_OVER
