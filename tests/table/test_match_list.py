"""Tests of what the list of matches tells: begun or not, how far it has come, and when it was saved."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from companion.clock import ManualClock
from companion.games.base import Message
from companion.games.registry import GAMES, SPECS
from companion.journal.store import Store
from companion.table.catalogues.card_store import SampleCards
from companion.table.matches import Matches
from tests.screens import stage


@pytest.fixture
def matches(tmp_path: Path) -> Matches:
    return Matches(Store.open(tmp_path / "matches.db", ManualClock()), GAMES)


def test_a_match_that_is_still_prepared_has_not_begun(matches: Matches) -> None:
    stage.situation(matches, "ball").close()
    (summary,) = matches.recent()
    assert summary.last_event is not None, "the team sheets are in the journal"
    assert not summary.is_begun


@pytest.mark.parametrize("game", ["hoops21", "occasion"])
def test_a_match_without_an_event_has_not_begun(matches: Matches, game: str) -> None:
    header = SPECS[game].prepare({}, SampleCards()).header()
    sides = {side: {"name": side} for side in header["sides"]}
    matches.start(game, {**header, "sides": {**header["sides"], **sides}}).close()
    assert [summary.is_begun for summary in matches.recent()] == [False]


def test_a_match_under_way_tells_half_turn_and_time(matches: Matches) -> None:
    clock = matches.store.clock
    assert isinstance(clock, ManualClock)
    session = stage.situation(matches, "duel")
    saved = clock.now()
    session.close()
    clock.advance(timedelta(hours=2).total_seconds())
    (summary,) = matches.recent()
    turn = session.state.turn
    assert summary.is_begun
    assert summary.progress == (Message("app.board.half_1"), Message("table.turn", {"n": turn}))
    assert summary.saved_at == saved.isoformat(timespec="milliseconds")
