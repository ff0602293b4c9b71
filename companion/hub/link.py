"""The hub's side of the link: receives messages from tables, sends them updates, and tracks which tables are online."""

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
from companion.hub.broker import BrokerLogin, Renew, TroubleCallback, connect_to_broker, stream_consumer
from companion.hub.core import Core
from companion.hub.database import DatabaseError, DatabaseRejected
from companion.hub.registry import TableRegistry
from companion.hub.tournament_service import TournamentService
from companion.language import reason_of
from companion.messages import subjects
from companion.messages.tournament import PageOf, board, called_match
from companion.messages.wire import (
    CalledMatch,
    Confirmation,
    Hello,
    Hub,
    JournalLines,
    Kind,
    Receipt,
    Receipts,
    RollPicture,
    Ruling,
    Side,
    StandingsBoard,
    TableState,
    WireError,
    decode,
    encode,
)
from companion.tournament.facts import TournamentState as Standing
from companion.tournament.progress import Match, name_of, progress_of

SILENCE_TIMEOUT_S = 16.0
"""Seconds without a message after which a table is offline."""
TWIN_TIMEOUT_S = 60.0
"""Seconds for which two machines count as sharing one token after they alternated."""


@dataclass(frozen=True, slots=True)
class TablePresence:
    """State of a table at its last message.

    - `since`: beginning of its presence; `last`: time of its last message
    - `waiting`: number of its lines that the hub does not have yet
    - `present`: the sides that checked in, by `tournament/match`
    - `twin`: two machines use its token
    """

    online: bool
    since: datetime
    last: datetime
    waiting: int = 0
    present: Mapping[str, tuple[Side, ...]] = field(default_factory=dict)
    twin: bool = False


@dataclass(slots=True)
class _TableContact:
    run: str
    at: float
    since: datetime
    last: datetime
    hello: Hello
    runs: dict[str, float]
    twin_at: float = float("-inf")


class Presence:
    """The tables that sent a message. Safe to call from any thread."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._lock = Lock()
        self._contacts: dict[str, _TableContact] = {}

    def record_hello(self, table: str, hello: Hello) -> bool:
        """Record a table's hello message. Returns whether it changes something that pages show."""
        now = self._clock.monotonic()
        with self._lock:
            found = self._contacts.get(table)
            if found is None or now - found.at > SILENCE_TIMEOUT_S:
                date = self._clock.now()
                self._contacts[table] = _TableContact(hello.run, now, date, date, hello, {hello.run: now})
                return True
            changed = (found.hello.present, found.hello.waiting) != (hello.present, hello.waiting)
            if hello.run != found.run:
                # A restarted program uses a new run id and never the old one again.
                if now - found.runs.get(hello.run, float("-inf")) < TWIN_TIMEOUT_S:
                    changed, found.twin_at = True, now
                found.run = hello.run
            found.runs[hello.run] = now
            found.at, found.last, found.hello = now, self._clock.now(), hello
            return changed

    def all(self) -> dict[str, TablePresence]:
        """Return every table that was heard since the hub started."""
        with self._lock:
            return {table: self._presence_of(found) for table, found in self._contacts.items()}

    def of(self, table: str) -> TablePresence | None:
        """Return one table, or None if it was not heard."""
        with self._lock:
            found = self._contacts.get(table)
            return None if found is None else self._presence_of(found)

    def _presence_of(self, contact: _TableContact) -> TablePresence:
        now = self._clock.monotonic()
        twin = now - contact.twin_at < TWIN_TIMEOUT_S
        there = now - contact.at <= SILENCE_TIMEOUT_S
        return TablePresence(there, contact.since, contact.last, contact.hello.waiting, contact.hello.present, twin)


# Messages to the tables: each table's called match, each tournament's board. Sent again only after a change.


@dataclass(frozen=True, slots=True)
class LinkOptions:
    """The organiser's options: referee confirmation, pictures of rolls, and page addresses."""

    referee: Callable[[str], bool] = lambda tournament: False
    pictures: bool = False
    page: PageOf = lambda tournament, match: None
    pages: str | None = None
    """Address of the public pages."""


Outgoing = tuple[str, bytes]
"""A subject and the message for it."""


