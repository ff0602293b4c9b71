"""Joining by a pairing code: a table that has no key yet asks and shows six digits; the desk lets it in by them.

A request lives in memory only and for a few minutes. Its secret, which the table alone holds, reads the answer. The
code opens nothing by itself: it tells the organiser which of the requests is the one of the table that shows it.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import datetime
from threading import Lock
from typing import Literal

from companion.clock import Clock
from companion.games.base import Message, Refusal

CODE_DIGITS = 6
VALID_S = 300
"""Seconds for which a request waits for the desk, and then for which its answer can be read."""
MAX_REQUESTS, MAX_REQUESTS_PER_ADDRESS = 100, 4
"""Requests that may be open at once: of all, and of one address."""
_SECRET_BYTES = 16

PairingStatus = Literal["waiting", "approved", "refused"]


class TooManyRequests(Exception):
    """As many requests as allowed are open."""


@dataclass(slots=True)
class PairingRequest:
    """A table's request to join.

    - `id`: names the request at the desk
    - `code`: what the table shows
    - `host`: network address of the table
    - `asked`: time of the request
    - `expires_at`: monotonic time in seconds
    - `answer`: address and token, once approved
    """

    id: str
    code: str
    host: str
    asked: datetime
    expires_at: float
    status: PairingStatus = "waiting"
    answer: tuple[str, str] | None = None


class PairingDesk:
    """The open requests. Safe to call from any thread."""

    def __init__(self, clock: Clock) -> None:
        self._clock, self._lock = clock, Lock()
        self._requests: dict[str, PairingRequest] = {}
        """By secret."""

    def ask(self, host: str) -> tuple[str, PairingRequest]:
        """Open a request and return its secret with it. Raises: TooManyRequests."""
        with self._lock:
            self._drop_expired()
            waiting = [each for each in self._requests.values() if each.status == "waiting"]
            own = sum(each.host == host for each in waiting)
            if len(self._requests) >= MAX_REQUESTS or own >= MAX_REQUESTS_PER_ADDRESS:
                raise TooManyRequests
            used = {each.code for each in self._requests.values()}
            code = next(code for code in iter(_new_code, None) if code not in used)
            expires_at = self._clock.monotonic() + VALID_S
            made = PairingRequest(secrets.token_hex(4), code, host, self._clock.now(), expires_at)
            secret = secrets.token_urlsafe(_SECRET_BYTES)
            self._requests[secret] = made
            return secret, made

    def of(self, secret: str) -> PairingRequest | None:
        """Return the request of a secret, or None if it is unknown or has expired."""
        with self._lock:
            self._drop_expired()
            return self._requests.get(secret)

    def withdraw(self, secret: str) -> None:
        """Close a request that its table no longer needs."""
        with self._lock:
            self._requests.pop(secret, None)

    def waiting(self) -> tuple[PairingRequest, ...]:
        """Return the requests that wait for the desk, the oldest first."""
        with self._lock:
            self._drop_expired()
            return tuple(each for each in self._requests.values() if each.status == "waiting")

    def find(self, code: str) -> PairingRequest:
        """Return the waiting request with this code; spaces do not count. Raises: Refusal."""
        digits = "".join(code.split())
        found = next((each for each in self.waiting() if each.code == digits), None)
        if found is None:
            raise Refusal("pairing_code", Message("web.refusal.pairing_code"))
        return found

    def approve(self, request: PairingRequest, address: str, token: str) -> None:
        """Answer a request with address and token, readable by its secret."""
        self._decide(request, "approved", (address, token))

    def refuse(self, id: str) -> bool:
        """Turn a request away. Returns False if it no longer waits."""
        found = next((each for each in self.waiting() if each.id == id), None)
        if found is not None:
            self._decide(found, "refused", None)
        return found is not None

    def _decide(self, request: PairingRequest, status: PairingStatus, answer: tuple[str, str] | None) -> None:
        with self._lock:
            request.status, request.answer = status, answer
            request.expires_at = self._clock.monotonic() + VALID_S

    def _drop_expired(self) -> None:
        now = self._clock.monotonic()
        self._requests = {secret: each for secret, each in self._requests.items() if now < each.expires_at}


def _new_code() -> str:
    return f"{secrets.randbelow(10**CODE_DIGITS):0{CODE_DIGITS}}"
