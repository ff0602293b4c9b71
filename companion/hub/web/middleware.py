"""Middleware of the pages: rate limits, a response cache, and security headers."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterator, MutableMapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from starlette.requests import cookie_parser

from companion.hub.web.localization import preferred_language

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]


# Headers of every response: scripts, styles and frames only from the hub itself.


_CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
_SECURITY_HEADERS = (
    (b"content-security-policy", _CONTENT_SECURITY_POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"same-origin"),
)


class SecurityHeaders:
    """ASGI middleware that adds the headers."""

    def __init__(self, app: App) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward a request and add the headers to its response. Responses are not cached unless they say otherwise."""

        async def with_headers(message: Scope) -> None:
            if message["type"] == "http.response.start":
                headers = list(message["headers"])
                if not any(name == b"cache-control" for name, _ in headers):
                    headers.append((b"cache-control", b"no-store"))
                message["headers"] = headers + list(_SECURITY_HEADERS)
            await send(message)

        await self._app(scope, receive, with_headers if scope["type"] == "http" else send)


# The response cache: public pages and static files, rendered once for concurrent requests.


PAGE_MAX_AGE_S, UNCHANGED_MAX_AGE_S, STATIC_MAX_AGE_S = 1.0, 5.0, 60.0
"""Maximum age of a response in seconds: a page after a change, an unchanged page, style sheets and fonts."""
MAX_CACHED_RESPONSES, MAX_CACHED_BYTES = 512, 512 * 1024
"""Maximum number of cached responses, and maximum size of one in bytes; larger ones are not cached."""
LANGUAGE_COOKIE = "language"
"""Cookie with the language chosen by the visitor."""
_PAGES, _STATIC_PATHS = ("/t/", "/tables/"), ("/style.css", "/live.js", "/icon.svg", "/favicon.ico")

CacheKey = tuple[str, str]
"""A path and a language."""
Refused = Callable[[], Awaitable[bool]]
"""Callback that applies the rate limit before a page is rendered.

Returns True if it refused the request and sent the response.
"""


@dataclass(slots=True)
class CachedResponse:
    """A cached response."""

    start: Scope
    body: bytes
    made: float
    revision: int
    is_static: bool

    async def send_to(self, send: Send) -> None:
        """Send the response."""
        await send({**self.start, "headers": list(self.start["headers"])})
        await send({"type": "http.response.body", "body": self.body})


class ResponseCache:
    """The response cache of an application. `revision` returns the hub's newest; it is called on the event loop."""

    def __init__(self, app: App, monotonic: Callable[[], float], revision: Callable[[], int], page: float) -> None:
        """Create the cache. `page` is the maximum age of a page in seconds; 0 disables the cache."""
        self._app, self._monotonic, self._revision, self._page = app, monotonic, revision, page
        self._responses: OrderedDict[CacheKey, CachedResponse] = OrderedDict()
        self._under_way: dict[CacheKey, asyncio.Event] = {}

    def key(self, scope: Scope, headers: dict[bytes, bytes]) -> CacheKey | None:
        """Return the cache key of a request, or None if it cannot be cached."""
        path = scope["path"]
        if not self._page or scope["method"] != "GET" or scope.get("query_string") or b"range" in headers:
            return None
        if path in _STATIC_PATHS or path.startswith("/fonts/"):
            return path, ""
        if path != "/" and not path.startswith(_PAGES):
            return None
        chosen = cookie_parser(headers.get(b"cookie", b"").decode("latin-1")).get(LANGUAGE_COOKIE)
        return path, preferred_language(headers.get(b"accept-language", b"").decode("latin-1"), chosen)

    def find(self, key: CacheKey) -> CachedResponse | None:
        """Return a cached response if it is fresh enough."""
        found = self._responses.get(key)
        if found is None:
            return None
        most = STATIC_MAX_AGE_S if found.is_static else self._page
        if not found.is_static and found.revision == self._revision():
            most = max(self._page, UNCHANGED_MAX_AGE_S)
        return found if self._monotonic() - found.made < most else None

    async def respond(self, key: CacheKey, scope: Scope, receive: Receive, send: Send, refused: Refused) -> None:
        """Send a response: from the cache, from a concurrent request for the same page, or newly rendered."""
        answer = self.find(key)
        while answer is None and key in self._under_way:
            await self._under_way[key].wait()
            answer = self.find(key)
        if answer is not None:
            await answer.send_to(send)
        elif not await refused():
            await self._respond_fresh(key, scope, receive, send)

    async def _respond_fresh(self, key: CacheKey, scope: Scope, receive: Receive, send: Send) -> None:
        """Render the whole response before sending it, so that other requests do not wait for a slow connection."""
        made, revision = self._monotonic(), self._revision()
        done = self._under_way.setdefault(key, asyncio.Event())
        start: Scope = {}
        body = bytearray()

        async def kept(message: Scope) -> None:
            nonlocal start
            if message["type"] == "http.response.start":
                start = message
            else:
                body.extend(message.get("body", b""))

        try:
            await self._app(scope, receive, kept)
            answer = CachedResponse(start, bytes(body), made, revision, not key[1])
            if len(body) <= MAX_CACHED_BYTES and _is_cacheable(start):
                self._keep(key, answer)
        finally:
            if self._under_way.get(key) is done:
                del self._under_way[key]
            done.set()
        await answer.send_to(send)

    def _keep(self, key: CacheKey, answer: CachedResponse) -> None:
        self._responses[key] = answer
        self._responses.move_to_end(key)
        while len(self._responses) > MAX_CACHED_RESPONSES:
            self._responses.popitem(last=False)


