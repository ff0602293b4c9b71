"""The named test suites: the table of suites, and the standard suite."""
