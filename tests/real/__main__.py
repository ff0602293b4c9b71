"""`./test real`: twelve passages with photographs of several cameras. Prints `N passed, N failed`."""

from __future__ import annotations

import sys
import tempfile
from itertools import cycle, islice
from pathlib import Path

from tests.real.passage import NotPlayed, RealTable
from tests.real.photos import FOLDER, Photo, in_turn, load

PASSAGES = 12
MIN_CERTAIN_SHARE = 0.5
"""Minimum share of the dice read without a question; with less, the camera does not help at a table."""


def main() -> int:
    try:
        photos = load()
    except FileNotFoundError:
        print(f"skipped: there are no labelled photographs in {FOLDER.parent.name}/{FOLDER.name} beside the project")
        print("0 passed, 0 failed, 1 skipped")
        return 0
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        table = RealTable(Path(folder))
        twos = cycle(in_turn([photo for photo in photos if len(photo.values) == 2 and sum(photo.values) >= 7]))
        ones = list(in_turn([photo for photo in photos if len(photo.values) == 1]))
        defences = cycle([photo for photo in ones if photo.values[0] <= 3])
        attackers = cycle(ones)

        def attack(defence: int, bonus: int) -> Photo:
            return next(photo for photo in islice(attackers, 2 * len(ones)) if photo.values[0] + bonus > defence)

        for number in range(1, PASSAGES + 1):
            try:
                table.play(twos, defences, attack)
            except NotPlayed as fault:
                failed += 1
                print(f"passage {number}: FAILED: {fault}", flush=True)
            else:
                passed += 1
                print(f"passage {number}: goal", flush=True)
    tally = table.tally
    unaided = tally.certain / max(1, tally.certain + tally.asked)
    seen = f"{tally.certain} dice read, {tally.asked} asked about, {tally.again} throws not seen"
    print(f"{seen}, {len(tally.sources)} sources")
    if unaided < MIN_CERTAIN_SHARE:
        failed += 1
        print(f"only {unaided:.0%} of the dice were read without help")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
