"""No broker behaviour stops a table's link permanently."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from pathlib import Path

import pytest
from nats.aio.client import Client

from companion.clock import SystemClock
from companion.journal.store import Store
from companion.link import table_link
from companion.link.sender import JournalOutbox
from companion.link.table_link import Intervals, OnClosed, TableLink, Unreachable
from companion.messages.token import Token, format_token

SHORT_INTERVALS = Intervals(scan=0.01, retry_min=0.01, retry_max=0.01)
TIMEOUT_S = 30.0


class DroppingClient(Client):
    """A connection that is lost before any message and cannot be closed."""

    async def close(self) -> None:
        raise ConnectionResetError("Connection lost")


@pytest.mark.parametrize("fault", ["closing", "anything"])
def test_the_link_tries_again_after_what_nobody_expected(fault: str, tmp_path: Path) -> None:
    tries, again = [], threading.Event()

    async def connect(host: str, port: int, token: Token, closed: OnClosed) -> Client:
        tries.append(host)
        if len(tries) > 2:
            again.set()
            raise Unreachable("enough")
        if fault == "closing":
            return DroppingClient()
        raise RuntimeError("nobody expected this")

    with Store.open(tmp_path / "matches.sqlite", SystemClock()) as store:
        link = TableLink(store.path, tmp_path, SystemClock(), "run", intervals=SHORT_INTERVALS, connect=connect)
        assert link.join("127.0.0.1", format_token(Token("t1", "key"))) is None
        assert again.wait(TIMEOUT_S)
        link.close()


def test_the_end_leaves_nothing_running(tmp_path: Path) -> None:
    """A NATS client that is closed during its own close leaves tasks behind."""
    left: list[asyncio.Task[object]] = []
    knocked = threading.Event()

    async def connect(host: str, port: int, token: Token, closed: OnClosed) -> Client:
        left.append(asyncio.create_task(asyncio.Event().wait()))
        knocked.set()
        raise Unreachable("not today")

    with Store.open(tmp_path / "matches.sqlite", SystemClock()) as store:
        link = TableLink(store.path, tmp_path, SystemClock(), "run", connect=connect)
        assert link.join("127.0.0.1", format_token(Token("t1", "key"))) is None
        assert knocked.wait(TIMEOUT_S)
        link.close()
    assert left
    assert all(each.cancelled() for each in left)


def test_matches_that_cannot_be_read_are_tried_at_a_pace_and_told_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The match file is missing and the link is woken repeatedly: it does not spin, and the players see the reason."""
    pace = Intervals(scan=0.01, retry_min=0.01, retry_max=0.2)
    path, tries, knocked = tmp_path / "matches.sqlite", [], threading.Event()

    def counting_outbox(store: Path, folder: Path) -> JournalOutbox:
        tries.append(store)
        return JournalOutbox(store, folder)

    async def connect(host: str, port: int, token: Token, closed: OnClosed) -> Client:
        knocked.set()
        raise Unreachable("not today")

    monkeypatch.setattr(table_link, "JournalOutbox", counting_outbox)
    with caplog.at_level(logging.WARNING):
        link = TableLink(path, tmp_path, SystemClock(), "run", intervals=pace, connect=connect)
        assert link.join("127.0.0.1", format_token(Token("t1", "key"))) is None
        begun, pause = time.monotonic(), threading.Event()
        while len(tries) < 4:
            link.notify_appended()
            assert time.monotonic() < begun + TIMEOUT_S
            pause.wait(0.005)
        assert len(tries) <= 2 + (time.monotonic() - begun) / pace.retry_max
        trouble = link.snapshot().link.trouble
        assert trouble is not None
        assert trouble.id == "journal.store.unopenable"
        log_messages = [
            record.message.partition(":")[0] for record in caplog.records if record.name == table_link.__name__
        ]
        assert log_messages == ["the link cannot read the matches"]
    with Store.open(path, SystemClock()):
        assert knocked.wait(TIMEOUT_S), "the link goes on once they can be read"
        link.close()
