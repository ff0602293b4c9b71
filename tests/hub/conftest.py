"""Cores to test on: SQLite always, PostgreSQL too when TAPIS_VERT_TEST_POSTGRES is the URL of one to be emptied."""

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
    """The address of an empty database."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'hub.sqlite'}"
    emptied(POSTGRES)
    return POSTGRES


def emptied(url: str) -> None:
    """Throws away all that a PostgreSQL database holds."""
    plain = make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)
    with psycopg.connect(plain, autocommit=True) as connection:
        connection.execute("DROP SCHEMA public CASCADE")
        connection.execute("CREATE SCHEMA public")


@pytest.fixture
def opened(url: str, clock: ManualClock) -> Iterator[Callable[[], Core]]:
    """Opens the core; again, after the one before was closed or left behind."""
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
    """A core that knows the tables t1 to t4."""
    core = opened()
    for number in range(1, 5):
        core.tables.register(f"t{number}", number, f"Table {number}")
    return core
