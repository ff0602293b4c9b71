"""`python -m tests.suites [NAME...]`: run suites and print the count of each; `all` runs all that the machine
supports. `python -m tests.suites NAME --OPTION…` passes the options to the suite."""

from __future__ import annotations

import argparse
import subprocess
import sys

from tests.suites.count import Count, of_suite
from tests.suites.table import ROOT, SUITES, Suite


def run(name: str, suite: Suite) -> Count:
    """Run one suite and pass its output through. A missing count is a failure; so is a bad exit with a good count."""
    process = subprocess.Popen(
        suite.command(), cwd=ROOT, text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, errors="replace"
    )
    assert process.stdout is not None
    tail: list[str] = []
    for line in process.stdout:
        sys.stdout.write(line)
        sys.stdout.flush()
        tail = [*tail[-4:], line]
    status = process.wait()
    count = of_suite(tail)
    if count is None or (status != 0 and not count.failed):
        print(f"{name}: ended with status {status}" + (" and without a count" if count is None else ""))
        return (count or Count()) + Count(failed=1)
    return count


def run_all() -> Count:
    total, lines = Count(), []
    for name, suite in SUITES.items():
        if name == "quick":  # part of fast
            continue
        missing = suite.missing()
        print(f"== {name}: {suite.proves}", flush=True)
        if missing:
            count, line = Count(skipped=1), f"{name}: skipped: {missing}"
        else:
            count = run(name, suite)
            line = f"{name}: {count}"
        lines.append(line)
        total += count
    print("\n".join(["== all", *lines]))
    return total


def run_named(names: list[str]) -> Count:
    total = Count()
    for name in names:
        missing = SUITES[name].missing()
        if missing:
            print(f"{name}: cannot run: {missing}")
            total += Count(failed=1)
        else:
            total += run(name, SUITES[name])
    return total


def main(arguments: list[str]) -> int:
    listing = "\n".join(f"  {name:9} {suite.proves}" for name, suite in SUITES.items())
    parser = argparse.ArgumentParser(
        prog="./test",
        description="Run test suites.",
        epilog=f"suites:\n{listing}\n  all       every suite that this machine can run",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("suite", nargs="*", metavar="SUITE", help="suite to run (default: fast)")
    name, *options = arguments or ["fast"]
    if name in SUITES and options and options[0].startswith("-"):
        return subprocess.run(SUITES[name].with_options(options).command(), cwd=ROOT, check=False).returncode
    names = parser.parse_args(arguments).suite or ["fast"]
    unknown = [name for name in names if name not in SUITES and name != "all"]
    if unknown:
        parser.error(f"there is no suite {unknown[0]!r}; known: {', '.join(SUITES)}, all")
    total = run_all() if "all" in names else run_named(names)
    if len(names) > 1 or "all" in names or any(SUITES[name].missing() for name in names):
        print(total)
    return 1 if total.failed or not total.passed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
