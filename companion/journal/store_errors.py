"""What can go wrong with the store, each as its own error with a sentence for the players."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import apsw

from companion.games.base import Message

_NO_ROOM = frozenset({apsw.SQLITE_IOERR_WRITE, apsw.SQLITE_IOERR_SHMSIZE, apsw.SQLITE_IOERR_TRUNCATE})
"""What SQLite reports besides SQLITE_FULL when a file may not grow (a quota, a size limit, the shared index)."""


class StoreError(Exception):
    """Any fault of the store. `message` is the sentence; what was acknowledged before stays recorded."""

    def __init__(self, id: str, path: Path, **args: Any) -> None:
        self.message = Message(f"journal.store.{id}", {"path": path, **args})
        super().__init__(str(self.message))


class StoreBusy(StoreError):
    """Somebody else writes to this store."""


class StoreNewer(StoreError):
    """A newer version of the program wrote the file; it was left untouched."""


class StoreForeign(StoreError):
    """The file is no store; it was left untouched."""


class StoreReadOnly(StoreError):
    """File or folder may not be written."""


class StoreDamaged(StoreError):
    """The file is corrupt or the disk fails."""


class LineDamaged(StoreDamaged):
    """One line of a match cannot be read, `line`; the others can."""

    def __init__(self, path: Path, line: int, reason: str) -> None:
        super().__init__("damaged", path, reason=reason)
        self.line = line


class DiskFull(StoreError):
    """There is no room for this event. Nothing of it was recorded, and the store goes on once there is room."""


class UnknownMatch(StoreError):
    """No match of that id."""


class WrongLine(StoreError):
    """The event was worked out for another line than the next one of its match."""


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Turns the errors of SQLite and of the system into those above."""
    try:
        yield
    except apsw.FullError:
        raise DiskFull("full", path) from None
    except apsw.IOError as error:
        if getattr(error, "extendedresult", None) in _NO_ROOM:
            raise DiskFull("full", path) from None
        raise StoreDamaged("damaged", path, reason=str(error)) from None
    except apsw.BusyError:
        raise StoreBusy("busy", path, holder="?") from None
    except apsw.ReadOnlyError:
        raise StoreReadOnly("read_only", path) from None
    except apsw.NotADBError:
        raise StoreForeign("foreign", path) from None
    except apsw.CorruptError as error:
        raise StoreDamaged("damaged", path, reason=str(error)) from None
    except apsw.CantOpenError as error:
        raise StoreError("unopenable", path, reason=str(error)) from None
    except PermissionError:
        raise StoreReadOnly("read_only", path) from None
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise DiskFull("full", path) from None
        raise StoreError("unopenable", path, reason=os.strerror(error.errno or 0)) from None
