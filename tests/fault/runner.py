"""The runner: each round of each part in a process of its own, on all cores."""

from __future__ import annotations

import logging
import multiprocessing
import os
import resource
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from tests.fault.checks import KINDS, Impossible, described, kind_of, peak_memory_problems
from tests.fault.parts import EVERY, PARTS
from tests.fault.sabotage import apply_chosen
from tests.suites.count import Count

CORES = len(os.sched_getaffinity(0))


@dataclass
class Result:
    """The result of one round."""

    part: str
    round: str
    passed: int = 0
    failures: list[tuple[str, str]] = field(default_factory=list)
    """Name and first problem of each failed check."""
    skipped: str | None = None
    seconds: float = 0.0

    @property
    def count(self) -> Count:
        return Count(self.passed, len(self.failures), int(self.skipped is not None))


def run_round(part: str, number: int, count: int, seed: int, place: Path) -> Result:
    """Run one round of a part, in a process of its own."""
    apply_chosen()
    logging.disable()
    with tempfile.TemporaryDirectory(prefix=f"{part}-", dir=place) as folder:
        Path(folder).chmod(0o755)
        name, checks = PARTS[part].rounds(Path(folder), count, Random(f"{seed} {part} {number}"))[number]
        result, began = Result(part, name), time.monotonic()
        try:
            for check, problems in checks():
                if problems:
                    result.failures.append((check, problems[0]))
                else:
                    result.passed += 1
        except Impossible as reason:
            result.skipped = str(reason)
        except Exception as error:  # noqa: BLE001 (the other rounds go on)
            result.failures.append((name, f"traceback: {described(error)}"))
        if problems := peak_memory_problems(resource.RUSAGE_SELF):
            result.failures.append((name, problems[0]))
        result.seconds = time.monotonic() - began
    return result


def results(parts: Sequence[str], short: bool, scale: float, seed: int, place: Path) -> Iterator[Result]:
    """Run parts on all cores, in the short or the full form, and yield the result of each round as it comes."""
    # In the full form a new process for each round: its memory is its own, and its children come from a small parent.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(CORES, context, max_tasks_per_child=None if short else 1) as pool:
        rounds: list[Future[Result]] = []
        for part in parts:
            count = PARTS[part].short if short else PARTS[part].full
            count = count if count == EVERY else round(count * scale)
            if count:
                names = PARTS[part].rounds(place, count, Random(seed))
                rounds += [pool.submit(run_round, part, number, count, seed, place) for number in range(len(names))]
        for done in as_completed(rounds):
            yield done.result()


def summary(part: str, found: list[Result]) -> str:
    """Return the counts of a part in one line."""
    kinds = Counter(kind_of(problem) for result in found for _, problem in result.failures)
    checks = sum(result.count.passed + result.count.failed for result in found)
    labels = {"traceback": "tracebacks", "hang": "hangs over 5 s", "memory": "over 500 MB"}
    counts = [f"{labels.get(kind, kind)} {kinds[kind]}" for kind in (*KINDS, "other")]
    return f"{part}: {checks} checks: {', '.join(counts)} ({sum(result.seconds for result in found):.0f} s)"
