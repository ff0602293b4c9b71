"""Server-sent events: each open page gets its part anew when a change touches it; the id is the hub's revision.

A page that many look at is rendered once. Changes that come faster than a page may change are merged. Who comes back
with the id that was seen last gets the part only if something has touched it since, also over a restart of the hub.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from dataclasses import dataclass, field

from companion.hub.database import HubError
from companion.hub.views import Views
from companion.hub.web.pages import Needs, NoSuchPage, Part
from companion.hub.web.wording import Words

log = logging.getLogger(__name__)

BEAT_SECONDS = 15.0
MERGED_SECONDS = 0.02
"""Changes that follow so soon are looked at together."""
TRIES_AGAIN = 1.0
"""Seconds until a database that did not answer is asked again."""

RENDERING_AT_ONCE = 2

Key = tuple[str, str]
"""A page's path and its language."""


@dataclass
class Topic:
    """A page that somebody looks at. `needs` and `html` are those of `revision`."""

    words: Words
    make: Callable[[], Part]
    revision: int
    needs: Needs
    html: str
    every: float
    listeners: int = 0
    dirty: bool = False
    task: asyncio.Task[None] | None = None
    news: asyncio.Event = field(default_factory=asyncio.Event)


class Feed:
    """The open pages. `find` gives the page at a path, `render` its part as HTML; both are called in other threads."""

    def __init__(
        self,
        views: Views,
        find: Callable[[str], Callable[[Words], Part]],
        words: Callable[[str], Words],
        render: Callable[[Part, Words], str],
        beat: float = BEAT_SECONDS,
    ) -> None:
        self._views, self._find, self._words, self._render, self._beat = views, find, words, render, beat
        self._topics: dict[Key, Topic] = {}
        self._wake = asyncio.Event()
        self._pending = False
        self._closed = asyncio.Event()
        self._rendering = asyncio.Semaphore(RENDERING_AT_ONCE)

    async def run(self) -> None:
        """Follows the hub's changes until cancelled."""
        loop = asyncio.get_running_loop()

        def told(_: int) -> None:
            if not self._pending:
                self._pending = True
                loop.call_soon_threadsafe(self._wake.set)

        leave = self._views.listen(told)
        try:
            seen = await asyncio.to_thread(self._views.revision)
            for topic in self._topics.values():
                self._touch(topic)  # opened before anybody followed: what changed since is told by nothing else
            while True:
                await self._wake.wait()
                self._wake.clear()
                self._pending = False
                far = await self._pass_on(seen)
                if far is None:
                    await asyncio.sleep(TRIES_AGAIN)
                    self._wake.set()
                else:
                    seen = far
                await asyncio.sleep(MERGED_SECONDS)
        finally:
            leave()

    async def _pass_on(self, seen: int) -> int | None:
        """Makes anew what a change after `seen` has touched; how far that goes. None if it is to be tried again."""
        try:
            changes = await asyncio.to_thread(self._views.changes_after, seen)
            for topic in self._topics.values():
                if topic.needs.touched(changes):
                    self._touch(topic)
        except HubError as fault:
            log.warning("the open pages are not told yet what has changed: %s", fault)
        except Exception:  # whatever it is, the pages must not stand still for ever
            log.exception("the open pages are not told yet what has changed")
        else:
            return changes.revision
        return None

    def close(self) -> None:
        """Ends every stream, so that the server can stop."""
        self._closed.set()
        for topic in self._topics.values():
            topic.news.set()

    async def stream(self, path: str, code: str, after: int) -> AsyncIterator[str]:
        """The events of a page for one visitor who has seen it at revision `after`. Raises NoSuchPage."""
        topic = await self._join((path, code))
        try:
            yield "retry: 2000\n\n"
            loop = asyncio.get_running_loop()
            shown: str | None = topic.html  # before the question: what comes while it is answered is news
            least, beats = 0, loop.time() + self._beat
            changes = await asyncio.to_thread(self._views.changes_after, after)
            if topic.needs.touched(changes):
                # A change is seen a moment before its number is the hub's: what it made is not of the number before.
                shown, least = None, changes.revision if changes.all else max(changes.revision, after + 1)
                if topic.revision < least:
                    self._touch(topic)
            while not self._closed.is_set():
                news = topic.news
                if topic.html is not shown and topic.revision >= least:
                    shown = topic.html
                    yield event("part", shown, topic.revision)
                    beats = loop.time() + self._beat
                    continue
                try:
                    await asyncio.wait_for(news.wait(), beats - loop.time())
                except TimeoutError:
                    yield event("beat", "1", None)
                    beats = loop.time() + self._beat
        finally:
            self._leave((path, code), topic)

    async def _join(self, key: Key) -> Topic:
        topic = self._topics.get(key)
        if topic is None:
            made = await asyncio.to_thread(self._first, key)
            topic = self._topics.setdefault(key, made)
        topic.listeners += 1
        if topic.listeners == 1:
            self._touch(topic)  # what changed while it was made
        return topic

    def _first(self, key: Key) -> Topic:
        page, words = self._find(key[0]), self._words(key[1])
        revision = self._views.revision()
        part = page(words)
        return Topic(words, lambda: page(words), revision, part.needs, self._render(part, words), part.every)

    def _leave(self, key: Key, topic: Topic) -> None:
        topic.listeners -= 1
        if topic.listeners == 0 and self._topics.get(key) is topic:
            del self._topics[key]
            if topic.task is not None:
                topic.task.cancel()

    def _touch(self, topic: Topic) -> None:
        topic.dirty = True
        if topic.task is None or topic.task.done():
            topic.task = asyncio.create_task(self._refresh(topic))

    async def _refresh(self, topic: Topic) -> None:
        """Renders a page anew as often as it changes, but not oftener than it may."""
        while topic.dirty:
            topic.dirty = False
            async with self._rendering:
                try:
                    with suppress(NoSuchPage):
                        await self._renew(topic)
                except HubError as fault:
                    log.warning("an open page is not made anew yet: %s", fault)
                    topic.dirty = True
                except Exception:
                    log.exception("an open page is not made anew before its next change")
            await asyncio.sleep(max(topic.every, TRIES_AGAIN) if topic.dirty else topic.every)

    async def _renew(self, topic: Topic) -> None:
        def anew() -> tuple[int, Part, str]:
            revision = self._views.revision()
            part = topic.make()
            return revision, part, self._render(part, topic.words)

        revision, part, html = await asyncio.to_thread(anew)
        if html != topic.html:
            if revision == topic.revision:
                return  # of a change whose number is not the hub's yet: it is made once more as it is told
            topic.html = html
        topic.needs, topic.revision = part.needs, revision
        topic.news.set()
        topic.news = asyncio.Event()


def event(name: str, data: str, id: int | None) -> str:
    """One event as the stream has it."""
    lines = [f"event: {name}", *(f"data: {line}" for line in data.splitlines() or [""])]
    if id is not None:
        lines.insert(0, f"id: {id}")
    return "\n".join(lines) + "\n\n"
