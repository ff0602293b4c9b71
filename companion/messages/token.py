"""The token by which a table joins: who it is, its key, and by what it knows the hub. One text, to be scanned or typed.

Base32 of: a version byte; the length of the table's id, and the id; 12 bytes of the SHA-256 of the hub's certificate
(all 0: the system's authorities vouch for the hub); the key; two bytes by which a slip of the finger is noticed.
"""

from __future__ import annotations

import base64
import binascii
import re
from dataclasses import dataclass
from hashlib import sha256
from urllib.parse import urlsplit

from companion.games.base import Message
from companion.messages.subjects import is_table

VERSION = 1
PRINT_BYTES = 12
"""Of the certificate's SHA-256: 96 bits, which nobody can meet with a certificate of their own."""
BY_AUTHORITY = bytes(PRINT_BYTES)
PORT = 4222
"""Of NATS, where an address names none."""
SCHEME = "tapis-vert"
"""Begins the text of a QR code for joining: `tapis-vert://hub.local/TOKEN`."""

_GROUP = 5
_CHECK_BYTES = 2
_ALIKE = str.maketrans("018", "OIB")
"""Signs that base32 does not have, for those that look like them."""


class TokenError(Exception):
    """A text that is no token or no address; `message` is the sentence."""

    def __init__(self, id: str, **args: object) -> None:
        self.message = Message(f"link.{id}", args)
        super().__init__(str(self.message))


@dataclass(frozen=True, slots=True)
class Token:
    """A table's id, its key (text), and the beginning of the SHA-256 of the hub's certificate."""

    table: str
    key: str
    certificate: bytes = BY_AUTHORITY

    def __repr__(self) -> str:
        return f"Token({self.table!r}, …)"


def written(token: Token) -> str:
    """The token as text, in groups."""
    table, key = token.table.encode(), token.key.encode()
    body = bytes((VERSION, len(table))) + table + token.certificate + key
    text = base64.b32encode(body + _check(body)).decode().rstrip("=")
    return "-".join(text[at : at + _GROUP] for at in range(0, len(text), _GROUP))


def read(text: str) -> Token:
    """The token in a text. Raises TokenError for one with a slip in it, or for something else."""
    signs = re.sub(r"[\s-]", "", text).upper().translate(_ALIKE)
    try:
        raw = base64.b32decode(signs + "=" * (-len(signs) % 8))
    except (binascii.Error, ValueError):
        raise TokenError("token.slip") from None
    body, check = raw[:-_CHECK_BYTES], raw[-_CHECK_BYTES:]
    if len(body) < 2 + PRINT_BYTES or _check(body) != check:
        raise TokenError("token.slip")
    if body[0] != VERSION:
        raise TokenError("token.version")
    end = 2 + body[1]
    table, certificate, key = body[2:end], body[end : end + PRINT_BYTES], body[end + PRINT_BYTES :]
    try:
        token = Token(table.decode("ascii"), key.decode("ascii"), certificate)
    except UnicodeDecodeError:
        raise TokenError("token.slip") from None
    if not is_table(token.table) or len(certificate) != PRINT_BYTES or not token.key:
        raise TokenError("token.slip")
    return token


def certificate_print(der: bytes) -> bytes:
    """By what a certificate (DER) is known in a token."""
    return sha256(der).digest()[:PRINT_BYTES]


def address_of(text: str) -> tuple[str, int]:
    """Host and port of an address `host`, `host:port` or `[IPv6]:port`. Raises TokenError."""
    try:
        parts = urlsplit(f"//{text.strip()}")
        host, port = parts.hostname, parts.port
    except ValueError:
        raise TokenError("address", address=text) from None
    if not host or parts.path or parts.query or parts.fragment or "@" in parts.netloc or re.search(r"\s", host):
        raise TokenError("address", address=text)
    return host, PORT if port is None else port


def bracketed(host: str) -> str:
    """A host as it stands before `:port`."""
    return f"[{host}]" if ":" in host else host


def invitation(address: str, token: str) -> str:
    """The text of a QR code by which a table joins."""
    return f"{SCHEME}://{address}/{token}"


def _check(body: bytes) -> bytes:
    return sha256(body).digest()[-_CHECK_BYTES:]


def fault_of(address: str, token: str) -> Message | None:
    """What is wrong with an address and a token as somebody typed them; None if nothing is."""
    try:
        address_of(address)
        read(token)
    except TokenError as fault:
        return fault.message
    return None
