"""The link of a simulated table: the real one with short intervals, optionally with a broker that repeats messages."""

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

FAST_INTERVALS = Intervals(scan=0.1, retry_min=0.2, retry_max=1.5, retry_denied=2.0, confirm_retry=0.5)
"""Intervals for simulated players, who never pause: the link polls more often than a real one."""
SLOW_INTERVALS = Intervals(scan=2.0, retry_min=0.2, retry_max=1.5, retry_denied=2.0)
"""Intervals for hundreds of tables on one machine. New events and the hub's messages wake a link immediately."""
REMEMBERED = 50
"""Number of recent messages that a repeating broker may send again."""


def open_port(store: Store, folder: Path, repeats: int, random: Random, pace: Intervals = FAST_INTERVALS) -> TableLink:
    """Open the link of a table. With `repeats` above 1 each of its messages arrives that often, at once and later."""
    connect: Connect = connect_to_hub if repeats <= 1 else duplicating_connect(connect_to_hub, repeats, random)
    return TableLink(store.path, folder, SystemClock(), secrets.token_hex(8), intervals=pace, connect=connect)


def duplicating_connect(connect: Connect, times: int, random: Random) -> Connect:
    """Return a connection that delivers each message `times` times.

    The first delivery is in order. The others are mixed at random into the later messages, so they also arrive out of
    order.
    """

    async def connect_repeating(host: str, port: int, token: Token, closed: OnClosed) -> Client:
        connection = await connect(host, port, token, closed)
        original_publish = connection.publish
        recent: deque[tuple[str, bytes]] = deque(maxlen=REMEMBERED)

        async def publish(subject: str, payload: bytes = b"", *rest: Any, **more: Any) -> None:
            recent.append((subject, payload))
            await original_publish(subject, payload, *rest, **more)
            for _ in range(times - 1):
                await original_publish(*random.choice(recent))

        connection.publish = publish  # type: ignore[method-assign]
        return connection

    return connect_repeating
