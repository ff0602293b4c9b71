"""No client takes the hub's time: rates, sizes, how much at once."""

from __future__ import annotations

import asyncio
from collections.abc import MutableMapping
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from companion.clock import HandClock
from companion.hub.core import Core
from companion.hub.web.limits import Bucket, Guard, Limits, Rate
from companion.tournament import facts as fa
from tests.hub.desk_kit import Evening
from tests.hub.web.pages_kit import called, pages, propose, visitor


@given(st.lists(st.floats(0, 3), max_size=60))
def test_no_more_than_the_rate_is_ever_let_through(pauses: list[float]) -> None:
    clock, rate = HandClock(), Rate(5, 2)
    bucket, taken = Bucket(rate, clock.monotonic), 0
    for pause in pauses:
        clock.advance(pause)
        taken += bucket.take("one") == 0
        assert taken <= rate.burst + rate.a_second * clock.monotonic() + 1e-6


def test_the_wait_that_is_told_is_enough_and_clients_do_not_share() -> None:
    clock = HandClock()
    bucket = Bucket(Rate(1, 0.5), clock.monotonic, most=2)
    assert bucket.take("one") == 0
    wait = bucket.take("one")
    assert wait == 2
    assert bucket.take("two") == 0
    clock.advance(wait)
    assert bucket.take("one") == 0


def test_one_client_at_full_speed_does_not_stop_the_tables(core: Core, clock: HandClock, evening: Evening) -> None:
    """100,000 requests of one client, all but the first refused at the door; meanwhile every result arrives."""
    propose(evening, fa.Draw)
    propose(evening, fa.Call)
    cards = [evening.played(table, at) for at, table in enumerate(called(evening))]
    app = pages(core, clock, Limits())
    got: dict[int, int] = {}

    async def receive() -> MutableMapping[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            got[message["status"]] = got.get(message["status"], 0) + 1

    path = f"/t/{evening.id}/standings"
    scope = {"type": "http", "method": "GET", "path": path, "raw_path": path.encode(), "query_string": b""}
    scope |= {"headers": [], "client": ("10.0.0.9", 1), "server": ("hub", 80), "scheme": "http", "http_version": "1.1"}

    async def flood() -> None:
        for at in range(100_000):
            await app(dict(scope), receive, send)
            if at % 25_000 == 0:
                card = cards[at // 25_000]
                core.inbox.take([card.batch()], [card.confirmation()])

    asyncio.run(flood())
    assert got[200] == 120
    assert got[429] == 100_000 - 120
    assert all(each.status == "done" for each in core.desk.course(evening.id).matches.values())
    assert visitor(app).get("/").status_code == 200, "another client"


def test_what_is_too_large_is_refused_whatever_was_declared(core: Core, clock: HandClock) -> None:
    client = visitor(pages(core, clock))
    assert client.post("/desk/login", content=b"x" * 300_000).status_code == 413

    def unsaid() -> Any:
        for _ in range(300):
            yield b"x" * 1000

    headers = {"content-type": "application/x-www-form-urlencoded"}
    assert client.post("/desk/login", content=unsaid(), headers=headers).status_code in (400, 413)
    many = "&".join(f"a{at}=1" for at in range(5000))
    assert client.post("/desk/login", content=many, headers=headers).status_code == 400


def test_a_client_may_do_so_much_at_once() -> None:
    async def crowd() -> list[int]:
        waiting, got = asyncio.Event(), []

        async def slow(scope: Any, receive: Any, send: Any) -> None:
            await waiting.wait()
            await send({"type": "http.response.start", "status": 200, "headers": []})

        async def send(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                got.append(message["status"])

        guard = Guard(slow, Limits(at_once=3), HandClock().monotonic)
        scope = {"type": "http", "method": "GET", "path": "/", "headers": [], "client": ("10.0.0.9", 1)}
        tasks = [asyncio.create_task(guard(scope, None, send)) for _ in range(5)]  # type: ignore[arg-type]
        await asyncio.wait(tasks, timeout=0.05)
        waiting.set()
        await asyncio.gather(*tasks)
        return got

    assert sorted(asyncio.run(crowd())) == [200, 200, 200, 429, 429]
