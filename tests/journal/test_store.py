"""The store: what is acknowledged is there, one writer, and every fault in a sentence with nothing lost."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta, timezone
from pathlib import Path

import apsw
import pytest

from companion.clock import HandClock
from companion.games.base import Refusal
from companion.journal import schema
from companion.journal.database import WAL_LIMIT
from companion.journal.envelope import Entry
from companion.journal.exchange import export_match, import_match, resume_match
from companion.journal.ledger import Ledger
from companion.journal.replay import LineRefused, replay
from companion.journal.store import Picture, Store
from companion.journal.store_errors import (
    DiskFull,
    StoreBusy,
    StoreDamaged,
    StoreError,
    StoreForeign,
    StoreNewer,
    UnknownMatch,
    WrongLine,
)
from companion.language import LANGUAGES, Language
from tests.journal.counting_game import GAMES, SWAP, UNDO, CountingGame, add, correct, header, take

START = datetime(2026, 6, 1, 20, 30, tzinfo=timezone(timedelta(hours=2)))
STAMP = "2026-06-01T20:30:00.000+02:00"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "matches.db"


@pytest.fixture
def clock() -> HandClock:
    return HandClock(START)


@pytest.fixture
def store(path: Path, clock: HandClock) -> Iterator[Store]:
    with Store.open(path, clock) as store:
        yield store


def said(error: StoreError) -> str:
    for code in LANGUAGES:
        sentence = Language(code).text(error.message)
        assert sentence != error.message.id
        assert "{" not in sentence
    return error.message.id.removeprefix("journal.store.")


@contextmanager
def no_file_beyond(size: int) -> Iterator[None]:
    """A disk that is full: no file of this process grows beyond `size` bytes."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_lines_are_those_of_the_exported_file(store: Store, tmp_path: Path) -> None:
    match = store.create(header())
    assert [store.append(match, event) for event in (add("left", 3), SWAP, UNDO)] == [2, 3, 4]
    export_match(store, match, tmp_path / "match.jsonl")
    ledger = replay(tmp_path / "match.jsonl", GAMES).ledger
    assert [Entry(record.line, record.fields) for record in ledger.entries] == store.entries(match)


def test_an_event_carries_the_time_at_which_it_was_recorded(store: Store, clock: HandClock) -> None:
    match = store.create(header())
    store.append(match, add("left", 3, by="camera"))
    clock.advance(61.25)
    store.append(match, UNDO)
    store.append(match, add("left", 4, at="2026-06-01T20:00:00Z"))
    assert [entry.fields.get("at") for entry in store.entries(match)] == [
        STAMP,
        "2026-06-01T20:31:01.250+02:00",
        "2026-06-01T20:00:00Z",
    ]
    assert store.entries(match)[0].fields["by"] == "camera"
    assert [entry.line for entry in store.entries(match, after=3)] == [4]


def test_a_match_is_resumed_where_it_was(store: Store, path: Path, clock: HandClock) -> None:
    match = store.create(header())
    ledger = Ledger(CountingGame(), header())
    for event in (add("left", 3), add("right", 2), UNDO, correct(2, add("left", 7)), SWAP):
        proposal = ledger.propose(event)
        assert store.append(match, event, line=proposal.line) == proposal.line
        ledger.commit(proposal)
    store.close()
    with Store.open(path, clock) as again:
        resumed = resume_match(again, match, GAMES)
    assert resumed.ledger.state == ledger.state
    assert resumed.ledger.next_line == ledger.next_line
    assert [event.line for event in resumed.ledger.standing] == [2, 6]


def test_an_event_worked_out_for_another_line_is_not_recorded(store: Store) -> None:
    match = store.create(header())
    with pytest.raises(WrongLine) as caught:
        store.append(match, add("left", 1), line=3)
    assert said(caught.value) == "line"
    assert store.entries(match) == []


def test_pictures_come_with_their_event(store: Store) -> None:
    match = store.create(header())
    pictures = (Picture("die", b"\xff\xd8one", 0), Picture("die", b"\xff\xd8two", 1), Picture("tray", b"\x89PNG"))
    line = store.append(match, add("left", 3), pictures)
    store.append(match, SWAP)
    assert store.pictures(match, line) == pictures
    assert store.pictures(match, line + 1) == ()


def test_the_oldest_pictures_go_first_and_leave_their_place(store: Store) -> None:
    match = store.create(header())
    for n in range(1, 5):
        store.append(match, add("left", n), [Picture("tray", bytes(1000))])
    assert store.forget_pictures(most_bytes=2500) == 2
    kept = [store.pictures(match, line)[0].image is not None for line in (2, 3, 4, 5)]
    assert kept == [False, False, True, True]
    assert store.forget_pictures() == 2
    assert store.forget_pictures() == 0
    assert store.pictures(match, 5) == (Picture("tray", None),)
    assert store.check() == ()


