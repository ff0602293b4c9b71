"""The writer lock of a store: one writer, released when its process ends, even after a crash."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path


class LockHeldError(Exception):
    """Another process holds the lock. `holder` is its process id as text, or `?`."""

    def __init__(self, holder: str) -> None:
        super().__init__(holder)
        self.holder = holder


class WriterLock:
    """A writer lock, held from construction until `release`. Does not wait.

    Raises: LockHeldError if another process holds it; OSError for a bad path.
    """

    def __init__(self, path: Path) -> None:
        self._handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.pread(self._handle, 20, 0).decode(errors="replace").strip() or "?"
            os.close(self._handle)
            raise LockHeldError(holder) from None
        self._write_holder()

    def release(self) -> None:
        """Release the lock. The file stays: if it were removed, two writers could lock two different files."""
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1

    def _write_holder(self) -> None:
        """Write the process id, for the error message of a refused process. A full disk loses only this number."""
        try:
            os.ftruncate(self._handle, 0)
            os.pwrite(self._handle, str(os.getpid()).encode(), 0)
        except OSError:
            return
