"""Faults of the store: a second writer, full disks, foreign, newer and damaged files; no data is lost."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import apsw
import pytest

from companion.clock import ManualClock
from companion.journal import database
from companion.journal.database import (
    WAL_LIMIT_BYTES,
    DiskFull,
    StoreBusy,
    StoreDamaged,
    StoreError,
    StoreForeign,
    StoreNewer,
    UnknownMatch,
    WrongLine,
)
from companion.journal.store import Picture, Store
from companion.language import LANGUAGES, Language
from tests.journal.counting_game import SWAP, add, header


def fault_id(error: StoreError) -> str:
    for code in LANGUAGES:
        sentence = Language(code).text(error.message)
        assert sentence != error.message.id
        assert "{" not in sentence
    return error.message.id.removeprefix("journal.store.")


@contextmanager
def no_file_beyond(size: int) -> Iterator[None]:
    """Simulate a full disk: no file of this process grows beyond `size` bytes."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_an_event_worked_out_for_another_line_is_not_recorded(store: Store) -> None:
    match = store.create(header())
    with pytest.raises(WrongLine) as caught:
        store.append(match, add("left", 1), line=3)
    assert fault_id(caught.value) == "line"
    assert store.events(match) == []


def test_an_unknown_match_is_told(store: Store) -> None:
    for ask in (store.header, store.events, lambda id: store.append(id, SWAP)):
        with pytest.raises(UnknownMatch) as caught:
            ask("nobody")
        assert fault_id(caught.value) == "no_match"


def test_what_json_cannot_hold_is_told_and_not_recorded(store: Store) -> None:
    match = store.create(header())
    with pytest.raises(StoreError) as caught:
        store.append(match, {"event": "add", "n": float("inf")})
    assert fault_id(caught.value) == "unwritable"
    assert store.events(match) == []


def test_an_export_that_cannot_be_written_is_told(store: Store, tmp_path: Path) -> None:
    with pytest.raises(StoreError) as caught:
        store.export(store.create(header()), tmp_path / "none" / "match.jsonl")
    assert fault_id(caught.value) == "not_exported"


def test_a_second_writer_is_refused_until_the_first_is_gone(store: Store, path: Path, clock: ManualClock) -> None:
    with pytest.raises(StoreBusy) as caught:
        Store.open(path, clock)
    assert caught.value.message.args["holder"] == str(os.getpid())
    assert fault_id(caught.value) == "busy"
    store.close()
    Store.open(path, clock).close()


def test_a_second_writer_in_another_process_is_refused(store: Store, path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from companion.clock import SystemClock\n"
        "from companion.journal.store import Store; from companion.journal.database import StoreBusy\n"
        "try: Store.open(Path(sys.argv[1]), SystemClock())\n"
        "except StoreBusy as busy: print(busy.message.args['holder'])"
    )
    done = subprocess.run([sys.executable, "-c", program, path], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str(os.getpid())


def test_a_full_disk_loses_nothing_and_the_store_goes_on(store: Store, path: Path) -> None:
    match = store.create(header())
    store.append(match, add("left", 1))
    log = path.with_name(path.name + "-wal")
    lines = [2]

    def record_until_full() -> None:
        for _ in range(100):
            lines.append(store.append(match, add("left", 1), [Picture("tray", os.urandom(5_000))]))

    with no_file_beyond(log.stat().st_size + 40_000), pytest.raises(DiskFull) as caught:
        record_until_full()
    assert fault_id(caught.value) == "full"
    assert len(lines) > 1
    assert [entry.line for entry in store.events(match)] == lines
    assert store.append(match, add("right", 1)) == lines[-1] + 1
    assert store.check() == ()


def test_an_event_is_recorded_whole_or_not_at_all(store: Store) -> None:
    match = store.create(header())
    with pytest.raises(TypeError):
        store.append(match, add("left", 1), [Picture("tray", b"x"), Picture("die", object())])  # type: ignore[arg-type]
    assert store.events(match) == []
    assert store.append(match, add("left", 1)) == 2
    assert store.pictures(match, 2) == ()


def test_the_write_ahead_log_does_not_grow_without_bound(store: Store, path: Path) -> None:
    match = store.create(header())
    log = path.with_name(path.name + "-wal")
    largest = 0
    for _ in range(300):
        store.append(match, add("left", 1), [Picture("tray", bytes(100_000))])
        largest = max(largest, log.stat().st_size)
    assert path.stat().st_size > 2 * WAL_LIMIT_BYTES
    assert largest <= WAL_LIMIT_BYTES


def test_a_newer_file_is_told_and_left_untouched(path: Path, clock: ManualClock) -> None:
    with Store.open(path, clock) as store:
        store.create(header())
    connection = apsw.Connection(str(path))
    database.migrate(connection, (*database.MIGRATIONS, "CREATE TABLE later (id)"))
    connection.close()
    before = path.read_bytes()
    with pytest.raises(StoreNewer) as caught:
        Store.open(path, clock)
    assert fault_id(caught.value) == "newer"
    assert path.read_bytes() == before


def test_a_foreign_file_is_told_and_left_untouched(path: Path, clock: ManualClock) -> None:
    path.parent.mkdir()
    connection = apsw.Connection(str(path))
    connection.execute("CREATE TABLE recipes (name)")
    connection.close()
    others = (path.read_bytes(), b"Dear diary, " * 200, b"x")
    for content in others:
        path.write_bytes(content)
        with pytest.raises(StoreForeign) as caught:
            Store.open(path, clock)
        assert fault_id(caught.value) == "foreign"
        assert path.read_bytes() == content


def test_a_path_that_is_no_file_is_told(tmp_path: Path, clock: ManualClock) -> None:
    (tmp_path / "file").write_text("")
    for path in (tmp_path, tmp_path / "file" / "matches.db"):
        with pytest.raises(StoreError) as caught:
            Store.open(path, clock)
        assert fault_id(caught.value) == "unopenable"


def test_a_damaged_file_is_told(path: Path, clock: ManualClock) -> None:
    with Store.open(path, clock) as store:
        match = store.create(header())
        for _ in range(200):
            store.append(match, add("left", 1, note="x" * 2000))
    content = bytearray(path.read_bytes())
    content[8192:-4096] = os.urandom(len(content) - 8192 - 4096)
    path.write_bytes(content)
    with pytest.raises(StoreDamaged) as caught:
        Store.open(path, clock)
    assert fault_id(caught.value) == "damaged"


def test_what_a_power_cut_left_of_a_new_file_is_made_anew(path: Path, clock: ManualClock) -> None:
    path.parent.mkdir()
    path.write_bytes(b"")
    for name in ("matches.db.new", "matches.db.new-wal", "matches.db.new-journal"):
        (path.parent / name).write_bytes(b"half a page")
    with Store.open(path, clock) as store:
        assert store.matches() == []
    assert sorted(os.listdir(path.parent)) == ["matches.db", "matches.db.lock"]


def test_nothing_expires_by_a_clock_that_was_not_set(tmp_path: Path) -> None:
    clock = ManualClock(datetime(1970, 1, 1, tzinfo=UTC))
    with Store.open(tmp_path / "matches.sqlite", clock) as store:
        match = store.create({"game": "counting", "sides": {}})
        store.append(match, {"event": "swap"}, [Picture("tray", b"tray")])
        store.remove(match)
        clock.set(datetime(2026, 11, 1, tzinfo=UTC))
        assert store.purge_removed() == 0
        assert store.purge_old_pictures(clock.now()) == 0
        store.restore(match)
        store.remove(match)
        clock.set(datetime(2026, 11, 9, tzinfo=UTC))
        assert store.purge_removed() == 1
