"""Limits per client: request rate, size, and concurrency."""

from __future__ import annotations

import asyncio
import re
from collections.abc import MutableMapping
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.clock import ManualClock
from companion.hub.core import Core
from companion.hub.web.middleware import Limits, Rate, RequestGuard, TokenBucket
from companion.tournament import facts as fa
from tests.hub.desk_kit import RunningTournament
from tests.hub.web.pages_kit import called, mark_of, organiser, pages, propose, visitor
from tests.hub.web.test_feed import served


@given(st.lists(st.floats(0, 3), max_size=60))
def test_no_more_than_the_rate_is_ever_let_through(pauses: list[float]) -> None:
    clock, rate = ManualClock(), Rate(5, 2)
    bucket, taken = TokenBucket(rate, clock.monotonic), 0
    for pause in pauses:
        clock.advance(pause)
        taken += bucket.acquire("one") == 0
        assert taken <= rate.burst + rate.per_second * clock.monotonic() + 1e-6


def test_the_wait_that_is_told_is_enough_and_clients_do_not_share() -> None:
    clock = ManualClock()
    bucket = TokenBucket(Rate(1, 0.5), clock.monotonic, max_clients=2)
    assert bucket.acquire("one") == 0
    wait = bucket.acquire("one")
    assert wait == 2
    assert bucket.acquire("two") == 0
    clock.advance(wait)
    assert bucket.acquire("one") == 0


@pytest.mark.parametrize(
    ("path", "let_through"), [("/t/{t}/standings", 6000), ("/api/tournaments/{t}", 120), ("/t/{t}/no such page", 120)]
)
def test_one_client_at_full_speed_does_not_stop_the_tables(
    core: Core, clock: ManualClock, evening: RunningTournament, path: str, let_through: int
) -> None:
    """One client sends 100,000 requests, nearly all rejected early; every result still arrives."""
    propose(evening, fa.Draw)
    propose(evening, fa.Call)
    cards = [evening.played(table, at) for at, table in enumerate(called(evening))]
    app = pages(core, clock, Limits())
    got: dict[int, int] = {}

    async def send(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            got[message["status"]] = got.get(message["status"], 0) + 1

    scope = asked(path.format(t=evening.id))

    async def flood() -> None:
        for at in range(100_000):
            await app(dict(scope), nothing, send)
            if at % 25_000 == 0:
                card = cards[at // 25_000]
                core.inbox.accept([card.batch()], [card.confirmation()])

    asyncio.run(flood())
    assert got.pop(429) == 100_000 - let_through
    assert sum(got.values()) == let_through
    assert all(each.status == "done" for each in core.tournaments.progress(evening.id).matches.values())
    assert visitor(app).get("/").status_code == 200, "another client"


def asked(path: str, *headers: tuple[bytes, bytes]) -> dict[str, Any]:
    """Return a request as the server passes it on."""
    scope = {"type": "http", "method": "GET", "path": path, "raw_path": path.encode(), "query_string": b""}
    scope |= {"headers": list(headers), "client": ("10.0.0.9", 1), "server": ("hub", 80), "scheme": "http"}
    return scope | {"http_version": "1.1"}


async def nothing() -> MutableMapping[str, Any]:
    """Return a request body."""
    return {"type": "http.request", "body": b"", "more_body": False}


def test_who_is_logged_in_does_not_share_with_the_hall(core: Core, clock: ManualClock) -> None:
    app = pages(core, clock, Limits(cached=Rate(50, 0.001), reading=Rate(20, 0.001), writing=Rate(5, 0.001)))
    claire, guest = organiser(app), visitor(app)
    while guest.get("/api/tournaments").status_code == 200:
        pass
    while guest.get("/").status_code == 200:
        pass
    while guest.post("/join", data={"key": "nothing"}).status_code != 429:
        pass
    guest.cookies.set("session", "an invented one")
    assert guest.get("/desk/login").status_code == 429
    page = claire.get("/desk/tables")
    assert page.status_code == 200
    mark = mark_of(page)
    done = claire.post("/desk/do/register", data={"form": mark, "number": "9"})
    assert (done.status_code, done.url.path) == (200, "/desk/tables")
    secret = claire.cookies["session"]
    claire.post("/desk/logout", data={"form": mark})
    guest.cookies.set("session", secret)
    guest.get("/desk")
    assert guest.get("/api/tournaments").status_code == 429, "logged out: one of the hall"


@pytest.mark.slow
def test_three_hundred_spectators_follow_behind_one_address(
    core: Core, clock: ManualClock, evening: RunningTournament
) -> None:
    """Each spectator loads a page with all resources and follows it while a neighbour sends as many requests as
    possible.

    The clock does not advance, so no one depends on a second allowance.
    """
    propose(evening, fa.Draw)
    propose(evening, fa.Call)
    card = evening.played("t1", 4)
    core.inbox.accept([card.batch(1, 3)])
    page = f"/t/{evening.id}/match/{called(evening)['t1']}"
    app = pages(core, clock, Limits())
    announced = asyncio.Event()

    async def spectator(client: httpx.AsyncClient, ready: asyncio.Semaphore) -> bool:
        answer = await client.get(page)
        statuses = [answer.status_code]
        for each in ("/style.css", "/live.js", "/icon.svg"):
            statuses.append((await client.get(each)).status_code)
        assert statuses == [200] * 4
        found = re.search(r'data-revision="(\d+)"', answer.text)
        assert found
        params = {"page": page, "after": found[1]}
        async with client.stream("GET", "/events", params=params) as stream:
            assert stream.status_code == 200
            ready.release()
            async for line in stream.aiter_lines():
                if line.startswith("id: ") and announced.is_set():
                    return True
        return False

    async def hall(address: str) -> tuple[list[bool], int]:
        # The server may close a kept-alive connection just before its next request; browsers retry.
        limits = httpx.Limits(max_connections=None, max_keepalive_connections=0)
        async with httpx.AsyncClient(base_url=address, timeout=TIMEOUT_S, limits=limits, trust_env=False) as client:
            ready = asyncio.Semaphore(0)
            tasks = [asyncio.create_task(spectator(client, ready)) for _ in range(300)]
            greedy = [(await client.get("/api/tournaments")).status_code for _ in range(200)]
            for _ in tasks:
                came = asyncio.create_task(ready.acquire())
                done, _ = await asyncio.wait([came, *tasks], timeout=TIMEOUT_S, return_when=asyncio.FIRST_COMPLETED)
                assert done == {came}, [each.exception() for each in done - {came}]
            announced.set()
            await asyncio.to_thread(core.inbox.accept, [card.batch(4, 9)])
            return await asyncio.wait_for(asyncio.gather(*tasks), TIMEOUT_S), greedy.count(429)

    with served(app) as address:
        seen, refused = asyncio.run(hall(address))
    assert seen == [True] * 300
    assert refused == 200 - 120 + RENDERED, "the neighbour has had all that there was"


RENDERED = 4
"""A page, a style sheet, a script, an icon: each rendered once for all clients."""
TIMEOUT_S = 300.0


def test_what_is_too_large_is_refused_whatever_was_declared(core: Core, clock: ManualClock) -> None:
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

        guard = RequestGuard(slow, Limits(concurrent=3), ManualClock().monotonic)
        scope = asked("/desk")
        tasks = [asyncio.create_task(guard(scope, None, send)) for _ in range(5)]  # type: ignore[arg-type]
        await asyncio.wait(tasks, timeout=0.05)
        waiting.set()
        await asyncio.gather(*tasks)
        return got

    assert sorted(asyncio.run(crowd())) == [200, 200, 200, 429, 429]
