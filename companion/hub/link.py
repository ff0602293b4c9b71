"""The hub's side of the link: what tables send is taken in, they are told what is new; who is there."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

from nats.aio.client import Client

from companion.clock import Clock
from companion.games.base import Message
from companion.hub.announcing import Announcer, Habits, Outgoing
from companion.hub.arriving import FAULTS, TRIES_AGAIN, Arriving, pause, say
from companion.hub.core import Core
from companion.hub.database import HubError
from companion.hub.entrance import Entrance, Troubled, enter_as_hub
from companion.hub.presence import Presence
from companion.messages import subjects
from companion.messages.wire import Hub, encode

log = logging.getLogger(__name__)

SAYS_EVERY = 4.0
"""Seconds between two words that the hub is there."""
GATHERS = 0.2
"""Seconds for which changes are gathered before the tables are told."""
ENDS_WITHIN = 3.0


class HubLink:
    """`start`, `stop`. A thread with an event loop of its own; `presence` may be asked from any thread."""

    def __init__(
        self,
        core: Core,
        entrance: Entrance,
        clock: Clock,
        run: str,
        habits: Habits | None = None,
        troubled: Troubled = lambda trouble: None,
    ) -> None:
        """`run` is drawn at random at each start of the hub: by it tables notice that it is another one.

        `troubled` is told, on the link's thread, what is in the way each time that it is something else, and None once
        nothing is any more.
        """
        self.presence = Presence(clock)
        self._core, self._entrance, self._run = core, entrance, run
        self._troubled = troubled
        self._told_trouble: Message | None = None
        self._announcer = Announcer(core.desk, core.tables, clock, run, habits or Habits())
        self._loop = asyncio.new_event_loop()
        self._stop, self._news = asyncio.Event(), asyncio.Event()
        self._thread = threading.Thread(target=self._serve, name="hub's link", daemon=True)
        self._unlisten: Callable[[], None] = lambda: None

    def start(self) -> None:
        """Begins; a carrier that is not there yet is waited for."""
        self._unlisten = self._core.views.listen(lambda revision: self._call(self._news.set))
        self._thread.start()

    def stop(self) -> None:
        """Ends; what was taken is on the disk."""
        self._unlisten()
        self._call(self._stop.set)
        self._thread.join()

    def _call(self, what: Callable[[], None]) -> None:
        with contextlib.suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(what)

    def _serve(self) -> None:
        try:
            self._loop.run_until_complete(self._live())
        except Exception:
            log.exception("the hub's link has ended")
        finally:
            left = asyncio.all_tasks(self._loop)  # of a connection that was broken at the end
            for task in left:
                task.cancel()
            if left:
                self._loop.run_until_complete(asyncio.wait(left, timeout=ENDS_WITHIN))
            self._loop.close()

    async def _live(self) -> None:
        while not self._stop.is_set():
            gone = asyncio.Event()
            try:
                connection = await self._entered(gone)
                if connection is None:
                    return
                await self._visit(connection, gone)
            except Exception as fault:
                log.exception("the hub's link failed and is begun again")
                self._failed(fault)
                await pause(self._stop, TRIES_AGAIN)

    async def _visit(self, connection: Client, gone: asyncio.Event) -> None:
        """Until the end of the hub, or until the carrier has shut the connection for good: then it is entered anew."""
        stream = Arriving(connection, self._core, self.presence, self._announcer, self._stop, self._news)
        taking = partial(stream.run, self._trouble, self._entrance.renew)
        saying = (partial(self._say_there, connection), partial(self._tell_news, connection))
        jobs = [asyncio.create_task(self._lasting(job)) for job in (stream.listen, taking, *saying)]
        await self._either(asyncio.create_task(gone.wait()))
        for job in jobs:
            job.cancel()
        await asyncio.wait(jobs, timeout=ENDS_WITHIN)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(connection.close(), ENDS_WITHIN)

    async def _lasting(self, job: Callable[[], Awaitable[None]]) -> None:
        """A job to its end. One that a fault has ended is begun again: without it the hub would be deaf or dumb."""
        while not self._stop.is_set():
            try:
                return await job()
            except Exception as fault:
                log.exception("a part of the hub's link failed and is begun again")
                self._failed(fault)
            await pause(self._stop, TRIES_AGAIN)

    def _failed(self, fault: Exception) -> None:
        reason = f"{type(fault).__name__}: {fault}"
        self._trouble(Message("tournament.hub.link_failed", {"reason": reason}))

    async def _entered(self, gone: asyncio.Event) -> Client | None:
        """The connection, however long that takes; None at the end of the hub."""

        async def closed() -> None:
            gone.set()

        while not self._stop.is_set():
            entering = asyncio.create_task(enter_as_hub(self._entrance, self._trouble, closed))
            await self._either(entering)
            try:
                return None if entering.cancelled() else entering.result()
            except FAULTS as fault:
                log.warning("the carrier is not there: %s", fault)
                await pause(self._stop, TRIES_AGAIN)
        return None

    async def _either(self, job: asyncio.Task[Any]) -> None:
        """Waits for a job or for the end of the hub, at which the job is given up."""
        stop = asyncio.create_task(self._stop.wait())
        await asyncio.wait((job, stop), return_when=asyncio.FIRST_COMPLETED)
        stop.cancel()
        if not job.done():
            job.cancel()
            await asyncio.wait((job,), timeout=ENDS_WITHIN)

    def _trouble(self, trouble: Message | None) -> None:
        if trouble != self._told_trouble:
            self._told_trouble = trouble
            try:
                self._troubled(trouble)
            except Exception:  # a terminal that is gone, say
                log.exception("the organiser was not told: %s", trouble)

    async def _say_there(self, connection: Client) -> None:
        while not self._stop.is_set():
            await say(connection, subjects.ALL_HUB, encode(Hub(hub=self._run)))
            await pause(self._stop, SAYS_EVERY)

    async def _tell_news(self, connection: Client) -> None:
        """Tells the tables what is new, all that happened within a moment at once."""
        revision, twins_told = None, frozenset[str]()
        while not self._stop.is_set():
            self._news.clear()
            twins = frozenset(table for table, each in self.presence.all().items() if each.twin)
            try:
                revision, outgoing = await asyncio.to_thread(self._news_after, revision, twins, twins != twins_told)
            except HubError as fault:
                log.error("the tables are not told: %s", fault)
                await pause(self._stop, TRIES_AGAIN)
                continue
            twins_told = twins
            for each in outgoing:
                await say(connection, *each)
            await self._news.wait()
            await pause(self._stop, GATHERS)

    def _news_after(self, revision: int | None, twins: frozenset[str], must: bool) -> tuple[int, list[Outgoing]]:
        """Nothing is reckoned for lines of a journal alone: they come all the time."""
        if revision is None:
            newest = self._core.views.revision()
            return newest, list(self._announcer.news(None, twins))
        changes = self._core.views.changes_after(revision)
        if not (must or changes.all or changes.tournaments or changes.tables):
            return changes.revision, []
        return changes.revision, list(self._announcer.news(None if changes.all else changes.tournaments, twins))
