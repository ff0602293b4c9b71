"""The PostgreSQL of a trial: started as a non-root user, backed up, restored, removed at the end."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from tools.trials import local_postgres
from tools.trials.databases import PostgresDatabase
from tools.trials.local_postgres import PostgresUnavailable


def installed() -> bool:
    try:
        local_postgres.programs()
    except PostgresUnavailable:
        return False
    return True


def numbers(url: str) -> list[int]:
    engine = create_engine(url)
    with engine.connect() as connection:
        found = list(connection.execute(text("SELECT n FROM kept ORDER BY n")).scalars())
    engine.dispose()
    return found


def run(url: str, *statements: str) -> None:
    engine = create_engine(url)
    with engine.begin() as connection:
        for statement in statements:
            connection.execute(text(statement))
    engine.dispose()


@pytest.mark.skipif(not installed(), reason="PostgreSQL is not installed (./test hub installs it)")
def test_a_database_is_put_back_to_its_backup(tmp_path: Path) -> None:
    with local_postgres.local_postgres() as server:
        folder = server.folder
        database = PostgresDatabase(server, "hub")
        run(database.url, "CREATE TABLE kept (n integer)", "INSERT INTO kept VALUES (1)")
        database.back_up(tmp_path / "backup")
        run(database.url, "INSERT INTO kept VALUES (2)")
        assert numbers(database.url) == [1, 2]
        database.restore(tmp_path / "backup")
        assert numbers(database.url) == [1]
    assert not folder.exists()


def test_a_system_without_postgresql_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(local_postgres, "PROGRAM_FOLDERS", (f"{tmp_path}/*/bin",))
    with pytest.raises(PostgresUnavailable, match="apt-get install postgresql"):
        local_postgres.programs()
