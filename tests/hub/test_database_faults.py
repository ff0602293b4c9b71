"""Database faults while the hub runs: lost connection, idle connection, full disk, errors after a commit."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.engine import make_url

from companion.hub.core import Core
from companion.hub.database import (
    KEEPALIVE_OPTIONS,
    MAX_EXTRA_READERS,
    MAX_POOLED_READERS,
    DatabaseRejected,
    DatabaseUnavailable,
)
from companion.hub.link import LinkOptions, TableNotifier
from companion.messages import subjects
from companion.messages.wire import RollPicture
from tests.hub.core_kit import StoredTableJournal
from tests.hub.web.pages_kit import start_tournament
from tests.journal.counting_game import add, header

JPEG = b"\xff\xd8\xff" + bytes(40)


@pytest.fixture
def card() -> StoredTableJournal:
    card = StoredTableJournal("t1", 7)
    card.write(header(), add("left", 1), add("right", 2), add("left", 2), add("right", 1))
    return card


def lose(core: Core) -> None:
    """Close the writer's connection between two transactions without informing SQLAlchemy."""
    writer = core.database._write_connection
    assert writer is not None
    raw: Any = writer.connection.driver_connection
    if core.database.dialect == "sqlite":
        raw.close()
        return
    with core.database._readers.connect() as other:
        other.exec_driver_sql(f"SELECT pg_terminate_backend({raw.info.backend_pid}, 5000)")


def test_lines_are_taken_again_after_the_connection_was_lost(core: Core, card: StoredTableJournal) -> None:
    """The last transaction was an organiser's with a forced sync: the next one first resets the driver's sync mode."""
    core.inbox.accept([card.batch(1, 2)])
    core.tables.register("t9", 9)
    lose(core)
    with pytest.raises(DatabaseUnavailable):
        core.inbox.accept([card.batch(3, 4)])
    (receipt,) = core.inbox.accept([card.batch(3, 4)])
    assert receipt.seq == 4
    core.tables.register("t8", 8)


def test_the_organiser_decides_again_after_the_connection_was_lost(core: Core, card: StoredTableJournal) -> None:
    core.inbox.accept([card.batch(1, 2)])
    lose(core)
    with pytest.raises(DatabaseUnavailable):
        core.tables.register("t9", 9)
    core.tables.register("t9", 9)
    assert core.tables.number_of("t9") == 9


def test_what_was_remembered_goes_with_the_connection(core: Core, card: StoredTableJournal) -> None:
    """Another hub may have written in the meantime."""
    core.inbox.accept([card.batch(1, 2)])
    core.tables.register("t9", 9)
    lose(core)
    forgotten: list[bool] = []
    core.database.on_invalidate(lambda: forgotten.append(True))
    with pytest.raises(DatabaseUnavailable):
        core.inbox.accept([card.batch(3)])
    core.inbox.accept([card.batch(3)])
    assert forgotten


def test_no_connection_that_is_free_is_a_database_that_does_not_answer(core: Core) -> None:
    core.database._readers.pool._timeout = 0.01  # type: ignore[attr-defined]
    with ExitStack() as stack:
        for _ in range(MAX_POOLED_READERS + MAX_EXTRA_READERS):
            stack.enter_context(core.database.reading())
        with pytest.raises(DatabaseUnavailable):
            core.views.journals()
    assert core.views.journals() == ()


