"""Fixtures: a running tournament, its web pages, and a browser."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from fastapi import FastAPI

from companion.clock import ManualClock
from companion.hub.core import Core
from tests.hub.desk_kit import RunningTournament
from tests.hub.web.browser_kit import headless_chromium
from tests.hub.web.pages_kit import pages, start_tournament


@pytest.fixture
def evening(core: Core) -> RunningTournament:
    """Return a started Swiss tournament of eight."""
    return start_tournament(core)


@pytest.fixture
def app(core: Core, clock: ManualClock) -> FastAPI:
    """Return the web app without rate limits."""
    return pages(core, clock)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Return headless Chromium, one for all tests of a module."""
    yield from headless_chromium()
