"""An address that is not a hub's port for tables: the players are informed, and there are no false warnings."""

from __future__ import annotations

import asyncio
import logging
import socket
import threading
from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import uvicorn

from companion.clock import SystemClock
from companion.hub.broker import Broker, load_certificate
from companion.journal.store import Store
from companion.link.table_link import TableLink, Unreachable, WrongPort, connect_to_hub
from companion.messages.token import SYSTEM_AUTHORITIES, Token, format_token
from tests.link.hall import SHORT_INTERVALS, expect
from tools.trials.local_postgres import free_port

STEP_TIMEOUT_S = 0.3
"""Timeout in seconds of each step."""
OTHER = bytes(range(12))
"""The fingerprint of another certificate, as in a token."""


async def _pages(scope: dict[str, Any], receive: Callable[[], Awaitable[Any]], send: Callable[..., Any]) -> None:
    """Serve web pages as uvicorn does for the hub."""
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"standings"})


@pytest.fixture(params=["http", "https"])
def pages(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[int]:
    """Yield the port of a real web server."""
    sealed = {}
    if request.param == "https":
        own = load_certificate(tmp_path)
        sealed = {"ssl_certfile": own.certificate, "ssl_keyfile": own.key}
    port = free_port()
    server = uvicorn.Server(uvicorn.Config(_pages, port=port, lifespan="off", log_level="critical", **sealed))
    thread = threading.Thread(target=server.run)
    thread.start()
    expect(lambda: server.started, "the pages")
    yield port
    server.should_exit = True
    thread.join()


async def _enter(port: int, certificate: bytes = OTHER) -> None:
    async def closed() -> None: ...

    await connect_to_hub("127.0.0.1", port, Token("t1", "key", certificate), closed, STEP_TIMEOUT_S)


@pytest.mark.parametrize("certificate", [OTHER, SYSTEM_AUTHORITIES], ids=["named", "by authority"])
def test_the_port_of_the_pages_is_told_from_that_of_the_tables(pages: int, certificate: bytes) -> None:
    with pytest.raises(WrongPort):
        asyncio.run(_enter(pages, certificate))


@pytest.mark.parametrize("says", [b"SSH-2.0-OpenSSH_9.2\r\n", b"x" * 100_000], ids=["ssh", "endless"])
def test_another_server_that_speaks_first_is_none_either(says: bytes) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=lambda: server.accept()[0].sendall(says))
        thread.start()
        with pytest.raises(WrongPort):
            asyncio.run(_enter(server.getsockname()[1]))
        thread.join()


def test_one_that_says_nothing_at_all_is_away() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, pytest.raises(Unreachable):
        asyncio.run(_enter(server.getsockname()[1]))


def test_the_players_are_told_which_address_leads_elsewhere(pages: int, tmp_path: Path) -> None:
    with Store.open(tmp_path / "matches.sqlite", SystemClock()) as store:
        connect = partial(connect_to_hub, timeout_s=STEP_TIMEOUT_S)
        link = TableLink(store.path, tmp_path, SystemClock(), "run", intervals=SHORT_INTERVALS, connect=connect)
        address = f"127.0.0.1:{pages}"
        assert link.join(address, format_token(Token("t1", "key", OTHER))) is None
        expect(lambda: link.snapshot().link.trouble is not None, "a hint")
        trouble = link.snapshot().link.trouble
        assert trouble is not None
        assert (trouble.id, trouble.args) == ("link.port", {"address": address, "usual": 4222})
        link.close()


def test_a_hub_that_hangs_up_makes_no_noise(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    broker = Broker(tmp_path / "broker", port=free_port())
    broker.admit("t1", "key")
    broker.start()

    async def open_connection() -> None:
        left = asyncio.Event()

        async def closed() -> None:
            left.set()

        await connect_to_hub(broker.host, broker.port, Token("t1", "key", broker.fingerprint), closed)
        await asyncio.get_running_loop().run_in_executor(None, broker.stop)
        await asyncio.wait_for(left.wait(), 30.0)

    with caplog.at_level(logging.WARNING, "asyncio"):
        try:
            asyncio.run(open_connection())
        finally:
            broker.stop()
    assert [record.message for record in caplog.records if record.name == "asyncio"] == []
