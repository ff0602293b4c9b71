"""The quick suite: lint of the changed files and the nearest tests, in less than a minute.

Changed files are those that differ from `main`; on `main` itself, from the previous commit. The order is:
1. changed tests,
2. tests that import a changed module,
3. the other tests of its package.
Tests that are not reached in time are skipped and counted as skipped. `./test` runs all tests.
"""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from tests.suites.count import Count
from tests.suites.fast import check, run_pytest
from tests.suites.table import ROOT
from tests.tracked import modules, tree

BUDGET_S = 40.0
MAIN = ("main", "origin/main")
WALLS = Path("tests/test_walls.py")


def git(*arguments: str) -> list[str]:
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True)
    return done.stdout.splitlines() if done.returncode == 0 else []


def base_commit() -> str:
    """Return the commit where this branch left `main`, or the parent of the newest commit on `main` itself."""
    head = git("rev-parse", "HEAD")
    for name in MAIN:
        fork = git("merge-base", "HEAD", name)
        if fork and fork != head:
            return fork[0]
    return "HEAD~1" if git("rev-parse", "--verify", "--quiet", "HEAD~1") else "HEAD"


def changed_files() -> list[Path]:
    """Return new, changed and deleted files, committed or not, relative to ROOT."""
    names = git("diff", "--name-only", base_commit()) + git("ls-files", "--others", "--exclude-standard")
    return sorted({Path(name) for name in names})


def module_name(path: Path) -> str:
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")


def imported(path: Path) -> set[str]:
    """Return every module that a file imports, and every name imported from a module."""
    found: set[str] = set()
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found


def mirror(path: Path) -> Path:
    """Return the deepest folder or file below `tests` that mirrors a product file."""
    parts = path.parts[1:] if path.parts[0] == "companion" else path.parts
    if len(parts) == 1:
        return Path("tests", f"test_{parts[0]}")
    folder = Path("tests", *parts[:-1])
    while folder != Path("tests") and not (ROOT / folder).is_dir():
        folder = folder.parent
    return folder


def nearest_tests(changed: Iterable[Path], tests: Iterable[Path]) -> list[Path]:
    """Return the test files for the changed files, nearest first; the architecture tests always come last."""
    changed, tests = list(changed), list(tests)
    sources = [path for path in changed if path.suffix == ".py"]
    names = {module_name(path) for path in sources}
    mirrors = {mirror(path) for path in changed if path.parts[0] != "tests"} - {Path("tests")}
    mirrors |= {path.parent for path in changed if path.parts[0] == "tests" and path not in tests} - {Path("tests")}
    own = [path for path in tests if path in changed]
    direct = [path for path in tests if names & imported(path)]
    around = [path for path in tests if path in mirrors or mirrors & set(path.parents)]
    return list(dict.fromkeys([*own, *direct, *around, WALLS]))


def files_of_tests() -> list[Path]:
    return [path for path in modules("tests") if path.name.startswith("test_")]


def main() -> int:
    changed = changed_files()
    existing = [str(path) for path in changed if path.suffix == ".py" and (ROOT / path).exists()]
    count = check("lint", "ruff", "check", "--quiet", "--output-format", "concise", *existing) if existing else Count()
    chosen = [str(path) for path in nearest_tests(changed, files_of_tests())]
    print(f"{len(changed)} files changed, {len(chosen)} files of tests", flush=True)
    os.environ["TAPIS_VERT_TEST_BUDGET_S"] = str(BUDGET_S)
    count += run_pytest(["-p", "tests.suites.budget", "--no-loadscope-reorder", "-m", "not slow", *chosen])
    print(count)
    return 1 if count.failed or not count.passed else 0


if __name__ == "__main__":
    sys.exit(main())