def _is_cacheable(start: Scope) -> bool:
    return start.get("status") == 200 and not any(name == b"set-cookie" for name, _ in start["headers"])


# Limits per client: requests per second, size of a request, login attempts.


MAX_CLIENTS = 20_000
MAX_SESSIONS = 1_000
SESSION_COOKIE = "session"
"""Session cookie."""
_LOGIN_PATHS = ("/desk/login", "/desk/set-up")


@dataclass(frozen=True, slots=True)
class Rate:
    """A token bucket's burst size and refill rate per second."""

    burst: float
    per_second: float


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits for one client: an address or a session."""

    cached: Rate = Rate(6000, 600)
    """Cached responses: enough for about four hundred visitors at once behind one address, with all files of a page."""
    reading: Rate = Rate(120, 30)
    """Responses that must be rendered."""
    writing: Rate = Rate(30, 5)
    login: Rate = Rate(5, 5 / 60)
    stream_opens: Rate = Rate(1000, 60)
    """New event streams: after a restart of the hub all clients reconnect at once."""
    streams: int = 1000
    """Maximum number of open event streams of one client."""
    body: int = 256 * 1024
    """Maximum size of a request in bytes."""
    concurrent: int = 16
    """Maximum number of concurrent requests of one client."""
    page_seconds: float = PAGE_MAX_AGE_S
    """Maximum age in seconds of a cached page; 0: each request is rendered."""


class TokenBucket:
    """Token buckets of many clients. The clients inactive for longest are dropped."""

    def __init__(self, rate: Rate, monotonic: Callable[[], float], max_clients: int = MAX_CLIENTS) -> None:
        self._rate, self._monotonic, self._max_clients = rate, monotonic, max_clients
        self._tokens: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def acquire(self, client: str) -> float:
        """Take one token. Returns 0, or the seconds until a token is available."""
        now = self._monotonic()
        left, since = self._tokens.pop(client, (self._rate.burst, now))
        left = min(self._rate.burst, left + (now - since) * self._rate.per_second)
        wait = 0.0 if left >= 1 else (1 - left) / self._rate.per_second
        self._tokens[client] = (left - 1 if wait == 0 else left, now)
        while len(self._tokens) > self._max_clients:
            self._tokens.popitem(last=False)
        return wait


class KnownSessions:
    """Digests of sessions recently found valid, to identify clients without a database query."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, None] = OrderedDict()

    def add(self, secret: str) -> None:
        """Add the secret of a valid session. Safe to call from any thread."""
        self._known[_digest(secret)] = None
        while len(self._known) > MAX_SESSIONS:
            self._known.popitem(last=False)

    def remove(self, secret: str) -> None:
        """Remove the secret of an ended session."""
        self._known.pop(_digest(secret), None)

    def client(self, headers: dict[bytes, bytes]) -> str | None:
        """Return the client identified by the session cookie, or None."""
        cookie = headers.get(b"cookie", b"")
        if not self._known or SESSION_COOKIE.encode() not in cookie:
            return None
        secret = cookie_parser(cookie.decode("latin-1")).get(SESSION_COOKIE, "")
        digest = _digest(secret)
        return f"session {digest}" if digest in self._known else None


