"""Players of one side: the stronger wins more often, and what is left to chance is the same for all."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from companion.games.base import Choice, Decision, Message
from companion.games.random_player import decision_of
from companion.games.registry import SPECS
from companion.games.side_player import STRENGTHS, SidePlayer, Strength, _may_wait
from companion.table.catalogues.card_store import SampleCards

MAX_STEPS = 3000


def lead(game: str, strengths: tuple[Strength, Strength], seed: int) -> int:
    """Return the points of the first side more than the second in a match between two players of the app."""
    spec, random = SPECS[game], Random(seed)
    header = spec.prepare({}, SampleCards()).header()
    for side in header["sides"]:
        header["sides"][side] = {**header["sides"][side], "name": side}
    header["setup"] |= {"goals_to_win": 2} if game == "occasion" else {}
    state = spec.game.initial_state(header)
    sides = list(header["sides"])
    players = [
        SidePlayer(spec, frozenset({side}), strength, str(seed))
        for side, strength in zip(sides, strengths, strict=True)
    ]
    both = SidePlayer(spec, frozenset(sides), "strong", str(seed))
    for _ in range(MAX_STEPS):
        if spec.game.finished(state):
            first, second = spec.game.scene(state).board.score[:2]
            return first - second
        random.shuffle(players)
        events = (player.event(state, random) for player in (*players, both))
        fields = next(event for event in events if event)
        event = spec.game.parse(fields)
        spec.game.validate(state, event)
        state, _ = spec.game.apply(state, event)
    raise AssertionError("endless")


@pytest.mark.parametrize(("game", "pairs"), [("hoops21", 8), ("occasion", 4), ("nba", 1)])
def test_the_strong_player_beats_the_casual_one(game: str, pairs: int) -> None:
    """Both sides play each seed, so that neither gains by its side."""
    total = 0
    for seed in range(pairs):
        total += lead(game, ("strong", "casual"), seed) - lead(game, ("casual", "strong"), seed)
    assert total > 0


@pytest.mark.parametrize("game", [game for game in SPECS if game != "footclub"])
def test_nothing_in_the_state_of_a_game_without_hidden_cards_is_secret(game: str) -> None:
    """Hands and energies are not in these states; a game that stores secrets must say what a side knows."""
    spec = SPECS[game]
    header = spec.game.random_header(Random(1))
    state = spec.game.initial_state(header)
    assert spec.known_state(state, {next(iter(header["sides"]))}, "seed") is state


@pytest.mark.parametrize("strength", STRENGTHS)
def test_a_revealed_energy_is_chance_for_every_player(strength: Strength) -> None:
    """Who chooses without thinking draws from the same deck as the others."""
    spec, counts = SPECS["occasion"], Counter[int]()
    for seed in range(6):
        random = Random(seed)
        state = spec.game.initial_state(spec.game.random_header(random))
        for _ in range(400):
            if spec.game.finished(state):
                break
            if state.phase == "reveal":
                sides = frozenset(spec.game.decision(state).sides)
                fields = SidePlayer(spec, sides, strength).event(state, random)
                assert fields is not None
                counts[fields["value"]] += 1
            event = spec.game.parse(spec.game.random_event(state, random))
            state, _ = spec.game.apply(state, event)
    assert counts.total() > 100
    assert counts[6] < counts.total() / 5  # the deck has one in ten; evenly drawn values have more


def test_a_side_that_need_not_act_waits_for_the_other_one() -> None:
    """A change that nobody needs is not repeated while the other club must name its captain."""
    title = Message("x")
    mine = Choice({"event": "change", "side": "blue"}, title, "blue", prominence=3)
    theirs = Choice({"event": "captain", "side": "red"}, title, "red", prominence=1)
    both = Decision(title, sides=("blue", "red"), choices=(mine, theirs))
    assert _may_wait(both, decision_of(both, {"blue"}))
    assert not _may_wait(both, decision_of(both, {"red"}))
    alone = Decision(title, sides=("blue",), choices=(mine,))
    assert not _may_wait(alone, decision_of(alone, {"blue"}))
