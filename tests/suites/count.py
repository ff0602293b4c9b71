"""The closing line of a suite, `N passed, N failed[, N skipped]`: format, parse and add."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

CLOSING = re.compile(r"^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$")
PYTEST = re.compile(r"(\d+) (passed|failed|errors?|skipped|xfailed|xpassed)\b")


@dataclass(frozen=True, slots=True)
class Count:
    passed: int = 0
    failed: int = 0
    skipped: int = 0

    def __add__(self, other: Count) -> Count:
        return Count(self.passed + other.passed, self.failed + other.failed, self.skipped + other.skipped)

    def __str__(self) -> str:
        return f"{self.passed} passed, {self.failed} failed" + (f", {self.skipped} skipped" if self.skipped else "")


def of_suite(lines: Iterable[str]) -> Count | None:
    """Return the count in the last closing line, or None if there is none."""
    found = [match for line in lines if (match := CLOSING.match(line.strip()))]
    return Count(*(int(group or 0) for group in found[-1].groups())) if found else None


def of_pytest(closing: str) -> Count:
    """Return the count in pytest's own summary line; an expected failure (xfail) counts as passed."""
    passed = failed = skipped = 0
    for number, word in PYTEST.findall(closing):
        if word in ("passed", "xfailed"):
            passed += int(number)
        elif word == "skipped":
            skipped += int(number)
        else:
            failed += int(number)
    return Count(passed, failed, skipped)
