"""`./test docs`: links, commands, examples, public API, cited rules, and the site. Prints the numbers of results."""

from __future__ import annotations

import sys

from tests.suites.fast import run_suite

TESTS = (
    "tests/docs",
    "tests/test_examples.py",
    "tests/test_walls_citations.py",
    "tests/test_walls_architecture.py",
    "tests/games/test_guide.py",
    "tests/hub/web/test_example.py",
)
"""Includes the tests of the everyday suite that compare documents with the code. Only this suite builds the site."""


if __name__ == "__main__":
    sys.exit(run_suite(TESTS))