class TableNotifier:
    """Computes the messages to the tables. For one thread at a time."""

    def __init__(
        self, service: TournamentService, tables: TableRegistry, clock: Clock, hub: str, options: LinkOptions
    ) -> None:
        self._service, self._tables, self._clock, self._options = service, tables, clock, options
        self.hub = hub
        """Random id of this run of the hub."""
        self._states: dict[str, TableState] = {}
        self._boards: dict[str, StandingsBoard] = {}

    def changed_messages(self, changed: frozenset[str] | None, twins: frozenset[str]) -> Iterator[Outgoing]:
        """Yield the messages that changed since they were last sent.

        `changed` names the tournaments to check (None: all).
        """
        # Compute both before anything counts as sent: if the database fails in between, everything is sent again.
        boards, states = self._new_boards(changed), self._all_states(twins)
        for tournament, current in boards.items():
            if self._without_time(self._boards.get(tournament)) != self._without_time(current):
                self._boards[tournament] = current
                yield subjects.board_subject(tournament), encode(current)
        for table, state in states.items():
            if self._states.get(table) != state:
                self._states[table] = state
                yield subjects.downstream(table, subjects.STATE), encode(state)

    def messages_for(self, table: str) -> Iterator[Outgoing]:
        """Yield the messages for a table that connects."""
        state = self._states.get(table)
        if state is not None:
            yield subjects.downstream(table, subjects.STATE), encode(state)
            current = self._boards.get(state.tournament or "")
            if current is not None:
                yield subjects.downstream(table, subjects.BOARD), encode(current)

    def _without_time(self, unsent: StandingsBoard | None) -> StandingsBoard | None:
        """Return a board without its timestamp, for comparison."""
        return None if unsent is None else replace(unsent, told=0)

    def _new_boards(self, changed: frozenset[str] | None) -> dict[str, StandingsBoard]:
        now = int(self._clock.now().timestamp())
        found = {}
        for row in self._service.all():
            if row.archived:
                self._boards.pop(row.id, None)
            elif row.forgotten is None and (changed is None or row.id in changed):
                state, frozen = self._service.public_state(row.id)
                found[row.id] = board(row.id, state, hub=self.hub, now=now, frozen=frozen, page=self._options.page)
        return found

    def _all_states(self, twins: frozenset[str]) -> dict[str, TableState]:
        calls = self._calls()
        newest, referee_pin = self._newest(), self._tables.referee_pin()
        found = {}
        for table in self._tables.all():
            match = calls.get(table.number)
            tournament = match.tournament if match is not None else self._last_of(table.id) or newest
            found[table.id] = TableState(
                hub=self.hub,
                table=table.number,
                tournament=tournament,
                name=None if tournament is None else self._service.state(tournament).plan.name,
                match=match,
                pictures=self._options.pictures,
                pages=self._options.pages,
                referee_pin=referee_pin,
                twin=table.id in twins,
                ruling=self._ruling(tournament, table.number, match),
            )
        return found

    def _ruling(self, tournament: str | None, table: int, called: CalledMatch | None) -> Ruling | None:
        """Return what the organiser decided about the table's last match, until another one is called."""
        if tournament is None:
            return None
        found = self._service.rulings(tournament).get(table)
        if found is None or (called is not None and called.match != found.match):
            return None
        state = self._service.state(tournament)
        match = progress_of(state).matches.get(found.match)
        if match is None:
            return None
        return Ruling(
            tournament=tournament,
            match=match.id,
            home=name_of(state, match.home),
            away=name_of(state, match.away),
            score=match.score if match.over else None,
            why=found.why,
        )

    def _last_of(self, table: str) -> str | None:
        """Return the tournament that a table last played in, if it still exists."""
        last = self._states.get(table)
        return last.tournament if last is not None and last.tournament in self._boards else None

    def _newest(self) -> str | None:
        """Return the newest unfinished tournament, for a table without a match."""
        rows = [row for row in self._service.all() if row.forgotten is None and not row.archived]
        return next((row.id for row in rows if not row.over), rows[0].id if rows else None)

    def _calls(self) -> dict[int, CalledMatch]:
        """Return the match called to each table. With several tournaments, the latest call wins."""
        found: dict[int, tuple[int, CalledMatch]] = {}
        for row in self._service.all():
            if row.archived:
                continue
            state = self._service.state(row.id)
            matches = progress_of(state).matches
            games = self._service.games_counted(row.id) if state.calls else {}
            for call in state.calls.values():
                match = matches[call.match]
                called = replace(
                    called_match(row.id, state, match, page=self._options.page, again=games.get(match.id, 0)),
                    referee=self._options.referee(row.id),
                    review=_is_under_review(state, match),
                )
                if call.table not in found or found[call.table][0] < call.clock:
                    found[call.table] = call.clock, called
        return {table: told for table, (_, told) in found.items()}


