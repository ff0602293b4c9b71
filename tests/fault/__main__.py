"""Nothing is lost: kills, power cuts, failing disks, and all that may come in. The count is in the last line."""

from __future__ import annotations

import argparse
import os
import secrets
import sys

from tests.fault.checks import scratch_folder
from tests.fault.parts import PARTS
from tests.fault.runner import Result, results, summary
from tests.fault.sabotage import SWITCHES, VARIABLE
from tests.suites.count import Count

SHOWN_FAILURES = 5
"""Failures of a round that are printed; all are counted."""


def parsed(arguments: list[str] | None = None) -> argparse.Namespace:
    """Parse the command line."""
    parts = "\n".join(f"  {name:9} {part.proves}" for name, part in PARTS.items())
    parser = argparse.ArgumentParser(
        prog="./test fault",
        description=__doc__,
        epilog=f"parts:\n{parts}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--part", action="append", choices=list(PARTS), help="part to run (all)")
    parser.add_argument("--seed", type=int, default=secrets.randbelow(1_000_000), help="of every random choice")
    parser.add_argument("--scale", type=float, default=1.0, help="multiplies every count (1.0)")
    parser.add_argument("--short", action="store_true", help="the short form, as in the everyday suite")
    parser.add_argument("--sabotage", choices=list(SWITCHES), help="break this promise on purpose: the suite must fail")
    asked = parser.parse_args(arguments)
    if asked.sabotage:
        asked.part = asked.part or [SWITCHES[asked.sabotage].part]
    asked.part = asked.part or list(PARTS)
    return asked


def main() -> int:
    asked = parsed()
    if asked.sabotage:
        os.environ[VARIABLE] = asked.sabotage
    print(f"seed {asked.seed} (again with --seed {asked.seed})", flush=True)
    total = Count()
    found: dict[str, list[Result]] = {}
    with scratch_folder() as place:
        for result in results(asked.part, asked.short, asked.scale, asked.seed, place):
            found.setdefault(result.part, []).append(result)
            total += result.count
            for check, problem in result.failures[:SHOWN_FAILURES]:
                print(f"FAILED {check}: {problem}")
            if result.skipped:
                print(f"skipped {result.part}: {result.round}: {result.skipped}")
            print(f"{result.part}: {result.round}: {result.count} ({result.seconds:.0f} s)", flush=True)
    for part, those in found.items():
        print(summary(part, those))
    print(total)
    return 1 if total.failed or not total.passed else 0


if __name__ == "__main__":
    sys.exit(main())
