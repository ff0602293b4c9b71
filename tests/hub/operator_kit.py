"""A NATS operator that signs accounts and users, and the credentials file of a user."""

from __future__ import annotations

import base64
import binascii
import json
from hashlib import sha512
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

SEED = 18 << 3
OPERATOR, ACCOUNT, USER = 14 << 3, 0, 20 << 3
"""Key types as the prefix byte; the encoded keys start with O, A or U."""
FREE = {"subs": -1, "data": -1, "payload": -1, "imports": -1, "exports": -1, "wildcards": True, "conn": -1, "leaf": -1}
STORE = {"mem_storage": -1, "disk_storage": -1, "streams": -1, "consumer": -1}


class Key:
    """An NKey: an Ed25519 key in base32 with its type and a checksum."""

    def __init__(self, kind: int) -> None:
        self._kind, self._key = kind, Ed25519PrivateKey.generate()
        self.public = _text(bytes((kind,)) + self._key.public_key().public_bytes_raw())
        self.seed = _text(bytes((SEED | kind >> 5, (kind & 31) << 3)) + self._key.private_bytes_raw())

    def signed(self, subject: str, name: str, nats: dict[str, Any]) -> str:
        """Return a JWT in which this key signs claims about another key."""
        claims: dict[str, Any] = {"iat": 1, "iss": self.public, "sub": subject, "name": name}
        claims["nats"] = {**nats, "version": 2}
        claims["jti"] = base64.b32encode(sha512(json.dumps(claims).encode()).digest()[:32]).decode().rstrip("=")
        signing_input = f"{_part({'typ': 'JWT', 'alg': 'ed25519-nkey'})}.{_part(claims)}"
        return (
            f"{signing_input}.{base64.urlsafe_b64encode(self._key.sign(signing_input.encode())).decode().rstrip('=')}"
        )


def operated(folder: Path) -> tuple[str, Path]:
    """Return the server configuration for an operator with one account, and the credentials file of a user in it."""
    operator, system, account, user = Key(OPERATOR), Key(ACCOUNT), Key(ACCOUNT), Key(USER)
    signed = {
        system.public: operator.signed(system.public, "SYS", {"type": "account", "limits": FREE}),
        account.public: operator.signed(account.public, "TAPIS", {"type": "account", "limits": {**FREE, **STORE}}),
    }
    config = {
        "operator": operator.signed(operator.public, "club", {"type": "operator", "system_account": system.public}),
        "system_account": system.public,
        "resolver": "MEMORY",
        "resolver_preload": signed,
    }
    token = account.signed(user.public, "hub", {"type": "user", "subs": -1, "data": -1, "payload": -1})
    blocks = (("NATS USER JWT", token), ("USER NKEY SEED", user.seed))
    credentials = folder / "hub.creds"
    credentials.write_text(
        "".join(f"-----BEGIN {kind}-----\n{text}\n------END {kind}------\n\n" for kind, text in blocks)
    )
    return "\n".join(f"{name}: {json.dumps(value)}" for name, value in config.items()), credentials


def _text(raw: bytes) -> str:
    return base64.b32encode(raw + binascii.crc_hqx(raw, 0).to_bytes(2, "little")).decode().rstrip("=")


def _part(value: dict[str, Any]) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")
