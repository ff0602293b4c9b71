"""Tests of the table page's logic without a screen: placement of choices, prompts, percentages, rulers."""

from __future__ import annotations

from fractions import Fraction

import pytest

from companion.app.figures.table import runs
from companion.app.prompts.flow import CountSelection, Flow, PickSelection
from companion.app.screens.table_state import choices_of, dice_due, menu_choices, plan_edge, primary_choice
from companion.games.base import Choice, Decision, DiceRequest, DisabledReason, Message, Option, Prompt
from companion.games.figures import RulerCell

WORD = Message("common.literal", {"text": "x"})
NOT_NOW = DisabledReason("FC-1.1", WORD)


def choice(name: str, prominence: int = 2, **more: object) -> Choice:
    return Choice({"event": name}, Message(name), "blue", prominence=prominence, **more)


def option(value: object, **more: object) -> Option:
    return Option(value, WORD, **more)


def test_neighbouring_totals_of_one_kind_are_put_together():
    fouls = [RulerCell(2, "foul", "1/36", "blue"), RulerCell(3, "foul", "2/36", "blue")]
    found = runs([*fouls, RulerCell(4, "success", "3/36")])
    assert [(run.result, run.totals, run.chance) for run in found] == [
        ("foul", (2, 3), Fraction(1, 12)),
        ("success", (4,), Fraction(1, 12)),
    ]


def test_choices_stand_in_rank_order_and_the_first_legal_one_is_filled():
    disabled = choice("c", 1, disabled_reason=NOT_NOW)
    plan = plan_edge([choice("a", 3), disabled, choice("b", 1)], 4)
    assert [visible.event["event"] for visible in plan.visible] == ["c", "b", "a"]
    assert primary_choice(plan).event["event"] == "b"
    assert plan.more == ()


def test_more_than_fit_are_folded_away_the_barred_ones_first():
    disabled = choice("barred", 1, disabled_reason=NOT_NOW)
    plan = plan_edge([choice("a", 1), disabled, choice("b"), choice("c"), choice("d", 3)], 4)
    assert [visible.event["event"] for visible in plan.visible] == ["a", "b", "c"]
    assert {more.event["event"] for more in plan.more} == {"barred", "d"}


def test_choices_of_the_menu_stand_at_no_edge():
    decision = Decision(WORD, choices=(choice("forfeit", menu=True), choice("a")))
    assert [found.event["event"] for found in choices_of(decision, "blue")] == ["a"]
    assert [found.event["event"] for found in menu_choices(decision)] == ["forfeit"]


def test_only_dice_thrown_first_are_due_now():
    decision = Decision(WORD, dice=(DiceRequest("red", "pips", 1, 0), DiceRequest("blue", "pips", 1, 1)))
    assert (dice_due(decision, "red"), dice_due(decision, "blue")) == (1, 0)


def test_the_last_answer_makes_the_event():
    mode = Prompt("pick", "mode", WORD, (option("regular"), option("aggressive")), suggested="aggressive")
    place = Prompt("place", "section", WORD, (option("dm_l"), option("dm_r")))
    flow = Flow(choice("tackle", prompts=(mode, place)))
    assert flow.switches == (mode,)
    assert flow.switch_value(mode) == "aggressive"
    flow.set_switch(mode, "regular")
    assert flow.prompt is place
    flow.answer("dm_r")
    assert flow.prompt is None
    assert flow.fields() == {"event": "tackle", "mode": "regular", "section": "dm_r"}


def test_a_line_up_gives_all_its_fields_and_an_optional_ask_may_be_left_out():
    team = Prompt("lineup", "lineup", WORD)
    cards = Prompt("counts", "cards", WORD, optional=True)
    flow = Flow(choice("team_sheet", prompts=(team, cards)))
    flow.answer({"lineup": {"fb": []}, "captain": "x"})
    flow.skip()
    assert flow.fields() == {"event": "team_sheet", "lineup": {"fb": []}, "captain": "x"}


