"""What is awaited: what is offered is legal, what is legal can be said, the usual in two taps at most."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any

import pytest

from companion.games.base import Ask, Awaits, Choice
from companion.games.occasion import OCCASION
from companion.games.occasion.awaits import CardForm, Fouling
from companion.games.occasion.rulebook import RULEBOOK
from companion.games.occasion.state import State
from tests.games.occasion.kit import Match, in_phase, opposed, player, revealing, states, verdict

SEEDS = range(8)
NEW_CARDS: dict[str, dict[str, Any]] = {
    "player": {"id": "brand new", "card": player("LB", "1 1 1 1")},
    "occasion": {"id": "brand new", "card": {"zones": [{"id": "S", "row": 1, "shot": True}]}},
}


def answers(ask: Ask, random: Random) -> Iterator[dict[str, Any]]:
    """Fields that a player may give to an ask: every option that is not barred, or the ends of a range."""
    options = [option.value for option in ask.options if option.barred is None]
    if ask.optional:
        yield {}
    if ask.kind == "pick":
        if not ask.most:
            yield from ({ask.field: value} for value in options)
            return
        for count in (ask.least, random.randint(ask.least, ask.most), ask.most):
            yield {ask.field: random.sample(options, count)}
    elif ask.kind in ("count", "value"):
        yield {ask.field: ask.least}
        yield {ask.field: ask.most}
    elif ask.kind == "text":
        yield {ask.field: "Words"}
    elif isinstance(ask.data, CardForm):
        card = NEW_CARDS[ask.data.kind]
        yield card if "LB" in ask.data.posts or ask.data.kind == "occasion" else {}


def events(choice: Choice, random: Random) -> Iterator[dict[str, Any]]:
    """The events that a choice may become: each answer of each ask, with some answer to the others."""
    for index, ask in enumerate(choice.asks):
        for answer in answers(ask, random):
            fields = dict(choice.event)
            for other_index, other in enumerate(choice.asks):
                fields |= answer if other_index == index else next(answers(other, random))
            yield fields
            for fouling in (ask.data for ask in choice.asks if isinstance(ask.data, Fouling)):
                for option in fouling.after(fields).options:
                    yield {**fields, "player": option.value}
    if not choice.asks:
        yield dict(choice.event)


def why_not(state: State, fields: dict[str, Any]) -> str | None:
    refused = RULEBOOK.legal(state, OCCASION.parse(fields))
    return refused.rule if refused else None


def offered(awaits: Awaits, event: str, side: str | None = None) -> list[Choice]:
    return [choice for choice in awaits.choices if choice.event["event"] == event and side in (None, choice.side)]


@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_offered_is_legal_and_what_is_barred_is_not(seed: int) -> None:
    random = Random(seed)
    for state in states(seed):
        awaits = OCCASION.awaits(state)
        assert awaits.dice == ()
        assert list(awaits.sides) == OCCASION.view(state)["waiting_for"]
        for choice in awaits.choices:
            if choice.barred is not None:
                assert choice.asks == ()
                continue
            for fields in events(choice, random):
                if fields["event"] == "define_card" and "card" not in fields:
                    continue
                assert why_not(state, fields) is None, fields
            for ask in choice.asks:
                for option in ask.options:
                    if option.barred is not None:
                        value = [option.value] if ask.most else option.value
                        assert why_not(state, {"text": "x", **choice.event, ask.field: value}) == option.barred.rule


def says(choice: Choice, fields: dict[str, Any]) -> bool:
    """Whether a player can make this event of the choice."""
    wanted = {key: value for key, value in fields.items() if key in choice.event}
    if choice.barred is not None or dict(choice.event) != wanted:
        return False
    asks = {ask.field: ask for ask in choice.asks}
    return all(_may_be(asks[key], value, fields) for key, value in fields.items() if key in asks)


def _may_be(ask: Ask, value: Any, fields: dict[str, Any]) -> bool:
    if isinstance(ask.data, Fouling):
        ask = ask.data.after(fields)
    options = [option.value for option in ask.options if option.barred is None]
    if ask.kind == "pick" and ask.most:
        return ask.least <= len(value) <= ask.most and all(one in options for one in value)
    if ask.kind == "pick":
        return value in options
    return ask.least <= value <= ask.most if ask.kind in ("count", "value") else True


@pytest.mark.parametrize("seed", SEEDS)
def test_what_a_random_player_does_could_be_tapped(seed: int) -> None:
    random = Random(seed)
    for state in islice(states(seed), 60):
        if OCCASION.finished(state):
            continue
        fields = OCCASION.random_event(state, random)
        if fields["event"] in ("cards_recovered", "define_card"):
            continue  # players and energies are taken back apart; a card is written in a form
        if fields["event"] == "ruling":
            fields = {key: value for key, value in fields.items() if value is not None}
        choices = OCCASION.awaits(state).choices
        if "zone" in fields and len([c for c in choices if c.event.get("card") == fields.get("card") and c.asks]) == 0:
            fields = {key: value for key, value in fields.items() if key != "zone" or fields["event"] == "advance"}
        assert any(says(choice, fields) for choice in choices), fields


def test_a_match_that_is_over_awaits_nothing() -> None:
    awaits = OCCASION.awaits(in_phase("over").state)
    assert (awaits.choices, awaits.sides) == ((), ())


@pytest.mark.parametrize(
    "phase", ["choose_occasion", "attack_move", "defence", "support", "reveal", "verdict", "advance", "shot"]
)
def test_the_usual_takes_two_taps(phase: str) -> None:
    usual = [choice for choice in OCCASION.awaits(in_phase(phase).state).choices if choice.rank < 3 and not choice.menu]
    assert usual
    assert all(len(choice.asks) <= 1 for choice in usual)


def test_the_strongest_first_and_the_used_last() -> None:
    match = Match().at("L1")
    match.duel("lb", "pass", "dm", 9, 0)
    (passing,) = [choice for choice in OCCASION.awaits(match.state).choices if choice.event.get("move") == "pass"]
    shown = [(option.value, option.effect, option.barred and option.barred.rule) for option in passing.asks[0].options]
    assert shown == [("cm", "6", None), ("lw", "6", None), ("st", "4", None), ("cb", "3", None), ("lb", None, "OC-3.1")]


def test_the_carrier_needs_one_tap() -> None:
    match = Match().at("C1").move("cm", "dribble").let_pass()
    moves = offered(OCCASION.awaits(match.state), "attack_move")
    assert [(choice.event["move"], choice.asks, choice.barred and choice.barred.rule) for choice in moves] == [
        ("pass", (), None),
        ("dribble", (), None),
        ("cross", (), "OC-3.4"),
    ]


def test_nothing_to_play_is_barred_with_its_reason() -> None:
    match = Match(visible={}, players={}, occasions={})
    (play,) = offered(OCCASION.awaits(match.state), "occasion_played")
    assert play.barred is not None
    assert play.barred.rule == "OC-2.2"
    match = Match(players={}).at("M", "posts")
    moves = offered(OCCASION.awaits(match.state), "attack_move")
    assert [choice.barred.rule for choice in moves if choice.barred] == ["OC-3.1"] * 3
    assert offered(OCCASION.awaits(match.state), "turn_ended")[0].barred is None


def test_without_a_wall_a_cross_is_let_through() -> None:
    tom = {"rb": player("RB", "1 1 1 1")}
    home = {"lw": player("LW", "1 1 1 1", "cross")}
    match = Match(players={"home": home, "away": tom}).at("L1").move("lw", "cross")
    oppose, through = offered(OCCASION.awaits(match.state), "defence_choice", "away")[::-1]
    assert oppose.barred is not None
    assert oppose.barred.rule == "OC-4.5"
    assert through.barred is None


def test_several_supports_may_be_added_at_once() -> None:
    (support,) = offered(OCCASION.awaits(opposed().state), "add_support")
    assert (support.side, support.asks[0].least, support.asks[0].most) == ("home", 1, 4)


def test_abilities_of_both_sides_are_offered_to_them() -> None:
    match = Match().at("C1").move("cm").oppose("dm")
    found = offered(OCCASION.awaits(match.state), "ability_used")
    assert [(choice.side, choice.event["ability"]) for choice in found] == [("home", "vision"), ("away", "pressing")]


def test_a_foul_is_barred_until_an_energy_is_revealed() -> None:
    match = revealing()
    (foul,) = offered(OCCASION.awaits(match.state), "foul_called")
    assert foul.barred is not None
    assert (foul.side, foul.barred.rule) == (None, "OC-8.1")
    match.reveal(1)
    for state in (match.state, verdict().state):
        (foul,) = offered(OCCASION.awaits(state), "foul_called")
        assert foul.barred is None


def test_who_may_have_fouled_depends_on_the_side() -> None:
    (foul,) = offered(OCCASION.awaits(verdict().state), "foul_called")
    fouling = foul.asks[-1].data
    assert [option.value for option in fouling.after({"side": "home"}).options] == ["lb"]
    assert [option.value for option in fouling.after({"side": "away"}).options] == ["dm"]


def test_without_cards_one_is_defined_first() -> None:
    empty = Match(visible={}, players={}, occasions={})
    first = next(choice for choice in OCCASION.awaits(empty.state).choices if choice.barred is None)
    assert (first.event, first.rank, first.menu) == ({"event": "define_card", "kind": "occasion"}, 1, False)
    nobody = Match(players={}).at("M", "posts")
    first = next(choice for choice in OCCASION.awaits(nobody.state).choices if choice.barred is None)
    assert (first.event["kind"], first.side, first.menu) == ("player", "home", False)
    known = [choice for choice in OCCASION.awaits(Match().state).choices if choice.event["event"] == "define_card"]
    assert all(choice.menu for choice in known)
