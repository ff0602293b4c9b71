"""The token by which a table joins: its id, its key and the hub's fingerprint as one text, to scan or type.

Base32 of:

- a version byte
- the length of the table's id, and the id
- the first 12 bytes of the SHA-256 of the hub's certificate (all 0: trust the system's authorities)
- the key
- a two-byte checksum against typing errors
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
"""Bytes of the certificate's SHA-256: 96 bits, enough against a forged certificate."""
SYSTEM_AUTHORITIES = bytes(FINGERPRINT_BYTES)
DEFAULT_PORT = 4222
"""Default NATS port, for an address without one."""
SCHEME = "tapis-vert"
"""URL scheme of the QR code for joining: `tapis-vert://hub.local/TOKEN`."""

_GROUP_SIZE = 5
_CHECK_BYTES = 2
_LOOKALIKES = str.maketrans("018", "OIB")
"""Characters that base32 does not use, mapped to those that look like them."""


class TokenError(Exception):
    """A text that is not a token or address. `message` is the text to display."""

    def __init__(self, id: str, **args: object) -> None:
        self.message = Message(f"link.{id}", args)
        super().__init__(str(self.message))


@dataclass(frozen=True, slots=True)
class Token:
    """A table's id, its key (text), and the first bytes of the SHA-256 of the hub's certificate."""

    table: str
    key: str
    certificate: bytes = SYSTEM_AUTHORITIES

    def __repr__(self) -> str:
        return f"Token({self.table!r}, …)"


def format_token(token: Token) -> str:
    """Return the token as text, in groups."""
    table, key = token.table.encode(), token.key.encode()
    body = bytes((VERSION, len(table))) + table + token.certificate + key
    text = base64.b32encode(body + _checksum(body)).decode().rstrip("=")
    return "-".join(text[at : at + _GROUP_SIZE] for at in range(0, len(text), _GROUP_SIZE))


def parse_token(text: str) -> Token:
    """Parse a token. Raises: TokenError for a typing error, an unknown version or any other text."""
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
    """Return the fingerprint of a certificate (DER), as used in a token."""
    return sha256(der).digest()[:FINGERPRINT_BYTES]


def parse_address(text: str, default_port: int = DEFAULT_PORT) -> tuple[str, int]:
    """Return host and port of an address `host`, `host:port` or `[IPv6]:port`. Raises: TokenError."""
    try:
        parts = urlsplit(f"//{text.strip()}")
        host, port = parts.hostname, parts.port
    except ValueError:
        raise TokenError("address", address=text) from None
    if not host or parts.path or parts.query or parts.fragment or "@" in parts.netloc or re.search(r"\s", host):
        raise TokenError("address", address=text)
    return host, default_port if port is None else port


def bracket_ipv6(host: str) -> str:
    """Return a host in the form used before `:port`."""
    return f"[{host}]" if ":" in host else host


def invitation(address: str, token: str) -> str:
    """Return the text of a QR code by which a table joins."""
    return f"{SCHEME}://{address}/{token}"


def is_invitation(text: str) -> bool:
    """Return whether a text is meant as an invitation, right or wrong."""
    return re.sub(r"\s", "", text).lower().startswith(f"{SCHEME}:")


def parse_invitation(text: str) -> tuple[str, str]:
    """Return the address and the token of an invitation. Raises: TokenError."""
    _, _, rest = re.sub(r"\s", "", text).partition("://")
    address, _, token = rest.partition("/")
    parse_address(address)
    parse_token(token)
    return address, token


def address_fault(address: str) -> Message | None:
    """Check a typed address. Returns the fault, or None if it is valid."""
    try:
        parse_address(address)
    except TokenError as fault:
        return fault.message
    return None


def _checksum(body: bytes) -> bytes:
    return sha256(body).digest()[-_CHECK_BYTES:]


def join_fault(address: str, token: str) -> Message | None:
    """Check a typed address and token. Returns the fault, or None if both are valid."""
    try:
        parse_address(address)
        parse_token(token)
    except TokenError as fault:
        return fault.message
    return None
