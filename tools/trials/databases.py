"""The two databases for trials, with the backups that an organiser makes and restores."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal, Protocol

from companion.clock import SystemClock
from companion.commands.backup import HUB
from companion.commands.hub.backups import HubLocation, backups_in, restore_hub, write_backup
from tools.trials.local_postgres import LocalPostgres, local_postgres

DatabaseKind = Literal["sqlite", "postgresql"]
KINDS: tuple[DatabaseKind, ...] = ("sqlite", "postgresql")


class TrialDatabase(Protocol):
    """A hub's database: its URL, a backup during use, and its restoration."""

    url: str

    def back_up(self, file: Path) -> None:
        """Write a backup. The hub may keep running."""
        ...

    def restore(self, file: Path) -> None:
        """Restore a backup. The hub must not be running."""
        ...


class SqliteFile:
    """An SQLite file in the hub's folder. Its backups are the hub's own."""

    def __init__(self, path: Path, hub: Path) -> None:
        self._place = HubLocation(hub, path)
        self.url = f"sqlite:///{path}"

    def back_up(self, file: Path) -> None:
        file.mkdir(exist_ok=True)
        write_backup(self._place, [file], SystemClock().now())

    def restore(self, file: Path) -> None:
        restore_hub(self._place, max(backups_in(file)))


class PostgresDatabase:
    """A database of a PostgreSQL server."""

    def __init__(self, server: LocalPostgres, name: str) -> None:
        self._server, self._name = server, name
        self.url = server.create(name)

    def back_up(self, file: Path) -> None:
        self._server.dump(self._name, file)

    def restore(self, file: Path) -> None:
        self._server.restore(self._name, file)


@contextmanager
def new_database(kind: DatabaseKind, folder: Path) -> Iterator[TrialDatabase]:
    """Yield an empty database of a kind and remove it at the end. Raises PostgresUnavailable."""
    if kind == "sqlite":
        yield SqliteFile(folder / "hub.sqlite", folder / HUB)
        return
    with local_postgres() as server:
        yield PostgresDatabase(server, "hub")
