"""Server-sent events: the id is the hub's revision, and a reconnecting client gets the missed events once."""

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
from companion.hub.database import MAX_EXTRA_READERS, MAX_POOLED_READERS, DatabaseUnavailable, UnitOfWork
from companion.hub.models import Changes, LiveMatch
from companion.hub.views import Views
from companion.hub.web.app import server
from companion.hub.web.live_updates import Feed
from companion.tournament import facts as fa
from tests.hub.core_kit import StoredTableJournal
from tests.hub.desk_kit import RunningTournament
from tests.hub.web.pages_kit import called, pages, propose, start_tournament

TIMEOUT_S = 20.0


@contextmanager
def served(app: FastAPI, port: int = 0, tls: tuple[str, str] | None = None) -> Iterator[str]:
    """Serve the pages on a local port (a free one by default) and yield their address.

    `tls` are paths of certificate and key.
    """
    serving = server(app, "127.0.0.1", port, *(tls or ()))
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
        thread.join(TIMEOUT_S)
        assert not thread.is_alive(), "open streams do not hold the server up"


class EventStream:
    """A visitor's event stream."""

    def __init__(self, lines: Iterator[str]) -> None:
        self._lines = lines

    def part(self) -> tuple[int, str]:
        """Return the next event with its id."""
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
def following(address: str, page: str, after: int, again: int | None = None) -> Iterator[EventStream]:
    headers = {} if again is None else {"last-event-id": str(again)}
    params: dict[str, str | int] = {"page": page, "after": after}
    with httpx.stream("GET", f"{address}/events", params=params, headers=headers, timeout=TIMEOUT_S) as answer:
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith("text/event-stream")
        yield EventStream(answer.iter_lines())


def revision_of(page: str) -> int:
    found = re.search(r'data-revision="(\d+)"', page)
    assert found
    return int(found[1])


def test_a_page_follows_through_a_restart_of_the_hub(opened: Callable[[], Core], clock: ManualClock) -> None:
    core = opened()
    core.tables.register("t1", 1)
    evening = start_tournament(core)
    propose(evening, fa.Draw)
    propose(evening, fa.Call)
    match = called(evening)["t1"]
    card, page = evening.played("t1", 4), f"/t/{evening.id}/match/{match}"
    with served(pages(core, clock)) as address:
        first = revision_of(httpx.get(address + page).text)
        with following(address, page, first) as visitor:
            core.inbox.accept([card.batch(1, 2)])
            id, html = visitor.part()
            assert id > first
            assert 'class="board"' in html
            core.inbox.accept([card.batch(3, 9)])
            newer, html = visitor.part()
            assert newer > id
    core = opened()  # the hub is restarted, and the table continues
    with served(pages(core, clock)) as address:
        core.inbox.accept([card.batch(10)])
        with following(address, page, first, again=newer) as visitor:
            newest, html = visitor.part()
            assert newest > newer
        live = core.views.match(evening.id, match)
        assert live is not None
        assert live.over
        assert all(f"<span>{points}</span>" in html for points in live.score.values())


def test_who_has_missed_nothing_gets_nothing(core: Core, clock: ManualClock, evening: RunningTournament) -> None:
    """Lines of another table do not affect the page of a match."""
    propose(evening, fa.Draw)
    propose(evening, fa.Call)
    tables = called(evening)
    cards = {table: evening.played(table, at) for at, table in enumerate(tables, 1)}
    for card in cards.values():
        core.inbox.accept([card.batch(1, 4)])
    page, site = f"/t/{evening.id}/match/{tables['t1']}", pages(core, clock).state.site
    feed = Feed(core.views, site.feed._find, site.feed._locale_of, site.render_part, heartbeat_interval=0.01)
    listeners = core.database._listeners
    others = len(listeners)

    async def read_stream() -> tuple[int, str]:
        stream = feed.stream({page: core.views.revision()}, "fr")
        assert (await anext(stream)).startswith("retry")
        assert (await anext(stream)).startswith("event: beat"), "nothing was missed"
        running = asyncio.create_task(feed.run())
        (topic,) = feed._topics.values()
        assert topic.task is not None
        await topic.task  # it was rendered again because a client connected
        while len(listeners) == others:
            await asyncio.sleep(0.01)
        core.inbox.accept([cards["t2"].batch(5)])
        core.inbox.accept([cards["t1"].batch(5, 5)])
        ours = core.views.revision()
        while (found := await anext(stream)).startswith("event: beat"):
            pass
        await stream.aclose()
        running.cancel()
        return ours, found

    ours, found = asyncio.run(asyncio.wait_for(read_stream(), TIMEOUT_S))
    assert found.startswith(f"id: {ours}\nevent: part\n"), "the first part is that of its own table"


