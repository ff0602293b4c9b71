"""Tests of the named suites: their counts, and the message for a suite that cannot run."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.suites.count import Count, of_pytest, of_suite
from tests.suites.table import ROOT, SUITES, Suite


@pytest.mark.parametrize(
    ("closing", "count"),
    [
        ("===== 5 passed in 0.10s =====", Count(5)),
        ("3 failed, 12 passed, 2 skipped, 1 deselected in 4.2s", Count(12, 3, 2)),
        ("1 passed, 1 error in 1.00s", Count(1, 1)),
        ("2 errors in 1.00s", Count(0, 2)),
        ("4 passed, 1 xfailed, 1 xpassed in 1s", Count(5, 1)),
        ("no tests ran in 0.01s", Count()),
    ],
)
def test_count_in_the_closing_line_of_pytest(closing: str, count: Count) -> None:
    assert of_pytest(closing) == count


def test_a_suite_counts_by_its_last_closing_line() -> None:
    assert of_suite(["1 passed, 0 failed\n", "words\n", "7 passed, 2 failed, 1 skipped\n"]) == Count(7, 2, 1)
    assert of_suite(["7 passed in 0.1s\n"]) is None


def test_a_count_reads_back_as_written() -> None:
    for count in (Count(3), Count(0, 1), Count(2, 0, 4)):
        assert of_suite([str(count)]) == count


def test_a_suite_whose_module_is_not_there_says_so() -> None:
    assert Suite("nothing", ("tests.no_such_suite",)).missing() == "tests.no_such_suite is not there"
    assert Suite("nothing", ("tests/suites/no_such.sh",)).missing() == "tests/suites/no_such.sh is not there"


@pytest.mark.parametrize("name", SUITES)
def test_every_suite_is_there(name: str) -> None:
    assert not (SUITES[name].missing() or "").endswith("is not there")


def test_a_suite_says_what_the_machine_lacks() -> None:
    assert Suite("nothing", ("tests.suites.fast",), lambda: "a camera is needed").missing() == "a camera is needed"
    assert SUITES["fast"].missing() is None


def run(*names: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "tests.suites", *names], cwd=ROOT, capture_output=True, text=True)


def test_an_unknown_suite_is_refused() -> None:
    done = run("nonsense")
    assert done.returncode == 2
    assert "there is no suite 'nonsense'" in done.stderr


def test_the_suites_are_listed() -> None:
    done = run("--help")
    assert done.returncode == 0
    assert all(name in done.stdout for name in SUITES)
