"""Corrected misreadings are saved with picture and true value, without disturbing the match."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.clock import ManualClock
from companion.games.registry import GAMES
from companion.journal.database import StoreDamaged
from companion.journal.store import Store
from companion.table.matches import Matches
from companion.table.misreads import MANIFEST_FILE, Misread, Misreads, run_in_thread
from companion.table.session import Session
from tests.table.readings import ScriptedReader, ball, doubtful, pips, seen, strange
from tests.table.sample_match import sample_header, until_ball, until_duel
from vision.roll import Doubt, Face, RollRequest

HEADER = sample_header()


def at_once(work: Callable[[], None]) -> None:
    work()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "matches.sqlite", ManualClock()) as opened:
        yield opened


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "misreads"


class Table:
    """A match in which dice are awaited, with a folder for misreadings."""

    def __init__(self, store: Store, folder: Path, events: list[dict[str, Any]]) -> None:
        self.reader = ScriptedReader()
        self.folder = folder
        misreads = Misreads(folder, {"tapis-vert": "1"}, run_task=at_once)
        self.session: Session = Matches(store, GAMES, misreads).start("footclub", HEADER, self.reader)
        for fields in events:
            self.session.record(fields)

    def show(self, *dice: Any, again: bool = False) -> None:
        self.reader.coming.append(seen(*dice, again=again))
        self.session.poll()

    def answer(self, answer: Face | int) -> None:
        assert self.session.dice.question is not None
        self.session.answer(answer)

    @property
    def cases(self) -> list[dict[str, Any]]:
        manifest = self.folder / MANIFEST_FILE
        return [json.loads(line) for line in manifest.read_text().splitlines()] if manifest.exists() else []

    @property
    def values(self) -> list[list[int]]:
        return [sorted(die["value"] for die in case["dice"]) for case in self.cases]


@pytest.fixture
def duel(store: Store, folder: Path) -> Table:
    return Table(store, folder, until_duel(HEADER))


def test_an_answer_other_than_the_best_guess_is_kept_with_its_picture(duel: Table) -> None:
    duel.show(pips(3), doubtful(4, 2, x=200))
    duel.answer(Face(2))
    (case,) = duel.cases
    assert (duel.folder / case["image"]).read_bytes() == b"tray"
    assert (case["set"], case["count"], case["versions"]) == ("footclub", 2, {"tapis-vert": "1"})
    assert [(die["kind"], die["value"], die["box"]) for die in case["dice"]] == [
        ("pips", 3, [100, 100, 40, 40]),
        ("pips", 2, [200, 100, 40, 40]),
    ]
    assert [(die["value"], die["doubt"]) for die in case["read"]] == [(3, None), (4, "face")]


def test_the_best_guess_confirmed_is_no_misreading(duel: Table) -> None:
    duel.show(pips(3), doubtful(4, 2, x=200))
    duel.answer(Face(4))
    assert duel.cases == []


def test_a_question_without_end_keeps_nothing(duel: Table) -> None:
    """The die is thrown again before the second question is answered."""
    duel.show(doubtful(6, 4), doubtful(1, 6, x=200))
    duel.answer(Face(4))
    assert duel.session.dice.question is not None
    duel.show(pips(1, x=400), pips(5, x=300), again=True)
    assert duel.session.ledger.events[-1].fields["dice"] == [1, 5]
    assert duel.cases == []


def test_what_a_player_calls_no_die_is_not_in_the_truth(store: Store, folder: Path) -> None:
    table = Table(store, folder, until_duel(HEADER))
    table.show(pips(6), doubtful(3, 5, x=200), pips(2, x=300))
    question = table.session.dice.question
    assert question is not None
    if question.kind == "extra":
        table.answer(1)
        assert table.cases == []
    else:
        table.answer(question.index)
        assert table.values == [[2, 6]]


def test_a_foreign_thing_beside_the_dice_is_no_part_of_the_truth(duel: Table) -> None:
    duel.show(strange())
    duel.show(strange(), pips(3), doubtful(4, 2, x=200), again=True)
    duel.answer(Face(2))
    assert duel.values == [[2, 3]]


def test_a_corrected_throw_is_kept(duel: Table) -> None:
    duel.show(pips(6), pips(3, x=200))
    line = duel.session.timeline()[-1].line
    duel.session.correct(line, {"event": "roll", "dice": [6, 5]})
    (case,) = duel.cases
    assert duel.values == [[5, 6]]
    assert [die["box"] for die in case["dice"]] == [[100, 100, 40, 40], [200, 100, 40, 40]]
    assert case["image"] == f"{duel.session.match_id}-{line}.jpg"
    duel.session.correct(line, {"event": "roll", "dice": [6, 4]})
    assert duel.values == [[4, 6]]
    duel.session.correct(line, {"event": "roll", "dice": [3, 6]})
    assert duel.cases == []
    assert [path.name for path in duel.folder.iterdir()] == [MANIFEST_FILE]


def test_the_ball_corrected_is_kept_by_its_colour(store: Store, folder: Path) -> None:
    table = Table(store, folder, until_ball(HEADER))
    table.show(ball("orange"))
    table.session.correct(table.session.timeline()[-1].line, {"event": "ball", "colour": "red"})
    (case,) = table.cases
    assert [(die["kind"], die["colour"]) for die in case["dice"]] == [("ball", "red")]


def test_dice_in_another_order_were_not_misread(duel: Table) -> None:
    duel.show(pips(6), pips(3, x=200))
    duel.session.correct(duel.session.timeline()[-1].line, {"event": "roll", "dice": [3, 6]})
    assert duel.cases == []


def test_dice_told_by_touch_have_no_picture_to_keep(duel: Table) -> None:
    duel.session.record({"event": "roll", "dice": [6, 3]})
    duel.session.correct(duel.session.timeline()[-1].line, {"event": "roll", "dice": [6, 5]})
    assert duel.cases == []


def test_a_correction_stands_though_its_picture_cannot_be_had(duel: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    duel.show(pips(6), pips(3, x=200))

    def broken(match: str, line: int) -> None:
        raise StoreDamaged("damaged", Path("matches.sqlite"), reason="a bad sector")

    monkeypatch.setattr(Store, "pictures", lambda self, match, line: broken(match, line))
    duel.session.correct(duel.session.timeline()[-1].line, {"event": "roll", "dice": [6, 5]})
    assert duel.session.ledger.events[-1].fields["dice"] == [6, 5]
    assert duel.cases == []


def some_misread(name: str) -> Misread:
    return Misread(name, b"picture", (640, 480), (), (), RollRequest("pips"))


def test_the_oldest_go_beyond_the_most(folder: Path) -> None:
    misreads = Misreads(folder, {}, max_cases=3, run_task=at_once)
    for name in "abcde":
        misreads.save(some_misread(name))
    cases = [json.loads(line)["image"] for line in (folder / MANIFEST_FILE).read_text().splitlines()]
    assert cases == ["c.jpg", "d.jpg", "e.jpg"]
    assert sorted(path.name for path in folder.iterdir()) == ["c.jpg", "cases.jsonl", "d.jpg", "e.jpg"]


def test_a_spoilt_line_is_dropped_and_the_rest_kept(folder: Path) -> None:
    misreads = Misreads(folder, {}, run_task=at_once)
    misreads.save(some_misread("a"))
    with (folder / MANIFEST_FILE).open("ab") as manifest:
        manifest.write(b'{"image": "b.j')
    misreads.save(some_misread("c"))
    assert [json.loads(line)["image"] for line in (folder / MANIFEST_FILE).read_text().splitlines()] == [
        "a.jpg",
        "c.jpg",
    ]


@pytest.mark.parametrize("blocked", ["picture", "manifest"])
def test_a_full_disk_is_logged_and_leaves_nothing_half_written(
    folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, blocked: str
) -> None:
    misreads = Misreads(folder, {}, run_task=at_once)
    misreads.save(some_misread("a"))
    write = os.fsync

    def full(handle: int) -> None:
        name = Path(f"/proc/self/fd/{handle}").readlink().name
        if (MANIFEST_FILE in name) is (blocked == "manifest"):
            raise OSError(28, "No space left on device")
        write(handle)

    monkeypatch.setattr(os, "fsync", full)
    misreads.save(some_misread("b"))
    assert sorted(path.name for path in folder.iterdir()) == ["a.jpg", "cases.jsonl"]
    assert [json.loads(line)["image"] for line in (folder / MANIFEST_FILE).read_text().splitlines()] == ["a.jpg"]
    assert "No space left" in caplog.text


def test_a_folder_that_cannot_be_made_is_logged(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    folder.write_text("a file")
    Misreads(folder, {}, run_task=at_once).save(some_misread("a"))
    assert "was not kept" in caplog.text


def test_the_writing_is_done_in_another_thread() -> None:
    import threading

    where: list[str] = []
    done = threading.Event()

    def work() -> None:
        where.append(threading.current_thread().name)
        done.set()

    run_in_thread(work)
    assert done.wait(10)
    assert where == ["misreads"]


def test_a_die_that_was_cocked_is_told_too(duel: Table) -> None:
    duel.show(pips(3), doubtful(4, 2, x=200, why=Doubt.COCKED))
    duel.answer(Face(1))
    assert duel.values == [[1, 3]]


@pytest.mark.parametrize("line", [b'{"image": "\xff.jpg"}', b"\xff\xfe", b"[" * 20_000])
def test_a_damaged_line_of_the_manifest_keeps_no_new_case_out(folder: Path, line: bytes) -> None:
    folder.mkdir()
    good = b'{"image": "old.jpg"}'
    (folder / MANIFEST_FILE).write_bytes(line + b"\n" + good + b"\n")
    new = Misread("new", b"jpeg", (640, 480), (), (), RollRequest("pips", ()))
    Misreads(folder, {}, run_task=at_once).save(new)
    cases = [json.loads(each) for each in (folder / MANIFEST_FILE).read_bytes().splitlines()]
    assert [case["image"] for case in cases] == ["old.jpg", "new.jpg"]