def failing_once(core: Core, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the cache of journal heads fail at the next transaction."""
    epochs = core.inbox._shared.journals.branches

    def fails(_: object) -> None:
        monkeypatch.undo()
        raise MemoryError

    monkeypatch.setattr(epochs, "put", fails)


def test_what_fails_after_the_commit_leaves_nothing_behind_the_disk(
    core: Core, card: StoredTableJournal, monkeypatch: pytest.MonkeyPatch
) -> None:
    core.inbox.accept([card.batch(1, 2)])
    revisions: list[int] = []
    core.views.listen(revisions.append)
    before = core.views.revision()
    failing_once(core, monkeypatch)
    (receipt,) = core.inbox.accept([card.batch(3, 4)])
    assert receipt.seq == 4
    assert core.views.revision() > before
    assert revisions == [core.views.revision()]
    assert core.inbox.accept([card.batch(3, 4)])[0].seq == 4
    assert core.inbox.accept([card.batch(5)])[0].seq == 5
    assert core.views.journal("t1", 7) == card.file


def test_every_hook_and_every_listener_is_called(core: Core, caplog: pytest.LogCaptureFixture) -> None:
    called: list[str] = []

    def fails(_: int = 0) -> None:
        called.append("fails")
        raise ValueError("odd")

    core.database.listen(fails)
    core.database.listen(lambda _: called.append("listener"))
    core.database.on_invalidate(lambda: called.append("forgotten"))
    with core.database.writing() as work:
        work.changed = True
        work.after += (fails, lambda: called.append("hook"))
    assert called == ["fails", "hook", "forgotten", "fails", "listener"]
    assert "odd" in caplog.text


def test_a_memory_that_does_not_fit_to_the_disk_is_forgotten(core: Core, card: StoredTableJournal) -> None:
    """Whatever the cause: a batch that was refused once is accepted when it is sent again."""
    core.inbox.accept([card.batch(1, 2)])
    epochs = core.inbox._shared.journals.branches
    old = epochs.get(("t1", 7))
    assert old is not None
    core.inbox.accept([card.batch(3, 4)])
    epochs.put({("t1", 7): old})
    with pytest.raises(DatabaseRejected):
        core.inbox.accept([card.batch(3, 4)])
    (receipt,) = core.inbox.accept([card.batch(3)])
    assert receipt.seq == 5


@contextmanager
def held_by_another(url: str) -> Iterator[None]:
    """Hold a write lock on the file with another connection, for longer than the hub waits."""
    path = make_url(url).database
    assert path is not None
    with closing(sqlite3.connect(Path(path), isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


def test_what_was_deleted_is_deleted_though_its_room_is_not_given_back(
    opened: Callable[[], Core],
    url: str,
    card: StoredTableJournal,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr("companion.hub.database.BUSY_TIMEOUT_S", 0.05)
    core = opened()
    if core.database.dialect != "sqlite":
        pytest.skip("PostgreSQL gives room back by itself")
    core.tables.register("t1", 1)
    core.inbox.accept([card.batch()])
    assert core.inbox.store_picture(RollPicture(7, 2, "tray", JPEG, None, table="t1"))
    real = core.database.vacuum

    def vacuum() -> None:
        with held_by_another(url):
            real()

    monkeypatch.setattr(core.database, "vacuum", vacuum)
    assert core.retention.forget_pictures(None, "Claire") == 1
    assert core.retention.sweep() == 0
    assert not core.database.vacuumed
    assert "not given back" in caplog.text
    monkeypatch.undo()
    core.database.vacuum()
    assert core.database.vacuumed
    assert core.inbox.accept([card.batch()])[0].seq == 5


def test_what_tables_are_told_is_not_lost_with_the_database(core: Core, monkeypatch: pytest.MonkeyPatch) -> None:
    """The database fails between the boards and the calls; all messages are sent once it is back."""
    tournament = start_tournament(core).id
    announcer = TableNotifier(core.tournaments, core.tables, core.database.clock, "run", LinkOptions())

    def gone() -> None:
        raise DatabaseUnavailable("gone")

    with monkeypatch.context() as patched:
        patched.setattr(core.tables, "all", gone)
        with pytest.raises(DatabaseUnavailable):
            list(announcer.changed_messages(None, frozenset()))
    sent_subjects = [subject for subject, _ in announcer.changed_messages(None, frozenset())]
    assert [subjects.board_subject(tournament)] == sent_subjects[:1]
    assert any(subject.endswith(subjects.STATE) for subject in sent_subjects)
    assert not list(announcer.changed_messages(None, frozenset()))


def test_both_ends_notice_a_cable_that_was_pulled(core: Core) -> None:
    if core.database.dialect == "sqlite":
        pytest.skip("SQLite has no network")
    writer = core.database._writer_connection()
    with core.database.reading() as reading:
        for connection in (writer, reading):
            raw: Any = connection.connection.driver_connection
            assert {name: int(raw.info.get_parameters()[name]) for name in KEEPALIVE_OPTIONS} == KEEPALIVE_OPTIONS
    for name, value in KEEPALIVE_OPTIONS.items():
        assert writer.exec_driver_sql(f"SHOW tcp_{name}").scalar() == str(value)
