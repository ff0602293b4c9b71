"""Hypothesis settings shared by all tests."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

# No deadline: a busy machine is slow, which is no fault. In CI the examples are the same in every run.
settings.register_profile("everyday", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", settings.get_profile("everyday"), derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "everyday")
