"""Demo players at the simulated panel and tray: buttons play all that they can, and the lights follow the match."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from companion.clock import SystemClock
from companion.commands.demo import DemoPlayers
from companion.games.registry import GAMES
from companion.journal.store import Store
from companion.table.matches import Matches
from hardware.ports import LightScene, Moment


@pytest.mark.parametrize("game_id", list(GAMES))
def test_a_match_with_buttons_is_the_match_without(tmp_path: Path, game_id: str) -> None:
    game, chance = GAMES[game_id], Random(8)
    header = game.random_header(chance)
    with Store.open(tmp_path / "match.sqlite", SystemClock()) as store:
        session = Matches(store, {game.id: game}).start(game.id, header)
        hands = DemoPlayers(session)
        plain = game.initial_state(session.header)
        goals = 0
        for _ in range(400):
            if game.finished(session.state):
                break
            fields = game.random_event(session.state, chance)
            before = sum(session.scene().board.score)
            if not hands.play(fields):
                session.record(fields)
            plain, _ = game.apply(plain, game.parse(fields))
            assert session.state == plain
            goals += sum(session.scene().board.score) > before and fields["event"] != "ruling"
        light_counts = hands.lights()
        by_button = [entry for entry in session.ledger.events if entry.fields["by"] == "button"]
        hands.close()
    assert len(by_button) == light_counts["presses"] > 0
    seen = sum(
        light_counts["moments"].get(moment.value, 0) for moment in (Moment.GOAL_LEFT, Moment.GOAL_RIGHT, Moment.WON)
    )
    assert seen >= goals
    assert {LightScene.LEFT.value, LightScene.RIGHT.value} <= set(light_counts["scenes"])
    assert any(change.value > 0 for change in hands.panel.history)