def _is_under_review(state: Standing, match: Match) -> bool:
    """Return whether the organiser has an open question about this match or the draw that it comes from."""
    return any(
        question.subject in (match.tie, match.id)
        or (question.kind == "redraw" and question.subject == str(match.round) and match.kind == "swiss")
        for question in progress_of(state).questions
    )


# Messages from the tables on their way into the inbox, and the answers: the state of each journal.


log = logging.getLogger(__name__)

MAX_FETCHED_MESSAGES = 200
"""Maximum number of messages in one transaction."""
FETCH_TIMEOUT_S = 2.0
RETRY_INTERVAL_S = 1.0
MAX_STREAM_ATTEMPTS, MAX_STREAM_RENEWALS = 4, 3
"""Failed attempts before the hub's own server gets an empty stream, and maximum number of such replacements."""
BROKER_ERRORS = (NatsError, OSError, TimeoutError)
"""Errors of an unreachable broker."""


async def pause(stop: asyncio.Event, seconds: float) -> None:
    """Wait for some seconds, or until `stop` is set."""
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(stop.wait(), seconds)


async def publish(connection: Client, subject: str, data: bytes) -> None:
    """Publish a message. If the broker is unreachable the message is dropped; tables ask for it when it is back."""
    try:
        await connection.publish(subject, data)
    except BROKER_ERRORS as fault:
        log.info("not said on %s: %s", subject, fault)


