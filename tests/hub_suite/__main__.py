"""`python -m tests.hub_suite`: tournaments of simulated tables, an evening at pages and table apps; the count last."""

from __future__ import annotations

import argparse
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from tests.hub_suite.evening import EVENING, evenings
from tests.hub_suite.evening_kit import lacking
from tests.hub_suite.rounds import CROWD, ROUNDS, Check, played, played_in_a_crowd
from tests.suites.count import Count
from tools.trials.chaos import FaultRates
from tools.trials.databases import KINDS, DatabaseKind
from tools.trials.trial import TrialOptions


def asked_for(arguments: list[str] | None = None) -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(prog="./test hub", description=__doc__)
    parser.add_argument("--tables", type=int, default=64, help="simulated tables (64)")
    parser.add_argument("--seed", type=int, default=1, help="of matches, cuts and kills (1)")
    parser.add_argument("--rounds", type=int, default=3, help="of the Swiss, before the knock-out (3)")
    parser.add_argument("--game", default="footclub", help="what is played (footclub)")
    parser.add_argument("--repeats", type=int, default=10, help="how often each message of a table is sent (10)")
    parser.add_argument("--offline", type=float, default=0.2, help="share of the time without network (0.2)")
    parser.add_argument("--pace", type=float, default=0.0, help="events a second at one table, 0: full speed (0)")
    parser.add_argument("--database", action="append", choices=KINDS, help="both if not given")
    parser.add_argument("--trial", action="append", choices=[*ROUNDS, EVENING], help="all if not given")
    parser.add_argument("--keep", type=Path, help="keeps everything below this folder, pictures too")
    return parser.parse_args(arguments)


def trials(asked: argparse.Namespace, place: Path) -> Iterator[tuple[str, list[Check]]]:
    """Yield every requested trial by its name, with its checks."""
    for kind in asked.database or KINDS:
        for name in [name for name in ROUNDS if name in (asked.trial or ROUNDS)]:
            folder = place / f"{name}-{kind}"
            folder.mkdir(parents=True)
            yield f"{name} on {kind}", list(checked(asked, name, kind, folder))
    if plays_evening(asked) and lacking() is None:
        yield from evenings(place)


def plays_evening(asked: argparse.Namespace) -> bool:
    """Return whether the evening, which does not depend on the database, is asked for."""
    return EVENING in (asked.trial or [EVENING])


def checked(asked: argparse.Namespace, name: str, kind: DatabaseKind, folder: Path) -> Iterator[Check]:
    setting = ROUNDS[name](
        TrialOptions(
            asked.tables,
            asked.game,
            asked.rounds,
            asked.seed,
            FaultRates(offline_share=asked.offline),
            repeats=asked.repeats,
            pace=asked.pace,
        )
    )
    return (played_in_a_crowd if name == CROWD else played)(setting, kind, folder)


def main() -> int:
    asked = asked_for()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # started processes are stopped on exit
    count = Count()
    with tempfile.TemporaryDirectory(prefix="tapis-vert-hub-") as scratch:
        began = time.monotonic()
        for name, checks in trials(asked, asked.keep or Path(scratch)):
            for check in checks:
                count += Count(passed=not check.problems, failed=bool(check.problems))
                print(f"{name}: {check.name}: {'FAILED' if check.problems else 'ok'}")
                for problem in check.problems[:5]:
                    print(f"    {problem}")
            print(f"{name}: {time.monotonic() - began:.0f} s", flush=True)
            began = time.monotonic()
    missing = lacking()
    if plays_evening(asked) and missing is not None:
        print(f"{EVENING}: skipped: {missing}")
        count += Count(skipped=1)
    print(count)
    return 1 if count.failed or not (count.passed or count.skipped) else 0


if __name__ == "__main__":
    sys.exit(main())
