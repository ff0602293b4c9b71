"""A fake computer made of files in a folder, with executable programs, for the tests of the doctor."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from companion.commands.checks import System

EVENING = datetime(2026, 11, 22, 20, 0, tzinfo=UTC)


def system(root: Path, now: datetime = EVENING, patience: float = 5.0, **environ: str) -> System:
    """Return the computer whose files are below `root`; its programs are in `root/bin`."""
    return System(root, {"PATH": str(root / "bin"), **environ}, lambda: now, patience)


def put(root: Path, place: str, content: str | bytes = "") -> Path:
    """Create a file of that computer."""
    path = root / place.lstrip("/")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def program(root: Path, name: str, says: str, status: int = 0, before: str = "") -> None:
    """Create a program that prints a text and exits with a status."""
    text = f"#!/bin/sh\n{before}\n/bin/cat <<'END'\n{says}\nEND\nexit {status}\n"
    put(root, f"/bin/{name}", text).chmod(0o755)