class RequestGuard:
    """ASGI middleware that enforces the limits. `revision` returns the hub's newest."""

    def __init__(
        self,
        app: App,
        limits: Limits,
        monotonic: Callable[[], float],
        revision: Callable[[], int] = lambda: 0,
        known_sessions: KnownSessions | None = None,
    ) -> None:
        self._app, self._limits, self._known_sessions = app, limits, known_sessions or KnownSessions()
        self._cache = ResponseCache(app, monotonic, revision, limits.page_seconds)
        self._cached_reads = TokenBucket(limits.cached, monotonic)
        self._reading = TokenBucket(limits.reading, monotonic)
        self._writing = TokenBucket(limits.writing, monotonic)
        self._login = TokenBucket(limits.login, monotonic)
        self._stream_opens = TokenBucket(limits.stream_opens, monotonic)
        self._busy: dict[str, int] = {}
        self._streams: dict[str, int] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward a request, or respond with 413 (too large) or 429 (too many)."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        address = (scope.get("client") or ("", 0))[0]
        client = self._known_sessions.client(headers) or address
        key = self._cache.key(scope, headers)
        if key is not None:
            await self._respond_cached(key, client, scope, receive, send)
            return
        stream = scope["path"] == "/events" and scope["method"] == "GET"
        counts, most = (self._streams, self._limits.streams) if stream else (self._busy, self._limits.concurrent)
        wait = self._wait(scope, stream, client, address)
        if wait or counts.get(client, 0) >= most:
            await refuse(send, 429, wait)
            return
        if _declared(headers) > self._limits.body:
            await refuse(send, 413)
            return
        with _counting(counts, client):
            await self._app(scope, _LimitedBody(receive, self._limits.body), send)

    async def _respond_cached(self, key: CacheKey, client: str, scope: Scope, receive: Receive, send: Send) -> None:
        """Respond with a public page. Cached responses count against a higher limit."""
        wait = self._cached_reads.acquire(client)
        if wait:
            await refuse(send, 429, wait)
            return

        with ExitStack() as work:

            async def refused() -> bool:
                wait = self._reading.acquire(client)
                if wait or self._busy.get(client, 0) >= self._limits.concurrent:
                    await refuse(send, 429, wait)
                    return True
                work.enter_context(_counting(self._busy, client))
                return False

            await self._cache.respond(key, scope, receive, send, refused)

    def _wait(self, scope: Scope, stream: bool, client: str, address: str) -> float:
        """Return the seconds until such a request is allowed; 0: now."""
        if stream:
            return self._stream_opens.acquire(client)
        reads = scope["method"] in ("GET", "HEAD", "OPTIONS")
        wait = (self._reading if reads else self._writing).acquire(client)
        if wait == 0 and not reads and scope["path"] in _LOGIN_PATHS:
            wait = self._login.acquire(address)  # by address: a session gives no extra attempts
        return wait


class _LimitedBody:
    """Receives a body and disconnects when it exceeds the limit, whatever its declared length."""

    def __init__(self, receive: Receive, most: int) -> None:
        self._receive, self._left = receive, most

    async def __call__(self) -> Scope:
        message = await self._receive()
        self._left -= len(message.get("body", b""))
        return message if self._left >= 0 else {"type": "http.disconnect"}


@contextmanager
def _counting(counts: dict[str, int], client: str) -> Iterator[None]:
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
    """Send a short text response, with the seconds to wait, rounded up, at least 1."""
    headers: list[Any] = [(b"content-type", b"text/plain; charset=utf-8")]
    if wait is not None:
        headers.append((b"retry-after", str(max(1, int(wait + 0.999))).encode()))
    body = {429: b"too many requests\n", 413: b"too large\n"}[status]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
