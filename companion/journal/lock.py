"""The writer lock of a store: one writer, released when its process ends, even after a crash."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from threading import Lock


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


class FileReplaced(Exception):
    """The file under a path is not the one that is locked: it was deleted, moved or replaced."""


Identity = tuple[int, int]
"""Device and inode of a file."""


def identity_of(path: Path) -> Identity:
    """Return device and inode of a file. Raises: OSError."""
    return _identity(path.stat())


def check_identity(path: Path, identity: Identity) -> None:
    """Check that a path still leads to this file. Raises: FileReplaced."""
    try:
        found = identity_of(path)
    except OSError:
        found = None
    if found != identity:
        raise FileReplaced(path.name)


def _identity(status: os.stat_result) -> Identity:
    return status.st_dev, status.st_ino


class FileLock:
    """A lock on a file itself, whatever its name: a second name of it (hard link, mount) is locked too.

    Take it before the first SQLite connection to the file. Raises: LockHeldError, OSError.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        OPEN_FILES.connection_opened()
        self._identity = _identity(os.fstat(self._handle))
        try:
            fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._close()
            raise LockHeldError("?") from None

    def check_in_place(self) -> None:
        """Check that the path still leads to the locked file. Raises: FileReplaced."""
        check_identity(self._path, self._identity)

    def release(self) -> None:
        """Release the lock. Call it after the SQLite connection of the lock's owner is closed."""
        if self._handle >= 0:
            fcntl.flock(self._handle, fcntl.LOCK_UN)
            self._close()

    def _close(self) -> None:
        OPEN_FILES.close_later(self._handle)
        self._handle = -1
        OPEN_FILES.connection_closed()


class OpenFiles:
    """Descriptors of database files that must not be closed yet.

    A closed descriptor of a file releases all POSIX locks that this process holds on it, those of SQLite included.
    Descriptors are therefore kept until no connection of this process is open.
    """

    def __init__(self) -> None:
        self._guard = Lock()
        self._connections = 0
        self._unclosed: list[int] = []

    def connection_opened(self) -> None:
        """Count a connection before it opens."""
        with self._guard:
            self._connections += 1

    def connection_closed(self) -> None:
        """End what `connection_opened` began, after the connection is closed."""
        with self._guard:
            self._connections -= 1
            while self._connections == 0 and self._unclosed:
                os.close(self._unclosed.pop())

    def is_idle(self) -> bool:
        """Return True if no connection is counted and every descriptor is closed."""
        with self._guard:
            return self._connections == 0 and not self._unclosed

    def close_later(self, handle: int) -> None:
        """Close a descriptor with the last connection."""
        with self._guard:
            self._unclosed.append(handle)


OPEN_FILES = OpenFiles()
"""The descriptors of this process."""
