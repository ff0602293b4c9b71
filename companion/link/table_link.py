"""The table's link: `HubPort` over NATS, on its own thread and event loop."""

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
from companion.link.link_state import SharedLinkState, load_state
from companion.link.sender import JournalOutbox
from companion.messages import subjects
from companion.messages.tls import NoTlsError, TlsContext
from companion.messages.token import (
    DEFAULT_PORT,
    SYSTEM_AUTHORITIES,
    Token,
    bracket_ipv6,
    certificate_fingerprint,
    join_fault,
    parse_address,
    parse_token,
)
from companion.messages.wire import (
    VERSION,
    Confirmation,
    DisputeReason,
    Hello,
    Hub,
    Problem,
    Receipts,
    StandingsBoard,
    TableState,
    WireError,
    decode,
    encode,
)
from companion.table.hub_port import HubSnapshot, Side, Signer

log = logging.getLogger(__name__)

CONNECT_TIMEOUT_S = 5.0
"""Timeout of each connection step."""
WEB_TIMEOUT_S = 2.0
"""Timeout for the answer of a web server."""
_DENIAL_MARKS = ("authorization violation", "authentication")

OnClosed = Callable[[], Awaitable[None]]


class AccessDenied(Exception):
    """The hub rejects the table's key."""


class UntrustedHost(Exception):
    """The server at the address is not the hub named in the token."""


class WrongPort(UntrustedHost):
    """The server is not a NATS server: wrong port, e.g. that of the hub's web pages."""


class Unreachable(Exception):
    """No answer. Retry later."""


async def connect_to_hub(
    host: str, port: int, token: Token, on_closed: OnClosed, timeout_s: float = CONNECT_TIMEOUT_S
) -> Client:
    """Connect as the token's table. `on_closed` is awaited when the connection ends.

    Each step takes at most `timeout_s` seconds. Raises: AccessDenied, UntrustedHost, Unreachable.
    """
    try:
        context = await _trusting_context(host, port, token, timeout_s)
        return await nats.connect(
            f"nats://{bracket_ipv6(host)}:{port}",
            tls=context,
            user=token.table,
            password=context.secret_over_tls(lambda: token.key),
            name=token.table,
            allow_reconnect=False,
            max_reconnect_attempts=1,
            reconnect_time_wait=0,
            connect_timeout=max(1, int(timeout_s)),
            ping_interval=5,
            max_outstanding_pings=2,
            inbox_prefix=f"_INBOX_{token.table}",
            error_cb=_log,
            closed_cb=on_closed,
        )
    except (ssl.SSLCertVerificationError, NoTlsError) as fault:
        raise UntrustedHost(str(fault)) from None
    except NoServersError as fault:
        raise Unreachable(str(fault)) from None
    except NatsError as fault:
        if any(mark in str(fault).lower() for mark in _DENIAL_MARKS):
            raise AccessDenied(str(fault)) from None
        raise Unreachable(str(fault)) from None
    except (OSError, TimeoutError, EOFError) as fault:
        raise Unreachable(str(fault)) from None


async def _trusting_context(host: str, port: int, token: Token, timeout_s: float) -> TlsContext:
    """Return a context that trusts only the hub's certificate, or the system's authorities if the token names none."""
    reader, writer = await asyncio.wait_for(asyncio.open_connection(host, port), timeout_s)
    try:
        await _check_greeting(host, port, reader, writer, timeout_s)
        if token.certificate == SYSTEM_AUTHORITIES:
            return TlsContext.with_system_authorities()
        der = await asyncio.wait_for(_fetch_certificate(host, port, writer), timeout_s)
    finally:
        writer.close()
    if certificate_fingerprint(der) != token.certificate:
        raise UntrustedHost(f"{host}:{port} shows another certificate")
    context = TlsContext()
    context.check_hostname = False  # the certificate identifies the hub; its address depends on the venue's network
    context.load_verify_locations(cadata=ssl.DER_cert_to_PEM_cert(der))
    return context


