"""The lock of a table in a public room: a PIN kept as an argon2 hash, and a wait that grows with wrong ones.

It keeps players from the settings, not thieves from the computer: whoever may write beside the matches may open it
(`companion unlock`), so a forgotten PIN is never the end.
"""

from __future__ import annotations

import logging
import tomllib
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

MIN_PIN_DIGITS, MAX_PIN_DIGITS = 4, 8
RETRY_DELAYS_S = (0, 0, 0, 5, 10, 20, 40, 60)
"""Seconds to wait after so many wrong PINs in a row; beyond, as after the last."""

log = logging.getLogger(__name__)


class PinLock:
    """The lock kept in a file; without the file there is none. `now` tells the time, so that a restart does not help.

    `opened` holds from a right PIN until `shut`.
    """

    def __init__(self, file: Path, now: Callable[[], datetime], hasher: PasswordHasher | None = None) -> None:
        self._file, self._now = file, now
        self._hasher = hasher or PasswordHasher()
        self.is_unlocked = False

    @property
    def has_pin(self) -> bool:
        """Whether there is a PIN."""
        return self._file.exists()

    @property
    def is_locked(self) -> bool:
        """Whether a PIN is asked now."""
        return self.has_pin and not self.is_unlocked

    def set_pin(self, pin: str) -> None:
        """Sets a PIN, in the place of any other. ValueError unless it is of 4 to 8 digits; OSError."""
        if not is_valid_pin(pin):
            raise ValueError("a PIN has 4 to 8 digits")
        self._write(self._hasher.hash(pin), 0, None)
        self.is_unlocked = True

    def remove_pin(self) -> None:
        """No PIN any more."""
        self._file.unlink(missing_ok=True)
        self.is_unlocked = False

    def lock(self) -> None:
        """The next who wants in is asked again."""
        self.is_unlocked = False

    def seconds_until_retry(self) -> int:
        """Whole seconds until the next PIN may be tried."""
        _, _, until = self._read()
        if until is None:
            return 0
        left = (until - self._now()).total_seconds()
        return max(0, min(round(left + 0.49), RETRY_DELAYS_S[-1]))

    def try_pin(self, pin: str) -> bool:
        """Opens with the right PIN; a wrong one lengthens the wait. While one has to wait nothing is tried."""
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
        """Keeps the number of wrong PINs; a disk that is full or read-only must not keep the right one out."""
        try:
            self._write(hashed, wrong, until)
        except OSError as fault:
            log.warning("wrong PINs are not counted: %s", fault)

    def _read(self) -> tuple[str | None, int, datetime | None]:
        """Hash, wrong PINs in a row, and until when to wait. A file that cannot be read lets nobody in."""
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
        new = self._file.with_suffix(".new")
        new.write_text("\n".join(lines) + "\n", encoding="utf-8")
        new.chmod(0o600)
        new.replace(self._file)


def is_valid_pin(pin: str) -> bool:
    """Whether it could be a PIN."""
    return MIN_PIN_DIGITS <= len(pin) <= MAX_PIN_DIGITS and pin.isascii() and pin.isdigit()
