"""Hub cores for tests: always SQLite, and PostgreSQL if TAPIS_VERT_TEST_POSTGRES is the URL of a database to empty."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta, timezone
from pathlib import Path

import psycopg
import pytest
from sqlalchemy.engine import make_url

from companion.clock import ManualClock
from companion.hub.core import Core, open_core
from tests.hub.core_kit import ALL_GAMES

START = datetime(2026, 6, 1, 20, 30, tzinfo=timezone(timedelta(hours=2)))
POSTGRES = os.environ.get("TAPIS_VERT_TEST_POSTGRES", "")


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(START)


@pytest.fixture(params=["sqlite", *(["postgresql"] if POSTGRES else [])])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return the URL of an empty database."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'hub.sqlite'}"
    emptied(POSTGRES)
    return POSTGRES


def emptied(url: str) -> None:
    """Delete the whole content of a PostgreSQL database."""
    plain = make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)
    with psycopg.connect(plain, autocommit=True) as connection:
        connection.execute("DROP SCHEMA public CASCADE")
        connection.execute("CREATE SCHEMA public")


@pytest.fixture
def opened(url: str, clock: ManualClock) -> Iterator[Callable[[], Core]]:
    """Return a function that opens the core, also again after the previous one was closed or abandoned."""
    cores: list[Core] = []

    def open_again() -> Core:
        for core in cores:
            core.close()
        cores[:] = [open_core(url, ALL_GAMES, clock)]
        return cores[0]

    yield open_again
    for core in cores:
        core.close()


@pytest.fixture
def core(opened: Callable[[], Core]) -> Core:
    """Return a core with the tables t1 to t4."""
    core = opened()
    for number in range(1, 5):
        core.tables.register(f"t{number}", number, f"Table {number}")
    return core
