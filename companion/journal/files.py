"""Whole files or none: what is written beside the store is the old file or the new one, also after a power cut."""

from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path


def write_whole(path: Path, content: bytes, mode: int = 0o644) -> None:
    """Writes a file so that it is never half there; on the disk on return. Raises OSError, an old file then whole.

    Who may read an old file may read the new one; `mode` is for a file that was not there. What is no plain file (a
    device, a pipe) is written straight.
    """
    if path.exists() and not path.is_file():
        path.write_bytes(content)
        return
    if path.exists():
        mode = stat.S_IMODE(path.stat().st_mode)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, mode)
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Makes the names of new files survive a power cut."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
