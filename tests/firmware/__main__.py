"""`python -m tests.firmware`: the whole suite, ending with its count; `./test firmware` sets up what it needs first."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys

from tests.suites.count import Count, of_pytest
from tests.suites.table import ROOT

FILES = ("tests/firmware", "tests/hardware/test_tray_contract.py", "tests/hardware/test_tray.py")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=10_000, help="events each way through the bad line")
    parser.add_argument("-k", default="", metavar="EXPRESSION", help="only tests whose names fit (pytest's -k)")
    asked = parser.parse_args()
    command = [sys.executable, "-m", "pytest", "-q", "-s", "-k", asked.k, *FILES]
    environment = os.environ | {"TAPIS_VERT_EVENTS": str(asked.events)}
    process = subprocess.Popen(
        command, cwd=ROOT, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    assert process.stdout is not None
    last = ""
    for line in process.stdout:
        sys.stdout.write(line)
        sys.stdout.flush()
        last = line if line.strip() else last
    status = process.wait()
    count = of_pytest(last)
    if status and not count.failed:
        count += Count(failed=1)
    print(count)
    return 1 if count.failed or not count.passed else 0


if __name__ == "__main__":
    sys.exit(main())
