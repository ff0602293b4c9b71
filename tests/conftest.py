"""Hypothesis settings shared by all tests, and a clean list of damaged files for each."""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, settings

from vision.files import take_damaged_files

# No deadline: a busy machine is slow, which is no fault. In CI the examples are the same in every run.
settings.register_profile("everyday", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", settings.get_profile("everyday"), derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "everyday")


@pytest.fixture(autouse=True)
def _no_damaged_files() -> None:
    """Forget the damaged files that earlier tests of this process reported."""
    take_damaged_files()
