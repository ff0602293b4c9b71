"""Crash between any two statements: afterwards all data is stored once, or the hub requests it from the tables
again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event, text

from companion.clock import ManualClock
from companion.hub.core import Core, open_core
from companion.hub.database import DatabaseUnavailable
from companion.tournament import facts as fa
from tests.hub.conftest import START
from tests.hub.core_kit import ALL_GAMES, StoredTableJournal
from tests.hub.desk_kit import evening
from tests.journal.counting_game import UNDO, add, correct, header

TABLES = ("tables", "tournaments", "facts", "journals", "lines", "waiting", "confirmations", "pictures", "notices")
UNLIKE = {"id", "revision", "journal", "times"}
"""Columns that may differ after a crash: generated numbers and counters."""


class Crash(BaseException):
    """The simulated end of the process."""


@contextmanager
def crash_at(core: Core, moment: int) -> Iterator[Callable[[], int]]:
    """Crash the writer before the statement of that number; a commit counts as two: before and after."""
    engine: Any = core.database._writer
    passed = 0

    def step(*_: object) -> None:
        nonlocal passed
        passed += 1
        if passed == moment:
            raise Crash

    commit = engine.dialect.do_commit

    def committing(raw: Any) -> None:
        step()
        commit(raw)
        step()

    event.listen(engine, "before_cursor_execute", step)
    engine.dialect.do_commit = committing
    try:
        yield lambda: passed
    finally:
        event.remove(engine, "before_cursor_execute", step)
        engine.dialect.do_commit = commit


def content(core: Core) -> dict[str, list[tuple[Any, ...]]]:
    """Return the database content without the columns that may differ."""
    found = {}
    with core.database.reading() as connection:
        for table in TABLES:
            rows = [row._asdict() for row in connection.execute(text(f"SELECT * FROM {table}"))]
            found[table] = sorted(
                tuple((key, str(value)) for key, value in sorted(row.items()) if key not in UNLIKE) for row in rows
            )
    return found


class CrashScenario:
    """The scenario: a match with its result and another match, a copied card, queued lines, a correction."""

    def __init__(self, core: Core) -> None:
        self.cup = evening(core, entries=2)
        self.match = next(iter(core.tournaments.progress(self.cup.id).matches))
        self.cup.call(self.match, 1)
        self.card = self.cup.played("t1", seed=1)
        self.counting = StoredTableJournal("t2", 5)
        self.counting.write(header(), add("left", 1), add("right", 2), UNDO)
        self.twin = self.counting.copy()
        self.counting.write(add("left", 3), correct(2, add("left", 4)), add("right", 1))
        self.twin.write(add("left", 5), add("left", 6))
        self.steps: list[Callable[[Core], object]] = [
            lambda core: core.inbox.accept([self.card.batch(1, 60), self.counting.batch(3, 4)]),
            lambda core: core.inbox.accept([self.card.batch(61, 90), self.counting.batch(1, 6)]),
            lambda core: core.inbox.accept([self.twin.batch(4)]),
            lambda core: core.inbox.accept([self.card.batch(91)], [self.card.confirmation()]),
            lambda core: core.tournaments.decide(self.cup.id, fa.Table(4, False), "Olga", "no light"),
            lambda core: core.inbox.accept([self.counting.batch(7), self.card.batch()]),
        ]

    def done(self, core: Core, step: int) -> bool:
        """Return True if an organiser step is recorded; tables repeat their steps anyway."""
        return step == 4 and 4 in core.tournaments.state(self.cup.id).closed

    def run(self, core: Core) -> None:
        """Run all steps; repeats steps already done, like tables that got no receipt."""
        for number, step in enumerate(self.steps):
            if not self.done(core, number):
                step(core)


@pytest.fixture
def untouched(core: Core) -> tuple[Core, CrashScenario]:
    return core, CrashScenario(core)


def test_the_scene_writes_what_is_told_of_it(untouched: tuple[Core, CrashScenario]) -> None:
    core, scene = untouched
    scene.run(core)
    assert core.views.journal("t1", scene.card.epoch) == scene.card.file
    assert core.views.journal("t2", 5) == scene.counting.file
    assert core.views.journal("t2", 5, branch=1) == scene.twin.file
    assert scene.cup.status(scene.match) == "done"
    wanted = content(core)
    scene.run(core)
    assert content(core) == wanted


def first_and_rest() -> list[Any]:
    """Return every third moment for the standard run; the long run has the others."""
    return [pytest.param(part, marks=[] if part == 0 else [pytest.mark.slow]) for part in range(3)]


@pytest.mark.parametrize("part", first_and_rest())
@pytest.mark.parametrize("opened_again", [True, False])
def test_after_a_crash_between_any_two_statements(tmp_path: Path, opened_again: bool, part: int) -> None:
    """With `opened_again` the process crashed; otherwise the transaction failed and the process continues."""
    start = tmp_path / "start.sqlite"
    core = fresh(start)
    for number in range(1, 5):
        core.tables.register(f"t{number}", number)
    scene = CrashScenario(core)
    core.close()
    begun = start.read_bytes()
    core = fresh(start)
    with crash_at(core, -1) as passed:
        scene.run(core)
    moments = passed()
    wanted = content(core)
    core.close()
    assert moments > 40
    for moment in range(1 + part, moments + 1, 3):
        path = tmp_path / f"{moment}.sqlite"
        path.write_bytes(begun)
        core = fresh(path)
        with pytest.raises(Crash), crash_at(core, moment):
            scene.run(core)
        if opened_again:
            core.close()
            core = fresh(path)
        scene.run(core)
        assert content(core) == wanted, moment
        core.close()
        path.unlink()


def fresh(path: Path) -> Core:
    return open_core(f"sqlite:///{path}", ALL_GAMES, ManualClock(START))


def test_a_lost_connection_loses_nothing(core: Core) -> None:
    """The server closes the writer's connection during a batch; the batch is accepted when it is sent again."""
    if core.database.dialect != "postgresql":
        pytest.skip("SQLite's connection is a file")
    card = StoredTableJournal("t1", 7)
    card.write(header(), add("left", 1), add("right", 2))
    core.inbox.accept([card.batch(1, 1)])
    engine: Any = core.database._writer
    lost: list[int] = []

    def lose(connection: Any, *_: object) -> None:
        if not lost:
            lost.append(connection.connection.driver_connection.info.backend_pid)
            with core.database._readers.connect() as other:
                other.exec_driver_sql(f"SELECT pg_terminate_backend({lost[0]})")

    event.listen(engine, "before_cursor_execute", lose)
    with pytest.raises(DatabaseUnavailable):
        core.inbox.accept([card.batch(2)])
    event.remove(engine, "before_cursor_execute", lose)
    (receipt,) = core.inbox.accept([card.batch(2)])
    assert receipt.seq == 3
    assert core.views.journal("t1", 7) == card.file


def test_an_older_backup_is_filled_again(tmp_path: Path) -> None:
    """The hub's disk is lost and replaced by a backup from the middle of the tournament."""
    path = tmp_path / "hub.sqlite"
    core = fresh(path)
    for number in range(1, 5):
        core.tables.register(f"t{number}", number)
    scene = CrashScenario(core)
    scene.steps[0](core)
    (before,) = core.inbox.receipts("t1")
    core.close()
    backup = path.read_bytes()
    core = fresh(path)
    revision = core.views.revision()
    scene.run(core)
    lost = core.views.revision()
    wanted = content(core)
    core.close()
    path.write_bytes(backup)
    clock = ManualClock(START)
    clock.advance(3600)
    core = open_core(f"sqlite:///{path}", ALL_GAMES, clock)
    assert core.inbox.receipts("t1") == (before,)
    assert core.views.revision() > lost > revision
    assert core.views.changes_after(lost).all
    clock.set(START)
    core.inbox.accept([scene.card.batch(before.seq + 1)])
    scene.run(core)
    assert content(core) == wanted
    core.close()
