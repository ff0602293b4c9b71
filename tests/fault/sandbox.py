"""Forked processes that run many inputs with limits of time and memory, and name the input that breaks them."""

from __future__ import annotations

import json
import mmap
import os
import resource
import select
import signal
import struct
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from tests.fault.checks import max_bytes

MAX_INPUT_S = 5.0
"""Maximum processor time of one input in seconds. Processor time, because other processes share the machine."""
STUCK_S = 60.0
"""Seconds without progress after which the parent kills a process: the input sleeps, or loops outside of Python."""
SPARE_ADDRESSES = 3 * 1024**3 // 2
"""Address space beyond the one in use. It stops an allocation that would take the whole machine."""
WORKERS = 2
ROOT = Path(__file__).resolve().parents[2]


class TooSlow(BaseException):
    """An input took more than `MAX_INPUT_S` of processor time."""


@dataclass(frozen=True, slots=True)
class Fault:
    """What an input did. `kind`: `traceback`, `hang`, `memory` or `crash`."""

    index: int
    kind: str
    text: str


def run_inputs(run: Callable[[int], object], indexes: Sequence[int], prepare: Callable[[], Any]) -> Iterator[Fault]:
    """Call `run(index)` for each index in forked processes. Yields a fault for each that fails.

    `prepare` runs once in each process: it opens what `run` needs and cannot survive a fork.
    """
    shares = [indexes[at::WORKERS] for at in range(WORKERS)]
    workers = [_Worker(run, share, prepare) for share in shares if share]
    try:
        while workers:
            ready, _, _ = select.select([worker.pipe for worker in workers], [], [], 1.0)
            for worker in list(workers):
                yield from worker.collect(worker.pipe in ready)
                if worker.is_done:
                    workers.remove(worker)
    finally:
        for worker in workers:
            worker.end()


class _Worker:
    """A share of the indexes, run by one process after the other: a new one after each that was lost."""

    def __init__(self, run: Callable[[int], object], share: Sequence[int], prepare: Callable[[], Any]) -> None:
        self._run, self._share, self._prepare = run, share, prepare
        self._place = mmap.mmap(-1, 8)  # position in the share, written by the child before each input
        self._received = b""
        self.is_done = False
        self._start(0)

    def _start(self, position: int) -> None:
        self._place[:8] = struct.pack("q", position)
        self._moved_at, self._seen = time.monotonic(), position
        reader, writer = os.pipe()
        sys.stdout.flush()
        sys.stderr.flush()
        self._pid = os.fork()
        if self._pid == 0:
            os.close(reader)
            _child(self._run, self._share, position, self._place, writer, self._prepare)
        os.close(writer)
        self.pipe = reader

    def collect(self, is_ready: bool) -> Iterator[Fault]:
        """Yield the faults reported since the last call. Starts a new process in place of a lost one."""
        position = struct.unpack("q", self._place[:8])[0]
        if position != self._seen:
            self._seen, self._moved_at = position, time.monotonic()
        if not is_ready:
            if time.monotonic() - self._moved_at > STUCK_S:
                os.kill(self._pid, signal.SIGKILL)
                yield Fault(self._share[position], "hang", f"no progress in {STUCK_S:.0f} s")
                self._restart(position + 1)
            return
        chunk = os.read(self.pipe, 1 << 16)
        self._received += chunk
        *lines, self._received = self._received.split(b"\n")
        for line in lines:
            if line == b"done":
                self.end()
                return
            fault = Fault(*json.loads(line))
            if fault.kind == NOT_PREPARED:
                raise RuntimeError(f"the process could not start:\n{fault.text}")
            yield fault
        if not chunk:
            _, status = os.waitpid(self._pid, 0)
            position = struct.unpack("q", self._place[:8])[0]
            if status != RESTART_STATUS << 8:
                name = signal.Signals(os.WTERMSIG(status)).name if os.WIFSIGNALED(status) else f"exit {status >> 8}"
                yield Fault(self._share[min(position, len(self._share) - 1)], "crash", name)
            self._pid = 0
            self._restart(position + 1)

    def _restart(self, position: int) -> None:
        os.close(self.pipe)
        if self._pid:
            os.waitpid(self._pid, 0)
            self._pid = 0
        if position < len(self._share):
            self._start(position)
        else:
            self.is_done = True

    def end(self) -> None:
        """Stop the process."""
        self.is_done = True
        os.close(self.pipe)
        if self._pid:
            os.kill(self._pid, signal.SIGKILL)
            os.waitpid(self._pid, 0)


NOT_PREPARED = "not prepared"
"""Kind of a fault of the test itself: a process could not open its parser."""
RESTART_STATUS = 75
"""Exit status of a process that asks for a new one: its memory has grown."""


def _child(
    run: Callable[[int], object],
    share: Sequence[int],
    position: int,
    place: mmap.mmap,
    writer: int,
    prepare: Callable[[], Any],
) -> NoReturn:
    status = 1
    try:
        _silence()
        most = max_bytes()
        prepare()
        _limit_addresses()
        signal.signal(signal.SIGPROF, _too_slow)
        for at in range(position, len(share)):
            place[:8] = struct.pack("q", at)
            fault = _tried(run, share[at])
            grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 > most
            if grown and fault is None:
                fault = Fault(share[at], "memory", f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB")
            if fault is not None:
                os.write(writer, json.dumps([fault.index, fault.kind, fault.text]).encode() + b"\n")
            if grown:
                os._exit(RESTART_STATUS)
        os.write(writer, b"done\n")
        status = 0
    except BaseException:  # noqa: BLE001 (the child must never return into the parent's code)
        os.write(writer, json.dumps([share[position], NOT_PREPARED, traceback.format_exc()[-3000:]]).encode() + b"\n")
    finally:
        os._exit(status)


def _tried(run: Callable[[int], object], index: int) -> Fault | None:
    signal.setitimer(signal.ITIMER_PROF, MAX_INPUT_S)
    try:
        run(index)
    except TooSlow:
        return Fault(index, "hang", f"more than {MAX_INPUT_S:.0f} s: {_place_of_fault()}")
    except MemoryError:
        return Fault(index, "memory", _place_of_fault())
    except (Exception, SystemExit) as error:  # noqa: BLE001 (an undocumented error is what the run looks for)
        return Fault(index, "traceback", f"{type(error).__name__}: {str(error)[:300]} at {_place_of_fault()}")
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return None


def _place_of_fault() -> str:
    """Return file and line of the innermost frame of the product."""
    frames = traceback.extract_tb(sys.exc_info()[2])
    ours = [frame for frame in frames if Path(frame.filename).is_relative_to(ROOT)]
    ours = [frame for frame in ours if "/tests/" not in frame.filename] or ours
    last = ours[-1] if ours else frames[-1]
    path = Path(last.filename)
    return f"{path.relative_to(ROOT) if path.is_relative_to(ROOT) else path}:{last.lineno}"


def _too_slow(_number: int, _frame: object) -> NoReturn:
    raise TooSlow


def _limit_addresses() -> None:
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    limit = pages * resource.getpagesize() + SPARE_ADDRESSES
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (limit, hard))


def _silence() -> None:
    """Send what the product prints to nowhere: it prints a sentence for each bad input."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    os.close(nowhere)
