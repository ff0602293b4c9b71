"""Keeps one client from taking the hub's time: so many requests a second each, so large a request, few logins.

It stands in front of everything as plain ASGI, so that a refused request costs next to nothing. Tables do not come this
way at all: their results arrive by the carrier.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass
from typing import Any

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

MOST_CLIENTS = 20_000


@dataclass(frozen=True, slots=True)
class Rate:
    """So many at once, and so many a second after that."""

    burst: float
    a_second: float


@dataclass(frozen=True, slots=True)
class Limits:
    """What one client may. A hall's guests may share one address, so reading is generous and writing is not."""

    reading: Rate = Rate(120, 30)
    writing: Rate = Rate(30, 5)
    login: Rate = Rate(5, 5 / 60)
    streams: int = 400
    """Open streams of events of one client."""
    body: int = 256 * 1024
    """Bytes of a request."""
    at_once: int = 16
    """Requests of one client that are worked on at the same time."""


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


class Guard:
    """The ASGI application in front of the hub's own."""

    def __init__(self, app: App, limits: Limits, monotonic: Callable[[], float]) -> None:
        self._app, self._limits = app, limits
        self._reading = Bucket(limits.reading, monotonic)
        self._writing = Bucket(limits.writing, monotonic)
        self._login = Bucket(limits.login, monotonic)
        self._busy: dict[str, int] = {}
        self._streams: dict[str, int] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Lets a request through, or answers 413 (too large), 429 (too many)."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        client = (scope.get("client") or ("", 0))[0]
        path, reads = scope["path"], scope["method"] in ("GET", "HEAD", "OPTIONS")
        stream = path.endswith("/events")
        counts, most = (self._streams, self._limits.streams) if stream else (self._busy, self._limits.at_once)
        wait = (self._reading if reads else self._writing).take(client)
        if wait == 0 and not reads and path in ("/desk/login", "/desk/set-up"):
            wait = self._login.take(client)
        if wait or counts.get(client, 0) >= most:
            await refuse(send, 429, max(1, int(wait + 0.999)))
            return
        if _declared(scope) > self._limits.body:
            await refuse(send, 413)
            return
        counts[client] = counts.get(client, 0) + 1
        try:
            await self._app(scope, _Measured(receive, self._limits.body), send)
        finally:
            counts[client] -= 1
            if not counts[client]:
                del counts[client]


class _Measured:
    """Receives a body and cuts the connection when it is longer than it may be, whatever was declared."""

    def __init__(self, receive: Receive, most: int) -> None:
        self._receive, self._left = receive, most

    async def __call__(self) -> MutableMapping[str, Any]:
        message = await self._receive()
        self._left -= len(message.get("body", b""))
        return message if self._left >= 0 else {"type": "http.disconnect"}


def _declared(scope: Scope) -> int:
    for name, value in scope["headers"]:
        if name == b"content-length":
            return int(value) if value.isdigit() else 0
    return 0


async def refuse(send: Send, status: int, wait: int = 0) -> None:
    """A short answer without a page."""
    headers = [(b"content-type", b"text/plain; charset=utf-8")]
    if wait:
        headers.append((b"retry-after", str(wait).encode()))
    words = {429: b"too many requests\n", 413: b"too large\n"}[status]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": words})
