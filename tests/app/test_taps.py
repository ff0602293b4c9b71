"""The most frequent actions stay within their tap limits, counted at Kivy's input."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from tests.screens.scenes_taps import COUNTS, DONE

ROOT = Path(__file__).parents[2]


def test_nothing_takes_more_touches_than_it_may(tmp_path):
    command = [sys.executable, "-m", "tests.screens.show", "taps", str(tmp_path), "800x480", "fr", "normal", "100"]
    played = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert (played.returncode, played.stdout) == (0, ""), played.stdout + played.stderr
    counts = json.loads((tmp_path / COUNTS).read_text(encoding="utf-8"))
    print(*(f"{name}: {found['touches']} of {found['most']}" for name, found in counts.items()), sep="\n")
    assert set(counts) == set(DONE)
    assert {name: found for name, found in counts.items() if found["touches"] > found["most"]} == {}
