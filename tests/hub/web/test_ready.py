"""Pages that are ready: made once for all who ask, never for another, never long after a change."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from companion.clock import ManualClock
from companion.hub.core import Core
from companion.hub.web.middleware import MOST_BYTES, PAGE_SECONDS, SAME_SECONDS, Guard, Limits, Scope
from tests.hub.desk_kit import Evening
from tests.hub.web.pages_kit import pages, visitor
from tests.hub.web.test_limits import asked, nothing


class Made:
    """An application that counts what it makes, each time when it is told to go on."""

    def __init__(self, status: int = 200, size: int = 10, headers: Sequence[tuple[bytes, bytes]] = ()) -> None:
        self.count, self.go = 0, asyncio.Event()
        self._status, self._size, self._headers = status, size, list(headers)

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        self.count += 1
        await self.go.wait()
        await send({"type": "http.response.start", "status": self._status, "headers": self._headers})
        await send({"type": "http.response.body", "body": b"x" * self._size, "more_body": True})
        await send({"type": "http.response.body", "body": str(self.count).encode()})


class Visitor:
    """Asks a guard; has what was sent."""

    def __init__(self, guard: Guard, slow: asyncio.Event | None = None) -> None:
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


def guarded(made: Made, clock: ManualClock, revision: Callable[[], int] = lambda: 1) -> Guard:
    return Guard(made, Limits(), clock.monotonic, revision)


def test_hundreds_who_ask_at_once_get_what_was_made_for_one() -> None:
    async def crowd() -> None:
        made = Made()
        guard = guarded(made, ManualClock())
        tasks = [asyncio.create_task(Visitor(guard).ask()) for _ in range(300)]
        while not made.count:
            await asyncio.sleep(0)
        made.go.set()
        assert set(await asyncio.gather(*tasks)) == {b"x" * 10 + b"1"}
        assert made.count == 1

    asyncio.run(crowd())


def test_a_slow_line_holds_nobody_up() -> None:
    async def two() -> None:
        made, slow = Made(), asyncio.Event()
        made.go.set()
        guard = guarded(made, ManualClock())
        first = asyncio.create_task(Visitor(guard, slow).ask())
        while not made.count:
            await asyncio.sleep(0)
        assert await asyncio.wait_for(Visitor(guard).ask(), 60) == b"x" * 10 + b"1"
        assert not first.done()
        slow.set()
        await first
        assert made.count == 1

    asyncio.run(two())


@pytest.mark.parametrize(
    "made",
    [
        lambda: Made(404),
        lambda: Made(503),
        lambda: Made(size=MOST_BYTES + 1),
        lambda: Made(headers=[(b"set-cookie", b"session=mine")]),
    ],
)
def test_what_is_no_page_for_everyone_is_made_for_each(made: Callable[[], Made]) -> None:
    async def several() -> None:
        making = made()
        making.go.set()
        guard = guarded(making, ManualClock())
        bodies = await asyncio.gather(*(Visitor(guard).ask() for _ in range(5)))
        assert making.count == len(set(bodies)) == 5

    asyncio.run(several())


@pytest.mark.parametrize("path", ["/desk", "/referee", "/join", "/api/tournaments", "/events", "/pictures/t1/1/1/1"])
def test_other_addresses_are_never_ready(path: str) -> None:
    async def twice() -> None:
        made = Made()
        made.go.set()
        guard = guarded(made, ManualClock())
        assert await Visitor(guard).ask(path) != await Visitor(guard).ask(path)

    asyncio.run(twice())


def test_a_page_is_a_second_old_at_most_after_a_change_and_of_one_language() -> None:
    async def ages() -> None:
        clock, newest, made = ManualClock(), [1], Made(size=0)
        made.go.set()
        visitor = Visitor(guarded(made, clock, lambda: newest[0]))
        assert await visitor.ask() == b"1"
        assert await visitor.ask("/t/a", (b"accept-language", b"en")) == b"2"
        assert await visitor.ask("/t/a", (b"cookie", b"language=en")) == b"2"
        clock.advance(SAME_SECONDS - 0.1)
        assert await visitor.ask() == b"1", "nothing has changed"
        newest[0] = 2
        assert await visitor.ask() == b"3"
        newest[0] = 3
        clock.advance(PAGE_SECONDS - 0.1)
        assert await visitor.ask() == b"3"
        clock.advance(0.1)
        assert await visitor.ask() == b"4"
        clock.advance(SAME_SECONDS)
        assert await visitor.ask() == b"5", "times on it go on"

    asyncio.run(ages())


def test_a_maker_that_fails_leaves_the_way_free() -> None:
    class Failing(Made):
        async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
            if self.count == 0:
                self.count = 1
                await self.go.wait()
                raise OSError
            await super().__call__(scope, receive, send)

    async def two() -> None:
        made = Failing()
        guard = guarded(made, ManualClock())
        first, second = (asyncio.create_task(Visitor(guard).ask()) for _ in range(2))
        while not made.count:
            await asyncio.sleep(0)
        made.go.set()
        with pytest.raises(OSError):
            await first
        assert await second == b"x" * 10 + b"2"

    asyncio.run(two())


def test_the_page_has_what_was_decided_a_second_ago(core: Core, clock: ManualClock, evening: Evening) -> None:
    guest = visitor(pages(core, clock, Limits()))
    first = guest.get("/")
    core.tournaments.create(
        {"tournament": 1, "name": "New one", "game": "nba", "stages": [{"kind": "round_robin"}]}, "x"
    )
    second = guest.get("/")
    assert second.text == first.text
    assert second.headers["content-security-policy"] == first.headers["content-security-policy"]
    clock.advance(PAGE_SECONDS)
    assert "New one" in guest.get("/").text
