"""What is kept: the disk with its room and its age, the journal, the settings."""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import monotonic

import apsw

from companion.commands.system.checks.said import found, good, look
from companion.commands.system.checks.system import System, writable
from companion.config import ConfigError, read_config
from companion.table.health import Check, Fact

LEAST_FREE = 200 * 1024 * 1024
"""Bytes: some thousand matches with their pictures."""
MEGABYTE = 1_000_000
WORN = 0x09
"""The state of a flash memory that tells its age (JEDEC eMMC 5.0, in tenths of its life): 80 to 90 % used up."""
MATCHES = "matches.sqlite"
STEPS = 100_000
"""Steps of SQLite between two looks at the time."""


def disk(
    system: System, folder: Path, free: Callable[[Path], int] = lambda path: shutil.disk_usage(path).free
) -> Check:
    """Room and right to write where the matches are kept, and what the card tells of its age."""
    place = folder
    while not place.exists():
        place = place.parent
    left = free(place)
    facts = (str(folder), found("free", mb=left // MEGABYTE), *_card(system))
    if _read_only(system, place):
        return look("disk", str(folder), found("read_only"), do="disk_read_only")
    if not place.is_dir():
        return look("disk", str(folder), os.strerror(errno.ENOTDIR), do="disk_folder", place=str(place))
    if not writable(place, os.W_OK | os.X_OK):
        return look("disk", str(folder), do="disk_rights", place=str(place))
    fault = _unmakeable(place)
    if fault is not None:
        return look("disk", str(folder), fault, do="disk_folder", place=str(place))
    errors = sum(int(system.text(path) or 0) for path in system.all("/sys/fs/ext4/*/errors_count"))
    if errors:
        return look("disk", *facts, found("disk_errors", n=errors), do="disk_errors")
    worn = [path for path in system.all("/sys/block/mmcblk*/device/life_time") if _age(system.text(path)) >= WORN]
    if worn:
        return look("disk", *facts, found("disk_worn"), do="disk_worn")
    if left < LEAST_FREE:
        return look("disk", *facts, do="disk_room")
    return good("disk", *facts)


def _unmakeable(place: Path) -> str | None:
    """Why nothing can be made there, found by making a folder: some file systems hold only what the kernel shows."""
    try:
        os.rmdir(tempfile.mkdtemp(prefix=".tapis-vert-", dir=place))
    except OSError as fault:
        return None if fault.errno in (errno.ENOSPC, errno.EDQUOT) else fault.strerror  # room is told of by itself
    return None


def _card(system: System) -> list[Fact]:
    """The name and the month of the card or flash memory that the kernel shows."""
    facts: list[Fact] = []
    for device in system.all("/sys/block/mmcblk?/device"):
        words = [system.text(device / name) for name in ("type", "name", "date")]
        if any(words):
            facts.append(" ".join(word for word in words if word))
    return facts


def _age(life_time: str | None) -> int:
    """The worse of the two ages told; 0 where none is."""
    try:
        return max((int(word, 16) for word in (life_time or "").split()), default=0)
    except ValueError:
        return 0


def _read_only(system: System, place: Path) -> bool:
    """Whether the file system that holds the place is mounted so that nobody may write."""
    mounts = [line.split() for line in (system.text("/proc/mounts") or "").splitlines()]
    holding = [
        (len(words[1]), words[3].split(","))
        for words in mounts
        if len(words) > 3 and Path(place).is_relative_to(words[1].replace("\\040", " "))
    ]
    return bool(holding) and "ro" in max(holding, key=lambda held: held[0])[1]


def journal(folder: Path, patience: float) -> Check:
    """Whether SQLite finds the matches whole. Reads beside an open app, for `patience` seconds at most."""
    path = folder / MATCHES
    if not path.exists():
        return good("journal", found("no_matches"))
    end = monotonic() + patience
    try:
        connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
        try:
            ((matches,),) = connection.execute("SELECT count(*) FROM matches WHERE removed IS NULL")
            facts: list[Fact] = [found("matches", n=matches), found("size", mb=path.stat().st_size // MEGABYTE)]
            connection.set_progress_handler(lambda: monotonic() > end, STEPS)
            try:
                wrong = [row[0] for row in connection.execute("PRAGMA quick_check(1)") if row[0] != "ok"]
            except apsw.InterruptError:
                wrong = []
                facts.append(found("partly_checked"))
        finally:
            connection.close()
    except (apsw.Error, OSError) as fault:
        return look("journal", str(path), str(fault), do="journal")
    if wrong:
        return look("journal", *facts, wrong[0].splitlines()[-1], do="journal")
    return good("journal", *facts)


def config(path: Path) -> Check:
    """The settings' file: sound, and ours to write, or nothing that is set on the screen outlasts the evening."""
    try:
        read_config(path)
    except FileNotFoundError:
        place = path.parent
        while not place.exists():
            place = place.parent
        if not writable(place, os.W_OK | os.X_OK):
            return look("config", found("no_settings"), do="config_rights", place=str(place))
        return good("config", found("no_settings"), str(path))
    except ConfigError as fault:
        return look("config", fault.message, do="config", file=str(path))
    if not writable(path, os.W_OK) or not writable(path.parent, os.W_OK | os.X_OK):
        return look("config", str(path), do="config_rights", place=str(path.parent))
    return good("config", str(path))
