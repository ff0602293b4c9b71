"""A computer made of files in a folder, with programs that truly run: what the checks of the doctor are tried on."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from companion.commands.checks import System

EVENING = datetime(2026, 11, 22, 20, 0, tzinfo=UTC)


def system(root: Path, now: datetime = EVENING, patience: float = 5.0, **environ: str) -> System:
    """The computer whose files are below `root`; its programs lie in `root/bin`."""
    return System(root, {"PATH": str(root / "bin"), **environ}, lambda: now, patience)


def put(root: Path, place: str, content: str | bytes = "") -> Path:
    """A file of that computer."""
    path = root / place.lstrip("/")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def program(root: Path, name: str, says: str, status: int = 0, before: str = "") -> None:
    """A program that says something and ends with a status."""
    text = f"#!/bin/sh\n{before}\n/bin/cat <<'END'\n{says}\nEND\nexit {status}\n"
    put(root, f"/bin/{name}", text).chmod(0o755)
