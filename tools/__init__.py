"""Development tools: benchmarks, trials and training. They are not installed with the product."""

from __future__ import annotations

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def module_environment(**more: str) -> dict[str, str]:
    """Return the environment for child processes, so that they find the modules of this tree from any folder."""
    paths = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths), **more}
