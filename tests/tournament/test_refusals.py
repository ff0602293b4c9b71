"""Refusals and questions have sentences in both languages; plans and facts round-trip."""

from __future__ import annotations

import ast
from typing import get_args

import pytest

from companion.games.base import Refusal
from companion.language import LANGUAGES, Language, messages
from companion.tournament import facts as fa
from companion.tournament import planning
from companion.tournament.progress import OrganiserQuestion, question_text
from companion.tournament.rules import replay_facts
from tests.tournament import plans
from tests.tournament.playing import refused, started, with_facts
from tests.tracked import ROOT, modules, tree

PLANS = [
    plans.round_robin("R", "nba", legs=2),
    plans.footclub_league("L"),
    plans.swiss("S", "hoops21", 5),
    plans.knock_out("K", "footclub", legs=2),
    plans.double_knock_out("D", "occasion", reset=False),
    plans.groups_then_knock_out("G", "footclub", 4, 2),
    plans.nba_legacy("T", (2, 3, 5)),
]


def reasons() -> set[str]:
    return {
        node.args[0].value
        for path in modules("companion")
        if "tournament" in path.parts and (ROOT / path).is_file()
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "refusal"
        and isinstance(node.args[0], ast.Constant)
    }


@pytest.mark.parametrize("code", LANGUAGES)
def test_each_reason_and_each_question_has_its_sentence_and_no_sentence_is_idle(code: str) -> None:
    kinds = set(get_args(OrganiserQuestion.__annotations__["kind"])) or {
        "drawn",
        "corrected",
        "qualified",
        "level",
        "redraw",
    }
    choices = {"home", "away", "keep", "replay", "redraw", "order", "lot"}
    used = {f"tournament.refusal.{reason}" for reason in reasons()}
    used |= {f"tournament.question.{kind}" for kind in kinds} | {f"tournament.choice.{each}" for each in choices}
    ours = ("tournament.refusal.", "tournament.question.", "tournament.choice.")
    assert {id for id in messages(code) if id.startswith(ours)} == used


def test_a_question_and_a_refusal_speak() -> None:
    french = Language("fr")
    redraw = OrganiserQuestion("x", "redraw", "3", (), ())
    assert french.text(question_text(started(PLANS[2], 4), redraw)).startswith("Ronde 3")
    with pytest.raises(Refusal) as caught:
        replay_facts(PLANS[0], [fa.Enter("a", "A"), fa.Enter("a", "B")])
    assert french.text(caught.value.message) == "«\u00a0A\u00a0» est déjà inscrit."


@pytest.mark.parametrize("plan", PLANS, ids=lambda plan: plan.name)
def test_plans_are_read_as_they_are_printed(plan: object) -> None:
    assert planning.parse(planning.to_json(plan)) == plan  # type: ignore[arg-type]


BAD_PLANS = [
    ({"tournament": 2}, "not_a_plan"),
    ({"tournament": True}, "not_a_plan"),
    ({"name": "\n"}, "bad_field"),
    ({"date": "2026-6-1"}, "bad_field"),
    ({"date": "2026-02-30"}, "bad_field"),
    ({"start": "25:00"}, "bad_field"),
    ({"game": "chess"}, "bad_field"),
    ({"colour": "red"}, "unknown_field"),
    ({"stages": []}, "no_stage"),
    ({"stages": [{"kind": "swiss"}]}, "swiss_rounds"),
    ({"stages": [{"kind": "swiss", "rounds": 3, "groups": 2}]}, "groups_of_round_robin"),
    ({"stages": [{"kind": "double_knock_out", "legs": 2}]}, "legs_of_double"),
    ({"stages": [{"kind": "knock_out", "thresholds": [3, 2]}]}, "thresholds_fall"),
    ({"stages": [{"kind": "round_robin"}, {"kind": "knock_out"}]}, "stage_advances_nobody"),
    ({"stages": [{"kind": "round_robin", "advance": 2}, {"kind": "round_robin"}]}, "later_stage_is_bracket"),
    ({"stages": [{"kind": "round_robin", "chain": ["luck"]}]}, "bad_field"),
    ({"stages": [{"kind": "round_robin", "points": {"win": True}}]}, "bad_field"),
]


