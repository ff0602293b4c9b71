"""The connections of the web pages: how many may be open, how long an idle one stays, and the process's file limit.

Many guests of a hall share one address, so the limits are high and no guest is locked out when one is reached:
a new connection then replaces the one that has been idle for longest. A connection is idle while no request of it is
being answered; also one that has sent half a request, or has not finished its TLS handshake.
"""

from __future__ import annotations

import asyncio
import errno
import os
import resource
import socket
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterator, MutableMapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

MAX_CONNECTIONS = 4096
"""Maximum number of open connections; 3,000 take about 150 MB."""
RESERVED_FILES = 256
"""Open files left for the database, the broker, backups and imports."""
MIN_CONNECTIONS = 64
"""Connections of a process that may open hardly more files than the reserve."""

FIRST_REQUEST_TIMEOUT_S = 10.0
"""Seconds from the connection to its first complete request head, TLS handshake included."""
IDLE_TIMEOUT_S = 30.0
"""Seconds from a response to the next complete request head; the client must take the response in this time."""
BODY_TIMEOUT_S = 20.0
"""Seconds in which the body of a request must arrive."""
SEND_TIMEOUT_S = 30.0
"""Seconds in which a client must take the next piece of a response or event stream."""
SWEEP_INTERVAL_S = 1.0
MAX_CLOSING = 64
"""Closing connections beyond the limit, until the event loop has closed them."""

