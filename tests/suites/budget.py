"""A pytest plugin that skips every test that would start after the time limit."""

from __future__ import annotations

import os
import time

import pytest

END = time.monotonic() + float(os.environ.get("TAPIS_VERT_TEST_BUDGET_S", "inf"))


def pytest_runtest_setup(item: pytest.Item) -> None:
    if time.monotonic() > END:
        pytest.skip("the time of the quick suite is over")
