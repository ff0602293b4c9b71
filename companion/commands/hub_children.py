"""Processes that a trial starts: told by lines of JSON, telling by lines of JSON, killed without warning if need be."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

STOPS_WITHIN = 30.0


class Child:
    """A process of a module of our own. `told` holds the newest value of everything that its lines said."""

    def __init__(self, module: str, first: bytes, log: Path) -> None:
        """Starts it; `first` is the first line on its standard input, its standard error goes on in `log`."""
        with log.open("ab") as errors:
            self._process = subprocess.Popen(
                [sys.executable, "-m", module],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                start_new_session=True,  # a finger on Ctrl-C is for whoever started us; we stop our own
            )
        self.told: dict[str, Any] = {}
        self._changed = threading.Condition()
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

    def wait_for(self, key: str, seconds: float) -> bool:
        """Waits until it has said something under that key; False if it ended or took too long."""
        with self._changed:
            self._changed.wait_for(lambda: key in self.told or "gone" in self.told, seconds)
            return key in self.told

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
            with self._changed:
                self.told.update(json.loads(line))
                self._changed.notify_all()
        with self._changed:
            self.told["gone"] = True
            self._changed.notify_all()
