"""NATS permissions of a table: write its own subjects and read its messages, nothing else; no access without a key."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Iterator
from pathlib import Path

import nats
import pytest
from nats.aio.client import Client
from nats.errors import Error as NatsError

from companion.hub.broker import Broker, connect_to_broker, own_server_login
from companion.link.table_link import AccessDenied, Unreachable, UntrustedHost, connect_to_hub
from companion.messages import subjects
from companion.messages.token import Token
from tools.trials.local_postgres import free_port

KEYS = {"t3": "the key of table three", "t4": "the key of table four"}


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Broker]:
    """Start a server with two tables."""
    made = Broker(tmp_path / "broker", port=free_port())
    for table, key in KEYS.items():
        made.admit(table, key)
    made.start()
    yield made
    made.stop()


class Visitor:
    """A connection as a table, with the refusals of the server."""

    def __init__(self, connection: Client) -> None:
        self.connection = connection
        self.refused: list[str] = []
        connection._error_cb = self._note

    async def _note(self, fault: Exception) -> None:
        self.refused.append(str(fault))

    async def wait_for_replies(self) -> None:
        """Wait until all requests have been answered."""
        await self.connection.flush()
        await self.connection.flush()


async def as_table(broker: Broker, table: str) -> Visitor:
    async def closed() -> None: ...

    token = Token(table, KEYS[table], broker.fingerprint)
    return Visitor(await connect_to_hub(broker.host, broker.port, token, closed))


async def heard(connection: Client, subject: str) -> list[str]:
    """Subscribe and return a list that collects the messages."""
    found: list[str] = []

    async def on_message(message: object) -> None:
        found.append(getattr(message, "subject", ""))

    await connection.subscribe(subject, cb=on_message)
    await connection.flush()
    return found


def test_a_table_writes_its_own_subjects_and_no_others(broker: Broker) -> None:
    async def attempt() -> None:
        hub = await connect_to_broker(own_server_login(broker))
        arrived = await heard(hub, ">")
        three = await as_table(broker, "t3")
        others = [
            subjects.upstream("t4", subjects.LINES),
            subjects.upstream("t4", subjects.CONFIRMED),
            subjects.downstream("t4", subjects.RECEIPTS),
            subjects.downstream("t3", subjects.STATE),
            subjects.ALL_HUB,
            subjects.board_subject("any"),
            "$JS.API.STREAM.DELETE.TAPIS_UP",
            "$JS.API.CONSUMER.CREATE.TAPIS_UP",
            "anything",
        ]
        for subject in others:
            await three.connection.publish(subject, b"x")
        await three.wait_for_replies()
        assert len(three.refused) == len(others)
        assert all("permissions violation" in each.lower() for each in three.refused)
        own = [subjects.upstream("t3", kind) for kind in (subjects.LINES, subjects.CONFIRMED, subjects.HELLO)]
        for subject in own:
            await three.connection.publish(subject, b"x")
        await three.wait_for_replies()
        await hub.flush()
        assert arrived == own
        await three.connection.close()
        await hub.close()

    asyncio.run(attempt())


def test_a_table_reads_what_is_for_it_and_nothing_else(broker: Broker) -> None:
    async def attempt() -> None:
        hub = await connect_to_broker(own_server_login(broker))
        three = await as_table(broker, "t3")
        own = await heard(three.connection, "tapis.down.t3.>")
        for_all = await heard(three.connection, "tapis.all.>")
        assert three.refused == []
        spied = [await heard(three.connection, subject) for subject in (">", "tapis.down.t4.>", "tapis.up.>", "$JS.>")]
        await three.wait_for_replies()
        assert len(three.refused) == 4
        for subject in (subjects.downstream("t3", "state"), subjects.downstream("t4", "state"), subjects.ALL_HUB):
            await hub.publish(subject, b"x")
        await hub.flush()
        await three.wait_for_replies()
        assert (own, for_all) == ([subjects.downstream("t3", "state")], [subjects.ALL_HUB])
        assert spied == [[], [], [], []]
        await three.connection.close()
        await hub.close()

    asyncio.run(attempt())


@pytest.mark.parametrize(
    ("table", "key"), [("t3", KEYS["t4"]), ("t3", ""), ("t5", KEYS["t3"]), (".hub", KEYS["t3"]), ("t3 ", KEYS["t3"])]
)
def test_nobody_comes_without_the_key_of_a_table(broker: Broker, table: str, key: str) -> None:
    async def closed() -> None: ...

    with pytest.raises(AccessDenied):
        asyncio.run(connect_to_hub(broker.host, broker.port, Token(table, key, broker.fingerprint), closed))


def test_nobody_comes_without_tls_or_a_name(broker: Broker) -> None:
    async def plain() -> None:
        reader, writer = await asyncio.open_connection(broker.host, broker.port)
        await reader.readline()
        writer.write(
            b'CONNECT {"user":"t3","pass":"%s"}\r\nPUB tapis.up.t3.hello 1\r\nx\r\nPING\r\n' % KEYS["t3"].encode()
        )
        assert b"PONG" not in await asyncio.wait_for(reader.read(), 10)
        writer.close()

    async def nameless() -> None:
        context = ssl.create_default_context(cafile=str(broker.certificate.certificate))
        context.check_hostname = False
        await nats.connect(f"nats://{broker.host}:{broker.port}", tls=context, allow_reconnect=False)

    asyncio.run(plain())
    with pytest.raises(NatsError, match=r"(?i)authorization"):
        asyncio.run(nameless())


def test_a_machine_with_another_certificate_is_a_stranger(broker: Broker, tmp_path: Path) -> None:
    other = Broker(tmp_path / "other", port=free_port())
    other.admit("t3", KEYS["t3"])
    other.start()

    async def closed() -> None: ...

    try:
        with pytest.raises(UntrustedHost):
            asyncio.run(connect_to_hub(other.host, other.port, Token("t3", KEYS["t3"], broker.fingerprint), closed))
    finally:
        other.stop()
    with pytest.raises(Unreachable):
        asyncio.run(connect_to_hub(other.host, other.port, Token("t3", KEYS["t3"], broker.fingerprint), closed))


def test_a_dismissed_table_is_thrown_out_at_once(broker: Broker) -> None:
    async def attempt() -> None:
        gone = asyncio.Event()

        async def closed() -> None:
            gone.set()

        await connect_to_hub(broker.host, broker.port, Token("t3", KEYS["t3"], broker.fingerprint), closed)
        four = await as_table(broker, "t4")
        await asyncio.to_thread(broker.dismiss, "t3")
        await asyncio.wait_for(gone.wait(), 20)
        await four.wait_for_replies()
        assert four.connection.is_connected, "the others stay"
        await four.connection.close()

    asyncio.run(attempt())
    with pytest.raises(AccessDenied):
        asyncio.run(as_table(broker, "t3"))
