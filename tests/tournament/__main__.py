"""`python -m tests.tournament`: random Swiss tournaments, each draw and all standings held against FIDE's rules."""

from __future__ import annotations

import argparse
import os
import sys
import time
import traceback
from concurrent.futures import ProcessPoolExecutor

from tests.suites.count import Count
from tests.tournament.random_swiss import check_tournament

TOURNAMENTS = 10_000
SIZES = range(2, 14)
CHUNK = 50


def one(seed: int) -> str:
    """Check one tournament. Returns an empty text, or why it fails."""
    try:
        check_tournament(SIZES[seed % len(SIZES)], seed)
    except AssertionError:
        return f"seed {seed}: {traceback.format_exc(limit=-2)}"
    return ""


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="./test swiss", description=__doc__)
    parser.add_argument("--tournaments", type=int, default=TOURNAMENTS, help="number of tournaments (%(default)s)")
    parser.add_argument("--first", type=int, default=0, help="first seed (%(default)s)")
    options = parser.parse_args(arguments)
    started, count = time.monotonic(), Count()
    seeds = range(options.first, options.first + options.tournaments)
    with ProcessPoolExecutor(os.cpu_count()) as workers:
        for trouble in workers.map(one, seeds, chunksize=CHUNK):
            count += Count(failed=1) if trouble else Count(passed=1)
            if trouble:
                print(trouble, flush=True)
            if (count.passed + count.failed) % 1000 == 0:
                print(f"{count.passed + count.failed} tournaments, {time.monotonic() - started:.0f} s", flush=True)
    print(count)
    return 1 if count.failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