def test_a_page_that_nobody_looks_at_is_forgotten(core: Core, clock: ManualClock, evening: RunningTournament) -> None:
    site = pages(core, clock).state.site
    feed: Feed = site.feed

    async def read_stream() -> None:
        running = asyncio.create_task(feed.run())
        stream = feed.stream({f"/t/{evening.id}": core.views.revision()}, "fr")
        assert (await anext(stream)).startswith("retry")
        assert len(feed._topics) == 1
        await stream.aclose()
        assert len(feed._topics) == 0
        running.cancel()

    asyncio.run(read_stream())


def test_quiet_streams_beat(core: Core, clock: ManualClock, evening: RunningTournament) -> None:
    site = pages(core, clock).state.site
    quick = Feed(core.views, site.feed._find, site.feed._locale_of, site.render_part, heartbeat_interval=0.01)

    async def read_stream() -> str:
        stream = quick.stream({f"/t/{evening.id}": core.views.revision()}, "fr")
        await anext(stream)
        found = await anext(stream)
        await stream.aclose()
        return found

    assert asyncio.run(read_stream()).startswith("event: beat\n")


class DelayedViews:
    """A page source that delays the answer to the first query for changes and runs an action in between."""

    def __init__(self, views: Views, meanwhile: Callable[[], None]) -> None:
        self._views, self._meanwhile = views, [meanwhile]

    def __getattr__(self, name: str) -> Any:
        return getattr(self._views, name)

    def changes_after(self, revision: int) -> Changes:
        found = self._views.changes_after(revision)
        if self._meanwhile:
            self._meanwhile.pop()()
        return found


def test_what_changes_while_a_stream_begins_is_not_lost(
    core: Core, clock: ManualClock, evening: RunningTournament
) -> None:
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

    feed = Feed(DelayedViews(core.views, meanwhile), site.feed._find, site.feed._locale_of, site.render_part)  # type: ignore[arg-type]

    async def read_stream() -> str:
        running = asyncio.create_task(feed.run())
        stream = feed.stream({"/": core.views.revision()}, "fr")
        await anext(stream)
        found = await anext(stream)
        await stream.aclose()
        running.cancel()
        return found

    assert "New one" in asyncio.run(read_stream())


