"""`python -m tests.camera`, where libcamera has its virtual camera: rolls are read right, faults are survived."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.camera import faults, reading

Check = tuple[str, list[str]]


def checks(folder: Path) -> Iterator[Check]:
    """Every check by name, with what was wrong."""
    yield from reading.contract(folder)
    yield from reading.rolls(folder)
    yield from faults.survived(folder)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.parse_args()
    passed = failed = 0
    with tempfile.TemporaryDirectory(prefix="tapis-vert-camera-") as place:
        for name, problems in checks(Path(place)):
            passed, failed = passed + (not problems), failed + bool(problems)
            print(f"{name}: {'ok' if not problems else 'FAILED: ' + '; '.join(problems[:3])}", flush=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
