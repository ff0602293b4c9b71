"""Fixtures for store tests: a folder, a manual clock, and a store that is closed at the end."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from companion.clock import ManualClock
from companion.journal.store import Store

START = datetime(2026, 6, 1, 20, 30, tzinfo=timezone(timedelta(hours=2)))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "matches.db"


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(START)


@pytest.fixture
def store(path: Path, clock: ManualClock) -> Iterator[Store]:
    with Store.open(path, clock) as store:
        yield store
