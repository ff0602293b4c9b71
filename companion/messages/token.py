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
from companion.messages.subjects import is_table_id

VERSION = 1
FINGERPRINT_BYTES = 12
"""Of the certificate's SHA-256: 96 bits, which nobody can meet with a certificate of their own."""
SYSTEM_AUTHORITIES = bytes(FINGERPRINT_BYTES)
DEFAULT_PORT = 4222
"""Of NATS, where an address names none."""
SCHEME = "tapis-vert"
"""Begins the text of a QR code for joining: `tapis-vert://hub.local/TOKEN`."""

_GROUP_SIZE = 5
_CHECK_BYTES = 2
_LOOKALIKES = str.maketrans("018", "OIB")
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
    certificate: bytes = SYSTEM_AUTHORITIES

    def __repr__(self) -> str:
        return f"Token({self.table!r}, …)"


def format_token(token: Token) -> str:
    """The token as text, in groups."""
    table, key = token.table.encode(), token.key.encode()
    body = bytes((VERSION, len(table))) + table + token.certificate + key
    text = base64.b32encode(body + _checksum(body)).decode().rstrip("=")
    return "-".join(text[at : at + _GROUP_SIZE] for at in range(0, len(text), _GROUP_SIZE))


def parse_token(text: str) -> Token:
    """The token in a text. Raises TokenError for one with a slip in it, or for something else."""
    characters = re.sub(r"[\s-]", "", text).upper().translate(_LOOKALIKES)
    try:
        raw = base64.b32decode(characters + "=" * (-len(characters) % 8))
    except (binascii.Error, ValueError):
        raise TokenError("token.slip") from None
    body, check = raw[:-_CHECK_BYTES], raw[-_CHECK_BYTES:]
    if len(body) < 2 + FINGERPRINT_BYTES or _checksum(body) != check:
        raise TokenError("token.slip")
    if body[0] != VERSION:
        raise TokenError("token.version")
    end = 2 + body[1]
    table, certificate, key = body[2:end], body[end : end + FINGERPRINT_BYTES], body[end + FINGERPRINT_BYTES :]
    try:
        token = Token(table.decode("ascii"), key.decode("ascii"), certificate)
    except UnicodeDecodeError:
        raise TokenError("token.slip") from None
    if not is_table_id(token.table) or len(certificate) != FINGERPRINT_BYTES or not token.key:
        raise TokenError("token.slip")
    return token


def certificate_fingerprint(der: bytes) -> bytes:
    """By what a certificate (DER) is known in a token."""
    return sha256(der).digest()[:FINGERPRINT_BYTES]


def parse_address(text: str) -> tuple[str, int]:
    """Host and port of an address `host`, `host:port` or `[IPv6]:port`. Raises TokenError."""
    try:
        parts = urlsplit(f"//{text.strip()}")
        host, port = parts.hostname, parts.port
    except ValueError:
        raise TokenError("address", address=text) from None
    if not host or parts.path or parts.query or parts.fragment or "@" in parts.netloc or re.search(r"\s", host):
        raise TokenError("address", address=text)
    return host, DEFAULT_PORT if port is None else port


def bracket_ipv6(host: str) -> str:
    """A host as it stands before `:port`."""
    return f"[{host}]" if ":" in host else host


def invitation(address: str, token: str) -> str:
    """The text of a QR code by which a table joins."""
    return f"{SCHEME}://{address}/{token}"


def _checksum(body: bytes) -> bytes:
    return sha256(body).digest()[-_CHECK_BYTES:]


def join_fault(address: str, token: str) -> Message | None:
    """What is wrong with an address and a token as somebody typed them; None if nothing is."""
    try:
        parse_address(address)
        parse_token(token)
    except TokenError as fault:
        return fault.message
    return None
