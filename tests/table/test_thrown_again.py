"""Rerolls of some dice at a real table: the unmoved dice count together with the new ones."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from companion.clock import SystemClock
from companion.games.hoops21 import HOOPS21
from companion.journal.store import Store
from companion.table.matches import Matches
from companion.table.session import Session
from tests.games.hoops21.kit import dice, header
from tests.table.readings import ScriptedReader, seen
from vision.roll import CameraState, DieReading, Face, Note


def team(side: str, letters: str, y: float) -> list[DieReading]:
    return [
        DieReading(side, Face(symbol=symbol), (80.0 * index, y, 40, 40), 0.99, possible=((Face(symbol=symbol), 0.99),))
        for index, symbol in enumerate(dice(letters))
    ]


@pytest.fixture
def tied(tmp_path: Path) -> Iterator[Session]:
    """Start an advanced match with three alike on both sides; white holds the token, and the dice are in the tray."""
    reader = ScriptedReader()
    on_table = team("orange", "sssbpf", 0) + team("white", "pppbsf", 300)
    with Store.open(tmp_path / "m.sqlite", SystemClock()) as store:
        session = Matches(store, {"hoops21": HOOPS21}).start("hoops21", header(advanced_token=True), reader)
        session.record({"event": "jump_ball", "orange": dice("bbbppp"), "white": dice("bppppp")})
        reader.coming = [CameraState(True), seen(*on_table)]
        session.poll()
        assert session.state.phase == "tie"
        yield session


def see(session: Session, on_table: list[DieReading]) -> None:
    session.handle_news(seen(*on_table, again=True))


def test_the_dice_that_stay_count_with_the_new_ones(tied: Session) -> None:
    """White rerolls its S and its free throw and gets two passes: five alike beat three."""
    white = team("white", "pppbpp", 300)
    moved = [replace(die, box=(die.box[0], 200.0, 40, 40)) for die in white[4:]]
    see(tied, team("orange", "sssbpf", 0) + white[:4] + moved)
    newest = tied.ledger.newest
    assert newest is not None
    assert (newest.fields["event"], newest.fields["by"]) == ("reroll", "camera")
    assert sorted(newest.fields["kept"]) == sorted(dice("pppb"))
    assert newest.fields["rolled"] == dice("pp")


def test_while_one_of_them_is_in_the_hand_nothing_is_recorded(tied: Session) -> None:
    before = tied.sequence
    white = team("white", "pppbp", 300)
    moved = replace(white[4], box=(320.0, 200.0, 40, 40))
    see(tied, [*team("orange", "sssbpf", 0), *white[:4], moved])
    assert tied.sequence == before
    assert tied.dice.notice is not None
    assert tied.dice.notice.id == "table.dice_missing"


def test_poor_light_is_told_with_what_was_read(tied: Session) -> None:
    white = team("white", "pppbp", 300)
    moved = replace(white[4], box=(320.0, 200.0, 40, 40))
    roll = seen(*team("orange", "sssbpf", 0), *white[:4], moved, again=True)
    message_ids = []
    tied.outputs.notify = lambda news: message_ids.append(news.text and news.text.id)  # type: ignore[method-assign,assignment]
    tied.handle_news(replace(roll, roll=replace(roll.roll, notes=(Note.POOR_LIGHT,))))
    assert message_ids.index("camera.poor_light") < message_ids.index("table.dice_missing")


def test_dice_read_anew_where_they_lie_are_no_throw(tied: Session) -> None:
    before = tied.sequence
    on_table = team("orange", "sssbpf", 0) + team("white", "pppbsf", 300)
    see(tied, on_table)
    assert tied.sequence == before
