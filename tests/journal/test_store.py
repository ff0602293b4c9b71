"""The store: acknowledged events are present, there is one writer, and every fault gives a message without data
loss."""

from __future__ import annotations

import os
from datetime import timedelta
from pathlib import Path

import apsw
import pytest

from companion.clock import ManualClock
from companion.games.base import Refusal
from companion.journal import database
from companion.journal.codec import JournalLine
from companion.journal.ledger import InvalidLine, Ledger, replay
from companion.journal.store import READING, Picture, Store
from tests.journal.conftest import START
from tests.journal.counting_game import GAMES, SWAP, UNDO, CountingGame, add, correct, header, take_back

STAMP = "2026-06-01T20:30:00.000+02:00"


def test_lines_are_those_of_the_exported_file(store: Store, tmp_path: Path) -> None:
    match = store.create(header())
    assert [store.append(match, event) for event in (add("left", 3), SWAP, UNDO)] == [2, 3, 4]
    store.export(match, tmp_path / "match.jsonl")
    ledger = replay(tmp_path / "match.jsonl", GAMES).ledger
    assert [JournalLine(record.line, record.fields) for record in ledger.all_events] == store.events(match)


def test_an_event_carries_the_time_at_which_it_was_recorded(store: Store, clock: ManualClock) -> None:
    match = store.create(header())
    store.append(match, add("left", 3, by="camera"))
    clock.advance(61.25)
    store.append(match, UNDO)
    store.append(match, add("left", 4, at="2026-06-01T20:00:00Z"))
    assert [entry.fields.get("at") for entry in store.events(match)] == [
        STAMP,
        "2026-06-01T20:31:01.250+02:00",
        "2026-06-01T20:00:00Z",
    ]
    assert store.events(match)[0].fields["by"] == "camera"
    assert [entry.line for entry in store.events(match, after_line=3)] == [4]


def test_a_match_is_resumed_where_it_was(store: Store, path: Path, clock: ManualClock) -> None:
    match = store.create(header())
    ledger = Ledger(CountingGame(), header())
    for event in (add("left", 3), add("right", 2), UNDO, correct(2, add("left", 7)), SWAP):
        proposal = ledger.propose(event)
        assert store.append(match, event, line=proposal.line) == proposal.line
        ledger.commit(proposal)
    store.close()
    with Store.open(path, clock) as again:
        resumed = again.resume(match, GAMES)
    assert resumed.ledger.state == ledger.state
    assert resumed.ledger.next_line == ledger.next_line
    assert [event.line for event in resumed.ledger.events] == [2, 6]


def test_pictures_come_with_their_event(store: Store) -> None:
    match = store.create(header())
    pictures = (Picture("die", b"\xff\xd8one", 0), Picture("die", b"\xff\xd8two", 1), Picture("tray", b"\x89PNG"))
    line = store.append(match, add("left", 3), pictures)
    store.append(match, SWAP)
    assert store.pictures(match, line) == pictures
    assert store.pictures(match, line + 1) == ()


def test_pictures_of_old_events_go_and_readings_stay(store: Store, clock: ManualClock) -> None:
    match = store.create(header())
    store.append(match, add("left", 1), [Picture("tray", b"old"), Picture(READING, b"{}")])
    clock.advance(40 * 86400)
    store.append(match, add("left", 2), [Picture("tray", b"new")])
    assert store.purge_old_pictures(clock.now() - timedelta(days=30)) == 1
    assert [picture.image for picture in store.pictures(match, 2)] == [None, b"{}"]
    assert store.pictures(match, 3)[0].image == b"new"
    assert store.purge_old_pictures(clock.now() - timedelta(days=30)) == 0


def test_the_oldest_pictures_go_first_and_leave_their_place(store: Store) -> None:
    match = store.create(header())
    for n in range(1, 5):
        store.append(match, add("left", n), [Picture("tray", bytes(1000))])
    assert store.purge_pictures(max_bytes=2500) == 2
    kept = [store.pictures(match, line)[0].image is not None for line in (2, 3, 4, 5)]
    assert kept == [False, False, True, True]
    assert store.purge_pictures() == 2
    assert store.purge_pictures() == 0
    assert store.pictures(match, 5) == (Picture("tray", None),)
    assert store.check() == ()


def test_how_the_dice_lay_outlives_the_pictures(store: Store) -> None:
    match = store.create(header())
    store.append(match, add("left", 1), [Picture(READING, b"{}"), Picture("tray", bytes(1000))])
    store.append(match, SWAP)
    assert store.purge_pictures() == 1
    assert store.pictures(match, 2) == (Picture(READING, b"{}"), Picture("tray", None))
    assert store.lines_with_pictures(match) == {2}


def test_forgotten_pictures_give_their_room_back(store: Store, path: Path, clock: ManualClock) -> None:
    match = store.create(header())
    for _ in range(20):
        store.append(match, add("left", 1), [Picture("tray", os.urandom(100_000))])
    store.purge_pictures()
    store.close()
    assert path.stat().st_size < 500_000


def test_matches_are_listed_newest_first(store: Store, clock: ManualClock) -> None:
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


def test_the_end_of_a_match_keeps_its_first_time(store: Store, clock: ManualClock) -> None:
    match = store.create(header())
    store.append(match, add("left", 1), ended=True)
    clock.advance(60)
    store.append(match, correct(2, add("left", 2)), ended=True)
    store.append(match, add("right", 1))
    assert store.matches()[0].ended == START


def test_epochs_only_grow(store: Store, tmp_path: Path, clock: ManualClock) -> None:
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


def test_a_match_with_an_illegal_event_is_not_resumed(store: Store) -> None:
    match = store.create(header())
    store.append(match, take_back("left", 1))
    with pytest.raises(InvalidLine) as caught:
        store.resume(match, GAMES)
    assert (caught.value.line, caught.value.rule) == (2, "CT-5")


def test_an_older_file_is_brought_up_step_by_step() -> None:
    connection = apsw.Connection(":memory:")
    database.migrate(connection)
    later = (*database.MIGRATIONS, "ALTER TABLE matches ADD COLUMN place TEXT", "CREATE TABLE tables (id)")
    database.migrate(connection, later)
    assert database.version_of(connection) == len(later)
    broken = (*later, "CREATE TABLE more (id); CREATE TABLE tables (id)")
    with pytest.raises(apsw.SQLError):
        database.migrate(connection, broken)
    assert database.version_of(connection) == len(later)
    assert connection.execute("SELECT count(*) FROM sqlite_schema WHERE name = 'more'").get == 0


def test_the_file_is_kept_as_safe_as_sqlite_can(store: Store, path: Path) -> None:
    connection = store._connection
    assert connection.pragma("journal_mode") == "wal"
    assert connection.pragma("synchronous") == 2
    assert connection.pragma("foreign_keys") == 1


def test_a_refused_event_never_reaches_the_store(store: Store) -> None:
    match, ledger = store.create(header()), Ledger(CountingGame(), header())
    with pytest.raises(Refusal):
        store.append(match, take_back("left", 1), line=ledger.propose(take_back("left", 1)).line)
    assert store.events(match) == []
