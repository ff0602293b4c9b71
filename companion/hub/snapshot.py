"""A sound copy of the hub's SQLite file while the hub writes to it, whether a copy is whole, and whether one is due."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from companion.games.base import Message
from companion.hub.engines import BUSY_SECONDS
from companion.hub.errors import HubError

DELETED = "deleted"
"""Under this name is kept when names or journals were last deleted for good (seconds since 1970): copies from before
have them still."""


@dataclass(frozen=True, slots=True)
class BackupState:
    """How the hub's own backups stand: when the newest was made (ISO 8601), where they lie, what hinders them."""

    newest: str | None
    places: tuple[Path, ...]
    trouble: Message | None = None


def snapshot(path: Path, copy: Path) -> int:
    """Writes a copy of one moment, without the pictures of the newest rolls, which are but passing.

    The hub may write meanwhile and does not wait. Returns when something was last deleted for good (0: never). Raises
    HubError for a file that is not sound: no good copy is ever replaced by a damaged one.
    """
    try:
        with closing(_reader(path)) as source, closing(sqlite3.connect(copy, isolation_level=None)) as target:
            source.backup(target)  # in one step: one moment, whatever is written meanwhile
            target.execute("PRAGMA journal_mode = DELETE")
            target.execute("PRAGMA secure_delete = ON")
            target.execute("DELETE FROM pictures")
            target.execute("PRAGMA incremental_vacuum").fetchall()
            _told("quick_check", target, path)
            kept = target.execute("SELECT value FROM kept WHERE key = ?", (DELETED,)).fetchone()
    except sqlite3.Error as fault:
        raise HubError("unsound", path=path, reason=fault) from None
    return int(kept[0]) if kept else 0


def check(path: Path, name: str, quick: bool = False) -> None:
    """Raises HubError, with the file's `name`, if something in it is damaged; `quick` is without the indices."""
    try:
        with closing(_reader(path)) as found:
            _told("quick_check" if quick else "integrity_check", found, name)
    except sqlite3.Error as fault:
        raise HubError("unsound", path=name, reason=fault) from None


class Glance:
    """Sees at next to no cost whether somebody wrote to the file since the last look. For one thread at a time."""

    def __init__(self, path: Path) -> None:
        """Raises HubError."""
        self._path = path
        try:
            self._connection = _reader(path)
        except sqlite3.Error as fault:
            raise HubError("unsound", path=path, reason=fault) from None

    def version(self) -> int:
        """A number that is another after somebody else's change. Raises HubError."""
        try:
            found: int = self._connection.execute("PRAGMA data_version").fetchone()[0]
        except sqlite3.Error as fault:
            raise HubError("unsound", path=self._path, reason=fault) from None
        return found

    def close(self) -> None:
        """Lets the file go."""
        self._connection.close()


def _reader(path: Path) -> sqlite3.Connection:
    """It only reads, and so never moves the log into the file (see `engines.sqlite_writer`)."""
    address = f"{path.absolute().as_uri()}?mode=ro"
    return sqlite3.connect(address, BUSY_SECONDS, isolation_level=None, uri=True, check_same_thread=False)


def _told(pragma: Literal["quick_check", "integrity_check"], connection: sqlite3.Connection, path: object) -> None:
    wrong = connection.execute(f"PRAGMA {pragma}").fetchone()[0]
    if wrong != "ok":
        raise HubError("unsound", path=path, reason=wrong)
