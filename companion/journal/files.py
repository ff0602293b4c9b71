"""Atomic file writes and the store's writer lock."""

from __future__ import annotations

import fcntl
import os
import stat
import tempfile
from pathlib import Path


def write_atomically(path: Path, content: bytes, mode: int = 0o644) -> None:
    """Write a file atomically. It is on disk on return.

    An existing file keeps its permissions; `mode` applies to a new file. Devices and pipes are written directly.
    Raises: OSError; an existing file is then unchanged.
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
    """Sync a folder, so that the names of new files survive a power cut."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


# One writer per store: an advisory lock, released when its process ends, even after a crash.


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
