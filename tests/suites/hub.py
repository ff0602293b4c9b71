"""`./test hub`: the slow tests of the pages, then whole tournaments of simulated tables; the count in the last line.

With options only the tournaments run, see `python -m tests.hub_suite --help`.
"""

from __future__ import annotations

import subprocess
import sys

from tests.suites.__main__ import run
from tests.suites.count import Count
from tests.suites.fast import run_pytest
from tests.suites.table import Suite

PAGES = ("-m", "slow", "-rs", "tests/hub/web")
"""The tests of the pages in a real browser; without one they are skipped with the reason."""
TOURNAMENTS = Suite("whole tournaments of simulated tables", ("tests.hub_suite",))


def main(options: list[str]) -> int:
    if options:
        return subprocess.run(TOURNAMENTS.with_options(options).command(), check=False).returncode
    count: Count = run_pytest(list(PAGES)) + run("hub", TOURNAMENTS)
    print(count)
    return 1 if count.failed or not count.passed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
