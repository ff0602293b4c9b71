"""The link of a simulated table: the real one, hurried a little, and if need be with a broker that says all again."""

from __future__ import annotations

import secrets
from collections import deque
from pathlib import Path
from random import Random
from typing import Any

from nats.aio.client import Client

from companion.clock import SystemClock
from companion.journal.store import Store
from companion.link.table_link import Connect, Intervals, OnClosed, TableLink, connect_to_hub
from companion.messages.token import Token

HURRIED = Intervals(scan=0.1, retry_min=0.2, retry_max=1.5, retry_denied=2.0, confirm_retry=0.5)
"""Simulated players wait for nothing, so their link looks up more often than a real one."""
CALM = Intervals(scan=2.0, retry_min=0.2, retry_max=1.5, retry_denied=2.0)
"""For hundreds of tables on one machine: what is recorded and what the hub says wakes a link in any case."""
REMEMBERED = 50
"""Messages that a repeating broker may say again."""


def open_port(store: Store, folder: Path, repeats: int, random: Random, pace: Intervals = HURRIED) -> TableLink:
    """The link of a table. With `repeats` above 1 each of its messages arrives so often, at once and again later."""
    door: Connect = connect_to_hub if repeats <= 1 else repeating(connect_to_hub, repeats, random)
    return TableLink(store.path, folder, SystemClock(), secrets.token_hex(8), intervals=pace, connect=door)


def repeating(door: Connect, times: int, random: Random) -> Connect:
    """A door behind which every message is said so many times: the first time in its turn, the others by chance among
    those that follow, so also out of order.
    """

    async def entered(host: str, port: int, token: Token, closed: OnClosed) -> Client:
        connection = await door(host, port, token, closed)
        say = connection.publish
        said: deque[tuple[str, bytes]] = deque(maxlen=REMEMBERED)

        async def publish(subject: str, payload: bytes = b"", *rest: Any, **more: Any) -> None:
            said.append((subject, payload))
            await say(subject, payload, *rest, **more)
            for _ in range(times - 1):
                await say(*random.choice(said))

        connection.publish = publish  # type: ignore[method-assign]
        return connection

    return entered
