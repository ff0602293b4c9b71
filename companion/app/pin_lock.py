"""The PIN lock of a table in a public room: an argon2 hash, and a delay that grows with wrong attempts.

It keeps players out of the settings; it does not protect the computer. Anyone who can write to the data folder can
remove a forgotten PIN (`companion unlock`).
"""

from __future__ import annotations

import logging
import tomllib
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from vision.files import write_atomically

MIN_PIN_DIGITS, MAX_PIN_DIGITS = 4, 8
RETRY_DELAYS_S = (0, 0, 0, 5, 10, 20, 40, 60)
"""Delay in seconds by the number of wrong PINs in a row; the last value applies to all further attempts."""

log = logging.getLogger(__name__)


class PinLock:
    """PIN lock stored in a file; without the file there is no lock.

    `now` is the wall clock, so a restart does not end the delay. `is_unlocked` is True from a correct PIN until `lock`.
    """

    def __init__(self, file: Path, now: Callable[[], datetime], hasher: PasswordHasher | None = None) -> None:
        self._file, self._now = file, now
        self._hasher = hasher or PasswordHasher()
        self.is_unlocked = False

    @property
    def has_pin(self) -> bool:
        """True if a PIN is set."""
        return self._file.exists()

    @property
    def is_locked(self) -> bool:
        """True if a PIN is required now."""
        return self.has_pin and not self.is_unlocked

    def set_pin(self, pin: str) -> None:
        """Set or replace the PIN. Raises: ValueError unless it has 4 to 8 digits; OSError."""
        if not is_valid_pin(pin):
            raise ValueError("a PIN has 4 to 8 digits")
        self._write(self._hasher.hash(pin), 0, None)
        self.is_unlocked = True

    def remove_pin(self) -> None:
        """Remove the PIN."""
        self._file.unlink(missing_ok=True)
        self.is_unlocked = False

    def lock(self) -> None:
        """Lock again: the next access asks for the PIN."""
        self.is_unlocked = False

    def seconds_until_retry(self) -> int:
        """Return the whole seconds until the next attempt is allowed."""
        _, _, until = self._read()
        if until is None:
            return 0
        left = (until - self._now()).total_seconds()
        return max(0, min(round(left + 0.49), RETRY_DELAYS_S[-1]))

    def try_pin(self, pin: str) -> bool:
        """Unlock with the correct PIN. A wrong PIN increases the delay; attempts during the delay are not checked."""
        hashed, wrong, _ = self._read()
        if hashed is None or self.seconds_until_retry():
            return False
        try:
            self._hasher.verify(hashed, pin)
        except (VerificationError, InvalidHashError):
            wait = RETRY_DELAYS_S[min(wrong + 1, len(RETRY_DELAYS_S) - 1)]
            self._save_attempts(hashed, wrong + 1, self._now() + timedelta(seconds=wait))
            return False
        self._save_attempts(hashed, 0, None)
        self.is_unlocked = True
        return True

    def _save_attempts(self, hashed: str, wrong: int, until: datetime | None) -> None:
        """Save the number of wrong attempts. A full or read-only disk must not block the correct PIN."""
        try:
            self._write(hashed, wrong, until)
        except OSError as fault:
            log.warning("wrong PINs are not counted: %s", fault)

    def _read(self) -> tuple[str | None, int, datetime | None]:
        """Return hash, number of wrong PINs in a row, and end of the delay. An unreadable file admits nobody."""
        try:
            stored = tomllib.loads(self._file.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return None, 0, None
        except (OSError, ValueError) as fault:
            log.warning("%s: %s", self._file, fault)
            return "", 0, None
        until, wrong = stored.get("wait_until"), stored.get("wrong")
        known = isinstance(until, datetime) and until.tzinfo is not None
        return str(stored.get("hash", "")), wrong if isinstance(wrong, int) else 0, until if known else None

    def _write(self, hashed: str, wrong: int, until: datetime | None) -> None:
        lines = [f'hash = "{hashed}"', f"wrong = {wrong}"]
        if until is not None:
            lines.append(f"wait_until = {until.isoformat(timespec='seconds')}")
        self._file.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(self._file, ("\n".join(lines) + "\n").encode(), mode=0o600)


def is_valid_pin(pin: str) -> bool:
    """True if `pin` has the format of a PIN."""
    return MIN_PIN_DIGITS <= len(pin) <= MAX_PIN_DIGITS and pin.isascii() and pin.isdigit()
