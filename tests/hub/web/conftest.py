"""A running evening and its pages."""

from __future__ import annotations

import pytest
from fastapi import FastAPI

from companion.clock import ManualClock
from companion.hub.core import Core
from tests.hub.desk_kit import Evening
from tests.hub.web.pages_kit import begin, pages


@pytest.fixture
def evening(core: Core) -> Evening:
    """A Swiss of eight that has started."""
    return begin(core)


@pytest.fixture
def app(core: Core, clock: ManualClock) -> FastAPI:
    """The pages without limits."""
    return pages(core, clock)
