"""The one-time link for a new password that `companion hub --new-password` prints on the hub's own machine.

The link's key is kept as a digest in a file of the hub's folder. So it works while the hub runs and before it is
started, with every database, and only for those who may write to this folder.
"""

from __future__ import annotations

import hmac
import secrets
from hashlib import sha256
from pathlib import Path

import msgspec

from companion.clock import Clock
from vision.files import read_state, write_atomically

FILE = "new-password.json"
VALID_S = 3600
"""Seconds for which the link is valid."""
KEY_BYTES = 16


class _KeptLink(msgspec.Struct):
    """Hexadecimal SHA-256 of the key, and its expiry (Unix time in seconds)."""

    digest: str
    expires_at: int


_DECODER = msgspec.json.Decoder(
    _KeptLink
)  # at import: creating the first decoder in two threads at once crashes the library


class PasswordLink:
    """The link of a hub's folder; without a folder there is none."""

    def __init__(self, folder: Path | None, clock: Clock) -> None:
        self._file, self._clock = None if folder is None else folder / FILE, clock

    def issue(self) -> str:
        """Return a new key. An earlier one becomes invalid. Raises: OSError."""
        if self._file is None:
            raise FileNotFoundError(FILE)
        key = secrets.token_urlsafe(KEY_BYTES)
        kept = _KeptLink(_digest(key), self._now() + VALID_S)
        write_atomically(self._file, msgspec.json.encode(kept), mode=0o600)
        return key

    def matches(self, key: str) -> bool:
        """Return whether this is the key of the latest link and still valid."""
        kept = None if self._file is None else read_state(self._file, _DECODER.decode)
        return kept is not None and self._now() < kept.expires_at and hmac.compare_digest(kept.digest, _digest(key))

    def revoke(self) -> None:
        """Make the link invalid. Raises: OSError."""
        if self._file is not None:
            self._file.unlink(missing_ok=True)

    def _now(self) -> int:
        return int(self._clock.now().timestamp())


def _digest(key: str) -> str:
    return sha256(key.encode(errors="replace")).hexdigest()
