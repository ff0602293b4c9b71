"""The view of a store that cannot be opened for writing: everything is shown, nothing is written."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import apsw
import pytest

from companion.clock import ManualClock
from companion.journal.database import MIGRATIONS, DiskFull, StoreError, StoreReadOnly, migrate
from companion.journal.read_only import ReadOnlyStore
from companion.journal.store import Picture, Store
from tests.journal.counting_game import add, header
from tests.small_disk import small_disk

TROUBLE = StoreError("full", Path("matches.db"))


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """Mount a file system of 8 MB."""
    with small_disk(tmp_path / "disk") as folder:
        yield folder


def played(path: Path, closed: bool) -> str:
    """Write a match of three events; without `closed` the writer is killed, and the log remains."""
    if closed:
        with Store.open(path, ManualClock()) as store:
            return write(store)
    child = os.fork()
    if child == 0:
        write(Store.open(path, ManualClock()))
        os._exit(0)
    os.waitpid(child, 0)
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    match = str(next(iter(connection.execute("SELECT id FROM matches")))[0])
    connection.close()
    return match


def write(store: Store) -> str:
    match = store.create(header())
    for number in range(1, 4):
        store.append(match, add("left", number), [Picture("tray", b"picture")])
    return match


def contents(folder: Path) -> dict[str, bytes]:
    """Return the files that hold data: not an empty log, nor the shared index, nor the lock."""
    files = {path.name: path.read_bytes() for path in folder.iterdir() if not path.name.endswith(("-shm", ".lock"))}
    return {name: content for name, content in files.items() if content}


def assert_shows(path: Path, match: str) -> None:
    before = contents(path.parent)
    view = ReadOnlyStore(path, ManualClock(), TROUBLE)
    assert [(each.id, each.lines) for each in view.matches()] == [(match, 3)]
    assert [entry.fields["n"] for entry in view.events(match)] == [1, 2, 3]
    assert view.pictures(match, 2) == (Picture("tray", b"picture"),)
    writes: list[Callable[[], object]] = [
        lambda: view.create(header()),
        lambda: view.append(match, add("left", 1)),
        lambda: view.remove(match),
        lambda: view.restore(match),
    ]
    for refused in writes:
        with pytest.raises(StoreError) as caught:
            refused()
        assert caught.value is TROUBLE
    assert view.purge_pictures() == view.purge_old_pictures(ManualClock().now()) == view.purge_removed() == 0
    view.close()
    assert contents(path.parent) == before


def fill(disk: Path) -> None:
    """Write until no page is free."""
    with (disk / "ballast").open("wb", buffering=0) as ballast, suppress(OSError):
        while True:
            ballast.write(bytes(4096))


def remount(disk: Path, mode: str) -> None:
    subprocess.run(["mount", "-o", f"remount,{mode}", str(disk)], check=True)


@pytest.mark.parametrize("closed", [True, False], ids=["clean", "with-log"])
@pytest.mark.parametrize("index", [True, False], ids=["index", "no-index"])
def test_a_read_only_disk_shows_every_event(disk: Path, closed: bool, index: bool) -> None:
    path = disk / "matches.db"
    match = played(path, closed)
    if not index:
        path.with_name("matches.db-shm").unlink(missing_ok=True)
    remount(disk, "ro")
    with pytest.raises(StoreReadOnly):
        Store.open(path, ManualClock())
    assert_shows(path, match)
    remount(disk, "rw")
    with Store.open(path, ManualClock()) as store:
        assert store.append(match, add("left", 4)) == 5


@pytest.mark.parametrize("closed", [True, False], ids=["clean", "with-log"])
def test_a_full_disk_shows_every_event(disk: Path, closed: bool) -> None:
    path = disk / "matches.db"
    match = played(path, closed)
    path.with_name("matches.db-shm").unlink(missing_ok=True)
    fill(disk)
    with pytest.raises(DiskFull):
        Store.open(path, ManualClock())
    assert_shows(path, match)
    (disk / "ballast").unlink()
    with Store.open(path, ManualClock()) as store:
        assert store.append(match, add("left", 4)) == 5


def test_a_store_in_use_by_another_program_is_shown(tmp_path: Path) -> None:
    path = tmp_path / "matches.db"
    with Store.open(path, ManualClock()) as store:
        match = write(store)
        assert_shows(path, match)
        assert store.append(match, add("left", 4)) == 5


def test_a_store_of_an_older_version_is_shown(tmp_path: Path) -> None:
    path = tmp_path / "matches.db"
    connection = apsw.Connection(str(path))
    migrate(connection, MIGRATIONS[:1])
    connection.execute(
        "INSERT INTO matches VALUES ('m', 'counting', 1, ?, '2026-01-01T20:00:00+00:00', NULL)", (HEADER,)
    )
    connection.close()
    view = ReadOnlyStore(path, ManualClock(), TROUBLE)
    assert [match.id for match in view.matches()] == ["m"]
    view.close()
    again = apsw.Connection(str(path))
    assert again.pragma("user_version") == 1
    again.close()


HEADER = '{"journal":1,"game":"counting","sides":{"left":{"name":"A"},"right":{"name":"B"}}}'


@pytest.mark.parametrize("content", [None, b"", b"no database", b"SQLite format 3\0" + b"\xff" * 5000], ids=range(4))
def test_what_is_no_store_shows_nothing(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "matches.db"
    if content is not None:
        path.write_bytes(content)
    view = ReadOnlyStore(path, ManualClock(), TROUBLE)
    assert view.matches() == []
    with pytest.raises(StoreError):
        view.create(header())
    view.close()
    assert path.exists() is (content is not None)
    assert content is None or path.read_bytes() == content


def test_a_damaged_page_shows_nothing_and_raises_nothing(tmp_path: Path) -> None:
    path = tmp_path / "matches.db"
    played(path, closed=True)
    content = bytearray(path.read_bytes())
    for page in range(1, len(content) // 4096):
        content[page * 4096 : page * 4096 + 200] = b"\xff" * 200
    path.write_bytes(content)
    view = ReadOnlyStore(path, ManualClock(), TROUBLE)
    assert view.matches() == []
    view.close()


def test_a_store_of_a_newer_version_shows_nothing(tmp_path: Path) -> None:
    path = tmp_path / "matches.db"
    played(path, closed=True)
    shutil.copy(path, tmp_path / "copy.db")
    connection = apsw.Connection(str(path))
    connection.pragma("user_version", 99)
    connection.close()
    view = ReadOnlyStore(path, ManualClock(), TROUBLE)
    assert view.matches() == []
    view.close()
