"""Lines that come quickly go together: a table never says more than a few messages of them a second."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable

from companion.hub.broker import connect_to_broker, own_server
from tests.link.hall import HURRIED, Hall, Seat
from tests.link.test_trouble import expect_all_told

EVENTS, BETWEEN = 40, 0.02


def told(hall: Hall) -> int:
    """How many messages the stream has ever taken."""

    async def ask() -> int:
        connection = await connect_to_broker(own_server(hall.broker))
        try:
            return sum(each.state.last_seq for each in await connection.jetstream().streams_info())
        finally:
            await connection.close()

    return asyncio.run(ask())


def test_quick_lines_go_in_few_messages(hall: Hall, sit: Callable[..., Seat]) -> None:
    seat = sit()
    match = seat.begin()
    expect_all_told(seat)
    before, began = told(hall), time.monotonic()
    pause = threading.Event()
    for _ in range(EVENTS):  # each would be a message of its own
        seat.play(match, 1)
        pause.wait(BETWEEN)
    expect_all_told(seat)
    lasted = time.monotonic() - began
    assert 0 < told(hall) - before <= lasted / HURRIED.batch + 2
