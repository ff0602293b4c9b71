"""Lines in quick succession are batched: a table sends only a few messages with lines per second."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable

from companion.hub.broker import connect_to_broker, own_server_login
from tests.link.hall import SHORT_INTERVALS, TableSeat, TournamentHall
from tests.link.test_trouble import expect_all_told

EVENTS, BETWEEN = 40, 0.02


def stored_message_count(hall: TournamentHall) -> int:
    """Return the number of messages that the stream has ever accepted."""

    async def ask() -> int:
        connection = await connect_to_broker(own_server_login(hall.broker))
        try:
            return sum(each.state.last_seq for each in await connection.jetstream().streams_info())
        finally:
            await connection.close()

    return asyncio.run(ask())


def test_quick_lines_go_in_few_messages(hall: TournamentHall, sit: Callable[..., TableSeat]) -> None:
    seat = sit()
    match = seat.start_match()
    expect_all_told(seat)
    before, began = stored_message_count(hall), time.monotonic()
    pause = threading.Event()
    for _ in range(EVENTS):  # each would be a separate message
        seat.play(match, 1)
        pause.wait(BETWEEN)
    expect_all_told(seat)
    lasted = time.monotonic() - began
    assert 0 < stored_message_count(hall) - before <= lasted / SHORT_INTERVALS.batch + 2
