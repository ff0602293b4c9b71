"""Server-sent events: each open page receives its live part again after a change that affects it.

- The event id is the hub's revision.
- A page with many viewers is rendered once.
- Changes that come faster than a page's update interval are merged.
- One stream serves any number of pages, so that all pages of a browser need one connection.
- A client that reconnects with its last event id receives the part only if it has changed since, even after a
  restart of the hub.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from companion.hub.database import DatabaseError
from companion.hub.views import Views
from companion.hub.web.localization import Locale
from companion.hub.web.pages import ChangeFilter, LivePart, NoSuchPage

log = logging.getLogger(__name__)

HEARTBEAT_INTERVAL_S = 15.0
DEBOUNCE_S = 0.02
"""Seconds within which changes are processed together."""
RETRY_INTERVAL_S = 1.0
"""Seconds until a failed database query is retried."""

MAX_CONCURRENT_RENDERS = 2

Key = tuple[str, str]
"""A page's path and language."""


@dataclass
class Topic:
    """A page with at least one viewer. `change_filter` and `html` belong to `revision`."""

    locale: Locale
    make: Callable[[], LivePart]
    revision: int
    change_filter: ChangeFilter
    html: str
    min_interval_s: float
    listeners: list[asyncio.Event] = field(default_factory=list)
    """One event per stream of the page, set when the page was rendered again."""
    dirty: bool = False
    task: asyncio.Task[None] | None = None

    def wake_streams(self) -> None:
        """Wake the streams of the page."""
        for each in self.listeners:
            each.set()


@dataclass(slots=True)
class FollowedPage:
    """A page of one stream: what of it was sent, and the least revision to send next."""

    key: Key
    topic: Topic
    sent_html: str | None
    least: int = 0

    @property
    def is_due(self) -> bool:
        """Whether the page must be sent."""
        return self.topic.html is not self.sent_html and self.topic.revision >= self.least