_OUT_OF_FILES = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """Maximum numbers of open connections: in all, of one address, and event streams in all."""

    total: int = MAX_CONNECTIONS
    per_address: int = MAX_CONNECTIONS * 3 // 4
    streams: int = MAX_CONNECTIONS // 2

    @classmethod
    def of(cls, max_files: int) -> ConnectionLimits:
        """Return the limits for a process that may open `max_files` files."""
        total = max(MIN_CONNECTIONS, min(MAX_CONNECTIONS, max_files - RESERVED_FILES))
        return cls(total, total * 3 // 4, total // 2)


def raise_file_limit() -> int:
    """Raise this process's limit of open files as far as the system permits. Returns the limit in force."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return max_open_files()


def max_open_files() -> int:
    """Return how many files this process may open."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MAX_CONNECTIONS + RESERVED_FILES if soft == resource.RLIM_INFINITY else soft


Peer = tuple[str, int]
"""Address and port of a client."""


class Connections:
    """The open connections. Used on the event loop only."""

    def __init__(self, limits: ConnectionLimits, monotonic: Callable[[], float]) -> None:
        self.limits = limits
        self._monotonic = monotonic
        self._open: dict[Peer, socket.socket] = {}
        self._idle: dict[str, OrderedDict[Peer, float]] = {}
        """The idle connections of each address, the longest idle first, with the time at which each is closed."""
        self._count: dict[str, int] = {}
        self._closing: set[Peer] = set()

    def __len__(self) -> int:
        return len(self._open)

    @property
    def has_room(self) -> bool:
        """Whether the next connection may be accepted now. False until enough closing ones are closed."""
        return len(self._open) < self.limits.total + MAX_CLOSING

    def admit(self, connection: socket.socket, peer: Peer) -> bool:
        """Add a new connection, in place of the longest idle one if there are too many. Returns False to refuse it."""
        address = peer[0]
        if self._count.get(address, 0) >= self.limits.per_address and not self._close_longest_idle(address):
            return False
        if len(self._open) - len(self._closing) >= self.limits.total and not self.close_one():
            return False
        self._open[peer] = connection
        self._count[address] = self._count.get(address, 0) + 1
        self._set_idle(peer, FIRST_REQUEST_TIMEOUT_S)
        return True

    def close_one(self) -> bool:
        """Close the longest idle connection of the address that has most. Returns False if none is idle."""
        most = max(self._idle, key=lambda address: self._count.get(address, 0), default=None)
        return most is not None and self._close_longest_idle(most)

    @contextmanager
    def answering(self, peer: Peer) -> Iterator[None]:
        """Mark a connection as busy while a request is answered."""
        self._set_busy(peer)
        try:
            yield
        finally:
            if peer in self._open and peer not in self._closing:
                self._set_idle(peer, IDLE_TIMEOUT_S)

    def close(self, peer: Peer) -> None:
        """Close a connection from below: server and TLS layer see its end and release it. Unknown ones are ignored."""
        connection = self._open.get(peer)
        if connection is None or peer in self._closing:
            return
        self._set_busy(peer)
        self._closing.add(peer)
        self._count_down(peer)
        with suppress(OSError):  # the client was faster
            connection.shutdown(socket.SHUT_RDWR)

    def released(self, peer: Peer) -> None:
        """Forget a connection whose socket was closed."""
        if self._open.pop(peer, None) is None:
            return
        self._set_busy(peer)
        if peer in self._closing:
            self._closing.remove(peer)
        else:
            self._count_down(peer)

    def close_overdue(self) -> None:
        """Close the connections that have been idle for too long."""
        now = self._monotonic()
        for peers in list(self._idle.values()):
            for peer in [peer for peer, until in peers.items() if until <= now]:
                self.close(peer)

    async def sweep(self) -> None:
        """Close overdue connections until cancelled."""
        while True:
            self.close_overdue()
            await asyncio.sleep(SWEEP_INTERVAL_S)

    def _close_longest_idle(self, address: str) -> bool:
        peers = self._idle.get(address)
        if not peers:
            return False
        self.close(next(iter(peers)))
        return True

    def _set_idle(self, peer: Peer, seconds: float) -> None:
        self._idle.setdefault(peer[0], OrderedDict())[peer] = self._monotonic() + seconds

    def _set_busy(self, peer: Peer) -> None:
        address = peer[0]
        peers = self._idle.get(address)
        if peers is not None:
            peers.pop(peer, None)
            if not peers:
                del self._idle[address]

    def _count_down(self, peer: Peer) -> None:
        address = peer[0]
        self._count[address] -= 1
        if not self._count[address]:
            del self._count[address]


class _Connection(socket.socket):
    """An accepted connection that reports its end to `Connections`, whoever closes it."""

    def __init__(self, fileno: int, peer: Peer, connections: Connections) -> None:
        super().__init__(fileno=fileno)
        self._peer, self._connections = peer, connections

    def close(self) -> None:
        """Close the connection."""
        super().close()
        self._connections.released(self._peer)


class LimitedListener(socket.socket):
    """A listening socket that accepts a connection only if `Connections` admits it."""

    def __init__(self, listener: socket.socket, connections: Connections) -> None:
        """Take over a listening socket."""
        super().__init__(fileno=listener.detach())
        self._connections = connections
        self._spare: int | None = os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC)

    def accept(self) -> tuple[socket.socket, Peer]:
        """Accept the next connection. Raises: BlockingIOError, if there is none or it was refused."""
        if not self._connections.has_room:
            raise BlockingIOError(errno.EAGAIN, "too many connections are being closed")
        try:
            accepted, peer = super().accept()
        except OSError as error:
            if error.errno not in _OUT_OF_FILES:
                raise
            self._refuse_next()
            raise BlockingIOError(errno.EAGAIN, "no more files can be opened") from None
        peer = peer[:2]  # of IPv6 too, as the server names its clients
        connection = _Connection(accepted.detach(), peer, self._connections)
        if not self._connections.admit(connection, peer):
            connection.close()
            raise BlockingIOError(errno.EAGAIN, "too many connections")
        return connection, peer

    def close(self) -> None:
        """Stop listening."""
        super().close()
        if self._spare is not None:
            os.close(self._spare)
            self._spare = None

    def _refuse_next(self) -> None:
        """Close the next connection with the help of the spare file: while it waits, the event loop never rests."""
        self._connections.close_one()
        if self._spare is None:
            return
        os.close(self._spare)
        self._spare = None
        with suppress(OSError):
            super().accept()[0].close()
        with suppress(OSError):
            self._spare = os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC)


class ConnectionGuard:
    """ASGI middleware that marks connections as busy and closes those of clients that neither send nor receive."""

    def __init__(self, app: App, connections: Connections) -> None:
        self._app, self._connections = app, connections

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        client = scope.get("client")
        if scope["type"] != "http" or client is None:
            await self._app(scope, receive, send)
            return
        peer: Peer = (client[0], client[1])
        loop = asyncio.get_running_loop()
        body_until = loop.time() + BODY_TIMEOUT_S
        is_whole = False

        async def receive_in_time() -> MutableMapping[str, Any]:
            nonlocal is_whole
            if is_whole:  # waits for the client to leave
                return await receive()
            timer = loop.call_at(body_until, self._connections.close, peer)
            try:
                message = await receive()
            finally:
                timer.cancel()
            is_whole = not message.get("more_body", False)
            return message

        async def send_in_time(message: MutableMapping[str, Any]) -> None:
            timer = loop.call_later(SEND_TIMEOUT_S, self._connections.close, peer)
            try:
                await send(message)
            finally:
                timer.cancel()

        with self._connections.answering(peer):
            await self._app(scope, receive_in_time, send_in_time)
