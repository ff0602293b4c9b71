"""The journal under the real games: amendments leave no trace but the events that stand."""

from __future__ import annotations

from random import Random

import pytest

from companion.games.registry import GAMES
from companion.journal.codec import file_bytes
from companion.journal.ledger import Ledger, replay, replay_report
from companion.table.autoplay import unsure

EVENTS = 120


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("id", GAMES)
def test_a_match_with_amendments_is_the_match_of_its_standing_events(id: str, seed: int) -> None:
    game, random = GAMES[id], Random(seed)
    header = game.random_header(random)
    ledger = Ledger(game, header)
    while len(ledger.entries) < EVENTS and not game.finished(ledger.state):
        ledger.commit(ledger.propose(unsure(ledger, random)))
    written = file_bytes(header, [record.fields for record in ledger.entries]).splitlines(keepends=True)
    played = replay(written, GAMES)
    assert played.ledger.standing == ledger.standing
    assert played.ledger.state == ledger.state
    plain = replay(file_bytes(header, [event.fields for event in ledger.standing]).splitlines(keepends=True), GAMES)
    assert plain.ledger.state == ledger.state
    outcomes = [event.outcome for event in ledger.standing]
    assert [entry["outcome"] for entry in replay_report(plain)["log"]] == outcomes
    assert [entry["line"] for entry in replay_report(played)["log"]] == [event.line for event in ledger.standing]
