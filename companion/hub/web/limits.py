"""Keeps one client from taking the hub's time: so many requests a second each, so large a request, few logins.

It stands in front of everything as plain ASGI, so that a refused request costs next to nothing. Tables do not come this
way at all: their results arrive by the carrier.

A hall's guests share one address, so what costs nothing (a page that is ready) has a large allowance, streams have one
of their own, and who is logged in has an own one of everything, whatever the neighbours do.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from starlette.requests import cookie_parser

from companion.hub.web.asgi import App, Receive, Scope, Send
from companion.hub.web.ready import PAGE_SECONDS, Key, Ready

MOST_CLIENTS = 20_000
MOST_SESSIONS = 1_000
SESSION_COOKIE = "session"
"""The cookie of who is logged in."""
_LOGINS = ("/desk/login", "/desk/set-up")


@dataclass(frozen=True, slots=True)
class Rate:
    """So many at once, and so many a second after that."""

    burst: float
    a_second: float


@dataclass(frozen=True, slots=True)
class Limits:
    """What one client may: an address, or somebody who is logged in."""

    ready: Rate = Rate(6000, 600)
    """Answers that are there already: some four hundred visitors who come at once, each with all that a page needs."""
    reading: Rate = Rate(120, 30)
    """Those that have to be made."""
    writing: Rate = Rate(30, 5)
    login: Rate = Rate(5, 5 / 60)
    opening: Rate = Rate(1000, 60)
    """Streams of events: after a restart of the hub all come back at once."""
    streams: int = 1000
    """Open streams of events of one client."""
    body: int = 256 * 1024
    """Bytes of a request."""
    at_once: int = 16
    """Requests of one client that are worked on at the same time."""
    page_seconds: float = PAGE_SECONDS
    """How old a page may be that is given to one more visitor; 0: each gets one of their own."""


class Bucket:
    """Tokens of many clients, refilled as time goes by; the clients unheard of for longest are forgotten."""

    def __init__(self, rate: Rate, monotonic: Callable[[], float], most: int = MOST_CLIENTS) -> None:
        self._rate, self._monotonic, self._most = rate, monotonic, most
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, client: str) -> float:
        """Takes one token: 0 if there was one, else the seconds until there is."""
        now = self._monotonic()
        left, since = self._left.pop(client, (self._rate.burst, now))
        left = min(self._rate.burst, left + (now - since) * self._rate.a_second)
        wait = 0.0 if left >= 1 else (1 - left) / self._rate.a_second
        self._left[client] = (left - 1 if wait == 0 else left, now)
        while len(self._left) > self._most:
            self._left.popitem(last=False)
        return wait


class Proved:
    """The sessions that were found good a while ago, by digest: asking the database first would be work for nothing."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, None] = OrderedDict()

    def add(self, secret: str) -> None:
        """Somebody has shown this secret, and it is a session's. Safe to call from any thread."""
        self._known[_digest(secret)] = None
        while len(self._known) > MOST_SESSIONS:
            self._known.popitem(last=False)

    def remove(self, secret: str) -> None:
        """It is a session's no more."""
        self._known.pop(_digest(secret), None)

    def client(self, headers: dict[bytes, bytes]) -> str | None:
        """The client that a request's cookie makes of it, None for anybody."""
        cookie = headers.get(b"cookie", b"")
        if not self._known or SESSION_COOKIE.encode() not in cookie:
            return None
        secret = cookie_parser(cookie.decode("latin-1")).get(SESSION_COOKIE, "")
        digest = _digest(secret)
        return f"session {digest}" if digest in self._known else None


class Guard:
    """The ASGI application in front of the hub's own. `revision` is the hub's newest."""

    def __init__(
        self,
        app: App,
        limits: Limits,
        monotonic: Callable[[], float],
        revision: Callable[[], int] = lambda: 0,
        proved: Proved | None = None,
    ) -> None:
        self._app, self._limits, self._proved = app, limits, proved or Proved()
        self._ready = Ready(app, monotonic, revision, limits.page_seconds)
        self._given = Bucket(limits.ready, monotonic)
        self._reading = Bucket(limits.reading, monotonic)
        self._writing = Bucket(limits.writing, monotonic)
        self._login = Bucket(limits.login, monotonic)
        self._opening = Bucket(limits.opening, monotonic)
        self._busy: dict[str, int] = {}
        self._streams: dict[str, int] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Lets a request through, or answers 413 (too large), 429 (too many)."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        address = (scope.get("client") or ("", 0))[0]
        client = self._proved.client(headers) or address
        key = self._ready.key(scope, headers)
        if key is not None:
            await self._given_or_made(key, client, scope, receive, send)
            return
        stream = scope["path"] == "/events" and scope["method"] == "GET"
        counts, most = (self._streams, self._limits.streams) if stream else (self._busy, self._limits.at_once)
        wait = self._wait(scope, stream, client, address)
        if wait or counts.get(client, 0) >= most:
            await refuse(send, 429, wait)
            return
        if _declared(headers) > self._limits.body:
            await refuse(send, 413)
            return
        with _counted(counts, client):
            await self._app(scope, _Measured(receive, self._limits.body), send)

    async def _given_or_made(self, key: Key, client: str, scope: Scope, receive: Receive, send: Send) -> None:
        """A page for everyone; what is ready counts as little as it costs."""
        wait = self._given.take(client)
        if wait:
            await refuse(send, 429, wait)
            return

        with ExitStack() as work:

            async def refused() -> bool:
                wait = self._reading.take(client)
                if wait or self._busy.get(client, 0) >= self._limits.at_once:
                    await refuse(send, 429, wait)
                    return True
                work.enter_context(_counted(self._busy, client))
                return False

            await self._ready.give(key, scope, receive, send, refused)

    def _wait(self, scope: Scope, stream: bool, client: str, address: str) -> float:
        """Seconds until such a request may come; 0: now."""
        if stream:
            return self._opening.take(client)
        reads = scope["method"] in ("GET", "HEAD", "OPTIONS")
        wait = (self._reading if reads else self._writing).take(client)
        if wait == 0 and not reads and scope["path"] in _LOGINS:
            wait = self._login.take(address)  # no session gives more tries
        return wait


class _Measured:
    """Receives a body and cuts the connection when it is longer than it may be, whatever was declared."""

    def __init__(self, receive: Receive, most: int) -> None:
        self._receive, self._left = receive, most

    async def __call__(self) -> Scope:
        message = await self._receive()
        self._left -= len(message.get("body", b""))
        return message if self._left >= 0 else {"type": "http.disconnect"}


@contextmanager
def _counted(counts: dict[str, int], client: str) -> Iterator[None]:
    counts[client] = counts.get(client, 0) + 1
    try:
        yield
    finally:
        counts[client] -= 1
        if not counts[client]:
            del counts[client]


def _digest(secret: str) -> str:
    return sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def _declared(headers: dict[bytes, bytes]) -> int:
    value = headers.get(b"content-length", b"")
    return int(value) if value.isdigit() else 0


async def refuse(send: Send, status: int, wait: float | None = None) -> None:
    """A short answer without a page; with the whole seconds to wait, one at least."""
    headers: list[Any] = [(b"content-type", b"text/plain; charset=utf-8")]
    if wait is not None:
        headers.append((b"retry-after", str(max(1, int(wait + 0.999))).encode()))
    words = {429: b"too many requests\n", 413: b"too large\n"}[status]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": words})
