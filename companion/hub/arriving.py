"""What tables send, on its way into the inbox, and the answers: how far the hub has each journal.

A JetStream stream keeps it until it is on the hub's disk: taken in groups, one transaction each, acknowledged to the
stream and to the tables only then. A hub that ends between the two takes some of it twice; the inbox does not mind.
What cannot be taken though the database is there is left out: its table has no receipt for it, keeps it and sends it
again.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Iterable, Sequence

from msgspec.structs import replace
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import Error as NatsError
from nats.js.client import JetStreamContext
from nats.js.errors import APIError

from companion.games.base import Message
from companion.hub.announcing import Announcer, Outgoing
from companion.hub.core import Core
from companion.hub.database import HubError, HubRefused
from companion.hub.entrance import Renew, Troubled, stream_consumer
from companion.hub.presence import Presence
from companion.messages import subjects
from companion.messages.wire import (
    Confirmation,
    Hello,
    JournalLines,
    Kind,
    Receipt,
    Receipts,
    RollPicture,
    WireError,
    decode,
    encode,
)

log = logging.getLogger(__name__)

TAKEN_AT_ONCE = 200
"""Messages of one transaction."""
FETCH_SECONDS = 2.0
TRIES_AGAIN = 1.0
TRIES, RENEWALS = 4, 3
"""How often the stream is asked for before the hub's own server gets an empty one, and how often it gets one."""
FAULTS = (NatsError, OSError, TimeoutError)
"""Of a carrier that is away."""


async def pause(stop: asyncio.Event, seconds: float) -> None:
    """Waits, but not beyond the end."""
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(stop.wait(), seconds)


async def say(connection: Client, subject: str, data: bytes) -> None:
    """What is not said because the carrier is away is asked for when it is back."""
    try:
        await connection.publish(subject, data)
    except FAULTS as fault:
        log.info("not said on %s: %s", subject, fault)


