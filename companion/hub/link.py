"""The hub's side of the link: what tables send is taken in, they are told what is new; who is there."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from threading import Lock
from typing import Any

from msgspec.structs import replace
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import Error as NatsError
from nats.js.client import JetStreamContext
from nats.js.errors import APIError

from companion.clock import Clock
from companion.games.base import Message
from companion.hub.broker import BrokerLogin, Renew, Troubled, connect_to_broker, stream_consumer
from companion.hub.core import Core
from companion.hub.database import HubError, HubRefused
from companion.hub.registry import Tables
from companion.hub.tournament_service import TournamentService
from companion.language import reason_of
from companion.messages import subjects
from companion.messages.tournament import PageOf, board, called_match
from companion.messages.wire import (
    Board,
    CalledMatch,
    Confirmation,
    Hello,
    Hub,
    JournalLines,
    Kind,
    Receipt,
    Receipts,
    RollPicture,
    Side,
    State,
    WireError,
    decode,
    encode,
)
from companion.tournament.course import Match, course
from companion.tournament.facts import State as Standing

SILENCE = 16.0
"""Seconds after which a table that says nothing is away."""
TWIN_FOR = 60.0
"""Seconds for which two machines count as speaking with one token after they were heard in turn."""


@dataclass(frozen=True, slots=True)
class TablePresence:
    """A table as it was last heard. `waiting` counts its lines that it does not know here; `present` is by match.

    `twin`: two machines speak with its token. Keys of `present` are `tournament/match`.
    """

    online: bool
    since: datetime
    waiting: int = 0
    present: Mapping[str, tuple[Side, ...]] = field(default_factory=dict)
    twin: bool = False


@dataclass(slots=True)
class _Heard:
    run: str
    at: float
    since: datetime
    hello: Hello
    runs: dict[str, float]
    twin_at: float = float("-inf")


class Presence:
    """Safe to call from any thread."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._lock = Lock()
        self._heard: dict[str, _Heard] = {}

    def heard(self, table: str, hello: Hello) -> bool:
        """A table says that it is there; whether that changes anything that pages show."""
        now = self._clock.monotonic()
        with self._lock:
            found = self._heard.get(table)
            if found is None or now - found.at > SILENCE:
                self._heard[table] = _Heard(hello.run, now, self._clock.now(), hello, {hello.run: now})
                return True
            changed = (found.hello.present, found.hello.waiting) != (hello.present, hello.waiting)
            if hello.run != found.run:
                # A program that was started again speaks with a new run and never with the old one.
                if now - found.runs.get(hello.run, float("-inf")) < TWIN_FOR:
                    changed, found.twin_at = True, now
                found.run = hello.run
            found.runs[hello.run] = now
            found.at, found.hello = now, hello
            return changed

    def all(self) -> dict[str, TablePresence]:
        """Every table that was heard since the hub began."""
        with self._lock:
            return {table: self._shown(found) for table, found in self._heard.items()}

    def of(self, table: str) -> TablePresence | None:
        """One table, None if it was not heard."""
        with self._lock:
            found = self._heard.get(table)
            return None if found is None else self._shown(found)

    def _shown(self, found: _Heard) -> TablePresence:
        now = self._clock.monotonic()
        twin = now - found.twin_at < TWIN_FOR
        there = now - found.at <= SILENCE
        return TablePresence(there, found.since, found.hello.waiting, found.hello.present, twin)


# What the hub says to the tables: the match called to each, each tournament's board; again only if it is another.


@dataclass(frozen=True, slots=True)
class LinkOptions:
    """What the organiser chose: whether the referee confirms too, whether pictures of rolls may be shown; pages."""

    referee: Callable[[str], bool] = lambda tournament: False
    pictures: bool = False
    page: PageOf = lambda tournament, match: None
    pages: str | None = None
    """The address of the public pages."""


Outgoing = tuple[str, bytes]
"""A subject and what is said on it."""


