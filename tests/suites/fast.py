"""The standard suite: lint, types, import contracts, then all fast tests; prints a line per check and the total
count."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from tests.suites.count import Count, of_pytest
from tests.suites.table import ROOT

CORES = len(os.sched_getaffinity(0))


def check(name: str, tool: str, *arguments: str) -> Count:
    """Run one tool; its output is shown only if it reports a problem."""
    began = time.monotonic()
    command = [str(Path(sys.executable).parent / tool), *arguments]
    done = subprocess.run(command, cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    good = done.returncode == 0
    print(f"{name}: {'ok' if good else 'FAILED'} ({time.monotonic() - began:.1f} s)", flush=True)
    if not good:
        print(done.stdout, flush=True)
    return Count(passed=1) if good else Count(failed=1)


def types() -> Count:
    """Run mypy if all packages are the locked ones: the system packages of a Raspberry Pi have no annotations."""
    if "include-system-site-packages = true" in (Path(sys.prefix) / "pyvenv.cfg").read_text():
        print("types: skipped: numpy and OpenCV are the system's")
        return Count(skipped=1)
    return check("types", "mypy", "--no-error-summary")


def run_pytest(arguments: list[str]) -> Count:
    """Run pytest on all cores, each test file in one process, and stream its output."""
    parallel = ["-n", str(CORES), "--dist", "loadfile"] if CORES > 1 else []
    command = [sys.executable, "-m", "pytest", "-q", *parallel, *arguments]
    process = subprocess.Popen(command, cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert process.stdout is not None
    last = ""
    for line in process.stdout:
        sys.stdout.write(line)
        sys.stdout.flush()
        last = line if line.strip() else last
    status = process.wait()
    count = of_pytest(last)
    return count if status == 0 or count.failed else count + Count(failed=1)


def run_suite(tests: Sequence[str]) -> int:
    """Run the tests of a named suite with the options of the command line; print the count. Returns the exit status."""
    count = run_pytest([*tests, *sys.argv[1:]])
    print(count)
    return 1 if count.failed or not count.passed else 0


def main() -> int:
    count = check("lint", "ruff", "check", "--quiet", "--output-format", "concise")
    count += types()
    count += check("import walls", "lint-imports", "--no-logo")
    count += run_pytest(["-m", "not slow", *sys.argv[1:]])
    print(count)
    return 1 if count.failed or not count.passed else 0


if __name__ == "__main__":
    sys.exit(main())
