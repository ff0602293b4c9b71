"""The hub's side of the link: takes what the tables send into the inbox, answers how far it is, tells them what is new.

What tables send is kept by a JetStream stream until it is on the hub's disk: taken in groups, one transaction each,
acknowledged to the stream and to the tables only then. A hub that ends between the two takes some of it twice, which
the inbox does not mind.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
from collections.abc import Callable, Iterable, Sequence

from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import Error as NatsError
from nats.js.client import JetStreamContext

from companion.clock import Clock
from companion.hub.announcing import Announcer, Habits, Outgoing
from companion.hub.core import Core
from companion.hub.entrance import Entrance, enter_as_hub, stream_consumer
from companion.hub.errors import HubError
from companion.hub.presence import Presence
from companion.hub.words import Batch, Confirmation, Picture, Receipt
from companion.wire import messages, subjects
from companion.wire.messages import Confirmed, Hello, Hub, Lines, Receipts, Shot, WireError, decode, encode

log = logging.getLogger(__name__)

TAKEN_AT_ONCE = 200
"""Messages of one transaction."""
FETCH_SECONDS = 2.0
SAYS_EVERY = 4.0
"""Seconds between two words that the hub is there."""
GATHERS = 0.2
"""Seconds for which changes are gathered before the tables are told."""
TRIES_AGAIN = 1.0
ENDS_WITHIN = 3.0
_FAULTS = (NatsError, OSError, TimeoutError)


class HubLink:
    """`start`, `stop`. A thread with an event loop of its own; `presence` may be asked from any thread."""

    def __init__(self, core: Core, entrance: Entrance, clock: Clock, run: str, habits: Habits | None = None) -> None:
        """`run` is drawn at random at each start of the hub: by it tables notice that it is another one."""
        self.presence = Presence(clock)
        self._core, self._entrance, self._run = core, entrance, run
        self._announcer = Announcer(core.desk, core.tables, clock, run, habits or Habits())
        self._loop = asyncio.new_event_loop()
        self._stop, self._news = asyncio.Event(), asyncio.Event()
        self._thread = threading.Thread(target=self._serve, name="hub's link", daemon=True)
        self._connection: Client | None = None
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
            self._loop.close()

    async def _live(self) -> None:
        while not self._stop.is_set():
            try:
                self._connection = await enter_as_hub(self._entrance)
                break
            except _FAULTS as fault:
                log.warning("the carrier is not there: %s", fault)
                await self._pause(TRIES_AGAIN)
        if self._connection is None:
            return
        jobs = [asyncio.create_task(job) for job in (self._take_all(), self._say_there(), self._tell_news())]
        await self._stop.wait()
        for job in jobs:
            job.cancel()
        await asyncio.wait(jobs, timeout=ENDS_WITHIN)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._connection.close(), ENDS_WITHIN)

    # What comes.

    async def _take_all(self) -> None:
        """Takes what the stream holds, for ever."""
        connection = self._connected()
        for kind, take in ((subjects.HELLO, self._take_hello), (subjects.SHOT, self._take_shot)):
            await connection.subscribe(subjects.up("*", kind), cb=take)
        while not self._stop.is_set():
            try:
                consumer = await stream_consumer(connection)
                while not self._stop.is_set():
                    await self._take_some(consumer)
            except _FAULTS as fault:
                log.warning("the stream is interrupted: %s", fault)
                await self._pause(TRIES_AGAIN)

    async def _take_some(self, consumer: JetStreamContext.PullSubscription) -> None:
        try:
            found = await consumer.fetch(TAKEN_AT_ONCE, timeout=FETCH_SECONDS)
        except TimeoutError:
            return
        batches, confirmations = _sorted(found)
        receipts = await self._kept(batches, confirmations)
        if receipts is None:
            return
        for message in found:
            await message.ack()
        await self._answer(receipts)

    async def _kept(
        self, batches: Sequence[Batch], confirmations: Sequence[Confirmation]
    ) -> tuple[Receipt, ...] | None:
        """Into the inbox, however long that takes: a database that is away comes back. None at the end of the hub."""
        while not self._stop.is_set():
            try:
                return await asyncio.to_thread(self._core.inbox.take, batches, confirmations)
            except HubError as fault:
                log.error("the inbox takes nothing: %s", fault)
                await self._pause(TRIES_AGAIN)
        return None

    async def _answer(self, receipts: Iterable[Receipt]) -> None:
        by_table: dict[str, dict[tuple[int, int, str | None], Receipt]] = {}
        for each in receipts:
            by_table.setdefault(each.table, {})[each.epoch, each.branch, each.problem] = each
        for table, found in by_table.items():
            await self._say(*self._receipts(table, found.values(), all=False))

    async def _take_hello(self, raw: Msg) -> None:
        try:
            table = subjects.parts(raw.subject)[0]
            hello = decode(raw.data, Hello)
        except (WireError, ValueError) as fault:
            log.warning("a message on %s was passed over: %s", raw.subject, fault)
            return
        if self.presence.heard(table, hello):
            self._news.set()
        if hello.ask:
            try:
                receipts = await asyncio.to_thread(self._core.inbox.receipts, table)
            except HubError as fault:
                log.error("the hub cannot say what it has: %s", fault)
                return
            await self._say(*self._receipts(table, receipts, all=True))
            for outgoing in self._announcer.everything_for(table):
                await self._say(*outgoing)

    async def _take_shot(self, raw: Msg) -> None:
        try:
            table = subjects.parts(raw.subject)[0]
            shot = decode(raw.data, Shot)
        except (WireError, ValueError) as fault:
            log.warning("a message on %s was passed over: %s", raw.subject, fault)
            return
        picture = Picture(table, shot.epoch, shot.seq, shot.what, shot.image, shot.die)
        try:
            await asyncio.to_thread(self._core.inbox.keep_picture, picture)
        except HubError as fault:
            log.warning("a picture was not kept: %s", fault)

    def _receipts(self, table: str, receipts: Iterable[Receipt], *, all: bool) -> Outgoing:
        told = tuple(
            messages.Receipt(
                epoch=each.epoch,
                seq=each.seq,
                chain=each.chain,
                branch=each.branch,
                confirmed=each.confirmed,
                problem=each.problem,
            )
            for each in receipts
        )
        return subjects.down(table, subjects.RECEIPTS), encode(Receipts(hub=self._run, receipts=told, all=all))

    # What goes.

    async def _say_there(self) -> None:
        while not self._stop.is_set():
            await self._say(subjects.ALL_HUB, encode(Hub(hub=self._run)))
            await self._pause(SAYS_EVERY)

    async def _tell_news(self) -> None:
        """Tells the tables what is new, all that happened within a moment at once."""
        revision, twins_told = None, frozenset[str]()
        while not self._stop.is_set():
            self._news.clear()
            twins = frozenset(table for table, each in self.presence.all().items() if each.twin)
            try:
                revision, outgoing = await asyncio.to_thread(self._news_after, revision, twins, twins != twins_told)
            except HubError as fault:
                log.error("the tables are not told: %s", fault)
                await self._pause(TRIES_AGAIN)
                continue
            twins_told = twins
            for each in outgoing:
                await self._say(*each)
            await self._news.wait()
            await self._pause(GATHERS)

    def _news_after(self, revision: int | None, twins: frozenset[str], must: bool) -> tuple[int, list[Outgoing]]:
        """Nothing is reckoned for lines of a journal alone: they come all the time."""
        if revision is None:
            newest = self._core.views.revision()
            return newest, list(self._announcer.news(None, twins))
        changes = self._core.views.changes_after(revision)
        if not (must or changes.all or changes.tournaments or changes.tables):
            return changes.revision, []
        return changes.revision, list(self._announcer.news(None if changes.all else changes.tournaments, twins))

    async def _say(self, subject: str, data: bytes) -> None:
        """What is not said because the carrier is away is asked for when it is back."""
        try:
            await self._connected().publish(subject, data)
        except _FAULTS as fault:
            log.info("not said on %s: %s", subject, fault)

    async def _pause(self, seconds: float) -> None:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._stop.wait(), seconds)

    def _connected(self) -> Client:
        if self._connection is None:
            raise OSError("not connected")
        return self._connection


def _sorted(found: Iterable[Msg]) -> tuple[list[Batch], list[Confirmation]]:
    """What the inbox takes; what cannot be read is logged and gone: a table that means well never sends it."""
    batches: list[Batch] = []
    confirmations: list[Confirmation] = []
    for raw in found:
        try:
            table, kind = subjects.parts(raw.subject)
            if kind == subjects.LINES:
                lines = decode(raw.data, Lines)
                batches.append(Batch(table, lines.epoch, lines.seq, lines.before, lines.lines))
            elif kind == subjects.CONFIRMED:
                told = decode(raw.data, Confirmed)
                confirmations.append(Confirmation(table, told.epoch, told.seq, told.chain, told.by))
        except (WireError, ValueError) as fault:
            log.warning("a message on %s was passed over: %s", raw.subject, fault)
    return batches, confirmations
