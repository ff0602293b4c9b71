"""Switches that break one promise of the product each, to see that the suite catches it.

The environment variable `TAPIS_VERT_FAULT_SABOTAGE` names the switch. Only this module reads it; it replaces functions
of the product in the processes of the suite.
"""

from __future__ import annotations

import fcntl
import importlib.util
import os
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import apsw

import companion.commands.backup
import companion.journal.lock
import vision.files
from companion.journal import database
from companion.journal.store import Store
from companion.link.sender import JournalSender
from tests.fault.checks import Check, Impossible, Rounds
from tests.suites.table import ROOT

VARIABLE = "TAPIS_VERT_FAULT_SABOTAGE"
SECONDS = 300.0
"""Limit of one run of the suite with a switch."""
SUM_SIZE = 32
"""Bytes of the constant that replaces a sum."""


@dataclass(frozen=True)
class Switch:
    """A way to break a promise: what to run, the promise that must be seen broken, others that break with it."""

    apply: Callable[[], None]
    part: str
    promise: str
    beside: frozenset[str] = frozenset()


def apply_chosen() -> None:
    """Apply the switch that the environment names, if any."""
    name = os.environ.get(VARIABLE)
    if name:
        SWITCHES[name].apply()


def sabotage_rounds(folder: Path, count: int, random: Random) -> Rounds:
    """Return a round for each switch: the suite itself runs with it and must fail by the name of the promise."""
    del folder, count
    return [(f"switch {name}", partial(switched, name, random.randrange(1 << 30))) for name in SWITCHES]


def switched(name: str, seed: int) -> Iterator[Check]:
    """Run the suite's part with one switch, in its short form."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.fault", "--short", "--seed", str(seed), "--sabotage", name],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    if "skipped" in done.stdout and "FAILED" not in done.stdout:
        raise Impossible(next(line for line in done.stdout.splitlines() if line.startswith("skipped")))
    yield f"switch: {name} is caught", problems_in(name, done.stdout.splitlines(), done.returncode)


def problems_in(name: str, output: Sequence[str], status: int) -> list[str]:
    """Return what is wrong with the output of a run with a switch: not caught by name, or something else failed."""
    switch = SWITCHES[name]
    failed = {line.removeprefix("FAILED ").partition(":")[0] for line in output if line.startswith("FAILED ")}
    problems = []
    if status != 1 or switch.promise not in failed:
        problems.append(f"the suite ends with {status} and does not name {switch.promise!r}; it names {sorted(failed)}")
    if unrelated := failed - switch.beside - {switch.promise}:
        problems.append(f"the suite also names {sorted(unrelated)}")
    return problems


# The switches.


class _Without:
    """A module with some functions replaced."""

    def __init__(self, module: Any, **replaced: Any) -> None:
        self._module, self._replaced = module, replaced

    def __getattr__(self, name: str) -> Any:
        return self._replaced[name] if name in self._replaced else getattr(self._module, name)


def _replace_everywhere(original: Any, replacement: Any) -> None:
    """Replace a function in every module of the product that has imported it."""
    for name, module in list(sys.modules.items()):
        if name.split(".")[0] in ("companion", "vision"):
            for attribute, value in list(vars(module).items()):
                if value is original:
                    setattr(module, attribute, replacement)


def _replace_named(module: str, name: str, replacement: Any) -> None:
    """Replace a function of a module everywhere. Does nothing if there is no such function."""
    if importlib.util.find_spec(module) is not None:
        original = getattr(importlib.import_module(module), name, None)
        if original is not None:
            _replace_everywhere(original, replacement)


class _UnsyncedConnection(apsw.Connection):
    """A connection of SQLite that never syncs."""

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        super().pragma("synchronous", "OFF")

    def pragma(self, name: str, *value: Any, **more: Any) -> Any:
        return super().pragma(name, *(("OFF",) if name == "synchronous" else value), **more)


def _no_fsync() -> None:
    def fsync(handle: Any) -> None:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            os.fsync(handle)

    for module in (vision.files, companion.commands.backup):
        vars(module)["os"] = _Without(os, fsync=fsync)
    vars(apsw)["Connection"] = _UnsyncedConnection


def _no_folder_sync() -> None:
    _replace_everywhere(vision.files.sync_folder, lambda _folder: None)


def _no_lock() -> None:
    free = {name: lambda *_arguments: 0 for name in ("flock", "lockf", "fcntl")}
    vars(companion.journal.lock)["fcntl"] = _Without(fcntl, **free)


def _no_rollback() -> None:
    @contextmanager
    def transaction(connection: apsw.Connection) -> Iterator[None]:
        connection.execute("BEGIN IMMEDIATE")
        yield
        connection.execute("COMMIT")

    _replace_everywhere(database.transaction, transaction)


def _no_line_check() -> None:
    append = Store.append

    def append_anywhere(store: Store, *arguments: Any, line: int | None = None, **more: Any) -> int:
        del line
        return append(store, *arguments, **more)

    vars_of: Any = Store
    vars_of.append = append_anywhere


def _no_second_try() -> None:
    sender: Any = JournalSender
    sender._rewind = lambda _sender, _now: None


def _no_sum() -> None:
    for name in ("entry_sum", "match_sum", "picture_sum", "state_sum"):
        _replace_named("companion.journal.sums", name, lambda *_parts: bytes(SUM_SIZE))


def _no_size_check() -> None:
    _replace_everywhere(vision.files.read_limited, lambda path, _max_bytes: path.read_bytes())
    _replace_named("vision.picture_headers", "check_picture", lambda content, *_limits: content)


_POWER = frozenset({"power cut"})
SWITCHES = {
    # Without the sync of its log SQLite does not sync the log's folder either.
    "no-fsync": Switch(_no_fsync, "power", "file sync", _POWER | {"folder sync"}),
    "no-folder-sync": Switch(_no_folder_sync, "power", "folder sync", _POWER),
    "no-lock": Switch(_no_lock, "kills", "one writer"),
    "no-rollback": Switch(_no_rollback, "promises", "rollback", frozenset({"line number"})),
    "no-line-check": Switch(_no_line_check, "promises", "line number"),
    "no-second-try": Switch(_no_second_try, "delivery", "delivery"),
    "no-sum": Switch(_no_sum, "promises", "sum"),
    "no-size-check": Switch(_no_size_check, "promises", "size"),
}