def test_what_must_be_answered_cannot_be_left_out():
    flow = Flow(choice("a", prompts=(Prompt("count", "n", WORD, maximum=3),)))
    with pytest.raises(ValueError, match="n must be answered"):
        flow.skip()


def test_picks_come_in_their_order_and_may_be_taken_back():
    first, second, third = option("a"), option(["b", "c"]), option("d", disabled_reason=NOT_NOW)
    picking = PickSelection(Prompt("pick", "players", WORD, (first, second, third), pick_count=2))
    picking.tap(third)
    picking.tap(first)
    picking.tap(first)
    assert picking.picked == ()
    picking.tap(second)
    picking.tap(first)
    assert picking.is_full
    assert picking.answer() == [["b", "c"], "a"]


def test_an_option_may_be_picked_as_often_as_it_says():
    twice = option("tackle", maximum=2)
    picking = PickSelection(Prompt("pick", "cards", WORD, (twice, option("pressing")), pick_count=3))
    picking.tap(twice)
    picking.tap(twice)
    assert picking.count(twice) == 2
    assert not picking.can_pick(twice)


def test_a_single_pick_is_a_plain_value():
    only = option("a")
    picking = PickSelection(Prompt("pick", "player", WORD, (only,)))
    picking.tap(only)
    assert picking.answer() == "a"


def test_where_players_say_when_it_is_enough_the_answer_is_a_list():
    cards = tuple(option(id) for id in ("a", "b", "c"))
    picking = PickSelection(Prompt("pick", "paid", WORD, cards, minimum=1, maximum=2, suggested=["b", "x"]))
    assert picking.picked == ("b",)
    picking.tap(cards[1])
    assert not picking.has_enough
    picking.tap(cards[2])
    assert picking.has_enough
    assert picking.answer() == ["c"]
    picking.tap(cards[0])
    assert picking.is_full
    picking.tap(cards[1])
    assert picking.answer() == ["c", "a"]


def test_an_ask_for_one_or_more_is_no_switch():
    several = Prompt("pick", "discard", WORD, (option("a"),), minimum=1, maximum=3)
    flow = Flow(choice("a", prompts=(several, Prompt("count", "n", WORD, maximum=3))))
    assert flow.prompt == several


def test_an_ask_may_depend_on_the_answers_before_it():
    class Doubled:
        def with_answers(self, answers):
            return Prompt("count", "m", WORD, maximum=2 * answers["n"])

    flow = Flow(
        choice("a", prompts=(Prompt("count", "n", WORD, maximum=3), Prompt("count", "m", WORD, data=Doubled())))
    )
    flow.answer(3)
    assert flow.prompt.maximum == 6
    flow.answer(5)
    assert flow.fields() == {"event": "a", "n": 3, "m": 5}


def test_counts_stay_within_their_limits_and_the_total():
    most_two, free = option("tackle", maximum=2), option("pressing")
    counting = CountSelection(Prompt("counts", "cards", WORD, (most_two, free), total=4))
    for _ in range(5):
        counting.step(most_two, 1)
    assert counting.counts["tackle"] == 2
    assert counting.missing == 2
    for _ in range(5):
        counting.step(free, 1)
    assert counting.missing == 0
    counting.step(free, -1)
    assert counting.answer() == {"tackle": 2, "pressing": 1}


def test_what_ends_the_match_for_both_is_in_the_menu_not_in_the_middle():
    over = Choice({"event": "over"}, WORD, needs_long_press=True)
    ruling = Choice({"event": "ruling"}, WORD, menu=True)
    turn = choice("turn", needs_long_press=True)
    decision = Decision(WORD, choices=(over, ruling, turn))
    assert choices_of(decision, None) == ()
    assert menu_choices(decision) == (over, ruling)
    assert choices_of(decision, "blue") == (turn,)
