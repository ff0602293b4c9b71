"""The archive of a hub: database, certificate, keys and whatever else its folder holds; and how many of them stay.

Not in it: backups, what `--restore` put aside, the carrier's lines on their way (tables send them again), logs.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import file_digest, sha256
from pathlib import Path
from typing import Any

from companion import __version__
from companion.commands.system.backup import ASIDE, scratch
from companion.commands.system.backup_archive import HUB_KIND, about_of, pack
from companion.hub.broker import CONFIG, PID, STORE
from companion.hub.database import database_url, snapshot

FOLDER, DATABASE = "hub", "database/hub.sqlite"
"""Where an archive holds the hub's folder and its SQLite file."""
DEFAULT, BACKUPS, LOCK, BROKER, CLUSTER = "hub.sqlite", "backups", "hub.lock", "broker", "cluster"
"""Names in the hub's folder: the database unless it is elsewhere, backups, the lock of the hub that runs there, what
is of its own carrier and what is for an organiser's cluster."""
MADE_ANEW = frozenset({CONFIG, PID, "nats.log", STORE})
"""What the carrier makes in its folder by itself."""
NAME, STAMP = "tapis-vert-hub-", "%Y-%m-%dT%H%M%SZ"
"""A backup's name has the time, in UTC."""
NEWEST, HOURS, DAYS = 6, 12, 7
"""Of the backups in a folder stay the newest, the last of each of the newest hours, and of each of the newest days."""


def default_url(folder: Path) -> str:
    """The database of a hub in this folder when nothing else is said."""
    return f"sqlite:///{folder.absolute() / DEFAULT}"


@dataclass(frozen=True, slots=True)
class HubPlace:
    """Where a hub keeps things: its folder, and its SQLite file, None where a PostgreSQL server keeps the database."""

    folder: Path
    database: Path | None

    @classmethod
    def of(cls, folder: Path, url: str) -> HubPlace:
        """The place of a hub with a database of this URL. Raises HubError for one that is none."""
        parsed = database_url(url)
        file = parsed.database if parsed.get_backend_name() == "sqlite" else None
        return cls(folder, Path(file).absolute() if file else None)

    @property
    def kind(self) -> str:
        """The kind of the database, as an archive names it."""
        return "postgresql" if self.database is None else "sqlite"

    def keeps(self, name: str) -> bool:
        """Whether something at the top of the folder belongs to a backup; the database itself is no such thing."""
        own = DEFAULT if self.database is None else self.database.name
        return not name.startswith((".", ASIDE, DEFAULT, own)) and name not in (BACKUPS, LOCK)

    def files(self) -> Iterator[tuple[str, Path]]:
        """The files of the folder but the database, by their names in an archive."""
        tops = [path for path in self.folder.iterdir() if self.keeps(path.name)] if self.folder.is_dir() else []
        for top in sorted(tops):
            for path in _below(top) if top.is_dir() and not top.is_symlink() else [top]:
                if path.is_file() and not path.is_symlink():
                    yield f"{FOLDER}/{path.relative_to(self.folder).as_posix()}", path


@dataclass(frozen=True, slots=True)
class Written:
    """A backup that was written: where, and what it holds, as one digest. `failed` says into which
    folders it could not be."""

    files: tuple[Path, ...]
    content: bytes
    failed: tuple[tuple[OSError, Path], ...] = ()


def write_backup(place: HubPlace, folders: Iterable[Path], now: datetime, unlike: bytes = b"") -> Written:
    """Writes a backup into each of the folders; into none when its content is that of the digest `unlike`.

    Then the older ones there that are not to stay go. The hub may go on meanwhile. Raises HubError for a database that
    is not sound, OSError when it cannot even be copied.
    """
    place.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    with scratch(place.folder, ".backup") as within:
        files, deleted = list(place.files()), 0
        if place.database is not None:
            deleted = snapshot(place.database, within / DEFAULT)
            files.append((DATABASE, within / DEFAULT))
        content = _content(files)
        if content == unlike:
            return Written((), content)
        about: dict[str, Any] = {"version": __version__, "made": now.isoformat(timespec="seconds")}
        about |= {"database": place.kind, "deleted": deleted}
        written, failed = [], []
        for folder in folders:
            try:
                written.append(_written(folder, files, about, now))
                _tidied(folder, written[-1], deleted)
            except OSError as fault:
                failed.append((fault, folder))
    return Written(tuple(written), content, tuple(failed))


def _written(folder: Path, files: list[tuple[str, Path]], about: Mapping[str, Any], now: datetime) -> Path:
    for remnant in folder.glob(f".{NAME}*"):  # of a power cut
        remnant.unlink(missing_ok=True)
    file = folder / f"{NAME}{now.astimezone(UTC):{STAMP}}.zip"
    pack(file, files, about, HUB_KIND, 0o600)
    return file


def _tidied(folder: Path, newest: Path, deleted: int) -> None:
    """What is not to stay goes, and what still has names that were deleted for good since; never the newest."""
    found = backups_in(folder)
    stay = staying(found.values())
    for path, at in found.items():
        if path == newest:
            continue
        about = about_of(path, HUB_KIND) if at in stay and deleted else None
        if at not in stay or (about is not None and int(about.get("deleted", 0)) < deleted):
            path.unlink(missing_ok=True)


def backups_in(folder: Path) -> dict[Path, datetime]:
    """The backups in a folder, with the time in their names."""
    found = {}
    for path in folder.glob(f"{NAME}*.zip"):
        with suppress(ValueError):  # somebody's own name: never ours to delete
            at = datetime.strptime(path.name.removeprefix(NAME).removesuffix(".zip"), STAMP)
            found[path] = at.replace(tzinfo=UTC)
    return found


def staying(times: Iterable[datetime]) -> set[datetime]:
    """Which of the backups of these times stay (see `NEWEST`): never more than the three numbers together."""
    ordered = sorted(times, reverse=True)
    stay = set(ordered[:NEWEST])
    for most, every in ((HOURS, "%Y-%m-%d %H"), (DAYS, "%Y-%m-%d")):
        last: dict[str, datetime] = {}
        for at in ordered:
            last.setdefault(f"{at:{every}}", at)
        stay |= set(list(last.values())[:most])
    return stay


def _below(folder: Path) -> list[Path]:
    """All below a folder of the hub's but what is made anew by itself."""
    found: list[Path] = []
    for top in sorted(folder.iterdir()):
        if not (top.name in MADE_ANEW or top.name.startswith((".", "nats.log", STORE))):
            found += sorted(top.rglob("*")) if top.is_dir() and not top.is_symlink() else [top]
    return found


def _content(files: Iterable[tuple[str, Path]]) -> bytes:
    """A digest of everything that an archive of these files would hold."""
    told = []
    for name, path in files:
        with path.open("rb") as file:
            told.append(f"{file_digest(file, 'sha256').hexdigest()} {os.fsdecode(name)}")
    return sha256("\n".join(told).encode()).digest()
