"""The named suites of tests: one table of them, and the everyday suite."""
