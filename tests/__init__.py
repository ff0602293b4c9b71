"""The tests, laid out as the packages are; `tests.suites` runs them by name."""
