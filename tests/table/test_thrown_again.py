"""Rerolls of some dice at a real table: the unmoved dice count together with the new ones."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from companion.clock import SystemClock
from companion.games.base import Choice
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


def reroll(session: Session, **kept: list[str]) -> Choice:
    """Choose a reroll by touch: the dice are awaited."""
    offered = [choice for choice in session.decision().choices if choice.throw is not None]
    advised = {"kept": offered[0].prompts[0].suggested}
    choice = replace(offered[0], event={**offered[0].event, **(kept or advised)})
    session.dice.arm(choice)
    return choice


def see(session: Session, on_table: list[DieReading]) -> None:
    session.handle_news(seen(*on_table, again=True))


def test_the_dice_that_stay_count_with_the_new_ones(tied: Session) -> None:
    """White rerolls its S and its free throw and gets two passes: five alike beat three."""
    reroll(tied, kept=dice("pppb"))
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
    reroll(tied)
    white = team("white", "pppbp", 300)
    moved = replace(white[4], box=(320.0, 200.0, 40, 40))
    see(tied, [*team("orange", "sssbpf", 0), *white[:4], moved])
    assert tied.sequence == before
    assert tied.dice.notice is not None
    assert tied.dice.notice.id == "table.dice_missing"


def test_poor_light_is_told_with_what_was_read(tied: Session) -> None:
    reroll(tied)
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


MOVED = (
    *team("white", "pppb", 300),
    *(replace(die, box=(die.box[0], 200.0, 40, 40)) for die in team("white", "ppppss", 0)[4:]),
)
"""White's dice after it threw its S and its free throw again: two S instead."""


def test_no_dice_are_awaited_before_a_choice(tied: Session) -> None:
    assert tied.decision().dice == ()
    assert tied.game.decision(tied.state).dice, "the game can use dice"


def test_dice_thrown_before_the_choice_are_asked_about(tied: Session) -> None:
    """A throw is never taken for the reroll: it would spend the token unasked."""
    before = tied.sequence
    see(tied, [*team("orange", "sssbpf", 0), *MOVED])
    question = tied.dice.question
    assert tied.sequence == before
    assert question is not None
    assert question.choice is not None
    assert (question.kind, question.side, question.choice.event["event"]) == ("consent", "white", "reroll")


def test_yes_counts_them_as_the_reroll(tied: Session) -> None:
    see(tied, [*team("orange", "sssbpf", 0), *MOVED])
    tied.confirm_choice()
    newest = tied.ledger.newest
    assert newest is not None
    assert newest.fields["event"] == "reroll"
    assert tied.state.token == "orange"


def test_no_leaves_the_choice_open(tied: Session) -> None:
    before = tied.sequence
    see(tied, [*team("orange", "sssbpf", 0), *MOVED])
    tied.dice.dismiss(all_dice=True)
    assert tied.dice.notice is not None
    assert tied.dice.notice.id == "table.not_counted"
    see(tied, [*team("orange", "sssbpf", 0), *MOVED])
    assert (tied.sequence, tied.dice.question) == (before, None), "the dice as they lie do not count"
    tied.record({"event": "token", "use": True})


def test_the_dice_of_both_teams_thrown_again_are_no_reroll(tied: Session) -> None:
    """Both teams throw all dice for the next throw out of habit."""
    before = tied.sequence
    see(tied, team("orange", "bbbbbb", 40) + team("white", "ssssss", 200))
    assert (tied.sequence, tied.dice.question) == (before, None)
    assert tied.dice.notice is not None
    assert tied.dice.notice.id == "table.choose_first"


def test_the_reroll_chosen_says_which_dice_are_thrown(tied: Session) -> None:
    """A die thrown again that shows its old face was thrown all the same."""
    choice = reroll(tied)
    kept, again = choice.event["kept"], tied.dice.dice_to_pick_up
    assert len(kept) + len(again) == 6
    assert [request.count for request in tied.decision().dice] == [6]
    same = [replace(die, box=(die.box[0], 200.0, 40, 40)) for die in team("white", "pppbsf", 300)]
    see(tied, [*team("orange", "sssbpf", 0), *same])
    newest = tied.ledger.newest
    assert newest is not None
    assert (newest.fields["kept"], len(newest.fields["rolled"])) == (kept, len(again))


def test_a_choice_taken_back_awaits_no_dice(tied: Session) -> None:
    reroll(tied)
    tied.dice.arm(None)
    assert tied.decision().dice == ()
    assert [choice.event["event"] for choice in tied.decision().choices if not choice.menu][:2] == ["token", "token"]


def test_the_reader_is_told_of_the_dice_that_stay(tied: Session) -> None:
    """With white dice alone announced, the reader took the orange dice that lay there for white ones."""
    reader = tied.dice.reader
    assert isinstance(reader, ScriptedReader)
    reroll(tied)
    assert dict(reader.requests[-1].kinds) == {"white": None, "orange": None}
