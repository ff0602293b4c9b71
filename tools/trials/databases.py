"""The two databases that a trial runs on, each with backups as an organiser makes and restores them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal, Protocol

from companion.clock import SystemClock
from companion.commands.backup import HUB
from companion.commands.hub.backups import HubLocation, backups_in, restore_hub, write_backup
from tools.trials.own_postgres import OwnPostgres, own_postgres

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
    """One file of SQLite beside the hub's folder; its backups are those that a hub makes of itself."""

    def __init__(self, path: Path, hub: Path) -> None:
        self._place = HubLocation(hub, path)
        self.url = f"sqlite:///{path}"

    def back_up(self, file: Path) -> None:
        file.mkdir(exist_ok=True)
        write_backup(self._place, [file], SystemClock().now())

    def restore(self, file: Path) -> None:
        restore_hub(self._place, max(backups_in(file)))


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
        yield SqliteFile(folder / "hub.sqlite", folder / HUB)
        return
    with own_postgres() as server:
        yield PostgresDatabase(server, "hub")
