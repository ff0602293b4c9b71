"""`./test cards`: catalogues, cards and squads of the games, and everything that is printed. Prints the numbers of
results."""

from __future__ import annotations

import sys

from tests.suites.fast import run_suite

TESTS = (
    "tests/printing",
    "tests/commands/test_catalogue.py",
    "tests/app/test_cards.py",
    "tests/app/test_catalogues.py",
    "tests/games/footclub/test_cards.py",
    "tests/games/footclub/test_market.py",
    "tests/games/nba/test_market_deck.py",
    "tests/games/nba/test_team_builder.py",
)
"""Slow tests included, which the everyday suite leaves out."""


if __name__ == "__main__":
    sys.exit(run_suite(TESTS))
