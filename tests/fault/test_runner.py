"""The runner: counts by kind, limits of a check, children that hang or fail, and the options of the suite."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

import pytest

from tests.fault import checks, children
from tests.fault.checks import checked, kind_of
from tests.fault.children import run_child
from tests.fault.parts import PARTS
from tests.fault.runner import Result, summary
from tests.fault.scenarios import Acknowledge, Done
from tests.suites.table import ROOT


def wait_for_ever() -> list[str]:
    while True:
        pass


def test_a_check_that_hangs_or_raises_is_a_problem() -> None:
    with pytest.raises(checks.Hang), checks.time_limit(0.01):
        wait_for_ever()

    def fail() -> list[str]:
        raise KeyError("name")

    name, problems = checked("promise: 1", fail)
    assert name == "promise: 1"
    assert problems[0].startswith("traceback: KeyError: 'name' (test_runner.py:")


@pytest.mark.parametrize(
    ("work", "kind"),
    [(lambda _acknowledge: wait_for_ever(), "hang"), (lambda _acknowledge: 1 // 0, "traceback")],
)
def test_a_child_that_hangs_or_fails_is_reported(
    work: Callable[[Acknowledge], object], kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(children, "max_seconds", lambda: 0.5)
    assert [kind_of(problem) for problem in run_child(work).problems] == [kind]


def test_what_a_child_acknowledged_before_its_kill_is_known() -> None:
    def work(acknowledge: Acknowledge) -> None:
        acknowledge(Done("first"))
        wait_for_ever()

    ended = run_child(work, 0.2)
    assert ended.acknowledged == [Done("first")]
    assert ended.problems == []


def test_the_summary_counts_each_kind() -> None:
    failures = [("kill: 1", "lost: 2 events"), ("kill: 2", "hang: more than 5 s"), ("kill: 3", "it differs")]
    assert summary("kills", [Result("kills", "append", 7, failures)]) == (
        "kills: 10 checks: lost 1, doubled 0, tracebacks 0, hangs over 5 s 1, over 500 MB 0, other 1 (0 s)"
    )


def test_the_suite_takes_options() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.suites", "fault", "--help"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0
    assert all(f"  {name}" in done.stdout for name in PARTS)
    assert "--sabotage" in done.stdout
