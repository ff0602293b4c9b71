"""Whole files or none: what is written beside the store is the old file or the new one, also after a power cut."""

from __future__ import annotations

import fcntl
import os
import stat
import tempfile
from pathlib import Path


def write_atomically(path: Path, content: bytes, mode: int = 0o644) -> None:
    """Writes a file so that it is never half there; on the disk on return. Raises OSError, an old file then whole.

    Who may read an old file may read the new one; `mode` is for a file that was not there. What is no plain file (a
    device, a pipe) is written straight.
    """
    if path.exists() and not path.is_file():
        path.write_bytes(content)
        return
    if path.exists():
        mode = stat.S_IMODE(path.stat().st_mode)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, mode)
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Makes the names of new files survive a power cut."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


# One writer a store: an advisory lock that goes away with the process that holds it, however it ends.


class LockHeldError(Exception):
    """Somebody else writes; `holder` is the process number that they left, as text, or `?`."""

    def __init__(self, holder: str) -> None:
        super().__init__(holder)
        self.holder = holder


class WriterLock:
    """Held from construction until `release`. Raises LockHeldError at once rather than wait, OSError for a bad path."""

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
        """Lets the next writer in. The file stays: if it were removed, two writers could lock two different files."""
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1

    def _write_holder(self) -> None:
        """For the sentence of whoever is refused; a full disk takes nothing away but that number."""
        try:
            os.ftruncate(self._handle, 0)
            os.pwrite(self._handle, str(os.getpid()).encode(), 0)
        except OSError:
            return
