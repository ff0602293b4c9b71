"""Processes that a trial starts: told by lines of JSON, telling by lines of JSON, killed without warning if need be."""

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

STOPS_WITHIN = 30.0

Orders = Iterator[dict[str, Any]]
"""What is to be done next; `{"do": "nothing"}` while there is nothing."""


def orders_in(source: TextIO) -> Orders:
    """The child's side: every line of `source` is an order, its end is the order to stop. Never waits."""
    given: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()

    def listen() -> None:
        for line in source:
            given.put(json.loads(line))
        given.put({"do": "stop"})

    threading.Thread(target=listen, name="orders", daemon=True).start()
    while True:
        yield {"do": "nothing"} if given.empty() else given.get()


class Child:
    """A process of a module of our own. `told` holds the newest value of everything that its lines said."""

    def __init__(
        self, module: str, first: bytes, log: Path, heard: Callable[[dict[str, Any]], None] = lambda told: None
    ) -> None:
        """Starts it; `first` is the first line on its standard input, its standard error goes on in `log`.

        `heard` is told each of its lines, on another thread.
        """
        with log.open("ab") as errors:
            self._process = subprocess.Popen(
                [sys.executable, "-m", module],
                env=module_environment(),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                start_new_session=True,  # a finger on Ctrl-C is for whoever started us; we stop our own
            )
        self.told: dict[str, Any] = {}
        self.heard, self._changed = heard, threading.Condition()
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()
        self._write(first)

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def running(self) -> bool:
        return self._process.poll() is None

    def order(self, **words: Any) -> None:
        """Says one line. Nothing happens if the process is gone."""
        self._write(json.dumps(words).encode())

    def wait_for(self, key: str, seconds: float, value: Any = None) -> bool:
        """Waits until it has said something (or just that `value`) under a key; False if it ended or took too long."""

        def said() -> bool:
            return key in self.told if value is None else bool(self.told.get(key) == value)

        with self._changed:
            self._changed.wait_for(lambda: said() or "gone" in self.told, seconds)
            return said()

    def kill(self) -> None:
        """Without a warning, as a power cut would."""
        if self.running:
            os.kill(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._listener.join()

    def stop(self) -> int:
        """As the system stops it: SIGTERM, and after a while by force. Returns its exit status."""
        if self.running:
            self._process.terminate()
        try:
            status = self._process.wait(STOPS_WITHIN)
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
            said = json.loads(line)
            self.heard(said)
            with self._changed:
                self.told.update(said)
                self._changed.notify_all()
        with self._changed:
            self.told["gone"] = True
            self._changed.notify_all()
