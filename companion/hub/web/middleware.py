"""Middleware of the pages: rate limits, a response cache, and security headers."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from starlette.requests import cookie_parser

from companion.hub.web.connections import MAX_CONNECTIONS, App, Receive, Scope, Send
from companion.hub.web.localization import preferred_language

# Headers of every response: scripts, styles and frames only from the hub itself.


_CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; worker-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
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
LOGIN_PATH = "/desk/login"
_PAGES, _STATIC_PATHS = ("/t/", "/tables/"), ("/style.css", "/live.js", "/live-worker.js", "/icon.svg", "/favicon.ico")

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
        if path not in ("/", LOGIN_PATH) and not path.startswith(_PAGES):
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
DEVICE_COOKIE = "device"
"""Cookie of a browser in which an organiser has logged in."""


@dataclass(frozen=True, slots=True)
class Rate:
    """A token bucket's burst size and refill rate per second."""

    burst: float
    per_second: float


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits for one client: a session, a device on which an organiser has logged in, or an address."""

    cached: Rate = Rate(6000, 600)
    """Cached responses: enough for about four hundred visitors at once behind one address, with all files of a page."""
    reading: Rate = Rate(120, 30)
    """Responses that must be rendered."""
    writing: Rate = Rate(30, 5)
    login: Rate = Rate(20, 1 / 2)
    """Passwords that are tried; further ones wait for their turn. Per device or address: 1,820 in the first hour."""
    login_forms: Rate = Rate(60, 20)
    """Login forms that are read, whether or not they may wait."""
    waiting_logins: int = 20
    """Maximum number of passwords that wait for their turn: 40 s at most."""
    stream_opens: Rate = Rate(1000, 60)
    """New event streams: after a restart of the hub all clients reconnect at once."""
    streams: int = 1000
    """Maximum number of open event streams of one client."""
    streams_of_addresses: int = MAX_CONNECTIONS // 2
    """Maximum number of open event streams of all addresses together."""
    body: int = 256 * 1024
    """Maximum size of a request in bytes."""
    concurrent: int = 16
    """Maximum number of concurrent requests of one client."""
    concurrent_addresses: int = 24
    """Maximum number of concurrent requests of all addresses together: there are 40 threads for them and all others."""
    page_seconds: float = PAGE_MAX_AGE_S
    """Maximum age in seconds of a cached page; 0: each request is rendered."""
    pairing: Rate = Rate(6, 1 / 20)
    """Requests of tables to join by a pairing code, per address."""


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


@dataclass(frozen=True, slots=True)
class Client:
    """Whose requests are counted together.

    - `id`: a session, else a device on which an organiser has logged in, else an address
    - `is_known`: whether it is more than an address
    - `login_id`: a device or an address: a session gives no extra attempts
    """

    id: str
    is_known: bool
    login_id: str


class Clients:
    """Recognizes the clients of requests without a database query."""

    def __init__(self, find_device: Callable[[str], str | None] = lambda cookie: None) -> None:
        """`find_device` returns the device of a device cookie, or None."""
        self._find_device = find_device
        self._sessions: OrderedDict[str, None] = OrderedDict()
        """Digests of sessions recently found valid."""

    def add_session(self, secret: str) -> None:
        """Add the secret of a valid session. Safe to call from any thread."""
        self._sessions[_digest(secret)] = None
        while len(self._sessions) > MAX_SESSIONS:
            self._sessions.popitem(last=False)

    def remove_session(self, secret: str) -> None:
        """Remove the secret of an ended session."""
        self._sessions.pop(_digest(secret), None)

    def of(self, scope: Scope, headers: dict[bytes, bytes]) -> Client:
        """Return the client of a request."""
        address = (scope.get("client") or ("", 0))[0]
        cookies = cookie_parser(headers.get(b"cookie", b"").decode("latin-1"))
        digest = _digest(cookies.get(SESSION_COOKIE, ""))
        session = f"session {digest}" if digest in self._sessions else None
        device = self._find_device(cookies.get(DEVICE_COOKIE, ""))
        return Client(session or device or address, (session or device) is not None, device or address)


_CLIENT = "tapis_vert.client"
"""Key of the `Client` in an ASGI scope."""


def client_of(scope: Scope) -> Client:
    """Return the client of a request that has passed `RequestGuard`."""
    found: Client = scope[_CLIENT]
    return found


class OpenRequests:
    """Counts the requests in progress of each client, and of all addresses together."""

    def __init__(self, most: int, most_of_addresses: int) -> None:
        self._most, self._most_of_addresses = most, most_of_addresses
        self._counts: dict[str, int] = {}
        self._of_addresses = 0

    def is_full(self, client: Client) -> bool:
        """Return whether the client must wait for others to end."""
        is_crowded = not client.is_known and self._of_addresses >= self._most_of_addresses
        return is_crowded or self._counts.get(client.id, 0) >= self._most

    @contextmanager
    def counting(self, client: Client) -> Iterator[None]:
        """Count a request while it is in progress."""
        self._counts[client.id] = self._counts.get(client.id, 0) + 1
        self._of_addresses += not client.is_known
        try:
            yield
        finally:
            self._of_addresses -= not client.is_known
            self._counts[client.id] -= 1
            if not self._counts[client.id]:
                del self._counts[client.id]


class TooManyLogins(Exception):
    """Too many passwords of this client wait for their turn."""


class LoginQueue:
    """Lets each client try one password after the other, at a limited rate, and only one password at a time in all.

    A client that is too fast waits instead of being refused: a right password is accepted although others at the same
    address try wrong ones. One check takes 64 MB of memory. Used on the event loop only.
    """

    def __init__(
        self,
        limits: Limits,
        monotonic: Callable[[], float],
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        self._bucket, self._sleep, self._most = TokenBucket(limits.login, monotonic), sleep, limits.waiting_logins + 1
        self._attempts: dict[str, int] = {}
        self._turns: dict[str, asyncio.Lock] = {}
        self._check = asyncio.Lock()

    @asynccontextmanager
    async def wait_for_turn(self, client: str) -> AsyncIterator[None]:
        """Wait until the client may try a password. Raises: TooManyLogins."""
        attempts = self._attempts.get(client, 0)
        if attempts >= self._most:
            raise TooManyLogins
        self._attempts[client] = attempts + 1
        lock = self._turns.setdefault(client, asyncio.Lock())
        try:
            async with lock:
                while wait := self._bucket.acquire(client):
                    await self._sleep(wait)
                async with self._check:
                    yield
        finally:
            self._attempts[client] -= 1
            if not self._attempts[client]:
                del self._attempts[client], self._turns[client]


class RequestGuard:
    """ASGI middleware that enforces the limits. `revision` returns the hub's newest."""

    def __init__(
        self,
        app: App,
        limits: Limits,
        monotonic: Callable[[], float],
        revision: Callable[[], int] = lambda: 0,
        clients: Clients | None = None,
    ) -> None:
        self._app, self._limits, self._clients = app, limits, clients or Clients()
        self._cache = ResponseCache(app, monotonic, revision, limits.page_seconds)
        self._cached_reads = TokenBucket(limits.cached, monotonic)
        self._reading = TokenBucket(limits.reading, monotonic)
        self._writing = TokenBucket(limits.writing, monotonic)
        self._login_forms = TokenBucket(limits.login_forms, monotonic)
        self._stream_opens = TokenBucket(limits.stream_opens, monotonic)
        self._busy = OpenRequests(limits.concurrent, limits.concurrent_addresses)
        self._streams = OpenRequests(limits.streams, limits.streams_of_addresses)
        self._logins = OpenRequests(2 * limits.waiting_logins, limits.streams_of_addresses)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward a request, or respond with 413 (too large) or 429 (too many)."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        client = scope[_CLIENT] = self._clients.of(scope, headers)
        key = self._cache.key(scope, headers)
        if key is not None:
            await self._respond_cached(key, client, scope, receive, send)
            return
        bucket, open_requests = self._limits_of(scope)
        wait = bucket.acquire(client.id)
        if wait or open_requests.is_full(client):
            await refuse(send, 429, wait)
            return
        if _declared(headers) > self._limits.body:
            await refuse(send, 413)
            return
        with open_requests.counting(client):
            await self._app(scope, _LimitedBody(receive, self._limits.body), send)

    async def _respond_cached(self, key: CacheKey, client: Client, scope: Scope, receive: Receive, send: Send) -> None:
        """Respond with a public page. Cached responses count against a higher limit."""
        wait = self._cached_reads.acquire(client.id)
        if wait:
            await refuse(send, 429, wait)
            return

        with ExitStack() as work:

            async def refused() -> bool:
                wait = self._reading.acquire(client.id)
                if wait or self._busy.is_full(client):
                    await refuse(send, 429, wait)
                    return True
                work.enter_context(self._busy.counting(client))
                return False

            await self._cache.respond(key, scope, receive, send, refused)

    def _limits_of(self, scope: Scope) -> tuple[TokenBucket, OpenRequests]:
        """Return the limits of a request that is not answered from the cache."""
        if scope["method"] in ("GET", "HEAD", "OPTIONS"):
            is_stream = scope["path"] == "/events" and scope["method"] == "GET"
            return (self._stream_opens, self._streams) if is_stream else (self._reading, self._busy)
        return (self._login_forms, self._logins) if scope["path"] == LOGIN_PATH else (self._writing, self._busy)


class _LimitedBody:
    """Receives a body and disconnects when it exceeds the limit, whatever its declared length."""

    def __init__(self, receive: Receive, most: int) -> None:
        self._receive, self._left = receive, most

    async def __call__(self) -> Scope:
        message = await self._receive()
        self._left -= len(message.get("body", b""))
        return message if self._left >= 0 else {"type": "http.disconnect"}


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
