"""Cached pages: rendered once for all clients, never shared between different pages, refreshed soon after a change."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from companion.clock import ManualClock
from companion.hub.core import Core
from companion.hub.web.middleware import (
    MAX_CACHED_BYTES,
    PAGE_MAX_AGE_S,
    UNCHANGED_MAX_AGE_S,
    Limits,
    RequestGuard,
    Scope,
)
from tests.hub.desk_kit import RunningTournament
from tests.hub.web.pages_kit import pages, visitor
from tests.hub.web.test_limits import asked, nothing


class CountingApp:
    """An application that counts its responses, each released by the test."""

    def __init__(self, status: int = 200, size: int = 10, headers: Sequence[tuple[bytes, bytes]] = ()) -> None:
        self.count, self.go = 0, asyncio.Event()
        self._status, self._size, self._headers = status, size, list(headers)

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        self.count += 1
        await self.go.wait()
        await send({"type": "http.response.start", "status": self._status, "headers": self._headers})
        await send({"type": "http.response.body", "body": b"x" * self._size, "more_body": True})
        await send({"type": "http.response.body", "body": str(self.count).encode()})


class GuardClient:
    """Sends requests to a guard and stores the response."""

    def __init__(self, guard: RequestGuard, slow: asyncio.Event | None = None) -> None:
        self._guard, self._slow = guard, slow
        self.body, self.status = b"", 0

    async def ask(self, path: str = "/t/a", *headers: tuple[bytes, bytes]) -> bytes:
        self.body = b""
        await self._guard(asked(path, *headers), nothing, self._send)
        return self.body

    async def _send(self, message: Scope) -> None:
        if self._slow is not None:
            await self._slow.wait()
        self.status = message.get("status", self.status)
        self.body += message.get("body", b"")


def guarded(made: CountingApp, clock: ManualClock, revision: Callable[[], int] = lambda: 1) -> RequestGuard:
    return RequestGuard(made, Limits(), clock.monotonic, revision)


def test_hundreds_who_ask_at_once_get_what_was_made_for_one() -> None:
    async def crowd() -> None:
        made = CountingApp()
        guard = guarded(made, ManualClock())
        tasks = [asyncio.create_task(GuardClient(guard).ask()) for _ in range(300)]
        while not made.count:
            await asyncio.sleep(0)
        made.go.set()
        assert set(await asyncio.gather(*tasks)) == {b"x" * 10 + b"1"}
        assert made.count == 1

    asyncio.run(crowd())


def test_a_slow_line_holds_nobody_up() -> None:
    async def two() -> None:
        made, slow = CountingApp(), asyncio.Event()
        made.go.set()
        guard = guarded(made, ManualClock())
        first = asyncio.create_task(GuardClient(guard, slow).ask())
        while not made.count:
            await asyncio.sleep(0)
        assert await asyncio.wait_for(GuardClient(guard).ask(), 60) == b"x" * 10 + b"1"
        assert not first.done()
        slow.set()
        await first
        assert made.count == 1

    asyncio.run(two())


@pytest.mark.parametrize(
    "made",
    [
        lambda: CountingApp(404),
        lambda: CountingApp(503),
        lambda: CountingApp(size=MAX_CACHED_BYTES + 1),
        lambda: CountingApp(headers=[(b"set-cookie", b"session=mine")]),
    ],
)
def test_what_is_no_page_for_everyone_is_made_for_each(made: Callable[[], CountingApp]) -> None:
    async def several() -> None:
        making = made()
        making.go.set()
        guard = guarded(making, ManualClock())
        bodies = await asyncio.gather(*(GuardClient(guard).ask() for _ in range(5)))
        assert making.count == len(set(bodies)) == 5

    asyncio.run(several())


@pytest.mark.parametrize("path", ["/desk", "/referee", "/join", "/api/tournaments", "/events", "/pictures/t1/1/1/1"])
def test_other_addresses_are_never_ready(path: str) -> None:
    async def twice() -> None:
        made = CountingApp()
        made.go.set()
        guard = guarded(made, ManualClock())
        assert await GuardClient(guard).ask(path) != await GuardClient(guard).ask(path)

    asyncio.run(twice())


def test_a_page_is_a_second_old_at_most_after_a_change_and_of_one_language() -> None:
    async def ages() -> None:
        clock, newest, made = ManualClock(), [1], CountingApp(size=0)
        made.go.set()
        visitor = GuardClient(guarded(made, clock, lambda: newest[0]))
        assert await visitor.ask() == b"1"
        assert await visitor.ask("/t/a", (b"accept-language", b"en")) == b"2"
        assert await visitor.ask("/t/a", (b"cookie", b"language=en")) == b"2"
        clock.advance(UNCHANGED_MAX_AGE_S - 0.1)
        assert await visitor.ask() == b"1", "nothing has changed"
        newest[0] = 2
        assert await visitor.ask() == b"3"
        newest[0] = 3
        clock.advance(PAGE_MAX_AGE_S - 0.1)
        assert await visitor.ask() == b"3"
        clock.advance(0.1)
        assert await visitor.ask() == b"4"
        clock.advance(UNCHANGED_MAX_AGE_S)
        assert await visitor.ask() == b"5", "times on it go on"

    asyncio.run(ages())


def test_a_maker_that_fails_leaves_the_way_free() -> None:
    class Failing(CountingApp):
        async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
            if self.count == 0:
                self.count = 1
                await self.go.wait()
                raise OSError
            await super().__call__(scope, receive, send)

    async def two() -> None:
        made = Failing()
        guard = guarded(made, ManualClock())
        first, second = (asyncio.create_task(GuardClient(guard).ask()) for _ in range(2))
        while not made.count:
            await asyncio.sleep(0)
        made.go.set()
        with pytest.raises(OSError):
            await first
        assert await second == b"x" * 10 + b"2"

    asyncio.run(two())


def test_the_page_has_what_was_decided_a_second_ago(core: Core, clock: ManualClock, evening: RunningTournament) -> None:
    guest = visitor(pages(core, clock, Limits()))
    first = guest.get("/")
    core.tournaments.create(
        {"tournament": 1, "name": "New one", "game": "nba", "stages": [{"kind": "round_robin"}]}, "x"
    )
    second = guest.get("/")
    assert second.text == first.text
    assert second.headers["content-security-policy"] == first.headers["content-security-policy"]
    clock.advance(PAGE_MAX_AGE_S)
    assert "New one" in guest.get("/").text