class Feed:
    """The open pages. `find` returns the page at a path, `render` its part as HTML; both run in worker threads."""

    def __init__(
        self,
        views: Views,
        find: Callable[[str], Callable[[Locale], LivePart]],
        locale_of: Callable[[str], Locale],
        render: Callable[[LivePart, Locale], str],
        heartbeat_interval: float = HEARTBEAT_INTERVAL_S,
    ) -> None:
        self._views, self._find, self._locale_of, self._render, self._heartbeat_interval = (
            views,
            find,
            locale_of,
            render,
            heartbeat_interval,
        )
        self._topics: dict[Key, Topic] = {}
        self._wake = asyncio.Event()
        self._pending = False
        self._closed = asyncio.Event()
        self._rendering = asyncio.Semaphore(MAX_CONCURRENT_RENDERS)

    async def run(self) -> None:
        """Follow the hub's changes until cancelled."""
        loop = asyncio.get_running_loop()

        def on_change(_: int) -> None:
            if not self._pending:
                self._pending = True
                loop.call_soon_threadsafe(self._wake.set)

        leave = self._views.listen(on_change)
        try:
            seen = await asyncio.to_thread(self._views.revision)
            for topic in self._topics.values():
                self._mark_dirty(topic)  # opened before `run` started: no event reported the changes since
            while True:
                await self._wake.wait()
                self._wake.clear()
                self._pending = False
                far = await self._dispatch_changes(seen)
                if far is None:
                    await asyncio.sleep(RETRY_INTERVAL_S)
                    self._wake.set()
                else:
                    seen = far
                await asyncio.sleep(DEBOUNCE_S)
        finally:
            leave()

    async def _dispatch_changes(self, seen: int) -> int | None:
        """Mark the topics changed after `seen`. Returns the new revision, or None if it must be retried."""
        try:
            changes = await asyncio.to_thread(self._views.changes_after, seen)
            for topic in self._topics.values():
                if topic.change_filter.matches(changes):
                    self._mark_dirty(topic)
        except DatabaseError as fault:
            log.warning("the open pages are not told yet what has changed: %s", fault)
        except Exception:  # whatever the error, the pages must not freeze
            log.exception("the open pages are not told yet what has changed")
        else:
            return changes.revision
        return None

    def close(self) -> None:
        """End every stream, so that the server can stop."""
        self._closed.set()
        for topic in self._topics.values():
            topic.wake_streams()

    async def stream(self, pages: Mapping[str, int], code: str) -> AsyncIterator[str]:
        """Yield the events of pages for one client; `pages` maps each path to the revision that the client has seen.

        Events of several pages have the path in their name: `part /t/1`. Of several pages, missing ones are left out.
        Raises: NoSuchPage, if there is none.
        """
        news = asyncio.Event()
        followed: list[FollowedPage] = []
        try:
            for path, after in pages.items():
                with suppress(NoSuchPage):
                    followed.append(await self._follow((path, code), after, news))
            if not followed:
                raise NoSuchPage
            yield "retry: 2000\n\n"
            loop = asyncio.get_running_loop()
            beats = loop.time() + self._heartbeat_interval
            while not self._closed.is_set():
                news.clear()
                due = [page for page in followed if page.is_due]
                for page in due:
                    page.sent_html = page.topic.html
                    name = "part" if len(pages) == 1 else f"part {page.key[0]}"
                    yield format_event(name, page.sent_html, page.topic.revision)
                if due:
                    beats = loop.time() + self._heartbeat_interval
                    continue
                try:
                    await asyncio.wait_for(news.wait(), beats - loop.time())
                except TimeoutError:
                    yield format_event("beat", "1", None)
                    beats = loop.time() + self._heartbeat_interval
        finally:
            for page in followed:
                self._leave(page, news)

    async def _follow(self, key: Key, after: int, news: asyncio.Event) -> FollowedPage:
        """Begin to follow a page for a client that has seen revision `after`."""
        topic = await self._join(key, news)
        page = FollowedPage(key, topic, topic.html)  # before the query: changes during the query are new
        try:
            changes = await asyncio.to_thread(self._views.changes_after, after)
        except BaseException:
            self._leave(page, news)
            raise
        if topic.change_filter.matches(changes):
            # A change becomes visible shortly before the revision increases: a page with that change does not
            # belong to the old revision.
            page.sent_html = None
            page.least = changes.revision if changes.all else max(changes.revision, after + 1)
            if topic.revision < page.least:
                self._mark_dirty(topic)
        return page

    async def _join(self, key: Key, news: asyncio.Event) -> Topic:
        topic = self._topics.get(key)
        if topic is None:
            made = await asyncio.to_thread(self._create_topic, key)
            topic = self._topics.setdefault(key, made)
        topic.listeners.append(news)
        if len(topic.listeners) == 1:
            self._mark_dirty(topic)  # changes during its creation
        return topic

    def _create_topic(self, key: Key) -> Topic:
        page, locale = self._find(key[0]), self._locale_of(key[1])
        revision = self._views.revision()
        part = page(locale)
        return Topic(
            locale, lambda: page(locale), revision, part.change_filter, self._render(part, locale), part.min_interval_s
        )

    def _leave(self, page: FollowedPage, news: asyncio.Event) -> None:
        topic = page.topic
        topic.listeners.remove(news)
        if not topic.listeners and self._topics.get(page.key) is topic:
            del self._topics[page.key]
            if topic.task is not None:
                topic.task.cancel()

    def _mark_dirty(self, topic: Topic) -> None:
        topic.dirty = True
        if topic.task is None or topic.task.done():
            topic.task = asyncio.create_task(self._refresh(topic))

    async def _refresh(self, topic: Topic) -> None:
        """Render a page after each change, at most once per interval."""
        while topic.dirty:
            topic.dirty = False
            async with self._rendering:
                try:
                    with suppress(NoSuchPage):
                        await self._renew(topic)
                except DatabaseError as fault:
                    log.warning("an open page is not made anew yet: %s", fault)
                    topic.dirty = True
                except Exception:
                    log.exception("an open page is not made anew before its next change")
            await asyncio.sleep(max(topic.min_interval_s, RETRY_INTERVAL_S) if topic.dirty else topic.min_interval_s)

    async def _renew(self, topic: Topic) -> None:
        def anew() -> tuple[int, LivePart, str]:
            revision = self._views.revision()
            part = topic.make()
            return revision, part, self._render(part, topic.locale)

        revision, part, html = await asyncio.to_thread(anew)
        if html != topic.html:
            if revision == topic.revision:
                return  # the change's revision is not published yet; its event renders the page again
            topic.html = html
        topic.change_filter, topic.revision = part.change_filter, revision
        topic.wake_streams()


def format_event(name: str, data: str, id: int | None) -> str:
    """Return an event in the format of the stream."""
    lines = [f"event: {name}", *(f"data: {line}" for line in data.splitlines() or [""])]
    if id is not None:
        lines.insert(0, f"id: {id}")
    return "\n".join(lines) + "\n\n"
