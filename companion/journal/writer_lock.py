"""One writer a store: an advisory lock that goes away with the process that holds it, however it ends."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path


class HeldElsewhere(Exception):
    """Somebody else writes; `holder` is the process number that they left, as text, or `?`."""

    def __init__(self, holder: str) -> None:
        super().__init__(holder)
        self.holder = holder


class WriterLock:
    """Held from construction until `release`. Raises HeldElsewhere at once rather than wait, OSError for a bad path."""

    def __init__(self, path: Path) -> None:
        self._handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.pread(self._handle, 20, 0).decode(errors="replace").strip() or "?"
            os.close(self._handle)
            raise HeldElsewhere(holder) from None
        self._note_holder()

    def release(self) -> None:
        """Lets the next writer in. The file stays: if it were removed, two writers could lock two different files."""
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1

    def _note_holder(self) -> None:
        """For the sentence of whoever is refused; a full disk takes nothing away but that number."""
        try:
            os.ftruncate(self._handle, 0)
            os.pwrite(self._handle, str(os.getpid()).encode(), 0)
        except OSError:
            return
