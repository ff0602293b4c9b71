"""Child processes of a trial: they receive orders and send reports as lines of JSON, and may be killed at any time."""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TextIO

from tools import module_environment

STOP_TIMEOUT_S = 30.0

Commands = Iterator[dict[str, Any]]
"""The next orders; `{"do": "nothing"}` while there is none."""


def read_commands(source: TextIO) -> Commands:
    """Yield the orders from `source` in the child process. End of file yields the order to stop. Never blocks."""
    given: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()

    def listen() -> None:
        for line in source:
            given.put(json.loads(line))
        given.put({"do": "stop"})

    threading.Thread(target=listen, name="orders", daemon=True).start()
    while True:
        yield {"do": "nothing"} if given.empty() else given.get()


class ChildProcess:
    """A child process that runs one of our modules. `state` holds the latest value of every key in its lines."""

    def __init__(
        self, module: str, first_line: bytes, log: Path, on_line: Callable[[dict[str, Any]], None] = lambda _line: None
    ) -> None:
        """Start the process. `first_line` is the first line on its standard input; its standard error is appended to
        `log`.

        `on_line` is called with each of its lines, on another thread.
        """
        with log.open("ab") as errors:
            self._process = subprocess.Popen(
                [sys.executable, "-m", module],
                env=module_environment(),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                start_new_session=True,  # Ctrl-C must reach only the parent, which stops its children
            )
        self.state: dict[str, Any] = {}
        self.on_line, self._changed = on_line, threading.Condition()
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()
        self._write(first_line)

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def running(self) -> bool:
        return self._process.poll() is None

    def send(self, **fields: Any) -> None:
        """Send one order. Does nothing if the process has ended."""
        self._write(json.dumps(fields).encode())

    def wait_for(self, key: str, seconds: float, value: Any = None) -> bool:
        """Wait until the process has reported a key (with `value`, if given). Return False if it ended or timed out."""

        def is_reached() -> bool:
            return key in self.state if value is None else bool(self.state.get(key) == value)

        with self._changed:
            self._changed.wait_for(lambda: is_reached() or "gone" in self.state, seconds)
            return is_reached()

    def kill(self) -> None:
        """Kill the process without warning, as a power cut would."""
        if self.running:
            os.kill(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._listener.join()

    def stop(self) -> int:
        """Stop the process with SIGTERM, and with SIGKILL after a timeout. Return its exit status."""
        if self.running:
            self._process.terminate()
        try:
            status = self._process.wait(STOP_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            status = self._process.wait()
        self._listener.join()
        return status

    def _write(self, line: bytes) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(line + b"\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            pass

    def _listen(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            message = json.loads(line)
            self.on_line(message)
            with self._changed:
                self.state.update(message)
                self._changed.notify_all()
        with self._changed:
            self.state["gone"] = True
            self._changed.notify_all()
