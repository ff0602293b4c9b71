"""Server-sent events: the id is the hub's revision, and who comes back gets what was missed, once."""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from companion.clock import ManualClock
from companion.hub.core import Core
from companion.hub.database import READERS, READERS_MORE, HubGone, Work
from companion.hub.models import Changes, Live
from companion.hub.views import Views
from companion.hub.web.app import server
from companion.hub.web.live_updates import Feed
from companion.tournament import facts as fa
from tests.hub.core_kit import Card
from tests.hub.desk_kit import Evening
from tests.hub.web.pages_kit import begin, called, pages, propose

SOON = 20.0


@contextmanager
def served(app: FastAPI, port: int = 0) -> Iterator[str]:
    """The pages on a port of this machine, a free one if none is named; their address."""
    serving = server(app, "127.0.0.1", port)
    thread = threading.Thread(target=serving.run)
    thread.start()
    try:
        while not serving.started:
            assert thread.is_alive()
            threading.Event().wait(0.01)
        port = serving.servers[0].sockets[0].getsockname()[1]
        yield f"http://127.0.0.1:{port}"
    finally:
        serving.should_exit = True
        thread.join(SOON)
        assert not thread.is_alive(), "open streams do not hold the server up"


class Following:
    """A visitor's stream of events."""

    def __init__(self, lines: Iterator[str]) -> None:
        self._lines = lines

    def part(self) -> tuple[int, str]:
        """The next part with its id."""
        id, data, beats = 0, list[str](), 0
        for line in self._lines:
            beats += line == "event: beat"
            assert beats < 2, "nothing came"
            if line.startswith("id: "):
                id = int(line[4:])
            elif line.startswith("data: "):
                data.append(line[6:])
            elif not line and id and data:
                return id, "\n".join(data)
            elif not line:
                data = []
        raise AssertionError("the stream ended")


@contextmanager
def following(address: str, page: str, after: int, again: int | None = None) -> Iterator[Following]:
    headers = {} if again is None else {"last-event-id": str(again)}
    params: dict[str, str | int] = {"page": page, "after": after}
    with httpx.stream("GET", f"{address}/events", params=params, headers=headers, timeout=SOON) as answer:
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith("text/event-stream")
        yield Following(answer.iter_lines())


def revision_of(page: str) -> int:
    found = re.search(r'data-revision="(\d+)"', page)
    assert found
    return int(found[1])


def test_a_page_follows_through_a_restart_of_the_hub(opened: Callable[[], Core], clock: ManualClock) -> None:
    core = opened()
    core.tables.register("t1", 1)
    evening = begin(core)
    propose(evening, fa.Draw)
    propose(evening, fa.Call)
    match = called(evening)["t1"]
    card, page = evening.played("t1", 4), f"/t/{evening.id}/match/{match}"
    with served(pages(core, clock)) as address:
        first = revision_of(httpx.get(address + page).text)
        with following(address, page, first) as visitor:
            core.inbox.take([card.batch(1, 2)])
            id, shown = visitor.part()
            assert id > first
            assert 'class="board"' in shown
            core.inbox.take([card.batch(3, 9)])
            newer, shown = visitor.part()
            assert newer > id
    core = opened()  # the hub is another one now, and the table goes on
    with served(pages(core, clock)) as address:
        core.inbox.take([card.batch(10)])
        with following(address, page, first, again=newer) as visitor:
            newest, shown = visitor.part()
            assert newest > newer
        live = core.views.match(evening.id, match)
        assert live is not None
        assert live.over
        assert all(f"<span>{points}</span>" in shown for points in live.score.values())


def test_who_has_missed_nothing_gets_nothing(core: Core, clock: ManualClock, evening: Evening) -> None:
    """Another table's lines do not touch the page of a match."""
    propose(evening, fa.Draw)
    propose(evening, fa.Call)
    tables = called(evening)
    cards = {table: evening.played(table, at) for at, table in enumerate(tables, 1)}
    for card in cards.values():
        core.inbox.take([card.batch(1, 4)])
    page, site = f"/t/{evening.id}/match/{tables['t1']}", pages(core, clock).state.site
    feed = Feed(core.views, site.feed._find, site.feed._words, site.part, beat=0.01)
    listeners = core.database._listeners
    others = len(listeners)

    async def look() -> tuple[int, str]:
        stream = feed.stream(page, "fr", core.views.revision())
        assert (await anext(stream)).startswith("retry")
        assert (await anext(stream)).startswith("event: beat"), "nothing was missed"
        running = asyncio.create_task(feed.run())
        (topic,) = feed._topics.values()
        assert topic.task is not None
        await topic.task  # it was made once more as somebody came
        while len(listeners) == others:
            await asyncio.sleep(0.01)
        core.inbox.take([cards["t2"].batch(5)])
        core.inbox.take([cards["t1"].batch(5, 5)])
        ours = core.views.revision()
        while (found := await anext(stream)).startswith("event: beat"):
            pass
        await stream.aclose()
        running.cancel()
        return ours, found

    ours, found = asyncio.run(asyncio.wait_for(look(), SOON))
    assert found.startswith(f"id: {ours}\nevent: part\n"), "the first part is that of its own table"


def test_a_page_that_nobody_looks_at_is_forgotten(core: Core, clock: ManualClock, evening: Evening) -> None:
    site = pages(core, clock).state.site
    feed: Feed = site.feed

    async def look() -> None:
        running = asyncio.create_task(feed.run())
        stream = feed.stream(f"/t/{evening.id}", "fr", core.views.revision())
        assert (await anext(stream)).startswith("retry")
        assert len(feed._topics) == 1
        await stream.aclose()
        assert len(feed._topics) == 0
        running.cancel()

    asyncio.run(look())


