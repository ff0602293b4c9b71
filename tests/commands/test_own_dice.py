"""The table's own dice: what players confirm is asked once, saved, and used in the next match."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.clock import SystemClock
from companion.commands.own_dice import OwnDice, dice_memories, match_dice_set, table_dice_set
from companion.games.base import Die
from companion.games.nba import NBA
from companion.games.registry import GAMES
from companion.journal.store import Store
from companion.table.matches import Matches
from tests.table.readings import ScriptedReader
from vision import dice_sets
from vision.files import take_damaged_files
from vision.roll import CameraState, DieReading, Face, Roll, SeenRoll, Status

HEADER = {"journal": 1, "game": "nba", "sides": {"one": {"name": "A"}, "two": {"name": "B"}}}


def seen(*faces: Face) -> SeenRoll:
    dice = tuple(
        DieReading("interception", face, (90.0 * index, 0, 40, 40), 0.95, possible=((face, 0.95),))
        for index, face in enumerate(faces)
    )
    return SeenRoll(Roll(Status.OK, dice, ms=1.0, t=1.0), b"tray", tuple(b"die" for _ in dice))


def test_only_sets_with_open_colours_are_remembered(tmp_path: Path) -> None:
    assert set(dice_memories(GAMES, tmp_path)) == {"nba"}


def test_a_colour_is_asked_once_and_kept(tmp_path: Path) -> None:
    reader = ScriptedReader()
    reader.coming = [CameraState(True), seen(Face(4, "red"), Face(2, "blue"))]
    with Store.open(tmp_path / "m.sqlite", SystemClock()) as store:
        session = Matches(store, GAMES, memories=dice_memories(GAMES, tmp_path)).start("nba", HEADER, reader)
        session.poll()
        question = session.dice.question
        assert question is not None
        assert (question.index, question.candidates[0]) == (0, Face(4, "red"))
        assert set(question.candidates + question.others) >= {Face(4, "blue"), Face(4, "yellow")}
        session.answer(Face(4, "yellow"))
        assert [die["colour"] for die in session.ledger.events[-1].fields["dice"]] == ["yellow", "blue"]
        session.undo()
        reader.coming = [seen(Face(4, "yellow"), Face(2, "blue"))]
        session.poll()
        assert session.dice.question is None
        assert session.ledger.newest is not None
    assert Face(4, "yellow") in table_dice_set("nba", tmp_path).kind("interception").faces


def test_a_colour_refused_by_the_disk_is_written_with_the_next(tmp_path: Path) -> None:
    folder = tmp_path / "sets"
    folder.write_bytes(b"a file in place of the folder")
    memory = OwnDice(dice_sets.load("nba"), folder / "nba.toml")
    memory.confirm(Die("interception", 4, "red"))
    folder.unlink()
    memory.confirm(Die("interception", 4, "red"))
    assert Face(4, "red") in table_dice_set("nba", folder).kind("interception").faces


@pytest.mark.parametrize("content", [b"\xff", b"[kinds", b"#" * 2_000_000, b"kinds = 3"])
def test_a_damaged_file_is_set_aside_and_told(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "nba.toml").write_bytes(content)
    take_damaged_files()
    assert table_dice_set("nba", tmp_path) == dice_sets.load("nba")
    (damaged,) = take_damaged_files()
    assert damaged.path == tmp_path / "nba.toml"
    assert (tmp_path / "nba.toml.damaged").read_bytes() == content


def test_the_next_match_knows_the_colour(tmp_path: Path) -> None:
    memory = OwnDice(dice_sets.load("nba"), tmp_path / "nba.toml")
    assert memory.with_known_faces(HEADER) == HEADER
    memory.confirm(Die("interception", 4, "red"))
    state = NBA.initial_state(memory.with_known_faces(HEADER))
    assert NBA.view(state)["dice_set"]["unknown"] == 6
    assert Die("interception", 4, "blue") not in NBA.faces(state, "interception")


def test_a_header_that_tells_its_dice_is_left_alone() -> None:
    memory = OwnDice(dice_sets.load("nba"))
    memory.confirm(Die("stop", 1, "blue"))
    header = {**HEADER, "setup": {"dice_set": {"id": "mine"}}}
    assert memory.with_known_faces(header) == header


def test_a_spoilt_file_is_passed_over(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "nba.toml").write_text("[[[")
    assert table_dice_set("nba", tmp_path) == dice_sets.load("nba")
    assert "not known" in caplog.text


def test_the_reader_looks_for_the_faces_of_the_match() -> None:
    header = {**HEADER, "setup": {"dice_set": {"faces": {"inside": [0, 1, 1, 1, 1, 5]}}}}
    read = match_dice_set(NBA, NBA.initial_state(header), dice_sets.load("nba"))
    assert read.kind("inside").faces == (Face(0), Face(1), Face(5))


def test_what_is_known_is_counted_and_may_be_forgotten(tmp_path: Path) -> None:
    own = dice_memories(GAMES, tmp_path)["nba"]
    known, of = own.known_and_total
    die = Die("interception", 4, "yellow", None)
    assert known < of
    own.confirm(die)
    assert own.known_and_total == (known + 1, of)
    assert dice_memories(GAMES, tmp_path)["nba"].known_and_total == (known + 1, of)
    own.forget()
    assert own.known_and_total == (known, of)
    assert dice_memories(GAMES, tmp_path)["nba"].known_and_total == (known, of)
    own.forget()
    assert not own.is_confirmed(die)
