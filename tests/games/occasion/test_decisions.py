"""Choices of occasion: all offered ones are legal, all legal ones are offered, the usual one takes two taps at most."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from random import Random
from typing import Any

import pytest

from companion.games.base import Choice, Decision, Prompt
from companion.games.occasion import OCCASION
from companion.games.occasion.decisions import CardForm, FoulingPlayerPrompt
from companion.games.occasion.rulebook import RULEBOOK
from companion.games.occasion.state import State
from tests.games.occasion.kit import Match, in_phase, opposed, player, revealing, states, verdict

SEEDS = range(8)
NEW_CARDS: dict[str, dict[str, Any]] = {
    "player": {"id": "brand new", "card": player("LB", "1 1 1 1")},
    "occasion": {"id": "brand new", "card": {"zones": [{"id": "S", "row": 1, "shot": True}]}},
}


def answers(ask: Prompt, random: Random) -> Iterator[dict[str, Any]]:
    """Yield the fields that a player may enter at a prompt: every option that is not barred, or the ends of a range."""
    options = [option.value for option in ask.options if option.disabled_reason is None]
    if ask.optional:
        yield {}
    if ask.kind == "pick":
        if not ask.maximum:
            yield from ({ask.field: value} for value in options)
            return
        for count in (ask.minimum, random.randint(ask.minimum, ask.maximum), ask.maximum):
            yield {ask.field: random.sample(options, count)}
    elif ask.kind in ("count", "value"):
        yield {ask.field: ask.minimum}
        yield {ask.field: ask.maximum}
    elif ask.kind == "text":
        yield {ask.field: "Words"}
    elif isinstance(ask.data, CardForm):
        card = NEW_CARDS[ask.data.kind]
        yield card if "LB" in ask.data.posts or ask.data.kind == "occasion" else {}


def events(choice: Choice, random: Random) -> Iterator[dict[str, Any]]:
    """Yield the possible events of a choice: each answer of each prompt, with some answer to the others."""
    for index, ask in enumerate(choice.prompts):
        for answer in answers(ask, random):
            fields = dict(choice.event)
            for other_index, other in enumerate(choice.prompts):
                fields |= answer if other_index == index else next(answers(other, random))
            yield fields
            for fouling in (ask.data for ask in choice.prompts if isinstance(ask.data, FoulingPlayerPrompt)):
                for option in fouling.with_answers(fields).options:
                    yield {**fields, "player": option.value}
    if not choice.prompts:
        yield dict(choice.event)


def why_not(state: State, fields: dict[str, Any]) -> str | None:
    refused = RULEBOOK.refusal_for(state, OCCASION.parse(fields))
    return refused.rule if refused else None


def offered(decision: Decision, event: str, side: str | None = None) -> list[Choice]:
    return [choice for choice in decision.choices if choice.event["event"] == event and side in (None, choice.side)]


@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_offered_is_legal_and_what_is_barred_is_not(seed: int) -> None:
    random = Random(seed)
    for state in states(seed):
        decision = OCCASION.decision(state)
        assert decision.dice == ()
        assert list(decision.sides) == OCCASION.view(state)["waiting_for"]
        for choice in decision.choices:
            if choice.disabled_reason is not None:
                assert choice.prompts == ()
                continue
            for fields in events(choice, random):
                if fields["event"] == "define_card" and "card" not in fields:
                    continue
                assert why_not(state, fields) is None, fields
            for ask in choice.prompts:
                for option in ask.options:
                    if option.disabled_reason is not None:
                        value = [option.value] if ask.maximum else option.value
                        assert (
                            why_not(state, {"text": "x", **choice.event, ask.field: value})
                            == option.disabled_reason.rule
                        )


def says(choice: Choice, fields: dict[str, Any]) -> bool:
    """Return True if a player can make this event from the choice."""
    wanted = {key: value for key, value in fields.items() if key in choice.event}
    if choice.disabled_reason is not None or dict(choice.event) != wanted:
        return False
    prompts = {ask.field: ask for ask in choice.prompts}
    return all(_may_be(prompts[key], value, fields) for key, value in fields.items() if key in prompts)


def _may_be(ask: Prompt, value: Any, fields: dict[str, Any]) -> bool:
    if isinstance(ask.data, FoulingPlayerPrompt):
        ask = ask.data.with_answers(fields)
    options = [option.value for option in ask.options if option.disabled_reason is None]
    if ask.kind == "pick" and ask.maximum:
        return ask.minimum <= len(value) <= ask.maximum and all(one in options for one in value)
    if ask.kind == "pick":
        return value in options
    return ask.minimum <= value <= ask.maximum if ask.kind in ("count", "value") else True


@pytest.mark.parametrize("seed", SEEDS)
def test_what_a_random_player_does_could_be_tapped(seed: int) -> None:
    random = Random(seed)
    for state in islice(states(seed), 60):
        if OCCASION.finished(state):
            continue
        fields = OCCASION.random_event(state, random)
        if fields["event"] in ("cards_recovered", "define_card"):
            continue  # players and energies are undone separately; a card is entered in a form
        if fields["event"] == "ruling":
            fields = {key: value for key, value in fields.items() if value is not None}
        choices = OCCASION.decision(state).choices
        if (
            "zone" in fields
            and len([c for c in choices if c.event.get("card") == fields.get("card") and c.prompts]) == 0
        ):
            fields = {key: value for key, value in fields.items() if key != "zone" or fields["event"] == "advance"}
        assert any(says(choice, fields) for choice in choices), fields


def test_a_match_that_is_over_awaits_nothing() -> None:
    decision = OCCASION.decision(in_phase("over").state)
    assert (decision.choices, decision.sides) == ((), ())


@pytest.mark.parametrize(
    "phase", ["choose_occasion", "attack_move", "defence", "support", "reveal", "verdict", "advance", "shot"]
)
def test_the_usual_takes_two_taps(phase: str) -> None:
    usual = [
        choice
        for choice in OCCASION.decision(in_phase(phase).state).choices
        if choice.prominence < 3 and not choice.menu
    ]
    assert usual
    assert all(len(choice.prompts) <= 1 for choice in usual)


def test_the_strongest_first_and_the_used_last() -> None:
    match = Match().at("L1")
    match.duel("lb", "pass", "dm", 9, 0)
    (passing,) = [choice for choice in OCCASION.decision(match.state).choices if choice.event.get("move") == "pass"]
    options = [
        (option.value, option.effect, option.disabled_reason and option.disabled_reason.rule)
        for option in passing.prompts[0].options
    ]
    assert options == [
        ("cm", "6", None),
        ("lw", "6", None),
        ("st", "4", None),
        ("cb", "3", None),
        ("lb", None, "OC-3.1"),
    ]


def test_the_carrier_needs_one_tap() -> None:
    match = Match().at("C1").move("cm", "dribble").let_pass()
    moves = offered(OCCASION.decision(match.state), "attack_move")
    assert [
        (choice.event["move"], choice.prompts, choice.disabled_reason and choice.disabled_reason.rule)
        for choice in moves
    ] == [
        ("pass", (), None),
        ("dribble", (), None),
        ("cross", (), "OC-3.4"),
    ]


def test_nothing_to_play_is_barred_with_its_reason() -> None:
    match = Match(visible={}, players={}, occasions={})
    (play,) = offered(OCCASION.decision(match.state), "occasion_played")
    assert play.disabled_reason is not None
    assert play.disabled_reason.rule == "OC-2.2"
    match = Match(players={}).at("M", "posts")
    moves = offered(OCCASION.decision(match.state), "attack_move")
    assert [choice.disabled_reason.rule for choice in moves if choice.disabled_reason] == ["OC-3.1"] * 3
    assert offered(OCCASION.decision(match.state), "turn_ended")[0].disabled_reason is None


def test_without_a_wall_a_cross_is_let_through() -> None:
    tom = {"rb": player("RB", "1 1 1 1")}
    home = {"lw": player("LW", "1 1 1 1", "cross")}
    match = Match(players={"home": home, "away": tom}).at("L1").move("lw", "cross")
    oppose, through = offered(OCCASION.decision(match.state), "defence_choice", "away")[::-1]
    assert oppose.disabled_reason is not None
    assert oppose.disabled_reason.rule == "OC-4.5"
    assert through.disabled_reason is None


def test_several_supports_may_be_added_at_once() -> None:
    (support,) = offered(OCCASION.decision(opposed().state), "add_support")
    assert (support.side, support.prompts[0].minimum, support.prompts[0].maximum) == ("home", 1, 4)


def test_abilities_of_both_sides_are_offered_to_them() -> None:
    match = Match().at("C1").move("cm").oppose("dm")
    found = offered(OCCASION.decision(match.state), "ability_used")
    assert [(choice.side, choice.event["ability"]) for choice in found] == [("home", "vision"), ("away", "pressing")]


def test_a_foul_is_barred_until_an_energy_is_revealed() -> None:
    match = revealing()
    (foul,) = offered(OCCASION.decision(match.state), "foul_called")
    assert foul.disabled_reason is not None
    assert (foul.side, foul.disabled_reason.rule) == (None, "OC-8.1")
    match.reveal(1)
    for state in (match.state, verdict().state):
        (foul,) = offered(OCCASION.decision(state), "foul_called")
        assert foul.disabled_reason is None


def test_who_may_have_fouled_depends_on_the_side() -> None:
    (foul,) = offered(OCCASION.decision(verdict().state), "foul_called")
    fouling = foul.prompts[-1].data
    assert [option.value for option in fouling.with_answers({"side": "home"}).options] == ["lb"]
    assert [option.value for option in fouling.with_answers({"side": "away"}).options] == ["dm"]


def test_without_cards_one_is_defined_first() -> None:
    empty = Match(visible={}, players={}, occasions={})
    first = next(choice for choice in OCCASION.decision(empty.state).choices if choice.disabled_reason is None)
    assert (first.event, first.prominence, first.menu) == ({"event": "define_card", "kind": "occasion"}, 1, False)
    nobody = Match(players={}).at("M", "posts")
    first = next(choice for choice in OCCASION.decision(nobody.state).choices if choice.disabled_reason is None)
    assert (first.event["kind"], first.side, first.menu) == ("player", "home", False)
    known = [choice for choice in OCCASION.decision(Match().state).choices if choice.event["event"] == "define_card"]
    assert all(choice.menu for choice in known)


def test_without_an_open_card_the_attack_is_told_to_place_one() -> None:
    state = Match().state
    assert OCCASION.decision(state).title.id == "occasion.await.choose_occasion"
    state = replace(state, visible=((), ()))
    decision = OCCASION.decision(state)
    assert decision.title.id == "occasion.await.place_occasion"
    usual = [choice for choice in decision.choices if choice.prominence == 1 and choice.disabled_reason is None]
    assert [(choice.event["event"], choice.side) for choice in usual] == [("occasion_shown", state.attack)]


def test_used_cards_come_back_with_one_choice_and_the_rest_is_in_the_menu() -> None:
    state = replace(Match().state, energy_used=(2, 0), discard=(("1",), ()))
    offered = [choice for choice in OCCASION.decision(state).choices if choice.event["event"] == "cards_recovered"]
    assert [choice.menu for choice in offered] == [False, True, True]
    moving = Match().at("L1").state
    moving = replace(moving, energy_used=(2, 0))
    offered = [choice for choice in OCCASION.decision(moving).choices if choice.event["event"] == "cards_recovered"]
    assert offered
    assert all(choice.menu for choice in offered)
