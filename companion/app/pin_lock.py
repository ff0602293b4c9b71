"""The PIN lock of a table in a public room: an argon2 hash, and a delay that grows with wrong attempts.

It keeps players out of the settings; it does not protect the computer. Anyone who can write to the data folder can
remove a forgotten PIN (`companion unlock`).
"""

from __future__ import annotations

import logging
import math
from collections.abc import Callable
from pathlib import Path
from typing import TypeGuard

from argon2 import PasswordHasher, extract_parameters
from argon2.exceptions import InvalidHashError, VerificationError

from companion.messages.pin import is_valid_pin
from vision.files import DECODE_ERRORS, parse_toml, read_limited, write_atomically

RETRY_DELAYS_S = (0, 0, 0, 5, 10, 20, 40, 60)
"""Delay in seconds by the number of wrong PINs in a row; the last value applies to all further attempts."""
MAX_FILE_BYTES = 4096
"""Limit for the file. A valid one has about 150 bytes."""

MAX_HASH_KIB, MAX_HASH_PASSES, MAX_HASH_LANES = 131_072, 16, 16
"""Limits for the parameters of a stored hash: memory in KiB, passes, and lanes. The file decides what a check costs."""

log = logging.getLogger(__name__)


class PinLock:
    """PIN lock stored in a file; without the file there is no lock.

    The delay is measured with `monotonic` (seconds), because the wall clock may jump. The file stores the number of
    wrong PINs, so a restart begins the delay again and does not end it. `is_unlocked` is True from a correct PIN until
    `lock`.

    A PIN adopted from a tournament has a file of its own and takes the place of the own PIN, which is kept.
    """

    def __init__(self, file: Path, monotonic: Callable[[], float], hasher: PasswordHasher | None = None) -> None:
        self._own_file, self._monotonic = file, monotonic
        self._adopted_file = file.with_stem(f"{file.stem}-tournament")
        self._hasher = hasher or PasswordHasher()
        self._wrong_count = self._read()[1]
        self._retry_at = monotonic() + self._delay_s()
        self.is_unlocked = False

    @property
    def _file(self) -> Path:
        return self._adopted_file if self.is_adopted else self._own_file

    @property
    def is_adopted(self) -> bool:
        """True if a tournament's PIN is the one that counts."""
        return self._adopted_file.exists()

    @property
    def has_pin(self) -> bool:
        """True if a PIN is set."""
        return self._file.exists()

    @property
    def is_locked(self) -> bool:
        """True if a PIN is required now."""
        return self.has_pin and not self.is_unlocked

    @property
    def is_damaged(self) -> bool:
        """True if the file holds no PIN that could be checked. Then no PIN unlocks; `companion unlock` removes it."""
        return self.has_pin and not self._read()[0]

    def adopt(self, hashed: str | None) -> None:
        """Let the PIN with this hash count in place of the own one; None: the own one counts again. Raises: OSError."""
        if hashed is None:
            if not self.is_adopted:
                return
            self._adopted_file.unlink(missing_ok=True)
        elif not _is_usable_hash(hashed) or (self.is_adopted and self._read()[0] == hashed):
            return
        else:
            self._write(self._adopted_file, hashed, 0)
        self._wrong_count, self._retry_at = self._read()[1], self._monotonic()
        self.is_unlocked = False

    def set_pin(self, pin: str) -> None:
        """Set or replace the own PIN. Raises: ValueError unless it has 4 to 8 digits; OSError."""
        if not is_valid_pin(pin):
            raise ValueError("a PIN has 4 to 8 digits")
        self._write(self._own_file, self._hasher.hash(pin), 0)
        self._wrong_count, self._retry_at = 0, self._monotonic()
        self.is_unlocked = True

    def remove_pin(self) -> None:
        """Remove the own PIN."""
        self._own_file.unlink(missing_ok=True)
        self._wrong_count, self._retry_at = 0, self._monotonic()
        self.is_unlocked = False

    def lock(self) -> None:
        """Lock again: the next access asks for the PIN."""
        self.is_unlocked = False

    def seconds_until_retry(self) -> int:
        """Return the whole seconds until the next attempt is allowed."""
        return max(0, math.ceil(self._retry_at - self._monotonic()))

    def try_pin(self, pin: str) -> bool:
        """Unlock with the correct PIN. A wrong PIN increases the delay; attempts during the delay are not checked."""
        hashed, _ = self._read()
        if not hashed or self.seconds_until_retry():
            return False
        try:
            self._hasher.verify(hashed, pin)
        except (VerificationError, InvalidHashError):
            self._count_attempts(hashed, self._wrong_count + 1)
            return False
        self._count_attempts(hashed, 0)
        self.is_unlocked = True
        return True

    def _count_attempts(self, hashed: str, wrong_count: int) -> None:
        """Set and save the number of wrong attempts. A full or read-only disk must not block the correct PIN."""
        self._wrong_count = wrong_count
        self._retry_at = self._monotonic() + self._delay_s()
        try:
            self._write(self._file, hashed, wrong_count)
        except OSError as fault:
            log.warning("the number of wrong PINs is not saved: %s", fault)

    def _delay_s(self) -> int:
        return RETRY_DELAYS_S[max(0, min(self._wrong_count, len(RETRY_DELAYS_S) - 1))]

    def _read(self) -> tuple[str, int]:
        """Return the hash (empty if there is no valid one) and the number of wrong PINs in a row.

        A damaged file is not set aside, unlike other files of state: without the file everybody would be admitted.
        """
        try:
            stored = parse_toml(read_limited(self._file, MAX_FILE_BYTES).decode("utf-8"))
        except FileNotFoundError:
            return "", 0
        except (OSError, *DECODE_ERRORS) as fault:
            log.warning("%s: %s", self._file, fault)
            return "", 0
        hashed, wrong = stored.get("hash"), stored.get("wrong")
        return hashed if _is_usable_hash(hashed) else "", wrong if isinstance(wrong, int) else 0

    def _write(self, file: Path, hashed: str, wrong_count: int) -> None:
        file.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(file, f'hash = "{hashed}"\nwrong = {wrong_count}\n'.encode(), mode=0o600)


def _is_usable_hash(hashed: object) -> TypeGuard[str]:
    if not isinstance(hashed, str) or not hashed.isascii():
        return False
    try:
        cost = extract_parameters(hashed)
    except (InvalidHashError, ValueError):
        return False
    is_cheap = cost.memory_cost <= MAX_HASH_KIB and cost.time_cost <= MAX_HASH_PASSES
    return is_cheap and cost.parallelism <= MAX_HASH_LANES
