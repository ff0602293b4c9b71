"""Tests of the quick suite: selection of the tests nearest to a change, and the time limit."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.suites.quick import WALLS, files_of_tests, imported, mirror, nearest_tests
from tests.suites.table import ROOT

STORE = Path("companion/journal/store.py")


def test_a_file_of_the_product_has_its_folder_of_tests() -> None:
    assert mirror(STORE) == Path("tests/journal")
    assert mirror(Path("companion/games/nba/no_such.py")) == Path("tests/games/nba")
    assert mirror(Path("vision/no/such/folder.py")) == Path("tests/vision")
    assert mirror(Path("companion/clock.py")) == Path("tests/test_clock.py")


def test_tests_that_import_a_changed_module_come_before_others_of_its_package() -> None:
    chosen = nearest_tests([STORE], files_of_tests())
    direct = [path for path in chosen if "companion.journal.store" in imported(path)]
    assert direct, "no test imports the store"
    assert chosen[: len(direct)] == direct
    assert {path for path in files_of_tests() if path.parent == Path("tests/journal")} < set(chosen)
    assert chosen[-1] == WALLS


def test_a_changed_test_comes_first_and_a_document_brings_the_walls_alone() -> None:
    clock = Path("tests/test_clock.py")
    assert nearest_tests([clock, STORE], files_of_tests())[0] == clock
    assert nearest_tests([Path("README.md")], files_of_tests()) == [WALLS]


def test_tests_are_skipped_once_the_time_is_over() -> None:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "tests.suites.budget", "-p", "no:cacheprovider"]
    done = subprocess.run(
        [*command, "tests/test_clock.py"],
        cwd=ROOT,
        env=os.environ | {"TAPIS_VERT_TEST_BUDGET_S": "-1", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert "passed" not in done.stdout
    assert "the time of the quick suite is over" in done.stdout
