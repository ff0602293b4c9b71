"""Answers that are ready: pages for everyone and what they are drawn with, made once for all who ask at the same time.

A whole hall may stand behind one address. What hundreds look at costs next to nothing here, so they may share a large
allowance; only the making of a page that is not ready counts as work. A page may be a second old: it says of which
revision it is, and its stream of events brings what came since.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from starlette.requests import cookie_parser

from companion.hub.web.asgi import App, Receive, Scope, Send
from companion.hub.web.words import preferred

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
