"""A match that cannot be opened closes its reader, and the players see the reason."""

from __future__ import annotations

from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from companion.app.match_runner import MatchSessionHolder
from companion.clock import SystemClock
from companion.games.base import Message, Refusal
from companion.games.registry import GAMES
from companion.journal.store import Store
from companion.table.matches import Matches
from tests.table.readings import ScriptedReader


class Reader(ScriptedReader):
    def __init__(self) -> None:
        super().__init__()
        self.closed = 0

    def close(self) -> None:
        self.closed += 1


class RecordingSessionHolder(MatchSessionHolder):
    def __init__(self, store: Store) -> None:
        self.matches = Matches(store, GAMES)
        self.opened: list[Reader] = []
        self.open_setups = {}
        self.reader_factory = self._read
        self.messages: list[Message] = []
        self.audio = SimpleNamespace(attach=lambda session: None)
        self.hardware_buttons = SimpleNamespace(attach=lambda session: None, detach=lambda: None)
        self.tournament_follower = SimpleNamespace(attach=lambda session: None)
        self.match_timer = SimpleNamespace(
            with_limits=lambda header: header, attach=lambda session: None, detach=lambda: None
        )
        self.show_error = lambda sentence: None

    def text(self, message: Message) -> str:
        self.messages.append(message)
        return message.id

    def _read(self, game_id: str) -> Reader:
        self.opened.append(Reader())
        return self.opened[-1]


@pytest.fixture
def keeper(tmp_path: Path) -> Any:
    with Store.open(tmp_path / "matches.sqlite", SystemClock()) as store:
        yield RecordingSessionHolder(store)


def test_a_refused_header_leaves_no_reader_behind(keeper: RecordingSessionHolder) -> None:
    with pytest.raises(Refusal):
        keeper.start_match("hoops21", {"game": "hoops21"})
    assert [reader.closed for reader in keeper.opened] == [1]
    assert keeper.session is None


def test_a_match_that_cannot_be_read_is_told_and_leaves_no_reader_behind(keeper: RecordingSessionHolder) -> None:
    session = keeper.start_match("hoops21", GAMES["hoops21"].random_header(Random(1)))
    (summary,) = keeper.matches.recent()
    keeper.end_session()
    keeper.matches.store._connection.execute("UPDATE matches SET header = '{' WHERE id = ?", (session.match_id,))
    assert keeper.resume(summary) is None
    assert [message.id for message in keeper.messages] == ["journal.store.line_changed"]
    assert [reader.closed for reader in keeper.opened] == [1, 1]
