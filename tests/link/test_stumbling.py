"""Nothing that a carrier does ends the link of a table for good."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from nats.aio.client import Client

from companion.clock import SystemClock
from companion.journal.store import Store
from companion.link.door import Away, OnClosed
from companion.link.table_link import TableLink
from companion.link.visit import Pace
from companion.wire.token import Token, written

QUICK = Pace(look=0.01, retry_least=0.01, retry_most=0.01)
WAITS = 30.0


class Vanishing(Client):
    """A connection that is lost before anything is said, and cannot even be closed."""

    async def close(self) -> None:
        raise ConnectionResetError("Connection lost")


@pytest.mark.parametrize("fault", ["closing", "anything"])
def test_the_link_tries_again_after_what_nobody_expected(fault: str, tmp_path: Path) -> None:
    tries, again = [], threading.Event()

    async def door(host: str, port: int, token: Token, closed: OnClosed) -> Client:
        tries.append(host)
        if len(tries) > 2:
            again.set()
            raise Away("enough")
        if fault == "closing":
            return Vanishing()
        raise RuntimeError("nobody expected this")

    with Store.open(tmp_path / "matches.sqlite", SystemClock()) as store:
        link = TableLink(store.path, tmp_path, SystemClock(), "run", pace=QUICK, door=door)
        assert link.join("127.0.0.1", written(Token("t1", "key"))) is None
        assert again.wait(WAITS)
        link.close()