@pytest.mark.parametrize(("change", "reason"), BAD_PLANS)
def test_a_bad_plan_is_refused_with_its_reason(change: dict[str, object], reason: str) -> None:
    good = {"tournament": 1, "name": "T", "game": "footclub", "stages": [{"kind": "round_robin"}]}
    assert planning.parse(good).stages[0].points.win == 3
    with pytest.raises(Refusal) as caught:
        planning.parse({**good, **change})
    assert caught.value.rule == reason


FACTS: list[fa.Fact] = [
    fa.Enter("a", "Ä b", 3, "B", "Phare FC"),
    fa.Edit("a", "Ä c", 4, "Huppes 08"),
    fa.Withdraw("a", "malade"),
    fa.Readmit("a"),
    fa.Start(),
    fa.Draw(1, (("a", "b"), ("c", "d")), "e", by_hand=True),
    fa.Seed(2, ("a", "b")),
    fa.Swap(2, "a", "b", "même club"),
    fa.Undraw(2, "deux absents"),
    fa.Unseed(2),
    fa.Unstart("trop tôt"),
    fa.Call("m", 3, 100),
    fa.Uncall("m"),
    fa.Table(2, False),
    fa.Result("m", "a", "b", (1, 1), None, "draw", 5, {"booked": ["x"]}),
    fa.Correct("m", "a", "b", (1, 0), "home", "goals", 5, None, "relu"),
    fa.Forfeit("m", "away", 3, "absent"),
    fa.DoubleForfeit("m"),
    fa.Annul("m"),
    fa.Rule("q", "order", ("a", "b")),
    fa.Keep("m", "a", "P1", 2, "T1", 3),
]


@pytest.mark.parametrize("fact", FACTS, ids=lambda fact: type(fact).__name__)
def test_facts_are_read_as_they_are_printed(fact: fa.Fact) -> None:
    assert fa.parse({**fa.to_json(fact), "at": "2026-01-01T10:00:00", "note": ""}) == fact
    assert {type(each) for each in FACTS} == set(fa.FACT_TYPES.values())


@pytest.mark.parametrize(
    ("told_as", "reason"),
    [
        ({"event": "dance"}, "unknown_event"),
        ({}, "unknown_event"),
        ({"event": "enter", "entry": "a"}, "missing_field"),
        ({"event": "enter", "entry": "-", "name": "A"}, "bad_field"),
        ({"event": "enter", "entry": "a b", "name": "A"}, "bad_field"),
        ({"event": "start", "now": True}, "unknown_field"),
        ({"event": "call", "match": "m", "table": 1, "clock": None}, "bad_field"),
        ({"event": "result", "match": "m", "home": "a", "away": "b", "score": [1]}, "bad_field"),
        ({"event": "result", "match": "m", "home": "a", "away": "b", "score": [1, -1]}, "bad_field"),
        ({"event": "forfeit", "match": "m", "side": "both"}, "bad_field"),
    ],
)
def test_a_bad_fact_is_refused_with_its_reason(told_as: dict[str, object], reason: str) -> None:
    with pytest.raises(Refusal) as caught:
        fa.parse(told_as)
    assert caught.value.rule == reason


def test_entries_and_start_refuse_what_cannot_be() -> None:
    plan = plans.swiss("S", "hoops21", 1)
    state = started(plan, 4)
    assert refused(state, fa.Enter("e1", "X")) == "entry_twice"
    assert refused(state, fa.Enter("x", "E1")) == "name_twice"
    assert refused(state, fa.Withdraw("x")) == "unknown_entry"
    assert refused(state, fa.Readmit("e1")) == "not_withdrawn"
    assert refused(state, fa.Start()) == "started_already"
    assert refused(with_facts(state, fa.Withdraw("e1")), fa.Withdraw("e1")) == "withdrawn_already"
    assert refused(state, fa.Seed(2, ("e1", "e2"))) == "no_such_stage"
    assert refused(state, fa.Uncall("s1-r1-1")) == "unknown_match"
    assert refused(state, fa.DoubleForfeit("s1-r1-1")) == "unknown_match"