class Arriving:
    """`run` on the loop of the link, until `stop` is set; `news` is set when something changes that tables are told."""

    def __init__(
        self,
        connection: Client,
        core: Core,
        presence: Presence,
        announcer: Announcer,
        stop: asyncio.Event,
        news: asyncio.Event,
    ) -> None:
        self._connection, self._core, self._presence, self._announcer = connection, core, presence, announcer
        self._stop, self._news = stop, news
        self._left_out: dict[str, Message] = {}
        """Of each table what the organiser was told, until something of it is taken again."""

    async def listen(self) -> None:
        """Hears from now on what tables say that no stream keeps: that they are there, and pictures."""
        for kind, take in ((subjects.HELLO, self._take_hello), (subjects.SHOT, self._take_shot)):
            await self._connection.subscribe(subjects.up("*", kind), cb=take)

    async def run(self, troubled: Troubled, renew: Renew | None = None) -> None:
        """Takes what the stream holds, for ever. `troubled` is told why there is no stream, None once there is.

        `renew` puts the stream of the hub's own server aside and begins another one, after some tries and not for ever.
        """
        failed = renewed = 0
        while not self._stop.is_set():
            consumer = None
            try:
                consumer = await stream_consumer(self._connection)
                troubled(self._left())
                while not self._stop.is_set():
                    await self._take_some(consumer, troubled)
                    failed = 0
            except FAULTS as fault:
                log.info("the stream is interrupted: %s", fault)
                failed += isinstance(fault, APIError)
                if renew is not None and failed >= TRIES and renewed < RENEWALS:
                    failed, renewed = 0, renewed + 1
                    troubled(await asyncio.to_thread(renew))
                elif self._connection.is_connected and (renewed == RENEWALS or (renew is None and consumer is None)):
                    id = "broker.stream" if renew is None else "broker.no_stream"
                    troubled(Message(id, {"reason": str(fault) or type(fault).__name__}))
                await pause(self._stop, TRIES_AGAIN)

    async def _take_some(self, consumer: JetStreamContext.PullSubscription, troubled: Troubled) -> None:
        try:
            found = await consumer.fetch(TAKEN_AT_ONCE, timeout=FETCH_SECONDS)
        except TimeoutError:
            return
        receipts = await self._kept(found, troubled)
        if receipts is None:
            return
        for message in found:
            await message.ack()
        await self._answer(receipts)

    async def _kept(self, found: Sequence[Msg], troubled: Troubled) -> list[Receipt] | None:
        """Into the inbox. None at the end of the hub.

        What fails together is taken one by one: nothing that comes from one table may stop the others.
        """
        try:
            return await self._taken(found, troubled)
        except Exception as fault:
            if len(found) == 1:
                log.exception("what came on %s cannot be kept and is left out", found[0].subject)
                troubled(self._leave_out(found[0], fault))
                return []
            log.warning("%d messages cannot be kept together, now one by one: %r", len(found), fault)
        receipts: list[Receipt] = []
        for message in found:
            taken = await self._kept([message], troubled)
            if taken is None:
                return None
            receipts += taken
        return receipts

    async def _taken(self, found: Sequence[Msg], troubled: Troubled) -> list[Receipt] | None:
        """In one transaction, however long that takes: a database that is away comes back. None at the end of the hub.

        Raises HubRefused for what the database does not take, and whatever the program fails with.
        """
        batches, confirmations = _sorted(found)
        while not self._stop.is_set():
            try:
                taken = await asyncio.to_thread(self._core.inbox.take, batches, confirmations)
            except HubRefused:
                raise
            except HubError as fault:
                log.info("the inbox takes nothing: %s", fault)
                troubled(fault.message)
                await pause(self._stop, TRIES_AGAIN)
            else:
                for message in found:
                    self._left_out.pop(_table(message), None)
                troubled(self._left())
                return list(taken)
        return None

    def _leave_out(self, message: Msg, fault: Exception) -> Message:
        reason = fault.message if isinstance(fault, HubError) else f"{type(fault).__name__}: {fault}"
        table = _table(message)
        self._left_out[table] = Message("tournament.hub.passed_over", {"table": table, "reason": reason})
        return self._left_out[table]

    def _left(self) -> Message | None:
        """What the organiser still has to know when all else goes well."""
        return next(iter(self._left_out.values()), None)

    async def _answer(self, receipts: Iterable[Receipt]) -> None:
        by_table: dict[str, dict[tuple[int, int, int, str | None], Receipt]] = {}
        for each in receipts:
            by_table.setdefault(each.table, {})[each.epoch, each.branch, each.seq, each.problem] = each
        for table, found in by_table.items():
            await say(self._connection, *self._receipts(table, found.values(), all=False))

    async def _take_hello(self, raw: Msg) -> None:
        told = _told(raw, Hello)
        if told is None:
            return
        table, hello = told
        if self._presence.heard(table, hello):
            self._news.set()
        if hello.ask:
            try:
                receipts = await asyncio.to_thread(self._core.inbox.receipts, table)
            except HubError as fault:
                log.error("the hub cannot say what it has: %s", fault)
                return
            await say(self._connection, *self._receipts(table, receipts, all=True))
            for outgoing in self._announcer.everything_for(table):
                await say(self._connection, *outgoing)

    async def _take_shot(self, raw: Msg) -> None:
        told = _told(raw, RollPicture)
        if told is None:
            return
        table, picture = told
        try:
            await asyncio.to_thread(self._core.inbox.keep_picture, replace(picture, table=table))
        except HubError as fault:
            log.warning("a picture was not kept: %s", fault)

    def _receipts(self, table: str, receipts: Iterable[Receipt], *, all: bool) -> Outgoing:
        told = tuple(replace(each, table="") for each in receipts)
        return subjects.down(table, subjects.RECEIPTS), encode(
            Receipts(hub=self._announcer.hub, receipts=told, all=all)
        )


def _sorted(found: Iterable[Msg]) -> tuple[list[JournalLines], list[Confirmation]]:
    """What the inbox takes; what cannot be read is logged and gone: a table that means well never sends it."""
    batches: list[JournalLines] = []
    confirmations: list[Confirmation] = []
    for raw in found:
        try:
            table, kind = subjects.parts(raw.subject)
            if kind == subjects.LINES:
                batches.append(replace(decode(raw.data, JournalLines), table=table))
            elif kind == subjects.CONFIRMED:
                confirmations.append(replace(decode(raw.data, Confirmation), table=table))
        except (WireError, ValueError) as fault:
            log.warning("a message on %s was passed over: %s", raw.subject, fault)
    return batches, confirmations


def _table(raw: Msg) -> str:
    """Whose message it is; its subject for one that is nobody's."""
    try:
        return subjects.parts(raw.subject)[0]
    except (WireError, ValueError):
        return raw.subject


def _told(raw: Msg, kind: type[Kind]) -> tuple[str, Kind] | None:
    """Who said it, and what; None for what is no such message, which the log tells."""
    try:
        return subjects.parts(raw.subject)[0], decode(raw.data, kind)
    except (WireError, ValueError) as fault:
        log.warning("a message on %s was passed over: %s", raw.subject, fault)
        return None