def test_forgotten_pictures_give_their_room_back(store: Store, path: Path, clock: HandClock) -> None:
    match = store.create(header())
    for _ in range(20):
        store.append(match, add("left", 1), [Picture("tray", os.urandom(100_000))])
    store.forget_pictures()
    store.close()
    assert path.stat().st_size < 500_000


def test_matches_are_listed_newest_first(store: Store, clock: HandClock) -> None:
    first = store.create(header(50))
    clock.advance(3600)
    second = store.create(header(60))
    store.append(first, add("left", 3))
    store.append(second, add("left", 3))
    store.append(second, UNDO, ended=True)
    newest, oldest = store.matches()
    assert (newest.id, newest.lines, newest.ended, newest.game) == (second, 2, clock.now(), "counting")
    assert (oldest.id, oldest.lines, oldest.ended, oldest.created) == (first, 1, None, START)
    assert newest.header["setup"]["target"] == 60
    store.append(second, UNDO, ended=False)
    assert store.matches()[0].ended is None


def test_the_end_of_a_match_keeps_its_first_time(store: Store, clock: HandClock) -> None:
    match = store.create(header())
    store.append(match, add("left", 1), ended=True)
    clock.advance(60)
    store.append(match, correct(2, add("left", 2)), ended=True)
    store.append(match, add("right", 1))
    assert store.matches()[0].ended == START


def test_epochs_only_grow(store: Store, tmp_path: Path, clock: HandClock) -> None:
    for _ in range(2):
        store.create(header())
    clock.set(START - timedelta(days=900))
    store.create(header())
    epochs = [match.epoch for match in store.matches()]
    assert epochs == [int(START.timestamp()) + n for n in (2, 1, 0)]
    clock.set(START + timedelta(days=1))
    with Store.open(tmp_path / "anew.db", clock) as anew:
        anew.create(header())
        assert anew.matches()[0].epoch > epochs[0]


def test_an_unknown_match_is_told(store: Store) -> None:
    for ask in (store.header, store.entries, lambda id: store.append(id, SWAP)):
        with pytest.raises(UnknownMatch) as caught:
            ask("nobody")
        assert said(caught.value) == "no_match"


def test_what_json_cannot_hold_is_told_and_not_recorded(store: Store) -> None:
    match = store.create(header())
    with pytest.raises(StoreError) as caught:
        store.append(match, {"event": "add", "n": float("inf")})
    assert said(caught.value) == "unwritable"
    assert store.entries(match) == []


