"""The journal with the real games: the state depends on the effective events only, not on amendments."""

from __future__ import annotations

from random import Random

import pytest

from companion.games.registry import GAMES
from companion.journal.codec import encode_file
from companion.journal.ledger import Ledger, replay, replay_report
from companion.table.autoplay import random_journal_event

EVENTS = 120


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("id", GAMES)
def test_a_match_with_amendments_is_the_match_of_its_standing_events(id: str, seed: int) -> None:
    game, random = GAMES[id], Random(seed)
    header = game.random_header(random)
    ledger = Ledger(game, header)
    while len(ledger.all_events) < EVENTS and not game.finished(ledger.state):
        ledger.commit(ledger.propose(random_journal_event(ledger, random)))
    written = encode_file(header, [record.fields for record in ledger.all_events]).splitlines(keepends=True)
    played = replay(written, GAMES)
    assert played.ledger.events == ledger.events
    assert played.ledger.state == ledger.state
    plain = replay(encode_file(header, [event.fields for event in ledger.events]).splitlines(keepends=True), GAMES)
    assert plain.ledger.state == ledger.state
    outcomes = [event.outcome for event in ledger.events]
    assert [entry["outcome"] for entry in replay_report(plain)["log"]] == outcomes
    assert [entry["line"] for entry in replay_report(played)["log"]] == [event.line for event in ledger.events]
