"""`python -m tests.camera`, where libcamera has its virtual camera: rolls are read right, faults are survived."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from tests.camera import faults, reading

Check = tuple[str, list[str]]


GROUPS: dict[str, Callable[[Path], Iterator[Check]]] = {
    "contract": reading.contract,
    "rolls": reading.rolls,
    **{name: partial(faults.survived, fault=name) for name in faults.FAULTS},
}
"""All groups of checks; a check is a name and a list of faults."""


def checks(folder: Path, groups: list[str]) -> Iterator[Check]:
    """Yield the checks of these groups, or of all groups if none is given."""
    for name in groups or GROUPS:
        yield from GROUPS[name](folder)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("group", nargs="*", choices=[*GROUPS, []], help=", ".join(GROUPS))
    groups = parser.parse_args().group
    passed = failed = 0
    with tempfile.TemporaryDirectory(prefix="tapis-vert-camera-") as place:
        for name, problems in checks(Path(place), groups):
            passed, failed = passed + (not problems), failed + bool(problems)
            print(f"{name}: {'ok' if not problems else 'FAILED: ' + '; '.join(problems[:3])}", flush=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
