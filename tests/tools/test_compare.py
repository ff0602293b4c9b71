"""The comparison of hub and tables: equal data passes, and every kind of difference is found."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import pytest

from companion.clock import ManualClock
from companion.games.registry import GAMES
from companion.hub.core import Core, open_core
from companion.journal.codec import CHAIN_START, chain_links
from companion.journal.store import Store
from companion.messages.wire import JournalLines
from tools.trials.compare import compare, read_store_journals
from tools.trials.match import SimulatedMatch


def stored(path: Path, matches: int = 1, seed: int = 1) -> dict[int, bytes]:
    """Create a table's store with random matches and return its journals by epoch."""
    random, game = Random(seed), GAMES["footclub"]
    with Store.open(path, ManualClock()) as store:
        for _ in range(matches):
            match = SimulatedMatch.start(store, game, game.random_header(random), random)
            while not match.step():
                pass
    return read_store_journals(path)


@pytest.fixture
def core(tmp_path: Path) -> Iterator[Core]:
    made = open_core(f"sqlite:///{tmp_path / 'hub.sqlite'}", GAMES, ManualClock())
    made.tables.register("t1", 1, "Table 1")
    yield made
    made.close()


def sent(core: Core, journals: dict[int, bytes], table: str = "t1") -> None:
    for epoch, journal in journals.items():
        core.inbox.accept([JournalLines(epoch, 1, CHAIN_START, tuple(journal.splitlines()), table=table)])


def continued(core: Core, epoch: int, common: Sequence[bytes], lines: Sequence[bytes]) -> None:
    core.inbox.accept(
        [JournalLines(epoch, len(common) + 1, chain_links(CHAIN_START, common)[-1], tuple(lines), table="t1")]
    )


def test_what_was_sent_is_equal(core: Core, tmp_path: Path) -> None:
    path = tmp_path / "t1.sqlite"
    journals = stored(path, 2)
    sent(core, journals)
    sent(core, journals)
    found = compare(core, {"t1": [path]})
    assert found.problems == ()
    assert (found.journals, found.lines) == (2, sum(each.count(b"\n") for each in journals.values()))


def test_a_line_that_is_missing_is_found(core: Core, tmp_path: Path) -> None:
    path = tmp_path / "t1.sqlite"
    (epoch, journal), *_ = stored(path).items()
    lines = journal.splitlines(keepends=True)
    sent(core, {epoch: b"".join(lines[:-1])})
    problems = compare(core, {"t1": [path]}).problems
    assert any(f"the hub has {len(lines) - 1} lines, the table {len(lines)}" in each for each in problems)


def test_a_journal_that_is_missing_is_found(core: Core, tmp_path: Path) -> None:
    path = tmp_path / "t1.sqlite"
    stored(path)
    assert any("the hub does not have it" in each for each in compare(core, {"t1": [path]}).problems)


def test_a_journal_of_nobody_is_found(core: Core, tmp_path: Path) -> None:
    path = tmp_path / "t1.sqlite"
    journals = stored(path)
    sent(core, journals | {7: next(iter(journals.values()))})
    assert any("journal 7: no table has it" in each for each in compare(core, {"t1": [path]}).problems)


def test_a_changed_byte_is_found(core: Core, tmp_path: Path) -> None:
    path = tmp_path / "t1.sqlite"
    (epoch, journal), *_ = stored(path).items()
    lines = journal.splitlines()
    lines[3] = lines[3].replace(b"{", b"{ ", 1)
    sent(core, {epoch: b"\n".join(lines)})
    assert any("line 4 differs" in each for each in compare(core, {"t1": [path]}).problems)


def test_a_copied_card_is_kept_apart_and_told(core: Core, tmp_path: Path) -> None:
    path, copy = tmp_path / "t1.sqlite", tmp_path / "copy.sqlite"
    (epoch, journal), *_ = stored(path).items()
    lines = journal.splitlines()
    sent(core, {epoch: b"\n".join(lines[:20])})
    copy.write_bytes(path.read_bytes())
    _shorten(copy, 20)
    _go_on(copy)
    other = read_store_journals(copy)[epoch].splitlines()
    assert other[:20] == lines[:20]
    assert other != lines
    continued(core, epoch, lines[:20], lines[20:])
    continued(core, epoch, lines[:20], other[20:])
    found = compare(core, {"t1": [path, copy]})
    assert found.problems == ()
    assert found.copies == {"t1"}
    assert any("nobody has branch 1" in each for each in compare(core, {"t1": [path]}).problems)


def _shorten(path: Path, lines: int) -> None:
    with Store.open(path, ManualClock()) as store:
        store._connection.execute("DELETE FROM entries WHERE seq >= ?", (lines,))
        store._write_state(store.matches()[0].id, None, None, lines - 1)


def _go_on(path: Path) -> None:
    with Store.open(path, ManualClock()) as store:
        match = SimulatedMatch.resume(store, store.matches()[0].id, GAMES, Random(99))
        while not match.step():
            pass