def test_a_change_that_has_no_number_yet_is_sent_with_its_own(
    core: Core, clock: ManualClock, evening: RunningTournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A change is in the database before the hub's revision; a page may be rendered in between."""
    propose(evening, fa.Draw)
    propose(evening, fa.Call)
    card = evening.played("t1", 4)
    page, site = f"/t/{evening.id}/match/{called(evening)['t1']}", pages(core, clock).state.site
    feed = Feed(core.views, site.feed._find, site.feed._locale_of, site.render_part, heartbeat_interval=0.01)
    written, go_on, show = threading.Event(), threading.Event(), core.database._publish

    def shown_late(work: UnitOfWork) -> None:
        written.set()
        assert go_on.wait(TIMEOUT_S)
        show(work)

    monkeypatch.setattr(core.database, "_publish", shown_late)

    async def read_stream() -> tuple[int, list[str], str]:
        running = asyncio.create_task(feed.run())
        seen = core.views.revision()
        writing = asyncio.create_task(asyncio.to_thread(core.inbox.accept, [card.batch(1, 2)]))
        await asyncio.to_thread(written.wait, TIMEOUT_S)
        stream = feed.stream({page: seen}, "fr")
        before = [await anext(stream) for _ in range(20)]
        go_on.set()
        while (found := await anext(stream)).startswith("event: beat"):
            pass
        await writing
        await stream.aclose()
        running.cancel()
        return seen, before, found

    seen, before, found = asyncio.run(asyncio.wait_for(read_stream(), TIMEOUT_S))
    assert all(each.startswith(("retry", "event: beat")) for each in before)
    assert found.startswith(f"id: {core.views.revision()}\nevent: part\n")
    assert core.views.revision() > seen


def test_one_stream_serves_many_pages_and_leaves_out_missing_ones(
    core: Core, clock: ManualClock, evening: RunningTournament
) -> None:
    propose(evening, fa.Draw)
    propose(evening, fa.Call)
    matches = called(evening)
    cards = {table: evening.played(table, 4) for table in ("t1", "t2")}
    first, second = (f"/t/{evening.id}/match/{matches[table]}" for table in ("t1", "t2"))
    with served(pages(core, clock)) as address:
        seen = core.views.revision()
        core.inbox.accept([cards["t1"].batch(1, 2)])
        params: list[tuple[str, str | int]] = [("language", "en")]
        for page, after in ((first, seen), ("/t/missing", 0), (second, core.views.revision())):
            params += [("page", page), ("after", after)]
        with httpx.stream("GET", f"{address}/events", params=params, timeout=TIMEOUT_S) as answer:
            assert answer.status_code == 200
            names = (line[7:] for line in answer.iter_lines() if line.startswith("event: "))
            assert next(names) == f"part {first}", "only the first has changed"
            core.inbox.accept([cards["t2"].batch(1, 2)])
            assert next(name for name in names if name != "beat") == f"part {second}"
        none = [("page", "/t/missing"), ("page", "/nothing")]
        assert httpx.get(f"{address}/events", params=none).status_code == 404
        assert httpx.get(f"{address}/events", params=[("page", first)] * 41).status_code == 422


@pytest.fixture
def follower(
    core: Core, clock: ManualClock, evening: RunningTournament
) -> Iterator[tuple[StoredTableJournal, EventStream]]:
    """Yield a running match and a visitor whose page shows its newest lines."""
    propose(evening, fa.Draw)
    propose(evening, fa.Call)
    card = evening.played("t1", 4)
    core.inbox.accept([card.batch(1, 2)])
    page = f"/t/{evening.id}/match/{called(evening)['t1']}"
    with served(pages(core, clock)) as address:
        seen = revision_of(httpx.get(address + page).text)
        with following(address, page, seen) as visitor:
            core.inbox.accept([card.batch(3, 4)])
            visitor.part()
            yield card, visitor


def waits_for(met: Callable[[], bool]) -> None:
    for _ in range(int(TIMEOUT_S * 100)):
        if met():
            return
        threading.Event().wait(0.01)
    raise AssertionError("it never came")


def shows_the_end(visitor: EventStream, core: Core) -> bool:
    """Read events until the page shows the score of the finished match."""
    live = core.views.live("t1")
    assert live is not None
    assert live.over
    while True:
        _, html = visitor.part()
        if all(f"<span>{points}</span>" in html for points in live.score.values()):
            return True


def test_open_pages_go_on_when_the_database_is_back(
    core: Core, follower: tuple[StoredTableJournal, EventStream], caplog: pytest.LogCaptureFixture
) -> None:
    card, visitor = follower
    core.database._readers.pool._timeout = 0.01  # type: ignore[attr-defined]
    with ExitStack() as stack:
        for _ in range(MAX_POOLED_READERS + MAX_EXTRA_READERS):
            stack.enter_context(core.database.reading())
        core.inbox.accept([card.batch(5)])
        waits_for(lambda: "not told yet" in caplog.text)
    assert shows_the_end(visitor, core)


def test_a_page_that_could_not_be_made_anew_is_made_later(
    core: Core, follower: tuple[StoredTableJournal, EventStream], monkeypatch: pytest.MonkeyPatch
) -> None:
    """No other change follows: the database failed only while the page was rendered."""
    card, visitor = follower
    asked: list[str] = []

    def unavailable(*_: str) -> LiveMatch | None:
        asked.append("match")
        monkeypatch.undo()
        raise DatabaseUnavailable("gone", path="hub.sqlite", reason="away")

    monkeypatch.setattr(core.views, "match", unavailable)
    core.inbox.accept([card.batch(5)])
    assert shows_the_end(visitor, core)
    assert asked
