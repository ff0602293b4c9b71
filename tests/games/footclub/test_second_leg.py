"""Chapter 16: the second leg as the first one decides it, the offer drawn by lot, and the toss of a shoot-out."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from companion.games.base import TOSS
from companion.games.footclub import FOOTCLUB
from companion.games.footclub.catalogues import team_cards
from companion.games.footclub.decisions import before_half_decision
from companion.games.footclub.match_generator import random_header
from companion.games.footclub.second_leg import draw_offer, may_transfer, second_leg, unowned_players
from companion.games.footclub.spec import SPEC
from companion.games.footclub.squads import header, sample_clubs, sample_rows
from companion.games.spec import FirstLegResult, Fixture


def played(made: dict[str, Any], seed: int) -> Any:
    """Return the state at the end of a random match with this header."""
    state, random = FOOTCLUB.initial_state(made), Random(seed)
    while not FOOTCLUB.finished(state):
        state, _ = FOOTCLUB.apply(state, FOOTCLUB.parse(FOOTCLUB.random_event(state, random)))
    return state


def first_leg() -> dict[str, Any]:
    blue, red = sample_clubs()[:2]
    return header(blue, red, kop="K02", format="leg1", options={"consent": True, "kop_attack_bonus": 1})


@pytest.mark.parametrize("seed", range(12))
def test_FC_16_1_the_second_leg_carries_the_first(seed: int) -> None:
    made = first_leg()
    state = played(made, seed)
    decided = second_leg(made, state)
    assert decided is not None
    setup = decided["setup"]
    assert (setup["home"], setup["format"], setup["options"]) == ("red", "leg2", made["setup"]["options"])
    assert setup["first_leg"] == {**FOOTCLUB.view(state)["carry_over"], "score": FOOTCLUB.view(state)["score"]}
    next_match = {"journal": 1, "game": "footclub", **decided, "setup": {"kop": "K01", **setup}}
    after = FOOTCLUB.initial_state(next_match)
    suspended = {id for club in after.clubs for id, player in club.players.items() if player.status == "suspended"}
    assert suspended == set(setup["first_leg"]["suspended"])


def test_only_a_finished_first_leg_decides_a_second() -> None:
    made = first_leg()
    assert second_leg(made, FOOTCLUB.initial_state(made)) is None
    single = header(*sample_clubs()[:2])
    assert second_leg(single, played(single, 1)) is None


def test_FC_16_1_the_squads_of_a_market_play_the_second_leg_too() -> None:
    random = Random(5)
    made = next(head for head in iter(lambda: random_header(random), None) if head["setup"].get("market"))
    made["setup"] = {key: value for key, value in made["setup"].items() if key != "first_leg"} | {"format": "leg1"}
    state = next(state for state in (played(made, seed) for seed in range(20)) if state.clubs)
    decided = second_leg(made, state)
    assert decided is not None
    squads = decided["setup"]["squads"]
    for club in state.clubs:
        assert [card["id"] for card in squads[club.side]["players"]] == list(club.players)


def second_match() -> dict[str, Any]:
    made = first_leg()
    decided = second_leg(made, played(made, 3))
    assert decided is not None
    setup = {"kop": "K01", **decided["setup"], "catalogue": {"team_cards": team_cards(sample_rows())}}
    return {"journal": 1, "game": "footclub", **decided, "setup": setup}


def test_FC_16_6_offers_by_lot_are_legal_and_do_not_overlap() -> None:
    state = FOOTCLUB.initial_state(second_match())
    for seed, side in enumerate(("blue", "red")):
        assert may_transfer(state, side)
        offered = draw_offer(state, side, Random(seed))
        assert not set(offered) & {id for offer in state.offers for id in offer}
        event = FOOTCLUB.parse(
            {"event": "market_transfer", "side": side, "offered": list(offered), "take": list(offered[1:3])}
        )
        FOOTCLUB.validate(state, event)
        state, _ = FOOTCLUB.apply(state, event)
        assert not may_transfer(state, side)
    assert unowned_players(state, "blue") == {4: [], 5: []}


def test_FC_16_6_the_same_drawing_gives_the_same_five() -> None:
    state = FOOTCLUB.initial_state(second_match())
    assert draw_offer(state, "red", Random("m/red")) == draw_offer(state, "red", Random("m/red"))


def test_FC_16_6_no_transfers_without_enough_cards() -> None:
    made = second_match()
    made["setup"]["catalogue"]["team_cards"]["players"] = []
    state = FOOTCLUB.initial_state(made)
    assert not may_transfer(state, "blue")
    assert "market_transfer" not in {choice.event["event"] for choice in before_half_decision(state).choices}


def test_FC_16_6_a_tournament_gives_the_second_leg_team_cards() -> None:
    result = FirstLegResult({"blue": 1, "red": 2}, None)
    setup = SPEC.tournament.set_up(Fixture("blue", False, 2, result))
    assert setup["catalogue"]["team_cards"]["players"]
    assert "catalogue" not in SPEC.tournament.set_up(Fixture("blue", False, 1))


def shootout() -> Any:
    """Return a state in which both clubs have named their shooters."""
    made = header(*sample_clubs()[:2])
    for seed in range(400):
        state, random = FOOTCLUB.initial_state(made), Random(seed)
        while not FOOTCLUB.finished(state):
            if state.phase == "shootout" and all(state.shootout.shooters):
                return state
            state, _ = FOOTCLUB.apply(state, FOOTCLUB.parse(FOOTCLUB.random_event(state, random)))
    raise LookupError("no shoot-out")


def test_FC_15_5_a_random_club_begins_the_shoot_out() -> None:
    state = shootout()
    decision = FOOTCLUB.decision(state)
    lot = next(choice for choice in decision.choices if choice.by_lot)
    assert [event["first"] for event in lot.by_lot] == ["blue", "red"]
    fields = {**lot.by_lot[1], "note": TOSS}
    after, outcome = FOOTCLUB.apply(state, FOOTCLUB.parse(fields))
    assert after.shootout.first == "red"
    assert FOOTCLUB.describe(after, fields, outcome).id == "footclub.line.shootout_by_lot"
    assert FOOTCLUB.describe(after, lot.by_lot[1], outcome).id == "footclub.line.shootout"


@pytest.mark.parametrize(("phase", "size"), [("pre_match", 14), ("half_time", 14), ("extra_time_break", 10)])
def test_FC_4_10_every_tactical_choice_has_a_suggestion_of_its_size(phase: str, size: int) -> None:
    made = header(*sample_clubs()[:2])
    for seed in range(200):
        state, random = FOOTCLUB.initial_state(made), Random(seed)
        while not FOOTCLUB.finished(state) and state.phase != phase:
            state, _ = FOOTCLUB.apply(state, FOOTCLUB.parse(FOOTCLUB.random_event(state, random)))
        if state.phase == phase:
            break
    choices = [choice for choice in FOOTCLUB.decision(state).choices if choice.event["event"] == "tactics"]
    suggested = next(choice.prompts[0].suggested for choice in choices if choice.prompts)
    assert isinstance(suggested, dict)
    assert sum(suggested.values()) == size
    FOOTCLUB.validate(state, FOOTCLUB.parse({**choices[0].event, "cards": suggested}))
