"""Refusals in plain words: names, "A – B", valid values of a field; invisible characters in input are rejected."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest

from companion.games.base import Fields, Refusal
from companion.language import LANGUAGES, Language, messages
from companion.tournament import facts as fa
from companion.tournament import planning, validation
from companion.tournament.facts import TournamentState, initial_state
from companion.tournament.rules import decide
from companion.tournament.values import Plan, Stage
from tests.tournament import plans
from tests.tournament.playing import ready, started, with_facts

PLAN = {"tournament": 1, "name": "T", "game": "footclub", "stages": [{"kind": "round_robin"}]}


def english(refusal: Refusal | None) -> str:
    assert refusal is not None
    return Language("en").text(refusal.message)


def of_reading(event: Fields) -> str:
    with pytest.raises(Refusal) as caught:
        fa.parse(event)
    return english(caught.value)


def test_a_field_that_does_not_fit_says_what_would() -> None:
    for change, sentence in (
        (
            {"name": "x" * 201},
            "Plan of the tournament: “name” must be a text of 1 to 200 characters, all of them visible.",
        ),
        ({"tables": 0}, "Plan of the tournament: “number of tables” must be a whole number from 1 to 1000."),
        (
            {"stages": [{"kind": "swiss", "rounds": 65}]},
            "Stage 1: “number of rounds” must be a whole number from 0 to 64.",
        ),
    ):
        with pytest.raises(Refusal) as caught:
            planning.parse({**PLAN, **change})
        assert english(caught.value) == sentence
    result = {"event": "result", "match": "m", "home": "a", "away": "b"}
    assert of_reading({**result, "score": [1]}) == "Result: “score” must be a list of 2 values."
    assert of_reading({**result, "score": [-1, 0]}) == "Result: “score” must be a whole number from 0 to 100000."
    assert of_reading(result) == "Result: “score” is missing."


def cup() -> TournamentState:
    plan = replace(plans.knock_out("K", "hoops21"), tables=4)
    return with_facts(
        initial_state(plan),
        *(fa.Enter(f"e{at}", each) for at, each in enumerate(("Ana", "Bo", "Cy", "Di"))),
        fa.Start(),
    )


def test_entries_and_matches_are_named_as_people_know_them() -> None:
    state = cup()
    first = ready(state)[0]
    called = with_facts(state, fa.Call(first.id, 2, 0))
    over = with_facts(state, fa.Forfeit(first.id, "away"))
    for at, fact, sentence in (
        (state, fa.Readmit("e1"), "“Bo” has not withdrawn."),
        (with_facts(state, fa.Withdraw("e1")), fa.Withdraw("e1"), "“Bo” has already withdrawn."),
        (called, fa.Call(first.id, 3, 0), "Ana – Di: this match is already called to table 2."),
        (called, fa.Call(first.id, 99, 0), "There is no table 99: they go from 1 to 4."),
        (state, fa.Uncall(first.id), "Ana – Di: this match is not called to any table."),
        (state, fa.Call("s1-final", 1, 0), "Final: it is not yet known who plays this match."),
        (over, fa.Call(first.id, 1, 0), "Ana – Di: this match already has a result, which can be corrected."),
    ):
        assert english(decide(at, fact)) == sentence


@pytest.mark.parametrize("sign", ["\u202e", "\0", "\u2066", "\n", "\ud800", "\u3164"], ids=ascii)
def test_what_cannot_be_seen_is_refused_in_every_text(sign: str) -> None:
    state = started(plans.round_robin("R", "hoops21"), 3)
    match = ready(state)[0]
    told_as = f"a{sign}b"
    for fact in (
        fa.Withdraw("e1", told_as),
        fa.Forfeit(match.id, "home", why=told_as),
        fa.DoubleForfeit(match.id, why=told_as),
        fa.Result(match.id, str(match.home), str(match.away), (1, 0), by=told_as),
    ):
        reason = decide(state, fact)
        assert reason is not None
        assert reason.rule == "bad_field"
        with pytest.raises(Refusal):
            fa.parse(fa.to_json(fact))
    assert decide(initial_state(state.plan), fa.Enter("x", told_as)) is not None
    with pytest.raises(Refusal):
        validation.check_text(told_as, "table", "name")


def test_a_french_reason_with_its_narrow_spaces_is_taken() -> None:
    state = started(plans.round_robin("R", "hoops21"), 3)
    assert decide(state, fa.Withdraw("e1", "malade\u202f; «\u00a0grippe\u00a0»")) is None
    assert validation.check_text("", "table", "name") == ""
    with pytest.raises(Refusal):
        validation.check_text("x" * 61, "key", "label", most=60)


@pytest.mark.parametrize("code", LANGUAGES)
def test_each_field_and_place_has_its_word(code: str) -> None:
    known = messages(code)
    assert {id.rpartition(".")[2] for id in known if id.startswith("tournament.field.")} == validation.FIELDS
    assert {id.rpartition(".")[2] for id in known if id.startswith("tournament.place.")} == validation.PLACES
    assert set(fa.FACT_TYPES) <= validation.PLACES
    asked = {each.name for kind in (Plan, Stage, *fa.FACT_TYPES.values()) for each in fields(kind)}
    assert asked - validation.FIELDS <= {"by_hand", "open", "by", "carry", "third_place", "reset"}, (
        "only flags and the like"
    )