def test_an_imported_file_is_a_match_like_any_other(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    match = store.create(header(5))
    for event in (add("left", 3), UNDO, add("left", 2), correct(4, add("left", 5))):
        store.append(match, event)
    export_match(store, match, path)
    copy = import_match(store, path, GAMES)
    assert store.entries(copy) == store.entries(match)
    assert store.header(copy) == store.header(match)
    assert store.matches()[0].ended is not None


def test_an_import_without_its_blank_lines_still_corrects_the_same_events(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    match = store.create(header())
    export_match(store, match, path)
    with path.open("a") as file:
        file.write('\n\n{"event": "add", "side": "left", "n": 1}\n\n{"event": "swap"}\n')
        file.write('{"event": "correct", "line": 4, "with": {"event": "add", "side": "left", "n": 9}}\n')
    before = replay(path, GAMES).ledger
    after = resume_match(store, import_match(store, path, GAMES), GAMES).ledger
    assert after.state == before.state
    assert [event.line for event in after.standing] == [2, 3]


def test_an_illegal_file_is_not_imported(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    match = store.create(header())
    store.append(match, take("left", 1))
    export_match(store, match, path)
    before = len(store.matches())
    with pytest.raises(LineRefused) as caught:
        import_match(store, path, GAMES)
    assert (caught.value.line, caught.value.rule) == (2, "CT-5")
    assert len(store.matches()) == before
    with pytest.raises(LineRefused):
        resume_match(store, match, GAMES)


def test_an_export_that_cannot_be_written_is_told(store: Store, tmp_path: Path) -> None:
    with pytest.raises(StoreError) as caught:
        export_match(store, store.create(header()), tmp_path / "none" / "match.jsonl")
    assert said(caught.value) == "not_exported"


def test_a_second_writer_is_refused_until_the_first_is_gone(store: Store, path: Path, clock: HandClock) -> None:
    with pytest.raises(StoreBusy) as caught:
        Store.open(path, clock)
    assert caught.value.message.args["holder"] == str(os.getpid())
    assert said(caught.value) == "busy"
    store.close()
    Store.open(path, clock).close()


def test_a_second_writer_in_another_process_is_refused(store: Store, path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from companion.clock import SystemClock\n"
        "from companion.journal.store import Store; from companion.journal.store_errors import StoreBusy\n"
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
    assert said(caught.value) == "full"
    assert len(lines) > 1
    assert [entry.line for entry in store.entries(match)] == lines
    assert store.append(match, add("right", 1)) == lines[-1] + 1
    assert store.check() == ()


def test_an_event_is_recorded_whole_or_not_at_all(store: Store) -> None:
    match = store.create(header())
    with pytest.raises(TypeError):
        store.append(match, add("left", 1), [Picture("tray", b"x"), Picture("die", object())])  # type: ignore[arg-type]
    assert store.entries(match) == []
    assert store.append(match, add("left", 1)) == 2
    assert store.pictures(match, 2) == ()


def test_the_write_ahead_log_does_not_grow_without_bound(store: Store, path: Path) -> None:
    match = store.create(header())
    log = path.with_name(path.name + "-wal")
    largest = 0
    for _ in range(300):
        store.append(match, add("left", 1), [Picture("tray", bytes(100_000))])
        largest = max(largest, log.stat().st_size)
    assert path.stat().st_size > 2 * WAL_LIMIT
    assert largest <= WAL_LIMIT


def test_a_newer_file_is_told_and_left_untouched(path: Path, clock: HandClock) -> None:
    with Store.open(path, clock) as store:
        store.create(header())
    connection = apsw.Connection(str(path))
    connection.pragma("user_version", schema.VERSION + 1)
    connection.close()
    before = path.read_bytes()
    with pytest.raises(StoreNewer) as caught:
        Store.open(path, clock)
    assert said(caught.value) == "newer"
    assert path.read_bytes() == before


def test_a_foreign_file_is_told_and_left_untouched(path: Path, clock: HandClock) -> None:
    path.parent.mkdir()
    connection = apsw.Connection(str(path))
    connection.execute("CREATE TABLE recipes (name)")
    connection.close()
    others = (path.read_bytes(), b"Dear diary, " * 200, b"x")
    for content in others:
        path.write_bytes(content)
        with pytest.raises(StoreForeign) as caught:
            Store.open(path, clock)
        assert said(caught.value) == "foreign"
        assert path.read_bytes() == content


def test_a_path_that_is_no_file_is_told(tmp_path: Path, clock: HandClock) -> None:
    (tmp_path / "file").write_text("")
    for path in (tmp_path, tmp_path / "file" / "matches.db"):
        with pytest.raises(StoreError) as caught:
            Store.open(path, clock)
        assert said(caught.value) == "unopenable"


def test_a_damaged_file_is_told(path: Path, clock: HandClock) -> None:
    with Store.open(path, clock) as store:
        match = store.create(header())
        for _ in range(200):
            store.append(match, add("left", 1, note="x" * 2000))
    content = bytearray(path.read_bytes())
    content[8192:-4096] = os.urandom(len(content) - 8192 - 4096)
    path.write_bytes(content)
    with Store.open(path, clock) as store:
        assert store.check() != ()
        with pytest.raises(StoreDamaged) as caught:
            store.entries(match)
        assert said(caught.value) == "damaged"


def test_an_older_file_is_brought_up_step_by_step() -> None:
    connection = apsw.Connection(":memory:")
    schema.migrate(connection)
    later = (*schema.MIGRATIONS, "ALTER TABLE matches ADD COLUMN place TEXT", "CREATE TABLE tables (id)")
    schema.migrate(connection, later)
    assert schema.version_of(connection) == len(later)
    broken = (*later, "CREATE TABLE more (id); CREATE TABLE tables (id)")
    with pytest.raises(apsw.SQLError):
        schema.migrate(connection, broken)
    assert schema.version_of(connection) == len(later)
    assert connection.execute("SELECT count(*) FROM sqlite_schema WHERE name = 'more'").get == 0


def test_what_a_power_cut_left_of_a_new_file_is_made_anew(path: Path, clock: HandClock) -> None:
    path.parent.mkdir()
    path.write_bytes(b"")
    for name in ("matches.db.new", "matches.db.new-wal", "matches.db.new-journal"):
        (path.parent / name).write_bytes(b"half a page")
    with Store.open(path, clock) as store:
        assert store.matches() == []
    assert sorted(os.listdir(path.parent)) == ["matches.db", "matches.db.lock"]


def test_the_file_is_kept_as_safe_as_sqlite_can(store: Store, path: Path) -> None:
    connection = store._connection
    assert connection.pragma("journal_mode") == "wal"
    assert connection.pragma("synchronous") == 2
    assert connection.pragma("foreign_keys") == 1


def test_a_refused_event_never_reaches_the_store(store: Store) -> None:
    match, ledger = store.create(header()), Ledger(CountingGame(), header())
    with pytest.raises(Refusal):
        store.append(match, take("left", 1), line=ledger.propose(take("left", 1)).line)
    assert store.entries(match) == []
