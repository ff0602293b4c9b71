"""Measures of the product's code: no code that nobody uses."""

from __future__ import annotations

import subprocess
import sys

from tests.tracked import PRODUCT, ROOT

CONFIDENCE_PERCENT = 80


def test_no_code_is_dead() -> None:
    command = [sys.executable, "-m", "vulture", "--min-confidence", str(CONFIDENCE_PERCENT), *PRODUCT, "tools"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert (done.stdout, done.returncode) == ("", 0), done.stderr
