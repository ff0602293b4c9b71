"""The database fails while the hub runs: the connection, a connection that is free, the room, what follows a commit."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.engine import make_url

from companion.hub.core import Core
from companion.hub.database import ALIVE, READERS, READERS_MORE, HubGone, HubRefused
from companion.hub.link import Announcer, LinkOptions
from companion.messages import subjects
from companion.messages.wire import RollPicture
from tests.hub.core_kit import Card
from tests.hub.web.pages_kit import begin
from tests.journal.counting_game import add, header

JPEG = b"\xff\xd8\xff" + bytes(40)


@pytest.fixture
def card() -> Card:
    card = Card("t1", 7)
    card.write(header(), add("left", 1), add("right", 2), add("left", 2), add("right", 1))
    return card


def lose(core: Core) -> None:
    """The writer's connection ends between two transactions, and nobody tells SQLAlchemy."""
    held = core.database._held
    assert held is not None
    raw: Any = held.connection.driver_connection
    if core.database.dialect == "sqlite":
        raw.close()
        return
    with core.database._readers.connect() as other:
        other.exec_driver_sql(f"SELECT pg_terminate_backend({raw.info.backend_pid}, 5000)")


def test_lines_are_taken_again_after_the_connection_was_lost(core: Core, card: Card) -> None:
    """The last word was the organiser's, to be on the disk at once: the driver is asked for the other way first."""
    core.inbox.take([card.batch(1, 2)])
    core.tables.register("t9", 9)
    lose(core)
    with pytest.raises(HubGone):
        core.inbox.take([card.batch(3, 4)])
    (receipt,) = core.inbox.take([card.batch(3, 4)])
    assert receipt.seq == 4
    core.tables.register("t8", 8)


def test_the_organiser_decides_again_after_the_connection_was_lost(core: Core, card: Card) -> None:
    core.inbox.take([card.batch(1, 2)])
    lose(core)
    with pytest.raises(HubGone):
        core.tables.register("t9", 9)
    core.tables.register("t9", 9)
    assert core.tables.number_of("t9") == 9


def test_what_was_remembered_goes_with_the_connection(core: Core, card: Card) -> None:
    """Another hub may have written meanwhile."""
    core.inbox.take([card.batch(1, 2)])
    core.tables.register("t9", 9)
    lose(core)
    forgotten: list[bool] = []
    core.database.remembers(lambda: forgotten.append(True))
    with pytest.raises(HubGone):
        core.inbox.take([card.batch(3)])
    core.inbox.take([card.batch(3)])
    assert forgotten


def test_no_connection_that_is_free_is_a_database_that_does_not_answer(core: Core) -> None:
    core.database._readers.pool._timeout = 0.01  # type: ignore[attr-defined]
    with ExitStack() as stack:
        for _ in range(READERS + READERS_MORE):
            stack.enter_context(core.database.reading())
        with pytest.raises(HubGone):
            core.views.journals()
    assert core.views.journals() == ()


def failing_once(core: Core, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the heads of the journals are remembered by fails at the next transaction."""
    epochs = core.inbox._shared.journals.epochs

    def fails(_: object) -> None:
        monkeypatch.undo()
        raise MemoryError

    monkeypatch.setattr(epochs, "put", fails)


def test_what_fails_after_the_commit_leaves_nothing_behind_the_disk(
    core: Core, card: Card, monkeypatch: pytest.MonkeyPatch
) -> None:
    core.inbox.take([card.batch(1, 2)])
    told: list[int] = []
    core.views.listen(told.append)
    before = core.views.revision()
    failing_once(core, monkeypatch)
    (receipt,) = core.inbox.take([card.batch(3, 4)])
    assert receipt.seq == 4
    assert core.views.revision() > before
    assert told == [core.views.revision()]
    assert core.inbox.take([card.batch(3, 4)])[0].seq == 4
    assert core.inbox.take([card.batch(5)])[0].seq == 5
    assert core.views.journal("t1", 7) == card.file


def test_every_hook_and_every_listener_is_called(core: Core, caplog: pytest.LogCaptureFixture) -> None:
    called: list[str] = []

    def fails(_: int = 0) -> None:
        called.append("fails")
        raise ValueError("odd")

    core.database.listen(fails)
    core.database.listen(lambda _: called.append("listener"))
    core.database.remembers(lambda: called.append("forgotten"))
    with core.database.writing() as work:
        work.changed = True
        work.after += (fails, lambda: called.append("hook"))
    assert called == ["fails", "hook", "forgotten", "fails", "listener"]
    assert "odd" in caplog.text


def test_a_memory_that_does_not_fit_to_the_disk_is_forgotten(core: Core, card: Card) -> None:
    """Whatever made it so: what is refused once is taken when it comes again."""
    core.inbox.take([card.batch(1, 2)])
    epochs = core.inbox._shared.journals.epochs
    old = epochs.get(("t1", 7))
    assert old is not None
    core.inbox.take([card.batch(3, 4)])
    epochs.put({("t1", 7): old})
    with pytest.raises(HubRefused):
        core.inbox.take([card.batch(3, 4)])
    (receipt,) = core.inbox.take([card.batch(3)])
    assert receipt.seq == 5


@contextmanager
def held_by_another(url: str) -> Iterator[None]:
    """Somebody writes to the file with another tool, for longer than the hub waits."""
    path = make_url(url).database
    assert path is not None
    with closing(sqlite3.connect(Path(path), isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


def test_what_was_deleted_is_deleted_though_its_room_is_not_given_back(
    opened: Callable[[], Core], url: str, card: Card, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("companion.hub.database.BUSY_SECONDS", 0.05)
    core = opened()
    if core.database.dialect != "sqlite":
        pytest.skip("PostgreSQL gives room back by itself")
    core.tables.register("t1", 1)
    core.inbox.take([card.batch()])
    assert core.inbox.keep_picture(RollPicture(7, 2, "tray", JPEG, None, table="t1"))
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
    assert core.inbox.take([card.batch()])[0].seq == 5


def test_what_tables_are_told_is_not_lost_with_the_database(core: Core, monkeypatch: pytest.MonkeyPatch) -> None:
    """It goes between the boards and the calls: all of it is said once it is back."""
    tournament = begin(core).id
    announcer = Announcer(core.tournaments, core.tables, core.database.clock, "run", LinkOptions())

    def gone() -> None:
        raise HubGone("gone")

    with monkeypatch.context() as away:
        away.setattr(core.tables, "all", gone)
        with pytest.raises(HubGone):
            list(announcer.news(None, frozenset()))
    told = [subject for subject, _ in announcer.news(None, frozenset())]
    assert [subjects.board_subject(tournament)] == told[:1]
    assert any(subject.endswith(subjects.STATE) for subject in told)
    assert not list(announcer.news(None, frozenset()))


def test_both_ends_notice_a_cable_that_was_pulled(core: Core) -> None:
    if core.database.dialect == "sqlite":
        pytest.skip("SQLite has no network")
    held = core.database._connected()
    with core.database.reading() as reading:
        for connection in (held, reading):
            raw: Any = connection.connection.driver_connection
            assert {name: int(raw.info.get_parameters()[name]) for name in ALIVE} == ALIVE
    for name, value in ALIVE.items():
        assert held.exec_driver_sql(f"SHOW tcp_{name}").scalar() == str(value)
