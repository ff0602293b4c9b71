"""The files of a store: the database, its log, and what lies beside them. They are moved and deleted together."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from vision.files import sync_folder

STORE_FILE = "matches.sqlite"
"""File name of the store in the data folder of a table."""

DAMAGED_SUFFIX = ".damaged"
LOG_SUFFIXES = ("-wal", "-journal")
"""Suffixes of the files with changes that are not yet in the database: write-ahead log and rollback journal."""
SIDE_SUFFIXES = (*LOG_SUFFIXES, "-shm", "-last")
"""Suffixes of the files that belong to one database and are useless, or harmful, beside another one."""


@dataclass(frozen=True, slots=True)
class StoreFiles:
    """The files of the store at `database`. Use `of`, which follows links: SQLite puts its log beside the real file."""

    database: Path

    @classmethod
    def of(cls, path: Path) -> StoreFiles:
        """Return the files of a store. Raises: OSError for a loop of links."""
        return cls(Path(os.path.realpath(path)))

    @property
    def log(self) -> Path:
        """The write-ahead log. It holds the newest events."""
        return self._beside("-wal")

    @property
    def note(self) -> Path:
        """The note of the last acknowledged line (`companion/journal/last_line.py`)."""
        return self._beside("-last")

    @property
    def lock(self) -> Path:
        """The lock file. It stays when the other files move: it belongs to the name, not to the content."""
        return self._beside(".lock")

    @property
    def new(self) -> Path:
        """A database that is being created. Worthless until it is complete."""
        return self._beside(".new")

    @property
    def recovered(self) -> Path:
        """A complete recovered database that still has to take the place of the damaged one."""
        return self._beside(".recovered")

    def side_files(self) -> list[Path]:
        """Return the existing files beside the database that belong to its content."""
        return [path for path in map(self._beside, SIDE_SUFFIXES) if path.exists()]

    def is_orphaned(self) -> bool:
        """Return True if the database is missing or empty while a log or a note with content lies there."""
        if _size(self.database) > 0:
            return False
        return any(_size(path) > 0 for path in (self.note, *map(self._beside, LOG_SUFFIXES)))

    def set_aside(self) -> Path:
        """Rename database and side files to `NAME.damaged…` in the same folder. Returns the database's new path.

        The database goes first: if the power fails in between, its log is an orphan, which is set aside as well. A
        database without its log would open and lack the newest events. Raises: OSError.
        """
        target = StoreFiles(self._free_name())
        if self.database.exists():
            self.database.rename(target.database)
        self.move_side_files(target)
        sync_folder(self.database.parent)
        return target.database

    def move_side_files(self, target: StoreFiles) -> None:
        """Rename the side files so that they belong to another database path on the same disk. Raises: OSError."""
        for path in self.side_files():
            path.rename(target.database.with_name(target.database.name + self._suffix(path)))

    def delete_side_files(self) -> None:
        """Delete lock and side files of a temporary store. Raises: OSError."""
        for path in (self.lock, *self.side_files()):
            path.unlink(missing_ok=True)

    def delete_new(self) -> None:
        """Delete what an interrupted creation left. Raises: OSError."""
        for path in (self.new, *StoreFiles(self.new).side_files()):
            path.unlink(missing_ok=True)

    def _free_name(self) -> Path:
        return next(path for path in self._damaged_names() if not _is_taken(StoreFiles(path)))

    def _damaged_names(self) -> Iterator[Path]:
        number = 1
        while True:
            yield self._beside(DAMAGED_SUFFIX if number == 1 else f"{DAMAGED_SUFFIX}-{number}")
            number += 1

    def _beside(self, suffix: str) -> Path:
        return self.database.with_name(self.database.name + suffix)

    def _suffix(self, path: Path) -> str:
        return path.name.removeprefix(self.database.name)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


def _is_taken(files: StoreFiles) -> bool:
    return os.path.lexists(files.database) or bool(files.side_files())
