"""What stands in front of the pages: limits on requests, answers that are ready for everyone, safe headers."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterator, MutableMapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from starlette.requests import cookie_parser

from companion.hub.web.wording import preferred

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]


# Headers that every answer carries: no script, style or frame but the hub's own.


_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
_ALWAYS = (
    (b"content-security-policy", _POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"same-origin"),
)


class SafeHeaders:
    """The ASGI application around the hub's own that adds them."""

    def __init__(self, app: App) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes a request on; its answer gets the headers, and is not kept by anyone unless it says otherwise."""

        async def with_headers(message: Scope) -> None:
            if message["type"] == "http.response.start":
                headers = list(message["headers"])
                if not any(name == b"cache-control" for name, _ in headers):
                    headers.append((b"cache-control", b"no-store"))
                message["headers"] = headers + list(_ALWAYS)
            await send(message)

        await self._app(scope, receive, with_headers if scope["type"] == "http" else send)


# Answers that are ready: pages for everyone and what they are drawn with, made once for all who ask at the same time.


PAGE_SECONDS, SAME_SECONDS, DRAWN_SECONDS = 1.0, 5.0, 60.0
"""How old an answer may be: a page after a change, a page while nothing changed, style sheets and fonts."""
MOST, MOST_BYTES = 512, 512 * 1024
"""Answers that are kept, and bytes of one; a larger one is made each time."""
LANGUAGE_COOKIE = "language"
"""The cookie of the language that a visitor chose."""
_PAGES, _DRAWN = ("/t/", "/tables/"), ("/style.css", "/live.js", "/icon.svg", "/favicon.ico")

Key = tuple[str, str]
"""A path and a language."""
Refused = Callable[[], Awaitable[bool]]
"""Asks for the work to be paid; True when it was refused, and answered so."""


@dataclass(slots=True)
class Answer:
    """An answer that can be given again."""

    start: Scope
    body: bytes
    made: float
    revision: int
    drawn: bool

    async def give(self, send: Send) -> None:
        """Sends it."""
        await send({**self.start, "headers": list(self.start["headers"])})
        await send({"type": "http.response.body", "body": self.body})


class Ready:
    """The ready answers of an application. `revision` is the newest of the hub; called on the event loop."""

    def __init__(self, app: App, monotonic: Callable[[], float], revision: Callable[[], int], page: float) -> None:
        """`page` is how many seconds old a page may be, 0 for none ready at all."""
        self._app, self._monotonic, self._revision, self._page = app, monotonic, revision, page
        self._answers: OrderedDict[Key, Answer] = OrderedDict()
        self._under_way: dict[Key, asyncio.Event] = {}

    def key(self, scope: Scope, headers: dict[bytes, bytes]) -> Key | None:
        """What is asked for, None if it is nothing that could be ready."""
        path = scope["path"]
        if not self._page or scope["method"] != "GET" or scope.get("query_string") or b"range" in headers:
            return None
        if path in _DRAWN or path.startswith("/fonts/"):
            return path, ""
        if path != "/" and not path.startswith(_PAGES):
            return None
        chosen = cookie_parser(headers.get(b"cookie", b"").decode("latin-1")).get(LANGUAGE_COOKIE)
        return path, preferred(headers.get(b"accept-language", b"").decode("latin-1"), chosen)

    def find(self, key: Key) -> Answer | None:
        """The answer, if it is there and not too old."""
        found = self._answers.get(key)
        if found is None:
            return None
        most = DRAWN_SECONDS if found.drawn else self._page
        if not found.drawn and found.revision == self._revision():
            most = max(self._page, SAME_SECONDS)
        return found if self._monotonic() - found.made < most else None

    async def give(self, key: Key, scope: Scope, receive: Receive, send: Send, refused: Refused) -> None:
        """Gives the answer: a ready one, that which is being made for somebody else, or one made now."""
        answer = self.find(key)
        while answer is None and key in self._under_way:
            await self._under_way[key].wait()
            answer = self.find(key)
        if answer is not None:
            await answer.give(send)
        elif not await refused():
            await self._made(key, scope, receive, send)

    async def _made(self, key: Key, scope: Scope, receive: Receive, send: Send) -> None:
        """Makes the answer, all of it before any of it is sent: nobody waits for one whose line is slow."""
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
            answer = Answer(start, bytes(body), made, revision, not key[1])
            if len(body) <= MOST_BYTES and _can_be_kept(start):
                self._keep(key, answer)
        finally:
            if self._under_way.get(key) is done:
                del self._under_way[key]
            done.set()
        await answer.give(send)

    def _keep(self, key: Key, answer: Answer) -> None:
        self._answers[key] = answer
        self._answers.move_to_end(key)
        while len(self._answers) > MOST:
            self._answers.popitem(last=False)


def _can_be_kept(start: Scope) -> bool:
    return start.get("status") == 200 and not any(name == b"set-cookie" for name, _ in start["headers"])


# Keeps one client from taking the hub's time: so many requests a second each, so large a request, few logins.


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