class Receiver:
    """Receives the tables' messages. Call `run` on the link's event loop; it ends when `stop` is set.

    `changed_messages` is set when something changes that the tables must be told.
    """

    def __init__(
        self,
        connection: Client,
        core: Core,
        presence: Presence,
        announcer: TableNotifier,
        stop: asyncio.Event,
        news: asyncio.Event,
    ) -> None:
        self._connection, self._core, self._presence, self._announcer = connection, core, presence, announcer
        self._stop, self._news = stop, news
        self._signers: dict[str, object] = {}
        """Confirmations and disputes of each table as recorded last."""
        self._skipped: dict[str, Message] = {}
        """Last problem reported to the organiser for each table, until a message of the table succeeds again."""

    async def listen(self) -> None:
        """Subscribe to the messages that no stream stores: hello messages and pictures."""
        for kind, handler in ((subjects.HELLO, self._handle_hello), (subjects.SHOT, self._handle_picture)):
            await self._connection.subscribe(subjects.upstream("*", kind), cb=handler)

    async def run(self, on_trouble: TroubleCallback, renew: Renew | None = None) -> None:
        """Process the stream until `stop` is set.

        `on_trouble` is called with the problem if there is no stream, and with None once there is.

        `renew` replaces the damaged stream of the hub's own server after several failures, a limited number of
        times.
        """
        failed = renewed = 0
        while not self._stop.is_set():
            consumer = None
            try:
                consumer = await stream_consumer(self._connection)
                on_trouble(self._skipped_message())
                while not self._stop.is_set():
                    await self._process_messages(consumer, on_trouble)
                    failed = 0
            except BROKER_ERRORS as fault:
                log.info("the stream is interrupted: %s", fault)
                failed += isinstance(fault, APIError)
                if renew is not None and failed >= MAX_STREAM_ATTEMPTS and renewed < MAX_STREAM_RENEWALS:
                    failed, renewed = 0, renewed + 1
                    on_trouble(await asyncio.to_thread(renew))
                elif self._connection.is_connected and (
                    renewed == MAX_STREAM_RENEWALS or (renew is None and consumer is None)
                ):
                    id = "broker.stream" if renew is None else "broker.no_stream"
                    on_trouble(Message(id, {"reason": reason_of(fault)}))
                await pause(self._stop, RETRY_INTERVAL_S)

    async def _process_messages(self, consumer: JetStreamContext.PullSubscription, on_trouble: TroubleCallback) -> None:
        try:
            found = await consumer.fetch(MAX_FETCHED_MESSAGES, timeout=FETCH_TIMEOUT_S)
        except TimeoutError:
            return
        receipts = await self._store_messages(found, on_trouble)
        if receipts is None:
            return
        for message in found:
            await message.ack()
        await self._answer(receipts)

    async def _store_messages(self, found: Sequence[Msg], on_trouble: TroubleCallback) -> list[Receipt] | None:
        """Store messages in the inbox. Returns None if the hub stops.

        If a group fails, its messages are stored one by one: one table's message must not block the others.
        """
        try:
            return await self._store_together(found, on_trouble)
        except Exception as fault:
            if len(found) == 1:
                log.exception("what came on %s cannot be kept and is left out", found[0].subject)
                on_trouble(self._skip(found[0], fault))
                return []
            log.warning("%d messages cannot be kept together, now one by one: %r", len(found), fault)
        receipts: list[Receipt] = []
        for message in found:
            taken = await self._store_messages([message], on_trouble)
            if taken is None:
                return None
            receipts += taken
        return receipts

    async def _store_together(self, found: Sequence[Msg], on_trouble: TroubleCallback) -> list[Receipt] | None:
        """Store messages in one transaction. Retries until the database is available; returns None if the hub stops.

        Raises: DatabaseRejected, if the database rejects the data; also any error of the program.
        """
        batches, confirmations = _parse_messages(found)
        while not self._stop.is_set():
            try:
                taken = await asyncio.to_thread(self._core.inbox.accept, batches, confirmations)
            except DatabaseRejected:
                raise
            except DatabaseError as fault:
                log.info("the inbox takes nothing: %s", fault)
                on_trouble(fault.message)
                await pause(self._stop, RETRY_INTERVAL_S)
            else:
                for message in found:
                    self._skipped.pop(_sender_of(message), None)
                on_trouble(self._skipped_message())
                return list(taken)
        return None

    def _skip(self, message: Msg, fault: Exception) -> Message:
        reason = fault.message if isinstance(fault, DatabaseError) else f"{type(fault).__name__}: {fault}"
        table = _sender_of(message)
        self._skipped[table] = Message("tournament.hub.passed_over", {"table": table, "reason": reason})
        return self._skipped[table]

    def _skipped_message(self) -> Message | None:
        """Return a problem that is still open for the organiser when everything else works."""
        return next(iter(self._skipped.values()), None)

    async def _answer(self, receipts: Iterable[Receipt]) -> None:
        by_table: dict[str, dict[tuple[int, int, int, str | None], Receipt]] = {}
        for each in receipts:
            by_table.setdefault(each.table, {})[each.epoch, each.branch, each.seq, each.problem] = each
        for table, found in by_table.items():
            await publish(self._connection, *self._receipts(table, found.values(), all=False))

    async def _handle_hello(self, raw: Msg) -> None:
        parsed = _parse_message(raw, Hello)
        if parsed is None:
            return
        table, hello = parsed
        if self._presence.record_hello(table, hello):
            self._news.set()
        await self._record_signers(table, hello)
        if hello.ask:
            try:
                receipts = await asyncio.to_thread(self._core.inbox.receipts, table)
            except DatabaseError as fault:
                log.error("the hub cannot say what it has: %s", fault)
                return
            await publish(self._connection, *self._receipts(table, receipts, all=True))
            for outgoing in self._announcer.messages_for(table):
                await publish(self._connection, *outgoing)

    async def _record_signers(self, table: str, hello: Hello) -> None:
        """Record confirmations and disputes that changed since the last message of the table."""
        signers = hello.disputes, hello.confirmed
        if self._signers.get(table) == signers:
            return
        try:
            if await asyncio.to_thread(self._core.inbox.record_signers, table, hello):
                self._signers[table] = signers
        except DatabaseError as fault:
            log.warning("who confirmed a result was not kept: %s", fault)

    async def _handle_picture(self, raw: Msg) -> None:
        parsed = _parse_message(raw, RollPicture)
        if parsed is None:
            return
        table, picture = parsed
        try:
            await asyncio.to_thread(self._core.inbox.store_picture, replace(picture, table=table))
        except DatabaseError as fault:
            log.warning("a picture was not kept: %s", fault)

    def _receipts(self, table: str, receipts: Iterable[Receipt], *, all: bool) -> Outgoing:
        own_receipts = tuple(replace(each, table="") for each in receipts)
        return subjects.downstream(table, subjects.RECEIPTS), encode(
            Receipts(hub=self._announcer.hub, receipts=own_receipts, all=all)
        )


