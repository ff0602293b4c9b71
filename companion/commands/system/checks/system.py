"""The computer as the checks see it: its files below a root, its programs on a search path, its clock. Handed in."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from companion.clock import SystemClock

PATIENCE = 6.0
"""Seconds that a program may take to answer."""


@dataclass(frozen=True, slots=True)
class System:
    """Places are written as the system has them (`/dev/video0`) and looked up below `root`; no look raises."""

    root: Path = Path("/")
    environ: Mapping[str, str] = field(default_factory=lambda: os.environ)
    now: Callable[[], datetime] = field(default_factory=lambda: SystemClock().now)
    patience: float = PATIENCE

    def path(self, place: str) -> Path:
        """Where a place is."""
        return self.root / place.lstrip("/")

    def shown(self, path: Path) -> str:
        """A path as the system has it."""
        return "/" + str(path.relative_to(self.root)) if self.root != Path("/") else str(path)

    def text(self, place: str | Path) -> str | None:
        """What a small file says, without the ends' white space and zeros; None if it cannot be read."""
        path = place if isinstance(place, Path) else self.path(place)
        try:
            return path.read_bytes().decode("utf-8", "replace").strip("\0 \t\r\n")
        except OSError:
            return None

    def all(self, pattern: str) -> list[Path]:
        """The places that fit, in the order of their names, `video2` before `video10`."""
        return sorted(self.root.glob(pattern.lstrip("/")), key=lambda path: (len(str(path)), str(path)))

    def open_to_us(self, path: Path) -> bool:
        """Whether we may read and write it."""
        return writable(path, os.R_OK | os.W_OK)

    def program(self, name: str) -> str | None:
        """Where a program is, None if it is not there."""
        return shutil.which(name, path=self.environ.get("PATH", os.defpath))

    def says(self, name: str, *arguments: str) -> str | None:
        """What a program prints; None if it is not there, fails, or does not answer in time."""
        found = self.program(name)
        if found is None:
            return None
        environment = {**self.environ, "LC_ALL": "C"}
        try:
            done = subprocess.run(
                [found, *arguments],
                capture_output=True,
                timeout=self.patience,
                env=environment,
                stdin=subprocess.DEVNULL,
            )
        except (OSError, subprocess.TimeoutExpired):
            return None
        return (done.stdout + done.stderr).decode("utf-8", "replace") if done.returncode == 0 else None

    def module(self, name: str) -> bool:
        """Whether a Python package is installed."""
        return importlib.util.find_spec(name) is not None


def writable(path: Path, how: int = os.W_OK) -> bool:
    """Whether we may write it (or what `how` asks), by the user whose rights we use."""
    return os.access(path, how, effective_ids=True)
