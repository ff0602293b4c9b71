"""Laboratory of the project: benchmarks, trials and training. Never installed with the product."""

from __future__ import annotations

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def module_environment(**more: str) -> dict[str, str]:
    """Return the environment in which a child process finds the modules of this tree, whatever its folder."""
    paths = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths), **more}
