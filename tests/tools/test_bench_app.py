"""A short run of the screen benchmark: it starts the app, counts frames and taps, and measures memory."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SHORT = "import json; from tools.benchmarks.app import measure; print(json.dumps(measure(1, 8, 20)))"


@pytest.mark.slow
def test_every_figure_stands_beside_its_limit():
    done = subprocess.run([sys.executable, "-c", SHORT], cwd=ROOT, capture_output=True, text=True, timeout=280)
    assert done.returncode == 0, done.stderr[-2000:]
    found = json.loads(done.stdout.splitlines()[-1])
    assert found["tap_ms_all"]["footclub"]["taps"] == 8
    for timing in (*found["tap_ms_all"].values(), found["moment_tap_ms"]):
        assert 0 < timing["wall"]["median"] <= timing["wall"]["p99"]
    assert found["frames_per_second"]["wall"]["median"] > 1
    assert found["start_s"]["wall"]["median"] > 0.1
    assert len(found["memory"]["megabytes"]) >= 10
    assert abs(found["memory"]["growth"]) < 1
    assert set(found["limits"]) == {"frames_per_second", "tap_ms", "tap_p99_ms", "start_s", "growth"}
    assert found["kept"].keys() == found["limits"].keys()
