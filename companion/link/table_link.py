"""The link of a table: `HubPort` over NATS, with a thread and an event loop of its own."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import ssl
import threading
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

import nats
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import Error as NatsError
from nats.errors import NoServersError

from companion.clock import Clock
from companion.games.base import Message
from companion.journal.database import StoreError
from companion.link.notes import TableNotes, load
from companion.link.sender import LinkStorage
from companion.messages import subjects
from companion.messages.tls import Sealed, Unsealed
from companion.messages.token import BY_AUTHORITY, PORT, Token, address_of, bracketed, certificate_print, fault_of, read
from companion.messages.wire import (
    VERSION,
    Board,
    Confirmation,
    Hello,
    Hub,
    Problem,
    Receipts,
    State,
    WireError,
    decode,
    encode,
)
from companion.table.hub_port import HubLook, Side, Signer

log = logging.getLogger(__name__)

SECONDS = 5.0
"""For each step of connecting."""
WEB_SECONDS = 2.0
"""For a server of web pages to answer."""
_REFUSALS = ("authorization violation", "authentication")

OnClosed = Callable[[], Awaitable[None]]


class Refused(Exception):
    """The hub does not take the table's key."""


class Stranger(Exception):
    """What answers at the address is not the hub that the token names."""


class WrongPort(Stranger):
    """What answers is no NATS server: the address leads to another port, to that of the hub's pages for one."""


class Away(Exception):
    """Nothing answers; it will some day."""


async def enter(host: str, port: int, token: Token, closed: OnClosed, seconds: float = SECONDS) -> Client:
    """A connection as the token's table; `closed` is awaited when it ends. Raises Refused, Stranger, Away.

    Each step takes so many `seconds` at most.
    """
    try:
        context = await _trusted(host, port, token, seconds)
        return await nats.connect(
            f"nats://{bracketed(host)}:{port}",
            tls=context,
            user=token.table,
            password=context.only_sealed(lambda: token.key),
            name=token.table,
            allow_reconnect=False,
            max_reconnect_attempts=1,
            reconnect_time_wait=0,
            connect_timeout=max(1, int(seconds)),
            ping_interval=5,
            max_outstanding_pings=2,
            inbox_prefix=f"_INBOX_{token.table}",
            error_cb=_log,
            closed_cb=closed,
        )
    except (ssl.SSLCertVerificationError, Unsealed) as fault:
        raise Stranger(str(fault)) from None
    except NoServersError as fault:
        raise Away(str(fault)) from None
    except NatsError as fault:
        if any(sign in str(fault).lower() for sign in _REFUSALS):
            raise Refused(str(fault)) from None
        raise Away(str(fault)) from None
    except (OSError, TimeoutError, EOFError) as fault:
        raise Away(str(fault)) from None


async def _trusted(host: str, port: int, token: Token, seconds: float) -> Sealed:
    """What trusts the hub's certificate and no other; the system's authorities where the token names none."""
    reader, writer = await asyncio.wait_for(asyncio.open_connection(host, port), seconds)
    try:
        await _greeted(host, port, reader, writer, seconds)
        if token.certificate == BY_AUTHORITY:
            return Sealed.by_authority()
        der = await asyncio.wait_for(_shown_certificate(host, port, writer), seconds)
    finally:
        writer.close()
    if certificate_print(der) != token.certificate:
        raise Stranger(f"{host}:{port} shows another certificate")
    context = Sealed()
    context.check_hostname = False  # the hub is known by its certificate; its address is the hall's and changes
    context.load_verify_locations(cadata=ssl.DER_cert_to_PEM_cert(der))
    return context


async def _greeted(
    host: str, port: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, seconds: float
) -> None:
    """A NATS server speaks first. One that does not is asked whether it is one of web pages."""
    try:
        greeting = await asyncio.wait_for(reader.readline(), seconds)
    except TimeoutError:
        if await _serves_pages(host, port, reader, writer):
            raise WrongPort(f"{host}:{port} serves web pages") from None
        raise
    except ValueError:  # no line of this length is a greeting
        raise WrongPort(f"{host}:{port} is no NATS server") from None
    if not greeting.endswith(b"\n"):
        raise Away(f"{host}:{port} hung up")  # on its way down, or the network is
    if not greeting.startswith(b"INFO "):
        raise WrongPort(f"{host}:{port} is no NATS server")


