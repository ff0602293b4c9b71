"""The form of a check, and the limits of time and memory that every check keeps."""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import tempfile
import traceback
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import FrameType

MAX_SECONDS = 5.0
MAX_BYTES = 500_000_000
"""Limits of any single check: time, and peak memory of its process."""
SUITE_BYTES = 150_000_000
"""Memory of a process of this suite with all its modules, before a check."""

Check = tuple[str, list[str]]
"""A check's name and its problems (empty if it passed). The name starts with the promise: `kill: 12 of append`.

A problem starts with its kind where it has one: `lost: …`, `doubled: …`, `traceback: …`, `hang: …`, `memory: …`.
"""

Rounds = list[tuple[str, Callable[[], Iterator[Check]]]]
"""Named rounds, each with the function that runs it."""

KINDS = ("lost", "doubled", "traceback", "hang", "memory")


class Impossible(Exception):
    """This machine cannot run this round; the message gives the reason."""


MEMORY_DISK = Path("/dev/shm")
"""Files of the suite are here if possible: a kill leaves the same as on any disk, and thousands take less time."""


@contextlib.contextmanager
def scratch_folder() -> Iterator[Path]:
    """Provide an empty folder, readable by every user, and remove it at the end."""
    place = MEMORY_DISK if os.access(MEMORY_DISK, os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="tapis-vert-fault-", dir=place) as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


class Hang(BaseException):
    """A check takes longer than `MAX_SECONDS`. No handler of the product catches it."""


def kind_of(problem: str) -> str:
    """Return the kind of a problem; `other` if it names none."""
    kind = problem.partition(":")[0]
    return kind if kind in KINDS else "other"


def max_seconds() -> float:
    """Return the time limit of a check: on a machine with more work than cores, everything takes longer."""
    return MAX_SECONDS * max(1.0, os.getloadavg()[0] / len(os.sched_getaffinity(0)))


@contextlib.contextmanager
def time_limit(seconds: float | None = None) -> Iterator[None]:
    """Raise `Hang` in this thread, the main one, after a time (default: `max_seconds`)."""
    seconds = max_seconds() if seconds is None else seconds

    def stop(_signal: int, _frame: FrameType | None) -> None:
        raise Hang(f"more than {seconds:.0f} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def checked(name: str, check: Callable[[], Sequence[str]]) -> Check:
    """Run a check within its time. Whatever it raises is a problem."""
    try:
        with time_limit():
            return name, list(check())
    except Hang as hang:
        return name, [f"hang: {hang}"]
    except Exception as error:  # noqa: BLE001 (no error of the product may end the suite)
        return name, [f"traceback: {described(error)}"]


def described(error: BaseException) -> str:
    """Return an error with the place where it was raised, in one line."""
    places = traceback.extract_tb(error.__traceback__)
    place = f" ({places[-1].filename.rpartition('/')[2]}:{places[-1].lineno} {places[-1].name})" if places else ""
    return f"{type(error).__name__}: {error}{place}"


def max_bytes() -> int:
    """Return the limit of memory of a process that is forked from this one.

    It begins with the memory of this process. What a test runner holds beyond that of the suite does not count.
    """
    resident = int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()
    return MAX_BYTES + max(0, resident - SUITE_BYTES)


def peak_memory_problems(who: int = resource.RUSAGE_SELF) -> list[str]:
    """Return a problem if this process (or a child that has ended) had more than the permitted memory."""
    peak = resource.getrusage(who).ru_maxrss * 1024
    return [f"memory: {peak / 1e6:.0f} MB at the peak"] if peak > MAX_BYTES else []
