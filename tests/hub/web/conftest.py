"""Fixtures: a running tournament and its web pages."""

from __future__ import annotations

import pytest
from fastapi import FastAPI

from companion.clock import ManualClock
from companion.hub.core import Core
from tests.hub.desk_kit import RunningTournament
from tests.hub.web.pages_kit import pages, start_tournament


@pytest.fixture
def evening(core: Core) -> RunningTournament:
    """Return a started Swiss tournament of eight."""
    return start_tournament(core)


@pytest.fixture
def app(core: Core, clock: ManualClock) -> FastAPI:
    """Return the web app without rate limits."""
    return pages(core, clock)
