"""Removed matches: hidden from the list, restorable unchanged, erased after a week; their epoch is never reused."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from companion.clock import ManualClock
from companion.games.base import JsonObject
from companion.journal.database import StoreError, UnknownMatch
from companion.journal.store import REMOVED_RETENTION, Picture, Store
from tests.journal.counting_game import header, take_back


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def store(tmp_path: Path, clock: ManualClock) -> Iterator[Store]:
    with Store.open(tmp_path / "matches.db", clock) as opened:
        yield opened


def test_a_removed_match_is_in_no_list_and_comes_back_whole(store: Store) -> None:
    match, other = store.create(header()), store.create(header())
    store.append(match, take_back("left", 1), [Picture("tray", b"jpeg")])
    entries = store.events(match)
    store.remove(match)
    assert [one.id for one in store.matches()] == [other]
    store.restore(match)
    assert {one.id for one in store.matches()} == {match, other}
    assert store.events(match) == entries
    assert store.pictures(match, 2)[0].image == b"jpeg"


def test_it_goes_off_the_disk_after_a_while_and_nothing_else_does(store: Store, clock: ManualClock) -> None:
    match, other = store.create(header()), store.create(header())
    for one in (match, other):
        store.append(one, take_back("left", 1), [Picture("tray", b"jpeg")])
    store.remove(match)
    clock.advance((REMOVED_RETENTION - timedelta(minutes=1)).total_seconds())
    assert store.purge_removed() == 0
    assert len(store.events(match)) == 1
    clock.advance(120)
    assert store.purge_removed() == 1
    assert store.purge_removed() == 0
    assert store.events(match) == []
    assert len(store.events(other)) == 1
    assert store.pictures(other, 2)[0].image == b"jpeg"
    assert store.check() == ()


def test_its_epoch_is_never_given_to_another(store: Store, clock: ManualClock) -> None:
    store.create(header())
    match = store.create(header())
    epoch = store.matches()[0].epoch
    store.remove(match)
    clock.advance(30 * 86400)
    store.purge_removed()
    clock.set(clock.now() - timedelta(days=40))
    store.create(header())
    assert store.matches()[0].epoch > epoch


def test_a_match_that_is_not_there_cannot_be_removed(store: Store) -> None:
    with pytest.raises(UnknownMatch):
        store.remove("nobody")


def test_a_rewritten_header_leaves_nothing_of_the_old_one_in_the_files(store: Store, tmp_path: Path) -> None:
    long_note = "Étoile filante " * 2000
    match, other, removed = (store.create({**header(), "note": note}) for note in (long_note, "kept", long_note))
    store.append(other, take_back("left", 1))
    store.remove(removed)

    def without_note(found: JsonObject) -> JsonObject | None:
        return None if found["note"] == "kept" else {**found, "note": ""}

    assert store.rewrite_headers(without_note) == 2
    assert store.rewrite_headers(lambda _: None) == 0
    assert [store.header(each)["note"] for each in (match, other, removed)] == ["", "kept", ""]
    assert len(store.events(other)) == 1
    assert store.check() == ()
    files = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert "Étoile filante".encode() not in files


def test_a_header_that_cannot_be_rewritten_changes_no_other(store: Store) -> None:
    matches = [store.create({**header(), "note": str(n)}) for n in range(3)]

    def fail_at_the_last(found: JsonObject) -> JsonObject:
        return {**found, "note": object() if found["note"] == "2" else "changed"}

    with pytest.raises(StoreError):
        store.rewrite_headers(fail_at_the_last)
    assert [store.header(match)["note"] for match in matches] == ["0", "1", "2"]
    assert store.check() == ()
