"""The files of the project, for tests that check the tree itself."""

from __future__ import annotations

import ast
import os
import re
import subprocess
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
MADE = re.compile(r"\..*|__pycache__|build|.*\.egg-info")
PRODUCT = ("companion", "vision", "hardware", "firmware")
LABORATORY = "tools"


@cache
def files() -> tuple[Path, ...]:
    """Return the files that git tracks or would track, relative to ROOT; without git, all but hidden or generated
    ones."""
    try:
        listed = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=ROOT,
            capture_output=True,
            check=True,
            text=True,
        ).stdout.split("\0")
    except (OSError, subprocess.CalledProcessError):
        listed = list(_walked())
    return tuple(sorted(Path(name) for name in listed if name and (ROOT / name).is_file()))


def _walked() -> list[str]:
    found: list[str] = []
    for folder, below, names in os.walk(ROOT):
        below[:] = [name for name in below if name == ".ci" or not MADE.match(name)]
        found += [os.path.relpath(os.path.join(folder, name), ROOT) for name in names if not name.endswith(".pyc")]
    return found


@cache
def modules(*tops: str) -> tuple[Path, ...]:
    """Return the Python files below the given top folders (all folders if none is given)."""
    return tuple(path for path in files() if path.suffix == ".py" and (not tops or path.parts[0] in tops))


@cache
def text(path: Path) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(text(path), filename=str(path))
