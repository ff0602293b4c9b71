"""No recorded event is lost: kills, power cuts, torn logs, full disks. `python -m tests.fault.kills --kills 300`."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

from tests.fault.rounds import Check, Impossible, full_disk, kills, limited_file, power_cuts, read_only, torn_logs


def rounds(folder: Path, count: int, random: Random) -> list[tuple[str, Callable[[], Iterator[Check]]]]:
    """Return every round by name, for `count` kills."""
    return [
        ("kills", lambda: kills(folder, count, random)),
        ("power cuts", lambda: power_cuts(folder, count, random)),
        ("torn logs", lambda: torn_logs(folder, max(2, count // 5), random)),
        ("limited file", lambda: limited_file(folder, random)),
        ("full disk", lambda: full_disk(folder, random)),
        ("read-only", lambda: read_only(folder, random)),
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=300, help="how many writers are killed")
    parser.add_argument("--seed", type=int, default=1, help="of the moments and matches")
    asked = parser.parse_args()
    passed = failed = skipped = 0
    with tempfile.TemporaryDirectory(prefix="tapis-vert-fault-") as place:
        Path(place).chmod(0o755)
        for name, checks in rounds(Path(place), asked.kills, Random(asked.seed)):
            before = passed
            try:
                for check, problems in checks():
                    passed, failed = passed + (not problems), failed + bool(problems)
                    for problem in problems[:3]:
                        print(f"FAILED {check}: {problem}")
            except Impossible as reason:
                skipped += 1
                print(f"skipped {name}: {reason}")
            print(f"{name}: {passed - before} passed", flush=True)
    print(f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
