"""Tests, in the same layout as the packages; `tests.suites` runs them by name."""