class Announcer:
    """For one thread at a time."""

    def __init__(
        self, service: TournamentService, tables: Tables, clock: Clock, hub: str, options: LinkOptions
    ) -> None:
        self._service, self._tables, self._clock, self._options = service, tables, clock, options
        self.hub = hub
        """Drawn at random at each start of the hub."""
        self._states: dict[str, State] = {}
        self._boards: dict[str, Board] = {}

    def news(self, changed: frozenset[str] | None, twins: frozenset[str]) -> Iterator[Outgoing]:
        """What is another than when it was last said, where these tournaments have changed (None: all may have)."""
        # Both before anything counts as said: a database that goes away in between leaves all of it to be said again.
        boards, states = self._new_boards(changed), self._all_states(twins)
        for tournament, shown in boards.items():
            if self._said(self._boards.get(tournament)) != self._said(shown):
                self._boards[tournament] = shown
                yield subjects.board_subject(tournament), encode(shown)
        for table, state in states.items():
            if self._states.get(table) != state:
                self._states[table] = state
                yield subjects.downstream(table, subjects.STATE), encode(state)

    def everything_for(self, table: str) -> Iterator[Outgoing]:
        """What a table that comes is told."""
        state = self._states.get(table)
        if state is not None:
            yield subjects.downstream(table, subjects.STATE), encode(state)
            shown = self._boards.get(state.tournament or "")
            if shown is not None:
                yield subjects.downstream(table, subjects.BOARD), encode(shown)

    def _said(self, shown: Board | None) -> Board | None:
        """A board but for the time at which it is told."""
        return None if shown is None else replace(shown, told=0)

    def _new_boards(self, changed: frozenset[str] | None) -> dict[str, Board]:
        now = int(self._clock.now().timestamp())
        found = {}
        for row in self._service.all():
            if row.archived:
                self._boards.pop(row.id, None)
            elif row.forgotten is None and (changed is None or row.id in changed):
                state, frozen = self._service.public(row.id)
                found[row.id] = board(row.id, state, hub=self.hub, now=now, frozen=frozen, page=self._options.page)
        return found

    def _all_states(self, twins: frozenset[str]) -> dict[str, State]:
        calls = self._calls()
        newest = self._newest()
        found = {}
        for table in self._tables.all():
            match = calls.get(table.number)
            tournament = match.tournament if match is not None else self._last_of(table.id) or newest
            found[table.id] = State(
                hub=self.hub,
                table=table.number,
                tournament=tournament,
                name=None if tournament is None else self._service.state(tournament).plan.name,
                match=match,
                pictures=self._options.pictures,
                pages=self._options.pages,
                twin=table.id in twins,
            )
        return found

    def _last_of(self, table: str) -> str | None:
        """The tournament that a table last played in, as long as it is there."""
        last = self._states.get(table)
        return last.tournament if last is not None and last.tournament in self._boards else None

    def _newest(self) -> str | None:
        """The newest tournament that is not over; of several that one, for a table without a match."""
        rows = [row for row in self._service.all() if row.forgotten is None and not row.archived]
        return next((row.id for row in rows if not row.over), rows[0].id if rows else None)

    def _calls(self) -> dict[int, CalledMatch]:
        """The match called to each table; of several tournaments' the one that was called last."""
        found: dict[int, tuple[int, CalledMatch]] = {}
        for row in self._service.all():
            if row.archived:
                continue
            state = self._service.state(row.id)
            matches = course(state).matches
            games = self._service.games_counted(row.id) if state.calls else {}
            for call in state.calls.values():
                match = matches[call.match]
                told = replace(
                    called_match(row.id, state, match, page=self._options.page, again=games.get(match.id, 0)),
                    referee=self._options.referee(row.id),
                    review=_asked(state, match),
                )
                if call.table not in found or found[call.table][0] < call.clock:
                    found[call.table] = call.clock, told
        return {table: told for table, (_, told) in found.items()}


