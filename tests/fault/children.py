"""Child processes that are killed: forked from this one, so that thousands start in little time."""

from __future__ import annotations

import json
import os
import select
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass

from tests.fault.checks import described, max_bytes, max_seconds
from tests.fault.play import Acknowledged
from tests.fault.scenarios import Acknowledge, Acknowledgement, Done

_FAILED = 70
"""Exit status of a child that ended with an error (EX_SOFTWARE)."""


@dataclass(frozen=True)
class Ended:
    """A child that has ended: what it acknowledged, how long it ran, and what went wrong."""

    acknowledged: list[Acknowledgement]
    seconds: float
    problems: list[str]


class Child:
    """A forked process that runs `work` and sends its acknowledgements through a pipe, each in one write.

    So what it acknowledged before a kill is never lost. Call `finish`.
    """

    def __init__(self, work: Callable[[Acknowledge], object]) -> None:
        self._reader, writer = os.pipe()
        self._began = time.monotonic()
        self._max_bytes = max_bytes()
        self._pid = os.fork()
        if self._pid == 0:
            os.close(self._reader)
            _run_and_exit(writer, work)
        os.close(writer)
        self._received = b""

    def finish(self, kill_after: float | None = None) -> Ended:
        """Kill the child after a number of seconds; without one, let it end. A child that runs too long is killed."""
        problems = []
        limit = max_seconds()
        if not self._receive(limit if kill_after is None else kill_after) and kill_after is None:
            problems.append(f"hang: a child ran longer than {limit:.0f} s")
        os.kill(self._pid, signal.SIGKILL)
        self._receive(limit)
        os.close(self._reader)
        _, status, usage = os.wait4(self._pid, 0)
        if usage.ru_maxrss * 1024 > self._max_bytes:
            problems.append(f"memory: {usage.ru_maxrss * 1024 / 1e6:.0f} MB in a child")
        if os.WIFEXITED(status) and os.WEXITSTATUS(status) not in (0, _FAILED):
            problems.append(f"traceback: a child ended with status {os.WEXITSTATUS(status)}")
        acknowledged, errors = _parse(self._received)
        return Ended(acknowledged, time.monotonic() - self._began, problems + errors)

    def _receive(self, seconds: float) -> bool:
        """Read until the child has ended. Return False if it has not after some seconds."""
        end = time.monotonic() + seconds
        while (remaining := end - time.monotonic()) > 0:
            if select.select([self._reader], [], [], remaining)[0]:
                chunk = os.read(self._reader, 65536)
                if not chunk:
                    return True
                self._received += chunk
        return False


def run_child(work: Callable[[Acknowledge], object], kill_after: float | None = None) -> Ended:
    """Run `work` in a child and wait for its end, or kill it after a number of seconds."""
    return Child(work).finish(kill_after)


def _parse(received: bytes) -> tuple[list[Acknowledgement], list[str]]:
    acknowledged: list[Acknowledgement] = []
    problems = []
    for line in received[: received.rfind(b"\n") + 1].splitlines():
        match json.loads(line):
            case {"error": error}:
                problems.append(f"traceback: {error}")
            case {"step": step}:
                acknowledged.append(Done(step))
            case [match, number, fields]:
                acknowledged.append(Acknowledged(match, number, fields))
    return acknowledged, problems


def _run_and_exit(writer: int, work: Callable[[Acknowledge], object]) -> None:
    """Do the work of the child and end it; never returns."""

    def send(value: object) -> None:
        os.write(writer, json.dumps(value).encode() + b"\n")

    def acknowledge(ack: Acknowledgement) -> None:
        send({"step": ack.step} if isinstance(ack, Done) else [ack.match, ack.line, ack.fields])

    status = 0
    try:
        work(acknowledge)
    except BaseException as error:  # noqa: BLE001 (whatever it is, the parent reports it)
        send({"error": described(error)})
        status = _FAILED
    os._exit(status)
