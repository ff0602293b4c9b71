"""Conversion of dice into events without needless questions and without guesses."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.footclub import FOOTCLUB
from companion.table import throws
from tests.table.readings import ball, doubtful, pips, roll, strange
from tests.table.sample_match import ledger_of, sample_header, until_ball, until_duel, until_shot
from vision.roll import DieReading, Doubt

HEADER = sample_header()


def verdict(events: list[dict[str, Any]], *dice: DieReading, ordered: bool = False) -> throws.Verdict:
    state = ledger_of(HEADER, events).state
    return throws.judge(FOOTCLUB, state, FOOTCLUB.decision(state), dice, ordered=ordered)


def recorded(events: list[dict[str, Any]], *dice: DieReading) -> dict[str, Any]:
    found = verdict(events, *dice)
    assert isinstance(found, throws.Recordable), found
    return dict(found.fields)


def test_two_certain_dice_are_the_roll_of_a_tackle() -> None:
    assert recorded(until_duel(HEADER), pips(5), pips(4, x=200)) == {"event": "roll", "dice": [5, 4]}


def test_the_ball_is_rolled_before_a_half() -> None:
    assert recorded(until_ball(HEADER), ball("violet")) == {"event": "ball", "colour": "violet"}


def test_one_die_is_the_defence_die_of_a_shot() -> None:
    assert recorded(until_shot(HEADER), pips(3)) == {"event": "shot", "defence": 3}


def test_the_second_die_of_a_shot_is_the_attack_die() -> None:
    events = [*until_shot(HEADER), {"event": "shot", "defence": 3}]
    assert recorded(events, pips(6)) == {"event": "shot", "attack": 6}


def test_nobody_is_asked_when_every_reading_ends_alike() -> None:
    """FC-7.3: with a 6 on the other die, 4 and 5 both win the tackle."""
    found = verdict(until_duel(HEADER), pips(6), doubtful(5, 4, x=200))
    assert found == throws.Recordable({"event": "roll", "dice": [6, 5]}, is_doubtful=True)


def test_the_face_is_asked_when_it_decides() -> None:
    """FC-7.3: 3 and 4 make 7, 3 and 2 do not."""
    assert verdict(until_duel(HEADER), pips(3), doubtful(4, 2, x=200)) == throws.AskFace(1)


def test_a_die_without_a_likely_face_may_show_any() -> None:
    assert verdict(until_duel(HEADER), pips(3), doubtful(x=200, why=Doubt.HIDDEN)) == throws.AskFace(1)


def test_a_die_still_moving_is_waited_for() -> None:
    found = verdict(until_duel(HEADER), pips(3), doubtful(4, 2, x=200, why=Doubt.BLURRED))
    assert isinstance(found, throws.NoEvent)
    assert found.reason.id == "table.still_moving"


@pytest.mark.parametrize(
    ("dice", "reason"),
    [
        ((pips(3),), "table.dice_missing"),
        ((ball("red"), pips(2, x=200)), "table.wrong_kind"),
        ((), "table.no_new_dice"),
    ],
)
def test_dice_that_do_not_fit_record_nothing(dice: tuple[DieReading, ...], reason: str) -> None:
    found = verdict(until_duel(HEADER), *dice)
    assert isinstance(found, throws.NoEvent)
    assert found.reason.id == reason


def test_a_foreign_object_is_named() -> None:
    found = verdict(until_duel(HEADER), pips(3), DieReading("foreign", pips(1).face, (0, 0, 9, 9), 0.3, Doubt.FOREIGN))
    assert isinstance(found, throws.NoEvent)
    assert found.reason.id == "table.foreign_die"


def test_something_strange_is_never_counted_as_a_die() -> None:
    """A defence die of 6 saves against any attack die; but no attack die was thrown."""
    weak = [*until_shot(HEADER)[:-2]]
    assert FOOTCLUB.view(ledger_of(HEADER, weak).state)["offensive"]["final"] == -4
    assert verdict(weak, pips(6), strange()) == throws.AskExtra()


def test_a_doubtful_die_that_need_not_be_one_is_asked_about() -> None:
    weak = [*until_shot(HEADER)[:-2]]
    assert verdict(weak, pips(6), doubtful(5, 3, x=200)) == throws.AskFace(1, may_be_no_die=True)


def test_one_die_too_many_is_asked_about() -> None:
    assert verdict(until_duel(HEADER), pips(3), pips(4, x=200), pips(6, x=300)) == throws.AskExtra()


def test_dice_nobody_awaits_do_not_count() -> None:
    events = [*until_duel(HEADER), {"event": "roll", "dice": [6, 5]}]
    found = verdict(events, pips(3), pips(4, x=200))
    assert isinstance(found, throws.NoEvent)
    assert found.reason.id == "table.dice_not_awaited"


def test_both_dice_of_a_shot_at_once_are_asked_apart_when_it_matters() -> None:
    assert verdict(until_shot(HEADER), pips(1), pips(6, x=200)) == throws.AskWhose()


def test_both_dice_of_a_shot_in_the_order_said() -> None:
    found = verdict(until_shot(HEADER), pips(1), pips(6, x=200), ordered=True)
    assert found == throws.Recordable({"event": "shot", "defence": 1, "attack": 6})


def test_equal_dice_of_a_shot_belong_to_either_side() -> None:
    found = verdict(until_shot(HEADER), pips(4), pips(4, x=200))
    assert found == throws.Recordable({"event": "shot", "defence": 4, "attack": 4})


class TestSplitFresh:
    def test_dice_that_did_not_move_are_old(self) -> None:
        on_table = (pips(4, x=100), pips(2, x=300))
        assert throws.split_new_dice(on_table, roll(pips(4, x=103), pips(2, x=300), pips(6, x=500), again=True)) == (
            (2,),
            (0, 1),
        )

    def test_a_die_with_another_face_in_the_same_place_is_new(self) -> None:
        assert throws.split_new_dice((pips(4),), roll(pips(5), again=True)) == ((0,), ())

    def test_a_nudged_roll_is_old(self) -> None:
        on_table = (pips(4, x=100), pips(2, x=300))
        assert throws.split_new_dice(on_table, roll(pips(2, x=330), pips(4, x=140), again=True)) == ((), (0, 1))

    def test_a_new_throw_without_a_cleared_tray_is_new(self) -> None:
        on_table = (pips(4, x=100), pips(2, x=300))
        moved = roll(pips(4, x=400, y=300), pips(2, x=200, y=250), again=True)
        assert throws.split_new_dice(on_table, moved) == ((0, 1), ())

    def test_a_die_knocked_away_by_the_one_thrown_in_is_known_by_its_body(self) -> None:
        knocked = roll(pips(6, x=300, body="red"), pips(3, x=100), again=True)
        assert throws.split_new_dice((pips(6, body="red"),), knocked) == ((1,), (0,))

    def test_a_knocked_die_of_the_same_body_is_known_only_near_its_place(self) -> None:
        assert throws.split_new_dice((pips(6),), roll(pips(6, x=150), pips(3, x=300), again=True)) == ((1,), (0,))
        assert throws.split_new_dice((pips(6),), roll(pips(6, x=300), pips(3, x=100), again=True)) == ((0, 1), ())

    def test_when_just_the_dice_due_lie_there_none_of_them_was_pushed(self) -> None:
        on_table = (pips(5, x=100), pips(5, x=300))
        thrown = roll(pips(5, x=150), pips(5, x=400, y=250), again=True)
        assert throws.split_new_dice(on_table, thrown, due=2) == ((0, 1), ())