async def _serves_pages(host: str, port: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
    """Whether somebody who waits to be spoken to answers as HTTP does, or as HTTPS, which hangs up on the former."""
    try:
        writer.write(b"HEAD / HTTP/1.0\r\n\r\n")
        answer = await asyncio.wait_for(reader.read(5), WEB_SECONDS)
        if answer:
            return answer == b"HTTP/"
        _, sealed = await asyncio.wait_for(asyncio.open_connection(host, port, ssl=_looking()), WEB_SECONDS)
        sealed.close()
    except (OSError, TimeoutError):
        return False
    return True


async def _shown_certificate(host: str, port: int, writer: asyncio.StreamWriter) -> bytes:
    """The certificate (DER) that a NATS server shows, after its greeting. Nothing is told to it."""
    try:
        await writer.start_tls(_looking())
    except ssl.SSLError as fault:
        raise Stranger(f"{host}:{port}: {fault}") from None
    session = writer.get_extra_info("ssl_object")
    der: bytes | None = session.getpeercert(binary_form=True)
    if der is None:
        raise Stranger(f"{host}:{port} shows no certificate")
    return der


def _looking() -> ssl.SSLContext:
    """Takes any certificate; nothing secret is told over it."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def _worth_saying(record: logging.LogRecord) -> bool:
    """asyncio warns whenever a server hangs up on a connection that was sealed after it began, as NATS has it."""
    return not str(record.msg).startswith("returning true from eof_received()")


logging.getLogger("asyncio").addFilter(_worth_saying)


async def _log(fault: Exception) -> None:
    log.info("the link to the hub: %s", fault)


# One connection to the hub, from first word to last: what is read and sent, when the hub counts as there.


@dataclass(frozen=True, slots=True)
class Intervals:
    """Seconds: between two words to the hub, while it is asked; between two looks at the store; until it is missed.

    `gather` is the least between two messages of lines: what comes quicker goes together; pages show no more.
    """

    hello: float = 5.0
    asking: float = 1.0
    look: float = 0.5
    gather: float = 0.1
    silence: float = 16.0
    retry_least: float = 0.5
    retry_most: float = 10.0
    refused: float = 20.0
    confirming: float = 2.0


@dataclass(frozen=True, slots=True)
class TableIdentity:
    """Who speaks to the hub: the table's id, and what was drawn at random at this start of the program."""

    table: str
    run: str


class HubConnection:
    """Runs until the connection ends or `over` says so."""

    def __init__(
        self,
        connection: Client,
        caller: TableIdentity,
        side: TableNotes,
        storage: LinkStorage,
        pace: Intervals,
        wake: asyncio.Event,
    ) -> None:
        self._connection, self._table, self._run = connection, caller.table, caller.run
        self._side, self._storage, self._intervals, self._wake = side, storage, pace, wake
        self._hub: str | None = None
        self._heard = float("-inf")
        self._said = self._sent = float("-inf")
        self._confirmed_at = float("-inf")
        self._version: int | None = None
        self._told: object = None

    async def run(self, over: Callable[[], bool]) -> None:
        """Raises nothing for a connection that breaks."""
        try:
            for subject in subjects.table_may_read(self._table):
                await self._connection.subscribe(subject, cb=self._take)
            self._storage.sender.ask()
            while self._connection.is_connected and not over():
                self._wake.clear()
                await self._step(asyncio.get_running_loop().time())
                try:
                    await asyncio.wait_for(self._wake.wait(), self._intervals.look)
                except TimeoutError:
                    continue
                await asyncio.sleep(self._sent + self._intervals.gather - asyncio.get_running_loop().time())
        except (NatsError, OSError) as fault:
            log.info("the link to the hub broke: %s", fault)

    async def _step(self, now: float) -> None:
        storage = self._storage
        storage.scan(self._side.grown)
        state = self._side.notes.state
        present = self._present()
        due = self._intervals.asking if storage.sender.asking else self._intervals.hello
        if now - self._said >= due or present != self._told:
            self._said, self._told = now, present
            hello = Hello(run=self._run, ask=storage.sender.asking, waiting=storage.sender.waiting, present=present)
            await self._send(subjects.HELLO, encode(hello))
        for lines in storage.sender.next_lines(now):
            data = encode(lines)
            if len(data) > self._connection.max_payload:
                storage.sender.give_up(lines.epoch, "too_long")
            else:
                await self._send(subjects.LINES, data)
                self._sent = now
        if now - self._confirmed_at >= self._intervals.confirming:
            await self._send_confirmations(now)
        if state is not None and state.pictures:
            for shot in storage.shots():
                await self._send(subjects.SHOT, encode(shot))
        storage.tell(self._side)
        self._side.network(now - self._heard < self._intervals.silence, self._trouble())
        storage.save(self._side)

    async def _send(self, kind: str, data: bytes) -> None:
        await self._connection.publish(subjects.up(self._table, kind), data)

    async def _send_confirmations(self, now: float) -> None:
        """The confirmations that are whole, once the hub has their lines; again until it has them, too."""
        for due in self._side.due_confirmations():
            cursor = self._storage.sender.of_journal(due.journal)
            if cursor is None or cursor.acknowledged < due.seq:
                continue
            chain = self._storage.sender.chain_at(cursor, due.seq)
            if chain is not None:
                self._confirmed_at = now
                told = Confirmation(epoch=cursor.epoch, seq=due.seq, chain=chain, by=due.by)
                await self._send(subjects.CONFIRMED, encode(told))

    def _present(self) -> dict[str, tuple[Side, ...]]:
        with self._side.lock:
            return {match: tuple(sides) for match, sides in self._side.notes.present.items() if sides}

    def _trouble(self) -> Message | None:
        if self._version is not None and self._version != VERSION:
            return Message("link.version")
        state = self._side.notes.state
        if self._storage.sender.foreign or (state is not None and state.twin):
            return Message("link.twin")
        problem = next((each.problem for each in self._storage.sender.cursors if each.problem), None)
        return Message(f"link.problem.{problem}") if problem in get_args(Problem) else None

    async def _take(self, raw: Msg) -> None:
        """A word of the hub. One that cannot be read is logged and passed over."""
        now = asyncio.get_running_loop().time()
        try:
            self._read(raw.subject, raw.data, now)
        except (WireError, ValueError) as fault:
            log.warning("a message on %s was passed over: %s", raw.subject, fault)
        self._wake.set()

    def _read(self, subject: str, data: bytes, now: float) -> None:
        if subject == subjects.ALL_HUB:
            hub = decode(data, Hub)
            self._version = hub.version
            self._meet(hub.hub, now)
        elif subject.startswith(subjects.all_board("")):
            self._take_board(decode(data, Board), now)
        else:
            kind = subjects.parts(subject)[1]
            if kind == subjects.RECEIPTS:
                told = decode(data, Receipts)
                self._meet(told.hub, now)
                self._storage.sender.answered(told, now)
                self._storage.tell(self._side)
            elif kind == subjects.STATE:
                state = decode(data, State)
                self._meet(state.hub, now)
                self._side.told_state(state)
            elif kind == subjects.BOARD:
                self._take_board(decode(data, Board), now)

    def _take_board(self, board: Board, now: float) -> None:
        self._meet(board.hub, now)
        self._side.told_board(board)

    def _meet(self, hub: str, now: float) -> None:
        """The hub is heard; another one than before is asked what it has."""
        self._heard = now
        if hub != self._hub:
            if self._hub is not None:
                self._storage.sender.ask()
            self._hub = hub


CLOSES_WITHIN = 1.0
"""Seconds."""

Door = Callable[[str, int, Token, OnClosed], Awaitable[Client]]
"""Raises Refused, Stranger, Away, as `enter` does."""


class TableLink:
    """Begins at once with the hub that was last joined, or that the settings name."""

    def __init__(
        self,
        store: Path,
        folder: Path,
        clock: Clock,
        run: str,
        pace: Intervals | None = None,
        door: Door = enter,
    ) -> None:
        """`store` is the file of the matches, which is open; `folder` keeps the link's notes. `run` is drawn at random.

        `door` is the way in, another one for trials.
        """
        self._store, self._folder, self._clock, self._run = store, folder, clock, run
        self._intervals, self._door = pace or Intervals(), door
        self._runner = asyncio.Runner(loop_factory=asyncio.new_event_loop)
        self._loop = self._runner.get_loop()
        self._wake = asyncio.Event()
        self._closing = False
        self._joins = 0
        self._complaint = Complaint(3 * self._intervals.retry_most)
        self._side = TableNotes(load(folder), clock, self._woken)
        self._thread = threading.Thread(target=self._serve, name="hub link", daemon=True)
        self._thread.start()

    def configure(self, address: str, token: str) -> None:
        """Join the hub that the settings name: once, until they name another one."""
        with self._side.lock:
            if (address, token) == self._side.notes.configured:
                return
            fault = self.join(address, token)
            if fault is None:
                self._side.notes.configured = address, token
        if fault is not None:
            self._side.network(False, fault)

    def look(self) -> HubLook:
        return self._side.look()

    def join(self, address: str, token: str) -> Message | None:
        fault = fault_of(address, token)
        if fault is None:
            self._joins += 1
            self._side.joined(address, token)
        return fault

    def leave(self) -> None:
        self._joins += 1
        self._side.joined(None, None)

    def grew(self) -> None:
        self._side.grew()
        self._woken()

    def check_in(self, match: str, side: Side, present: bool) -> None:
        self._side.check_in(match, side, present)

    def confirm(self, match: str, journal: str, line: int, by: Signer, given: bool = True) -> None:
        self._side.confirm(match, journal, line, by, given)

    def close(self) -> None:
        self._closing = True
        self._woken(at_once=True)
        self._thread.join(CLOSES_WITHIN)

    def _woken(self, at_once: bool = False) -> None:
        if self._wake.is_set() and not at_once:
            return  # it is cleared before the store is looked at, but perhaps after the end was
        try:
            self._loop.call_soon_threadsafe(self._wake.set)
        except RuntimeError:
            log.debug("the link has ended")

    def _serve(self) -> None:
        with self._runner:  # which ends what a connection that broke at the end has left
            while not self._closing:
                try:
                    self._runner.run(self._live())
                except Exception:
                    log.exception("the link to the hub stumbled and begins anew")
                    self._runner.run(self._pause(self._intervals.retry_most))

    async def _live(self) -> None:
        """Again and again until the end: a store that cannot be read now is tried again like a hub that is away."""
        while not self._closing:
            try:
                await self._work()
            except StoreError as fault:
                self._complaint.say(str(fault), self._loop.time())
                if self._side.notes.address is not None:
                    self._side.network(False, fault.message)
                await self._pause(self._intervals.retry_most)

    async def _work(self) -> None:
        """With the store, as long as it can be read. Raises StoreError."""
        pause = self._intervals.retry_least
        storage = LinkStorage(self._store, self._folder)
        try:
            while not self._closing:
                pause = await self._try(storage, pause)
        finally:
            storage.save(self._side)
            storage.close()

    async def _try(self, storage: LinkStorage, pause: float) -> float:
        """One attempt to reach the hub, and the visit if it succeeds; the next pause."""
        self._wake.clear()
        storage.scan(self._side.grown)
        storage.tell(self._side)
        storage.save(self._side)
        joins, notes = self._joins, self._side.notes
        if notes.address is None or notes.token is None:
            await self._wake.wait()
            return self._intervals.retry_least
        token = read(notes.token)

        def over() -> bool:
            return self._closing or joins != self._joins

        try:
            connection = await self._door(*address_of(notes.address), token, self._closed)
        except Refused as fault:
            return await self._rest(storage, trouble_of(fault, notes.address), self._intervals.refused, over)
        except Stranger as fault:
            log.warning("the link to the hub: %s", fault)
            return await self._rest(storage, trouble_of(fault, notes.address), self._intervals.refused, over)
        except Away as fault:
            log.info("the hub is away: %s", fault)
            await self._rest(storage, None, pause, over)
            return min(2 * pause, self._intervals.retry_most)
        try:
            await HubConnection(
                connection, TableIdentity(token.table, self._run), self._side, storage, self._intervals, self._wake
            ).run(over)
        finally:
            with contextlib.suppress(NatsError, OSError, TimeoutError):  # it is gone already
                await connection.close()
        if not over():
            await self._rest(storage, None, self._intervals.retry_least, over)
        return self._intervals.retry_least

    async def _rest(
        self, storage: LinkStorage, trouble: Message | None, seconds: float, over: Callable[[], bool]
    ) -> float:
        """Waits before the next attempt; what is told and played meanwhile is noticed all the same."""
        self._side.network(False, trouble)
        end = self._loop.time() + seconds
        while not over() and (left := end - self._loop.time()) > 0:
            self._wake.clear()
            storage.scan(self._side.grown)
            storage.tell(self._side)
            storage.save(self._side)
            await _set_within(self._wake, min(left, self._intervals.look))
        return seconds

    async def _pause(self, seconds: float) -> None:
        """Waits so long, whatever happens meanwhile, but for the end."""
        end = self._loop.time() + seconds
        while not self._closing and (left := end - self._loop.time()) > 0:
            self._wake.clear()
            await _set_within(self._wake, left)

    async def _closed(self) -> None:
        """The connection has ended."""
        self._wake.set()


class Complaint:
    """What is wrong with the store, said once however often it is met; again after `rest` seconds without it."""

    def __init__(self, rest: float) -> None:
        self._rest, self._said, self._met = rest, "", 0.0

    def say(self, fault: str, now: float) -> None:
        """`now` in seconds of any clock that only goes forward."""
        if fault != self._said or now - self._met > self._rest:
            log.warning("the link cannot read the matches: %s", fault)
        self._said, self._met = fault, now


async def _set_within(event: asyncio.Event, seconds: float) -> None:
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(event.wait(), seconds)


def trouble_of(fault: Refused | Stranger, address: str) -> Message:
    """What to do about a hub at an address that cannot be entered."""
    if isinstance(fault, WrongPort):
        return Message("link.port", {"address": address, "usual": PORT})
    return Message("link.refused" if isinstance(fault, Refused) else "link.stranger")
