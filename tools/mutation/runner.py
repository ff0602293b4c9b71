"""Runs mutants in a copy of the tree: first the tests that import the mutated module, then those of its package."""

from __future__ import annotations

import ast
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from tools import ROOT
from tools.mutation.operators import Mutant, sample_mutants

PACKAGES: Final = ("companion/games", "companion/journal", "companion/tournament")
CPU_LIMIT_S = 90
"""CPU time limit for the tests of one mutant."""
WALL_LIMIT_S = 1800
"""Wall time limit, for tests that wait forever."""
FAR_LESS = 3.0
"""A timeout is attributed to the mutant if the same tests without it need less than the limit divided by this."""
MEMORY_BYTES = 6 << 30
PASSED, FAILED = 0, (1, 2, 3, 4)
"""Exit statuses of pytest. 2 to 4: a module cannot be imported, or pytest itself fails."""
TIMED_OUT = -1

Tests = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of a mutant: "killed", "timed out" (killed too), "survived" or "undecided" (too slow without it)."""

    mutant: Mutant
    outcome: str
    cpu_s: float


@contextmanager
def copied_tree() -> Iterator[Path]:
    """Yield a copy of the files that git tracks or would track. It is removed afterwards."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, text=True).stdout.split("\0")
    with TemporaryDirectory(prefix="mutants-") as folder:
        root = Path(folder).resolve()
        for name in listed:
            if name and (ROOT / name).is_file():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, root / name)
        yield root


def nearby_tests(root: Path, path: str) -> tuple[Tests, Tests]:
    """Return the test files that import a module, the shortest first, and then the others of its package.

    The tests of a package are in the folder of the same name. Those of the code shared by all games are in tests/games
    and in the folders of the games.
    """
    parts = Path(path).parts
    folder = Path("tests", *parts[1:-1])
    module = ".".join(Path(path).with_suffix("").parts).removesuffix(".__init__")
    near = sorted((root / folder).rglob("test_*.py"), key=lambda file: file.stat().st_size)
    direct = [file for file in near if module in imported(file) or file.stem == f"test_{parts[-1].removesuffix('.py')}"]
    others = [file for file in near if file not in direct]
    return _relative(root, direct), _relative(root, others)


def _relative(root: Path, files: Sequence[Path]) -> Tests:
    return tuple(file.relative_to(root).as_posix() for file in files)


def imported(file: Path) -> set[str]:
    """Return the modules that a file imports, each also with the names taken from it."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_bytes())):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{name.name}" for name in node.names)}
    return found


class MutantRunner:
    """A runner for tests in a copy of the tree at `root`."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._clean: dict[Tests, float] = {}
        """CPU seconds of tests without a mutant."""

    def evaluate(self, mutant: Mutant) -> Verdict:
        """Apply one mutant to the copy, run the tests near it, and restore the file."""
        file = self._root / mutant.path
        source, stat = file.read_bytes(), file.stat()
        spent = 0.0
        try:
            file.write_bytes(mutant.apply(source))
            os.utime(file, (stat.st_atime, stat.st_mtime + 10))  # compiled code is identified by time and size
            for tests in filter(None, nearby_tests(self._root, mutant.path)):
                status, cpu = self._run(tests)
                spent += cpu
                if status == TIMED_OUT:
                    break
                if status in FAILED:
                    return Verdict(mutant, "killed", spent)
            else:
                return Verdict(mutant, "survived", spent)
        finally:
            file.write_bytes(source)
            os.utime(file, (stat.st_atime, stat.st_mtime))
        far_less = self._clean_s(tests) * FAR_LESS < CPU_LIMIT_S
        return Verdict(mutant, "timed out" if far_less else "undecided", spent)

    def _clean_s(self, tests: Tests) -> float:
        if tests not in self._clean:
            status, cpu = self._run(tests)
            self._clean[tests] = cpu if status == PASSED else float("inf")
        return self._clean[tests]

    def _run(self, tests: Tests) -> tuple[int, float]:
        """Return pytest's exit status (or TIMED_OUT) and its CPU seconds."""
        command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist", *tests]
        environment = {**os.environ, "CI": "1", "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(self._root)}
        before = _children_cpu_s()
        child = subprocess.Popen(
            command,
            cwd=self._root,
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            preexec_fn=_limit,
        )
        try:
            status = child.wait(WALL_LIMIT_S)
        except subprocess.TimeoutExpired:
            status = TIMED_OUT
        finally:
            if child.poll() is None:
                os.killpg(child.pid, signal.SIGKILL)
                child.wait()
        return (TIMED_OUT if status < 0 else status), _children_cpu_s() - before


def _limit() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_LIMIT_S, CPU_LIMIT_S))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))


def _children_cpu_s() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run_mutants(count: int, seed: int, minutes: float | None, paths: Sequence[str] = PACKAGES) -> dict[str, Any]:
    """Judge `count` mutants of the packages and return the figures. After `minutes` no further one is started.

    Each verdict is printed to standard error immediately.
    """
    end = time.monotonic() + 60 * minutes if minutes is not None else float("inf")
    with copied_tree() as root:
        sample, total = sample_mutants(root, paths, count, seed)
        judge = MutantRunner(root)
        verdicts: list[Verdict] = []
        for mutant in sample:
            if time.monotonic() > end:
                break
            verdict = judge.evaluate(mutant)
            verdicts.append(verdict)
            _print_verdict(verdict, len(verdicts), len(sample))
    return figures(verdicts, total, seed)


def figures(verdicts: Sequence[Verdict], total: int, seed: int) -> dict[str, Any]:
    """Return the numbers of all and of judged mutants, their verdicts, and the list of survivors."""
    outcomes = Counter(verdict.outcome for verdict in verdicts)
    killed = outcomes["killed"] + outcomes["timed out"]
    decided = killed + outcomes["survived"]
    return {
        "mutants": total,
        "seed": seed,
        "judged": len(verdicts),
        "outcomes": dict(outcomes),
        "kill_rate": round(killed / decided, 4) if decided else None,
        "cpu_s": round(sum(verdict.cpu_s for verdict in verdicts), 1),
        "survivors": [describe(verdict.mutant) for verdict in verdicts if verdict.outcome in ("survived", "undecided")],
    }


def describe(mutant: Mutant) -> str:
    """Return the location of a mutant and its replacement, on one line."""
    before, after = (" ".join(part.split())[:80] for part in (mutant.before, mutant.text))
    return f"{mutant.path}:{mutant.line} {mutant.operator}: {before} -> {after}"


def _print_verdict(verdict: Verdict, done: int, due: int) -> None:
    line = f"{done} of {due} {verdict.outcome} ({verdict.cpu_s:.1f} s): {describe(verdict.mutant)}"
    print(line, file=sys.stderr, flush=True)