def test_quiet_streams_beat(core: Core, clock: ManualClock, evening: Evening) -> None:
    site = pages(core, clock).state.site
    quick = Feed(core.views, site.feed._find, site.feed._words, site.part, beat=0.01)

    async def look() -> str:
        stream = quick.stream(f"/t/{evening.id}", "fr", core.views.revision())
        await anext(stream)
        found = await anext(stream)
        await stream.aclose()
        return found

    assert asyncio.run(look()).startswith("event: beat\n")


class Late:
    """What the pages are made from, but the first question of what has changed is answered late."""

    def __init__(self, views: Views, meanwhile: Callable[[], None]) -> None:
        self._views, self._meanwhile = views, [meanwhile]

    def __getattr__(self, name: str) -> Any:
        return getattr(self._views, name)

    def changes_after(self, revision: int) -> Changes:
        found = self._views.changes_after(revision)
        if self._meanwhile:
            self._meanwhile.pop()()
        return found


def test_what_changes_while_a_stream_begins_is_not_lost(core: Core, clock: ManualClock, evening: Evening) -> None:
    site = pages(core, clock).state.site
    plan = {"tournament": 1, "name": "New one", "game": "nba", "stages": [{"kind": "round_robin"}]}

    def meanwhile() -> None:
        core.tournaments.create(plan, "x")
        (topic,) = feed._topics.values()
        for _ in range(3000):
            if "New one" in topic.html:
                return
            threading.Event().wait(0.01)
        raise AssertionError("the page was not made anew")

    feed = Feed(Late(core.views, meanwhile), site.feed._find, site.feed._words, site.part)  # type: ignore[arg-type]

    async def look() -> str:
        running = asyncio.create_task(feed.run())
        stream = feed.stream("/", "fr", core.views.revision())
        await anext(stream)
        found = await anext(stream)
        await stream.aclose()
        running.cancel()
        return found

    assert "New one" in asyncio.run(look())


def test_a_change_that_has_no_number_yet_is_sent_with_its_own(
    core: Core, clock: ManualClock, evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is in the database a moment before its number is the hub's, and a page may be made meanwhile."""
    propose(evening, fa.Draw)
    propose(evening, fa.Call)
    card = evening.played("t1", 4)
    page, site = f"/t/{evening.id}/match/{called(evening)['t1']}", pages(core, clock).state.site
    feed = Feed(core.views, site.feed._find, site.feed._words, site.part, beat=0.01)
    written, go_on, show = threading.Event(), threading.Event(), core.database._show

    def shown_late(work: Work) -> None:
        written.set()
        assert go_on.wait(SOON)
        show(work)

    monkeypatch.setattr(core.database, "_show", shown_late)

    async def look() -> tuple[int, list[str], str]:
        running = asyncio.create_task(feed.run())
        seen = core.views.revision()
        writing = asyncio.create_task(asyncio.to_thread(core.inbox.take, [card.batch(1, 2)]))
        await asyncio.to_thread(written.wait, SOON)
        stream = feed.stream(page, "fr", seen)
        before = [await anext(stream) for _ in range(20)]
        go_on.set()
        while (found := await anext(stream)).startswith("event: beat"):
            pass
        await writing
        await stream.aclose()
        running.cancel()
        return seen, before, found

    seen, before, found = asyncio.run(asyncio.wait_for(look(), SOON))
    assert all(each.startswith(("retry", "event: beat")) for each in before)
    assert found.startswith(f"id: {core.views.revision()}\nevent: part\n")
    assert core.views.revision() > seen


@pytest.fixture
def follower(core: Core, clock: ManualClock, evening: Evening) -> Iterator[tuple[Card, Following]]:
    """A match under way, and a visitor to whose page its newest lines have come."""
    propose(evening, fa.Draw)
    propose(evening, fa.Call)
    card = evening.played("t1", 4)
    core.inbox.take([card.batch(1, 2)])
    page = f"/t/{evening.id}/match/{called(evening)['t1']}"
    with served(pages(core, clock)) as address:
        seen = revision_of(httpx.get(address + page).text)
        with following(address, page, seen) as visitor:
            core.inbox.take([card.batch(3, 4)])
            visitor.part()
            yield card, visitor


def waits_for(met: Callable[[], bool]) -> None:
    for _ in range(int(SOON * 100)):
        if met():
            return
        threading.Event().wait(0.01)
    raise AssertionError("it never came")


def shows_the_end(visitor: Following, core: Core) -> bool:
    """Reads on until the page shows the score of the match that is over."""
    live = core.views.live("t1")
    assert live is not None
    assert live.over
    while True:
        _, shown = visitor.part()
        if all(f"<span>{points}</span>" in shown for points in live.score.values()):
            return True


def test_open_pages_go_on_when_the_database_is_back(
    core: Core, follower: tuple[Card, Following], caplog: pytest.LogCaptureFixture
) -> None:
    card, visitor = follower
    core.database._readers.pool._timeout = 0.01  # type: ignore[attr-defined]
    with ExitStack() as stack:
        for _ in range(READERS + READERS_MORE):
            stack.enter_context(core.database.reading())
        core.inbox.take([card.batch(5)])
        waits_for(lambda: "not told yet" in caplog.text)
    assert shows_the_end(visitor, core)


def test_a_page_that_could_not_be_made_anew_is_made_later(
    core: Core, follower: tuple[Card, Following], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without another change: the database was away only while the page was made."""
    card, visitor = follower
    asked: list[str] = []

    def away(*_: str) -> Live | None:
        asked.append("match")
        monkeypatch.undo()
        raise HubGone("gone", path="hub.sqlite", reason="away")

    monkeypatch.setattr(core.views, "match", away)
    core.inbox.take([card.batch(5)])
    assert shows_the_end(visitor, core)
    assert asked