async def _check_greeting(
    host: str, port: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, timeout_s: float
) -> None:
    """Check that the server sends a NATS greeting. If it stays silent, probe for a web server."""
    try:
        greeting = await asyncio.wait_for(reader.readline(), timeout_s)
    except TimeoutError:
        if await _is_web_server(host, port, reader, writer):
            raise WrongPort(f"{host}:{port} serves web pages") from None
        raise
    except ValueError:  # a line of this length is no greeting
        raise WrongPort(f"{host}:{port} is no NATS server") from None
    if not greeting.endswith(b"\n"):
        raise Unreachable(f"{host}:{port} hung up")  # shutting down, or network failure
    if not greeting.startswith(b"INFO "):
        raise WrongPort(f"{host}:{port} is no NATS server")


async def _is_web_server(host: str, port: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
    """Return True if a server that waits for a request answers HTTP, or HTTPS (which closes on plain HTTP)."""
    try:
        writer.write(b"HEAD / HTTP/1.0\r\n\r\n")
        answer = await asyncio.wait_for(reader.read(5), WEB_TIMEOUT_S)
        if answer:
            return answer == b"HTTP/"
        _, tls_writer = await asyncio.wait_for(
            asyncio.open_connection(host, port, ssl=_unverified_context()), WEB_TIMEOUT_S
        )
        tls_writer.close()
    except (OSError, TimeoutError):
        return False
    return True


async def _fetch_certificate(host: str, port: int, writer: asyncio.StreamWriter) -> bytes:
    """Return the certificate (DER) that a NATS server presents after its greeting. Sends it no data."""
    try:
        await writer.start_tls(_unverified_context())
    except ssl.SSLError as fault:
        raise UntrustedHost(f"{host}:{port}: {fault}") from None
    session = writer.get_extra_info("ssl_object")
    der: bytes | None = session.getpeercert(binary_form=True)
    if der is None:
        raise UntrustedHost(f"{host}:{port} shows no certificate")
    return der


def _unverified_context() -> ssl.SSLContext:
    """Return a context that accepts any certificate. Nothing secret is sent over it."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def _is_relevant(record: logging.LogRecord) -> bool:
    """Filter out an asyncio warning: it appears when a server closes a connection upgraded to TLS, as NATS does."""
    return not str(record.msg).startswith("returning true from eof_received()")


logging.getLogger("asyncio").addFilter(_is_relevant)


async def _log(fault: Exception) -> None:
    log.info("the link to the hub: %s", fault)


# One connection to the hub: what is read and sent, and when the hub counts as online.


@dataclass(frozen=True, slots=True)
class Intervals:
    """Intervals in seconds.

    - `hello`: between two hello messages
    - `await_receipts`: the same, while receipts are awaited
    - `scan`: between two scans of the store
    - `batch`: minimum between two messages of lines; faster events are sent together (pages show no more)
    - `silence`: until the hub counts as offline
    - `retry_min`, `retry_max`: bounds of the reconnection backoff
    - `retry_denied`: after a rejected key or an untrusted host
    - `confirm_retry`: between two attempts to send confirmations
    """

    hello: float = 5.0
    await_receipts: float = 1.0
    scan: float = 0.5
    batch: float = 0.1
    silence: float = 16.0
    retry_min: float = 0.5
    retry_max: float = 10.0
    retry_denied: float = 20.0
    confirm_retry: float = 2.0


@dataclass(frozen=True, slots=True)
class TableIdentity:
    """The sender's identity: the table's id, and a random id of this program start."""

    table: str
    run: str


class HubConnection:
    """One session with the hub. `run` returns when the connection ends or `is_over` returns True."""

    def __init__(
        self,
        connection: Client,
        identity: TableIdentity,
        shared: SharedLinkState,
        outbox: JournalOutbox,
        intervals: Intervals,
        wake: asyncio.Event,
    ) -> None:
        self._connection, self._table, self._run = connection, identity.table, identity.run
        self._shared, self._outbox, self._intervals, self._wake = shared, outbox, intervals, wake
        self._hub: str | None = None
        self._heard_at = float("-inf")
        self._hello_sent_at = self._lines_sent_at = float("-inf")
        self._confirmed_at = float("-inf")
        self._version: int | None = None
        self._sent_presence: object = None

    async def run(self, is_over: Callable[[], bool]) -> None:
        """Exchange messages until the connection ends. Raises nothing for a broken connection."""
        try:
            for subject in subjects.subscribe_permissions(self._table):
                await self._connection.subscribe(subject, cb=self._on_message)
            self._outbox.sender.request_receipts()
            while self._connection.is_connected and not is_over():
                self._wake.clear()
                await self._step(asyncio.get_running_loop().time())
                try:
                    await asyncio.wait_for(self._wake.wait(), self._intervals.scan)
                except TimeoutError:
                    continue
                await asyncio.sleep(self._lines_sent_at + self._intervals.batch - asyncio.get_running_loop().time())
        except (NatsError, OSError) as fault:
            log.info("the link to the hub broke: %s", fault)

    async def _step(self, now: float) -> None:
        outbox = self._outbox
        outbox.scan(self._shared.append_count)
        state = self._shared.persisted.state
        present = self._presence()
        presence = present, self._shared.current_disputes(), self._shared.confirmed_at()
        due = self._intervals.await_receipts if outbox.sender.is_awaiting_receipts else self._intervals.hello
        if now - self._hello_sent_at >= due or presence != self._sent_presence:
            self._hello_sent_at, self._sent_presence = now, presence
            hello = Hello(
                run=self._run,
                ask=outbox.sender.is_awaiting_receipts,
                waiting=outbox.sender.waiting,
                present=present,
                disputes=presence[1],
                confirmed=presence[2],
            )
            await self._send(subjects.HELLO, encode(hello))
        for lines in outbox.sender.next_lines(now):
            data = encode(lines)
            if len(data) > self._connection.max_payload:
                outbox.sender.mark_problem(lines.epoch, "too_long")
            else:
                await self._send(subjects.LINES, data)
                self._lines_sent_at = now
        if now - self._confirmed_at >= self._intervals.confirm_retry:
            await self._send_confirmations(now)
        if state is not None and state.pictures:
            for picture in outbox.new_roll_pictures():
                await self._send(subjects.SHOT, encode(picture))
        outbox.report_progress(self._shared)
        self._shared.update_network(now - self._heard_at < self._intervals.silence, self._trouble_message())
        outbox.save(self._shared)

    async def _send(self, kind: str, data: bytes) -> None:
        await self._connection.publish(subjects.upstream(self._table, kind), data)

    async def _send_confirmations(self, now: float) -> None:
        """Send the complete confirmations whose lines the hub has. Repeats until they are acknowledged."""
        for due in self._shared.due_confirmations():
            cursor = self._outbox.sender.cursor_of(due.journal)
            if cursor is None or cursor.acknowledged < due.seq:
                continue
            chain = self._outbox.sender.chain_at(cursor, due.seq)
            if chain is not None:
                self._confirmed_at = now
                confirmation = Confirmation(epoch=cursor.epoch, seq=due.seq, chain=chain, by=due.by)
                await self._send(subjects.CONFIRMED, encode(confirmation))

    def _presence(self) -> dict[str, tuple[Side, ...]]:
        with self._shared.lock:
            return {match: tuple(sides) for match, sides in self._shared.persisted.present.items() if sides}

    def _trouble_message(self) -> Message | None:
        if self._version is not None and self._version != VERSION:
            return Message("link.version")
        state = self._shared.persisted.state
        if self._outbox.sender.has_foreign_lines or (state is not None and state.twin):
            return Message("link.twin")
        problem = next((each.problem for each in self._outbox.sender.cursors if each.problem), None)
        return Message(f"link.problem.{problem}") if problem in get_args(Problem) else None

    async def _on_message(self, raw: Msg) -> None:
        """Handle a message of the hub. An unreadable one is logged and skipped."""
        now = asyncio.get_running_loop().time()
        try:
            self._dispatch(raw.subject, raw.data, now)
        except (WireError, ValueError) as fault:
            log.warning("a message on %s was passed over: %s", raw.subject, fault)
        self._wake.set()

    def _dispatch(self, subject: str, data: bytes, now: float) -> None:
        if subject == subjects.ALL_HUB:
            hub = decode(data, Hub)
            self._version = hub.version
            self._note_hub(hub.hub, now)
        elif subject.startswith(subjects.board_subject("")):
            self._on_board(decode(data, StandingsBoard), now)
        else:
            kind = subjects.parse_subject(subject)[1]
            if kind == subjects.RECEIPTS:
                receipts = decode(data, Receipts)
                self._note_hub(receipts.hub, now)
                self._outbox.sender.accept_receipts(receipts, now)
                self._outbox.report_progress(self._shared)
            elif kind == subjects.STATE:
                state = decode(data, TableState)
                self._note_hub(state.hub, now)
                self._shared.update_state(state)
            elif kind == subjects.BOARD:
                self._on_board(decode(data, StandingsBoard), now)

    def _on_board(self, board: StandingsBoard, now: float) -> None:
        self._note_hub(board.hub, now)
        self._shared.update_board(board)

    def _note_hub(self, hub: str, now: float) -> None:
        """Note that the hub was heard. A different hub is asked what it has."""
        self._heard_at = now
        if hub != self._hub:
            if self._hub is not None:
                self._outbox.sender.request_receipts()
            self._hub = hub


CLOSE_TIMEOUT_S = 1.0
"""Seconds."""

Connect = Callable[[str, int, Token, OnClosed], Awaitable[Client]]
"""Raises: AccessDenied, UntrustedHost, Unreachable, like `connect_to_hub`."""


class TableLink:
    """The table's link. Connects at once to the last joined hub, or to the one in the settings."""

    def __init__(
        self,
        store: Path,
        folder: Path,
        clock: Clock,
        run: str,
        intervals: Intervals | None = None,
        connect: Connect = connect_to_hub,
    ) -> None:
        """Start the link thread.

        - `store`: file of the match store, which must be open
        - `folder`: location of the link state
        - `run`: random id of this program start
        - `connect`: connection function, replaced in tests
        """
        self._store, self._folder, self._clock, self._run = store, folder, clock, run
        self._intervals, self._connect = intervals or Intervals(), connect
        self._runner = asyncio.Runner(loop_factory=asyncio.new_event_loop)
        self._loop = self._runner.get_loop()
        self._wake = asyncio.Event()
        self._closing = False
        self._join_count = 0
        self._store_warning = RepeatedWarning(3 * self._intervals.retry_max)
        self._shared = SharedLinkState(load_state(folder), clock, self._wake_up)
        self._thread = threading.Thread(target=self._serve, name="hub link", daemon=True)
        self._thread.start()

    def configure(self, address: str, token: str) -> None:
        """Join the hub named in the settings. Done once for each change of the settings."""
        with self._shared.lock:
            if (address, token) == self._shared.persisted.configured:
                return
            fault = self.join(address, token)
            if fault is None:
                self._shared.persisted.configured = address, token
        if fault is not None:
            self._shared.update_network(False, fault)

    def snapshot(self) -> HubSnapshot:
        return self._shared.snapshot()

    def join(self, address: str, token: str) -> Message | None:
        fault = join_fault(address, token)
        if fault is None:
            self._join_count += 1
            self._shared.set_hub(address, token)
        return fault

    def leave(self) -> None:
        self._join_count += 1
        self._shared.set_hub(None, None)

    def notify_appended(self) -> None:
        self._shared.notify_appended()
        self._wake_up()

    def check_in(self, match: str, side: Side, present: bool) -> None:
        self._shared.check_in(match, side, present)

    def confirm(self, match: str, journal: str, line: int, by: Signer, given: bool = True) -> None:
        self._shared.confirm(match, journal, line, by, given)

    def dispute(self, match: str, journal: str, line: int, by: Side, why: DisputeReason | None) -> None:
        self._shared.dispute(match, journal, line, by, why)

    def close(self) -> None:
        self._closing = True
        self._wake_up(at_once=True)
        self._thread.join(CLOSE_TIMEOUT_S)

    def _wake_up(self, at_once: bool = False) -> None:
        if self._wake.is_set() and not at_once:
            return  # a scan follows each clear; only `close` must set it again
        try:
            self._loop.call_soon_threadsafe(self._wake.set)
        except RuntimeError:
            log.debug("the link has ended")

    def _serve(self) -> None:
        with self._runner:  # the runner cleans up after a connection that broke at the end
            while not self._closing:
                try:
                    self._runner.run(self._run_until_closed())
                except Exception:
                    log.exception("the link to the hub stumbled and begins anew")
                    self._runner.run(self._pause(self._intervals.retry_max))

    async def _run_until_closed(self) -> None:
        """Run until closed. An unreadable store is retried, like an unreachable hub."""
        while not self._closing:
            try:
                await self._run_with_store()
            except StoreError as fault:
                self._store_warning.warn(str(fault), self._loop.time())
                if self._shared.persisted.address is not None:
                    self._shared.update_network(False, fault.message)
                await self._pause(self._intervals.retry_max)

    async def _run_with_store(self) -> None:
        """Run as long as the store is readable. Raises: StoreError."""
        pause = self._intervals.retry_min
        outbox = JournalOutbox(self._store, self._folder)
        try:
            while not self._closing:
                pause = await self._attempt(outbox, pause)
        finally:
            outbox.save(self._shared)
            outbox.close()

    async def _attempt(self, outbox: JournalOutbox, pause: float) -> float:
        """Try to connect once, and run the session if that succeeds. Returns the next pause in seconds."""
        self._wake.clear()
        outbox.scan(self._shared.append_count)
        outbox.report_progress(self._shared)
        outbox.save(self._shared)
        joins, persisted = self._join_count, self._shared.persisted
        if persisted.address is None or persisted.token is None:
            await self._wake.wait()
            return self._intervals.retry_min
        token = parse_token(persisted.token)

        def is_over() -> bool:
            return self._closing or joins != self._join_count

        try:
            connection = await self._connect(*parse_address(persisted.address), token, self._on_closed)
        except AccessDenied as fault:
            return await self._wait_to_retry(
                outbox, trouble_message(fault, persisted.address), self._intervals.retry_denied, is_over
            )
        except UntrustedHost as fault:
            log.warning("the link to the hub: %s", fault)
            return await self._wait_to_retry(
                outbox, trouble_message(fault, persisted.address), self._intervals.retry_denied, is_over
            )
        except Unreachable as fault:
            log.info("the hub is away: %s", fault)
            await self._wait_to_retry(outbox, None, pause, is_over)
            return min(2 * pause, self._intervals.retry_max)
        try:
            await HubConnection(
                connection, TableIdentity(token.table, self._run), self._shared, outbox, self._intervals, self._wake
            ).run(is_over)
        finally:
            with contextlib.suppress(NatsError, OSError, TimeoutError):  # already disconnected
                await connection.close()
        if not is_over():
            await self._wait_to_retry(outbox, None, self._intervals.retry_min, is_over)
        return self._intervals.retry_min

    async def _wait_to_retry(
        self, outbox: JournalOutbox, trouble: Message | None, seconds: float, is_over: Callable[[], bool]
    ) -> float:
        """Wait before the next attempt. Continues to process local changes."""
        self._shared.update_network(False, trouble)
        end = self._loop.time() + seconds
        while not is_over() and (remaining_s := end - self._loop.time()) > 0:
            self._wake.clear()
            outbox.scan(self._shared.append_count)
            outbox.report_progress(self._shared)
            outbox.save(self._shared)
            await _wait_for(self._wake, min(remaining_s, self._intervals.scan))
        return seconds

    async def _pause(self, seconds: float) -> None:
        """Wait for this many seconds. Only closing ends it earlier."""
        end = self._loop.time() + seconds
        while not self._closing and (remaining_s := end - self._loop.time()) > 0:
            self._wake.clear()
            await _wait_for(self._wake, remaining_s)

    async def _on_closed(self) -> None:
        """Handle the end of the connection."""
        self._wake.set()


class RepeatedWarning:
    """Logs a store error once, and again after `quiet_s` seconds without it."""

    def __init__(self, quiet_s: float) -> None:
        self._quiet_s, self._last_fault, self._last_at = quiet_s, "", 0.0

    def warn(self, fault: str, now: float) -> None:
        """Log a fault unless it was just reported. `now`: seconds of any monotonic clock."""
        if fault != self._last_fault or now - self._last_at > self._quiet_s:
            log.warning("the link cannot read the matches: %s", fault)
        self._last_fault, self._last_at = fault, now


async def _wait_for(event: asyncio.Event, seconds: float) -> None:
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(event.wait(), seconds)


def trouble_message(fault: AccessDenied | UntrustedHost, address: str) -> Message:
    """Return the message for a hub that refuses the connection, with what to do."""
    if isinstance(fault, WrongPort):
        return Message("link.port", {"address": address, "usual": DEFAULT_PORT})
    return Message("link.refused" if isinstance(fault, AccessDenied) else "link.stranger")
