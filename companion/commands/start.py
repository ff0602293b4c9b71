"""The start of the app whatever is wrong: usable settings, the matches or a view of them, and what to say about it."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import NoReturn

from companion.app.start_trouble import StartTrouble
from companion.clock import Clock
from companion.config import (
    Config,
    UsableConfig,
    config_path,
    data_folder,
    has_last_good,
    keep_last_good,
    load_usable_config,
    restore_last_good,
)
from companion.games.base import Message
from companion.journal.database import (
    DiskFull,
    StoreBusy,
    StoreError,
    StoreNewer,
    StoreReadOnly,
)
from companion.journal.read_only import ReadOnlyStore
from companion.journal.recovery import open_or_recover
from companion.journal.store import Store
from companion.journal.store_files import STORE_FILE

STRICT_VARIABLE = "TAPIS_VERT_STRICT_START"
"""Set by a trial: a store that does not open ends the app, so that an update is not accepted with it."""
MIN_FREE_BYTES = 20_000_000
"""Free space below which players are warned at the start. A match with its pictures takes up to 10 MB."""

MAX_PLAUSIBLE_BREAK = timedelta(days=366)
"""Time since the newest match after which nothing is deleted by age: a clock without a battery may be wrong."""

_MEGABYTE = 1_000_000
_FREEABLE = ("exchange", "backups", "demo", "misreads")
"""Folders beside the matches whose content is a copy or an export."""
_HINTS: dict[type[StoreError], str] = {
    StoreReadOnly: "start.read_only",
    StoreBusy: "start.busy",
}


Open = Callable[[], tuple[Store, tuple[Message, ...]]]
"""Opens the matches for writing. Returns the store and what to say about it. Raises: StoreError."""


@dataclass(slots=True)
class Start:
    """The opened parts of this table at its start, and what is wrong with them (None if all is well)."""

    config: Config
    config_file: Path
    folder: Path
    store: Store
    trouble: StartTrouble | None

    def add_message(self, message: Message) -> None:
        """Add what else is wrong."""
        if self.trouble is None:
            self.trouble = StartTrouble()
        self.trouble.messages += (message,)


def open_table(chosen: Path | None, clock: Clock, restart: Callable[[], None]) -> Start:
    """Open settings and matches. A store that cannot be written is shown by a view of it.

    - `restart`: ends the app and starts it again

    Raises: StoreError only for a strict start (`STRICT_VARIABLE`).
    """
    usable, path = load_usable_config(chosen), config_path(chosen)
    config, messages = usable.config, settings_messages(usable, path)
    folder = data_folder(config)
    open_writable = partial(_open_and_purge, folder / STORE_FILE, config, clock)
    reopen: Open | None = None
    try:
        if not usable.is_folder_known:
            raise StoreError("folder_unknown", path)
        if config.data.folder is not None and not folder.exists() and has_last_good(path):
            raise StoreError("folder_gone", folder)
        store, notes = open_writable()
        messages += notes
    except StoreError as trouble:
        if os.environ.get(STRICT_VARIABLE):
            raise
        store = ReadOnlyStore(folder / STORE_FILE, clock, trouble)
        messages = (*store_messages(trouble, folder), *messages)
        reopen = partial(_reopen, trouble, folder if usable.is_folder_known else None, open_writable)
    if not usable.faults:
        keep_last_good(path)
    if not messages:
        return Start(config, path, folder, store, None)
    restore = partial(restore_last_good, path) if usable.faults and has_last_good(path) else None
    return Start(config, path, folder, store, StartTrouble(messages, reopen, restore, restart))


def settings_messages(usable: UsableConfig, path: Path) -> tuple[Message, ...]:
    """Return the faults of the settings file, and which settings apply instead."""
    if not usable.faults:
        return ()
    whole = usable.faults[0].id in ("config.syntax", "config.unreadable", "config.too_large", "config.missing")
    applies = "start.last_good" if whole and has_last_good(path) else "start.defaults"
    return (*usable.faults, Message(applies, {"file": path.name}))


def store_messages(trouble: StoreError, folder: Path) -> tuple[Message, ...]:
    """Return why the matches do not open, and what to do."""
    if isinstance(trouble, DiskFull):
        return Message("start.no_room"), _room_message(folder)
    if type(trouble) in _HINTS:
        return trouble.message, Message(_HINTS[type(trouble)])
    if isinstance(trouble, StoreNewer) or trouble.message.id.endswith(("folder_unknown", "folder_gone")):
        return (trouble.message,)
    return trouble.message, Message("start.damaged")


def restart_program() -> NoReturn:
    """Replace this process by a new run of the same command."""
    sys.stdout.flush()
    sys.stderr.flush()
    os.execv(sys.executable, [sys.executable, "-m", "companion", *sys.argv[1:]])


def _open_and_purge(path: Path, config: Config, clock: Clock) -> tuple[Store, tuple[Message, ...]]:
    """Open the matches, recovered if damaged, and delete what the settings no longer keep. Raises: StoreError."""
    store, messages = open_or_recover(path, clock, partial(_purge, config, clock))
    free = shutil.disk_usage(path.parent).free
    if free < MIN_FREE_BYTES:
        messages += (Message("start.almost_full", {"mb": free // _MEGABYTE}), _room_message(path.parent))
    return store, messages


def _purge(config: Config, clock: Clock, store: Store) -> None:
    """Delete what the settings no longer keep. Raises: StoreError."""
    store.purge_pictures(config.data.pictures_mb * _MEGABYTE)
    newest = max((match.created for match in store.matches()), default=None)
    if newest is None or clock.now() - newest < MAX_PLAUSIBLE_BREAK:  # else the clock may be years ahead
        if config.data.pictures_days:
            store.purge_old_pictures(clock.now() - timedelta(days=config.data.pictures_days))
        store.purge_removed()


def _reopen(trouble: StoreError, folder: Path | None, open_writable: Open) -> tuple[Store, tuple[Message, ...]]:
    """Open the matches in a folder that is known (else None) and there. Raises: StoreError, first of all `trouble`."""
    if folder is None or (trouble.message.id.endswith("folder_gone") and not folder.exists()):
        raise trouble
    return open_writable()


def _room_message(folder: Path) -> Message:
    """Return how to free space: with the largest folder of copies and exports beside the matches, if there is one."""
    size, name = max((_size(folder / name), name) for name in _FREEABLE)
    if size < _MEGABYTE:
        return Message("start.full_alone")
    return Message("start.full", {"folder": name, "mb": size // _MEGABYTE})


def _size(folder: Path) -> int:
    """Return the bytes of the files of a folder."""
    return sum(_file_sizes(folder))


def _file_sizes(folder: Path) -> Iterator[int]:
    for place, _, names in os.walk(folder):
        for name in names:
            try:
                yield os.lstat(os.path.join(place, name)).st_size
            except OSError:
                continue
