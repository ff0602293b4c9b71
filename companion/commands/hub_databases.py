"""The two databases that a trial runs on, each with backups as an organiser makes and restores them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Literal, Protocol

from companion.commands.own_postgres import OwnPostgres, own_postgres

Kind = Literal["sqlite", "postgresql"]
KINDS: tuple[Kind, ...] = ("sqlite", "postgresql")


class Database(Protocol):
    """A hub's database: its URL, a copy of it while it is used, and the copy back in its place."""

    url: str

    def back_up(self, file: Path) -> None:
        """Writes a copy; the hub may go on meanwhile."""
        ...

    def restore(self, file: Path) -> None:
        """Puts a copy in the place of what is there. The hub is not running."""
        ...


class SqliteFile:
    """One file of SQLite."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.url = f"sqlite:///{path}"

    def back_up(self, file: Path) -> None:
        with closing(sqlite3.connect(self._path)) as source, closing(sqlite3.connect(file)) as copy:
            source.backup(copy)

    def restore(self, file: Path) -> None:
        for ending in ("-wal", "-shm"):  # of the newer file; they would be taken for the copy's
            self._path.with_name(self._path.name + ending).unlink(missing_ok=True)
        self._path.write_bytes(file.read_bytes())


class PostgresDatabase:
    """One database of a PostgreSQL server."""

    def __init__(self, server: OwnPostgres, name: str) -> None:
        self._server, self._name = server, name
        self.url = server.create(name)

    def back_up(self, file: Path) -> None:
        self._server.dump(self._name, file)

    def restore(self, file: Path) -> None:
        self._server.restore(self._name, file)


@contextmanager
def new_database(kind: Kind, folder: Path) -> Iterator[Database]:
    """An empty database of a kind, gone at the end. Raises NoPostgres."""
    if kind == "sqlite":
        yield SqliteFile(folder / "hub.sqlite")
        return
    with own_postgres() as server:
        yield PostgresDatabase(server, "hub")