def _parse_messages(found: Iterable[Msg]) -> tuple[list[JournalLines], list[Confirmation]]:
    """Sort messages into batches and confirmations.

    Unreadable messages are logged and dropped: a correct table sends none.
    """
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


def _sender_of(raw: Msg) -> str:
    """Return the table of a message, or its subject if it has no table."""
    try:
        return subjects.parse_subject(raw.subject)[0]
    except (WireError, ValueError):
        return raw.subject


def _parse_message(raw: Msg, kind: type[Kind]) -> tuple[str, Kind] | None:
    """Return the table and the decoded message. Returns None for an invalid message, which is logged."""
    try:
        return subjects.parse_subject(raw.subject)[0], decode(raw.data, kind)
    except (WireError, ValueError) as fault:
        log.warning("a message on %s was passed over: %s", raw.subject, fault)
        return None


HEARTBEAT_INTERVAL_S = 4.0
"""Seconds between two heartbeats of the hub."""
DEBOUNCE_S = 0.2
"""Seconds for which changes are collected before they are sent to the tables."""
STOP_TIMEOUT_S = 3.0


class HubLink:
    """The hub's connection to the tables: `start`, `stop`.

    Runs an event loop in its own thread; `presence` is thread-safe.
    """

    def __init__(
        self,
        core: Core,
        login: BrokerLogin,
        clock: Clock,
        run: str,
        options: LinkOptions | None = None,
        on_trouble: TroubleCallback = lambda trouble: None,
    ) -> None:
        """Prepare the link.

        Args:
            run: random id of this start of the hub, by which tables detect a restart.
            on_trouble: called on the link's thread with each new problem, and with None when it is solved.
        """
        self.presence = Presence(clock)
        self._core, self._login, self._run = core, login, run
        self._on_trouble = on_trouble
        self._reported_trouble: Message | None = None
        self._announcer = TableNotifier(core.tournaments, core.tables, clock, run, options or LinkOptions())
        self._loop = asyncio.new_event_loop()
        self._stop, self._news = asyncio.Event(), asyncio.Event()
        self._thread = threading.Thread(target=self._serve, name="hub's link", daemon=True)
        self._unlisten: Callable[[], None] = lambda: None

    def start(self) -> None:
        """Start the thread. It waits for a broker that is not available yet."""
        self._unlisten = self._core.views.listen(lambda revision: self._call(self._news.set))
        self._thread.start()

    def stop(self) -> None:
        """Stop the thread. All received messages are on the disk."""
        self._unlisten()
        self._call(self._stop.set)
        self._thread.join()

    def _call(self, what: Callable[[], None]) -> None:
        with contextlib.suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(what)

    def _serve(self) -> None:
        try:
            self._loop.run_until_complete(self._run_until_stopped())
        except Exception:
            log.exception("the hub's link has ended")
        finally:
            left = asyncio.all_tasks(self._loop)  # tasks of a connection that broke at the end
            for task in left:
                task.cancel()
            if left:
                self._loop.run_until_complete(asyncio.wait(left, timeout=STOP_TIMEOUT_S))
            self._loop.close()

    async def _run_until_stopped(self) -> None:
        while not self._stop.is_set():
            gone = asyncio.Event()
            try:
                connection = await self._connect(gone)
                if connection is None:
                    return
                await self._serve_connection(connection, gone)
            except Exception as fault:
                log.exception("the hub's link failed and is begun again")
                self._report_failure(fault)
                await pause(self._stop, RETRY_INTERVAL_S)

    async def _serve_connection(self, connection: Client, gone: asyncio.Event) -> None:
        """Serve one connection until the hub stops or the broker closes it permanently; the caller then reconnects."""
        stream = Receiver(connection, self._core, self.presence, self._announcer, self._stop, self._news)
        receiving = partial(stream.run, self._report_trouble, self._login.renew)
        announcing = (partial(self._send_heartbeats, connection), partial(self._send_changes, connection))
        jobs = [asyncio.create_task(self._run_restarting(job)) for job in (stream.listen, receiving, *announcing)]
        await self._wait_or_stop(asyncio.create_task(gone.wait()))
        for job in jobs:
            job.cancel()
        await asyncio.wait(jobs, timeout=STOP_TIMEOUT_S)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(connection.close(), STOP_TIMEOUT_S)

    async def _run_restarting(self, job: Callable[[], Awaitable[None]]) -> None:
        """Run a job to its end and restart it after an error: without its jobs the hub neither receives nor sends."""
        while not self._stop.is_set():
            try:
                return await job()
            except Exception as fault:
                log.exception("a part of the hub's link failed and is begun again")
                self._report_failure(fault)
            await pause(self._stop, RETRY_INTERVAL_S)

    def _report_failure(self, fault: Exception) -> None:
        reason = f"{type(fault).__name__}: {fault}"
        self._report_trouble(Message("tournament.hub.link_failed", {"reason": reason}))

    async def _connect(self, gone: asyncio.Event) -> Client | None:
        """Connect, however long it takes. Returns None if the hub stops."""

        async def closed() -> None:
            gone.set()

        while not self._stop.is_set():
            entering = asyncio.create_task(connect_to_broker(self._login, self._report_trouble, closed))
            await self._wait_or_stop(entering)
            try:
                return None if entering.cancelled() else entering.result()
            except BROKER_ERRORS as fault:
                log.warning("the broker is not there: %s", fault)
                await pause(self._stop, RETRY_INTERVAL_S)
        return None

    async def _wait_or_stop(self, job: asyncio.Task[Any]) -> None:
        """Wait for a job or for the hub's stop, which cancels the job."""
        stop = asyncio.create_task(self._stop.wait())
        await asyncio.wait((job, stop), return_when=asyncio.FIRST_COMPLETED)
        stop.cancel()
        if not job.done():
            job.cancel()
            await asyncio.wait((job,), timeout=STOP_TIMEOUT_S)

    def _report_trouble(self, trouble: Message | None) -> None:
        if trouble != self._reported_trouble:
            self._reported_trouble = trouble
            try:
                self._on_trouble(trouble)
            except Exception:  # for example a closed terminal
                log.exception("the organiser was not told: %s", trouble)

    async def _send_heartbeats(self, connection: Client) -> None:
        while not self._stop.is_set():
            await publish(connection, subjects.ALL_HUB, encode(Hub(hub=self._run)))
            await pause(self._stop, HEARTBEAT_INTERVAL_S)

    async def _send_changes(self, connection: Client) -> None:
        """Send the tables what has changed. Changes within a short time are sent together."""
        revision, sent_twins = None, frozenset[str]()
        while not self._stop.is_set():
            self._news.clear()
            twins = frozenset(table for table, each in self.presence.all().items() if each.twin)
            try:
                revision, outgoing = await asyncio.to_thread(self._messages_after, revision, twins, twins != sent_twins)
            except DatabaseError as fault:
                log.error("the tables are not told: %s", fault)
                await pause(self._stop, RETRY_INTERVAL_S)
                continue
            sent_twins = twins
            for each in outgoing:
                await publish(connection, *each)
            await self._news.wait()
            await pause(self._stop, DEBOUNCE_S)

    def _messages_after(self, revision: int | None, twins: frozenset[str], must: bool) -> tuple[int, list[Outgoing]]:
        """Return the new revision and the messages to send.

        New journal lines alone cause no work: they arrive all the time.
        """
        if revision is None:
            newest = self._core.views.revision()
            return newest, list(self._announcer.changed_messages(None, twins))
        changes = self._core.views.changes_after(revision)
        if not (must or changes.all or changes.tournaments or changes.tables):
            return changes.revision, []
        return changes.revision, list(
            self._announcer.changed_messages(None if changes.all else changes.tournaments, twins)
        )