def _asked(state: Standing, match: Match) -> bool:
    """Whether the organiser is asked about this very match, or about the draw that it comes from."""
    return any(
        question.subject in (match.tie, match.id)
        or (question.kind == "redraw" and question.subject == str(match.round) and match.kind == "swiss")
        for question in course(state).questions
    )


# What tables send, on its way into the inbox, and the answers: how far the hub has each journal.


log = logging.getLogger(__name__)

TAKEN_AT_ONCE = 200
"""Messages of one transaction."""
FETCH_SECONDS = 2.0
TRIES_AGAIN = 1.0
TRIES, RENEWALS = 4, 3
"""How often the stream is asked for before the hub's own server gets an empty one, and how often it gets one."""
FAULTS = (NatsError, OSError, TimeoutError)
"""Of a broker that is away."""


async def pause(stop: asyncio.Event, seconds: float) -> None:
    """Waits, but not beyond the end."""
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(stop.wait(), seconds)


async def say(connection: Client, subject: str, data: bytes) -> None:
    """What is not said because the broker is away is asked for when it is back."""
    try:
        await connection.publish(subject, data)
    except FAULTS as fault:
        log.info("not said on %s: %s", subject, fault)


class Receiver:
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
            await self._connection.subscribe(subjects.upstream("*", kind), cb=take)

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
                    troubled(Message(id, {"reason": reason_of(fault)}))
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
        return subjects.downstream(table, subjects.RECEIPTS), encode(
            Receipts(hub=self._announcer.hub, receipts=told, all=all)
        )


def _sorted(found: Iterable[Msg]) -> tuple[list[JournalLines], list[Confirmation]]:
    """What the inbox takes; what cannot be read is logged and gone: a table that means well never sends it."""
    batches: list[JournalLines] = []
    confirmations: list[Confirmation] = []
    for raw in found:
        try:
            table, kind = subjects.parse_subject(raw.subject)
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
        return subjects.parse_subject(raw.subject)[0]
    except (WireError, ValueError):
        return raw.subject


def _told(raw: Msg, kind: type[Kind]) -> tuple[str, Kind] | None:
    """Who said it, and what; None for what is no such message, which the log tells."""
    try:
        return subjects.parse_subject(raw.subject)[0], decode(raw.data, kind)
    except (WireError, ValueError) as fault:
        log.warning("a message on %s was passed over: %s", raw.subject, fault)
        return None


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
        login: BrokerLogin,
        clock: Clock,
        run: str,
        options: LinkOptions | None = None,
        troubled: Troubled = lambda trouble: None,
    ) -> None:
        """`run` is drawn at random at each start of the hub: by it tables notice that it is another one.

        `troubled` is told, on the link's thread, what is in the way each time that it is something else, and None once
        nothing is any more.
        """
        self.presence = Presence(clock)
        self._core, self._login, self._run = core, login, run
        self._troubled = troubled
        self._told_trouble: Message | None = None
        self._announcer = Announcer(core.tournaments, core.tables, clock, run, options or LinkOptions())
        self._loop = asyncio.new_event_loop()
        self._stop, self._news = asyncio.Event(), asyncio.Event()
        self._thread = threading.Thread(target=self._serve, name="hub's link", daemon=True)
        self._unlisten: Callable[[], None] = lambda: None

    def start(self) -> None:
        """Begins; a broker that is not there yet is waited for."""
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
        """Until the end of the hub, or until the broker has shut the connection for good: then it is entered anew."""
        stream = Receiver(connection, self._core, self.presence, self._announcer, self._stop, self._news)
        taking = partial(stream.run, self._trouble, self._login.renew)
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
            entering = asyncio.create_task(connect_to_broker(self._login, self._trouble, closed))
            await self._either(entering)
            try:
                return None if entering.cancelled() else entering.result()
            except FAULTS as fault:
                log.warning("the broker is not there: %s", fault)
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
