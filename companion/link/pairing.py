"""Asks a hub to let this table join: shows six digits, and waits until the organiser has typed them at the desk.

The requests go to the hub's web pages, because the port for tables accepts only those who have a token already.
"""

from __future__ import annotations

import logging
import re
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from threading import Event, Lock, Thread

import msgspec

from companion.games.base import Message
from companion.messages.token import TokenError, join_fault, parse_address
from companion.table.hub_port import PairingState

PAGES_PORT = 8470
"""Usual port of a hub's pages, for an address without one."""
PATH = "/pairing"
TIMEOUT_S = 5.0
"""Timeout of each step of a request."""
POLL_INTERVAL_S = 2.0
MAX_ANSWER_BYTES = 4096
_TOO_MANY, _OK = 429, 200
_SCHEME = re.compile(r"(https?)://", re.IGNORECASE)

log = logging.getLogger(__name__)


class _Asked(msgspec.Struct):
    secret: str
    code: str
    seconds: int


class _Answer(msgspec.Struct):
    status: str
    address: str = ""
    token: str = ""


_ASKED, _ANSWER = (
    msgspec.json.Decoder(_Asked),
    msgspec.json.Decoder(_Answer),
)  # at import: creating the first decoder in two threads at once crashes the library


class PairingRefused(Exception):
    """The hub does not take the request. `message` is the text to display."""

    def __init__(self, id: str, address: str) -> None:
        self.message = Message(id, {"address": address})
        super().__init__(str(self.message))


def pages_address(text: str) -> tuple[str | None, str, int]:
    """Return the scheme, if any, the host and the port of the address of a hub's pages. Raises: TokenError."""
    found = _SCHEME.match(text.strip())
    scheme = None if found is None else found[1].lower()
    host, port = parse_address(_SCHEME.sub("", text.strip(), count=1).rstrip("/"), PAGES_PORT)
    return scheme, host, port


def pairing_address_fault(text: str) -> Message | None:
    """Check a typed address of a hub's pages. Returns the fault, or None if it is valid."""
    try:
        pages_address(text)
    except TokenError:
        return Message("link.pairing.address", {"address": text})
    return None


class PairingAttempt:
    """One request to join, on its own thread. `state` never waits for the network."""

    def __init__(self, address: str, poll_interval_s: float = POLL_INTERVAL_S) -> None:
        """Start the request. `address` is that of the hub's pages, with or without scheme and port.

        Raises: TokenError, for an address that is none.
        """
        self._address, self._interval_s = address, poll_interval_s
        scheme, self._host, self._port = pages_address(address)
        self._schemes = ("http", "https") if scheme is None else (scheme,)
        self._state, self._lock, self._closed = PairingState("asking"), Lock(), Event()
        Thread(target=self._run, name="pairing", daemon=True).start()

    def state(self) -> PairingState:
        """Return what has come of the request so far."""
        with self._lock:
            return self._state

    def close(self) -> None:
        """End the request. The hub forgets it."""
        self._closed.set()

    def _show(self, state: PairingState) -> None:
        with self._lock:
            self._state = state

    def _run(self) -> None:
        try:
            asked = self._ask()
        except PairingRefused as refused:
            self._show(PairingState("failed", trouble=refused.message))
            return
        self._show(PairingState("waiting", asked.code))
        self._wait(asked)
        self._withdraw(asked)

    def _ask(self) -> _Asked:
        """Open the request. Raises: PairingRefused."""
        for scheme in self._schemes:
            try:
                status, body = self._request(scheme, "POST")
                if status == _TOO_MANY:
                    raise PairingRefused("link.pairing.too_many", self._address)
                if status == _OK:
                    asked = _ASKED.decode(body)
                    self._schemes = (scheme,)
                    return asked
            except (OSError, HTTPException, msgspec.MsgspecError) as fault:
                log.info("no pairing at %s://%s:%s: %s", scheme, self._host, self._port, fault)
        raise PairingRefused("link.pairing.unreachable", self._address)

    def _wait(self, asked: _Asked) -> None:
        """Poll until there is an answer. A hub that is away is asked again while the code is valid."""
        for _ in range(max(1, int(asked.seconds / self._interval_s))):
            if self._closed.wait(self._interval_s):
                return
            try:
                answer = _ANSWER.decode(self._request(self._schemes[0], "GET", asked.secret)[1])
            except (OSError, HTTPException, msgspec.MsgspecError) as fault:
                log.info("the hub does not answer a pairing: %s", fault)
                self._show(PairingState("waiting", asked.code, Message("link.pairing.away")))
                continue
            state = _state_of(answer, asked)
            self._show(state)
            if state.step != "waiting":
                return
        self._show(PairingState("failed", trouble=Message("link.pairing.gone")))

    def _withdraw(self, asked: _Asked) -> None:
        """Tell the hub that the request is over, so that its desk no longer shows it."""
        try:
            self._request(self._schemes[0], "DELETE", asked.secret)
        except (OSError, HTTPException) as fault:
            log.info("a pairing was not withdrawn: %s", fault)

    def _request(self, scheme: str, method: str, secret: str = "") -> tuple[int, bytes]:
        """Send a request. Raises: OSError, HTTPException."""
        made = HTTPSConnection if scheme == "https" else HTTPConnection
        connection = made(self._host, self._port, timeout=TIMEOUT_S)
        try:
            headers = {"authorization": f"Bearer {secret}"} if secret else {}
            connection.request(method, PATH, headers=headers)
            answer = connection.getresponse()
            return answer.status, answer.read(MAX_ANSWER_BYTES)
        finally:
            connection.close()


def _state_of(answer: _Answer, asked: _Asked) -> PairingState:
    if answer.status == "approved" and join_fault(answer.address, answer.token) is None:
        return PairingState("joined", asked.code, invitation=(answer.address, answer.token))
    if answer.status == "refused":
        return PairingState("failed", trouble=Message("link.pairing.refused"))
    if answer.status == "waiting":
        return PairingState("waiting", asked.code)
    return PairingState("failed", trouble=Message("link.pairing.gone"))
