"""Chapter 6 with 4.3 to 4.5, 9.3 and 9.5: adjustment, substitutions, prepared tactics, purchases."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.nba.kit import CARDS, ROSTER, Match, dice, full, player

DECK = [f"m{n}" for n in range(6)]
LISTED = {
    "cards": {**CARDS, **{id: player("pg", cost=3 + n // 3) for n, id in enumerate(DECK)}},
    "market_cards": 6,
    "market_list": DECK,
}
MINI = ["n-ace", "n-big", "n-wing", "n-lead", "n-wall"]


def test_the_adjustment_comes_first() -> None:
    match = Match(full())
    outcome = match.play("adjust", revealed=["n-ace"], tactics_replaced=2)
    assert outcome == {"track": ["n-ace", "?", None, None, None, None], "tactics_replaced": 2}
    assert (match.view["phase"], match.view["done"]) == ("actions", ["adjust"])
    assert match.refused("adjust") == "NBA-4.3"
    later = Match(full())
    later.play("prepare", tactics=["t-out"])
    assert later.refused("adjust") == "NBA-4.3"


@pytest.mark.parametrize("revealed", [["n-ace", "n-big"], ["s-pg"]])
def test_what_may_be_revealed(revealed: list[str]) -> None:
    assert Match(full()).refused("adjust", revealed=revealed) == "NBA-6.1"


def test_a_listed_deck_is_known_without_being_named() -> None:
    match = Match(full(**LISTED))
    assert match.view["market"]["track"] == ["m1", "m0", None, None, None, None]
    assert match.refused("adjust", revealed=["m0"]) == "NBA-6.1"
    assert match.refused("adjust", revealed=["m1"]) is None
    match.pass_turns(4)
    assert match.view["market"]["track"] == ["m5", "m4", "m3", "m2", "m1", "m0"]
    match.pass_turns(1)
    assert match.view["market"] == {"cards": 6, "deck": 0, "track": [None, *DECK[:0:-1]], "on_track": 5}
    assert match.refused("adjust", revealed=["m5"]) == "NBA-6.1"


def test_substitutions() -> None:
    match = Match(full())
    outcome = match.play("replace", court={"sg": "b-sg", "pf": "n-big"})
    assert outcome == {"entered": ["b-sg", "n-big"], "left": ["s-sg", "s-pf"], "draw": 2, "fatigue_removed": 0}
    assert match.view["teams"]["ann"]["court"] == {"pg": "s-pg", "sg": "b-sg", "sf": "s-sf", "pf": "n-big", "c": "s-c"}
    assert match.refused("replace", court={"sg": "s-sg"}) == "NBA-4.4"
    match.play("end_turn")
    assert match.refused("replace", court={"pf": "n-big"}) == "NBA-6.3"


def test_players_may_change_places_without_anybody_entering() -> None:
    match = Match(full())
    match.play("replace", court={"pf": "n-wing"})
    match.pass_turns(2)
    match.play("replace", court={"pf": "n-big", "sf": "n-wing"})
    match.pass_turns(2)
    assert match.play("replace", court={"c": "n-big", "pf": "b-pf2"})["entered"] == ["b-pf2"]


@pytest.mark.parametrize(
    "court",
    [{"pg": "s-pg"}, {"pg": "s-sg"}, {"pg": "b-sg"}, {"pf": "n-big", "c": "n-big"}, {"pg": "n-wall"}],
)
def test_courts_that_cannot_be(court: dict[str, str]) -> None:
    assert Match(full()).refused("replace", court=court) == "NBA-6.3"


def test_removed_cards_do_not_enter() -> None:
    match = Match(full())
    match.play("end_turn", eliminated=["b-pg", "n-ace"])
    assert match.refused("replace", court={"pg": "b-pg"}) is None
    assert match.refused("replace", court={"pg": "n-ace"}) == "NBA-6.3"
    match.play("end_turn")
    assert match.refused("replace", court={"pg": "b-pg"}) == "NBA-6.3"


def test_fatigue_leaves_with_each_card_that_enters() -> None:
    match = Match(full()).reshape("ann", taken=3, removed=1)
    court = {"sg": "b-sg", "pf": "b-pf", "pg": "b-pg"}
    assert match.refused("replace", court=court, fatigue_removed=3) == "NBA-6.4"
    assert match.refused("replace", court={"sg": "b-sg"}, fatigue_removed=2) == "NBA-6.4"
    match.play("replace", court=court, fatigue_removed=2)
    assert (match.view["fatigue"]["pile"], match.view["fatigue"]["held"]["ann"]) == (11, 0)
    boxed = Match(full(fatigue={"removed_to": "box"})).reshape("ann", taken=3)
    boxed.play("replace", court=court, fatigue_removed=2)
    assert (boxed.view["fatigue"]["pile"], boxed.view["fatigue"]["removed"]["ann"]) == (9, 2)


def test_preparing() -> None:
    match = Match(full())
    outcome = match.play("prepare", tactics=["t-out", "t-trap", "t-out", "t-post"])
    assert outcome == {"prepared": {"offence": ["t-out", "t-out", "t-post"], "defence": ["t-trap"]}}
    assert match.refused("prepare", tactics=["t-switch"]) == "NBA-4.4"
    match.pass_turns(2)
    assert match.refused("prepare", tactics=["t-drive"]) == "NBA-6.5"
    assert match.refused("prepare", discard=["t-drive"]) == "NBA-6.5"
    assert match.refused("prepare", discard=["t-post", "t-post"]) == "NBA-6.5"
    outcome = match.play("prepare", tactics=["t-drive"], discard=["t-out"])
    assert outcome["prepared"]["offence"] == ["t-out", "t-post", "t-drive"]


def test_buying_a_player() -> None:
    match = Match(full())
    bought = match.play("buy_player", card="n-ace", slot=1, paid=["b-pg", "b-sg", "b-sf", "b-c"])
    assert bought == {"cost": 4, "paid": 4, "to": "deck_top"}
    assert match.view["market"]["track"] == [None, "?", None, None, None, None]
    assert match.view["bought"]["ann"] == ["n-ace"]
    assert match.refused("buy_player", card="n-big", slot=2, paid=[]) == "NBA-4.4"
    match.play("end_turn")
    assert match.view["market"]["track"] == ["?", "?", None, None, None, None]
    assert match.refused("buy_player", card="n-ace", slot=1, paid=["b-pg", "b-sg", "b-sf", "b-c"]) == "NBA-6.6"


FOUR = ["b-pg", "b-sg", "b-sf", "b-c"]


@pytest.mark.parametrize(
    "fields",
    [
        {"card": "n-ace", "slot": 3, "paid": FOUR},
        {"card": "b-pf", "slot": 1, "paid": []},
        {"card": "n-ace", "slot": 1, "paid": FOUR[:3]},
        {"card": "n-ace", "slot": 1, "paid": ["b-pg", "b-pg", "b-sf", "b-c"]},
        {"card": "n-ace", "slot": 1, "paid": ["s-pg", "s-sg"]},
    ],
)
def test_purchases_that_cannot_be(fields: dict[str, Any]) -> None:
    assert Match(full()).refused("buy_player", **fields) == "NBA-6.6"


def test_a_known_card_is_bought_from_its_own_slot() -> None:
    match = Match(full(**LISTED))
    assert match.refused("buy_player", card="m0", slot=1, paid=FOUR) == "NBA-6.6"
    assert match.refused("buy_player", card="m0", slot=2, paid=FOUR) is None


def test_cards_on_court_or_removed_are_not_for_sale() -> None:
    match = Match(full())
    match.play("replace", court={"pg": "n-ace"})
    match.play("end_turn", eliminated=["n-big"])
    assert match.refused("buy_player", card="n-ace", slot=1, paid=FOUR) == "NBA-6.6"
    assert match.refused("buy_player", card="n-big", slot=1, paid=FOUR) == "NBA-6.6"
    assert match.refused("buy_player", card="n-wing", slot=1, paid=FOUR) is None


def test_the_personal_market() -> None:
    rosters = {"ann": {**ROSTER, "mini": MINI}, "ben": ROSTER}
    match = Match(full(rosters=rosters, variants={"draft": True}))
    assert match.view["teams"]["ann"]["mini"] == MINI
    assert match.refused("buy_player", card="n-ace", slot=1, paid=FOUR) == "NBA-6.6"
    assert match.refused("buy_player", **{"card": "n-star", "from": "mini", "paid": FOUR}) == "NBA-9.3"
    match.play("buy_player", **{"card": "n-ace", "from": "mini", "paid": FOUR})
    assert match.view["teams"]["ann"]["mini"] == MINI[1:]
    assert match.view["market"]["on_track"] == 2
    match.play("end_turn")
    assert match.refused("buy_player", **{"card": "n-big", "from": "mini", "paid": FOUR}) == "NBA-9.3"
    assert Match(full()).refused("buy_player", **{"card": "n-big", "from": "mini", "paid": FOUR}) == "NBA-9.3"


def test_buying_a_tactic() -> None:
    match = Match(full())
    assert match.refused("buy_tactic", card="t-out", paid=[]) == "NBA-6.7"
    assert match.refused("buy_tactic", card="t-five", paid=["t-out"]) == "NBA-6.7"
    bought = match.play("buy_tactic", card="t-five", paid=["t-out", "t-out", "t-trap"])
    assert bought == {"cost": 2, "paid": 3, "to": "deck_top"}
    assert match.refused("buy_tactic", card="t-five", paid=[]) == "NBA-4.4"


def test_in_money_time_what_is_bought_comes_to_the_hand() -> None:
    match = Match(full(market_cards=6, variants={"money_time": True})).pass_turns(4)
    assert match.play("buy_tactic", card="t-five", paid=["t-out", "t-out"])["to"] == "hand"


def test_a_coach_for_a_second_tactic() -> None:
    match = Match(full(coaches={"ann": {"power": "second_tactic"}, "ben": {"power": "second_tactic", "extra": 0}}))
    paid = ["t-out", "t-post"]
    assert match.play("buy_tactic", card="t-five", paid=paid)["cost"] == 2
    assert match.refused("buy_tactic", card="t-mixed", paid=paid) == "NBA-6.7"
    assert match.play("buy_tactic", card="t-mixed", paid=[*paid, "t-out"])["cost"] == 3
    assert match.view["done"] == ["buy_tactic", "buy_tactic"]
    assert match.refused("buy_tactic", card="t-mixed", paid=[*paid, "t-out"]) == "NBA-4.4"
    match.play("end_turn")
    match.play("buy_tactic", card="t-five", paid=paid)
    assert match.play("buy_tactic", card="t-five", paid=paid)["cost"] == 2


@pytest.mark.parametrize(
    ("skill", "least", "cost"),
    [("three_points", 2, 3), ("three_points", 3, 4), ("iq", 2, 3), ("rebounds", 0, 3), ("rebounds", 1, 4)],
)
def test_a_coach_for_a_discount(skill: str, least: int, cost: int) -> None:
    coach = {"power": "discount", "skill": skill, "min": least}
    match = Match(full(coaches={"ann": coach}))
    assert match.play("buy_player", card="n-ace", slot=1, paid=FOUR)["cost"] == cost


def test_a_discount_stops_at_nothing() -> None:
    match = Match(
        full(
            cards={**CARDS, "n-free": player("pg", cost=0)},
            coaches={"ann": {"power": "discount"} | {"skill": "iq", "min": 0}},
        )
    )
    assert match.play("buy_player", card="n-free", slot=1, paid=[])["cost"] == 0


def test_after_an_activation_only_the_end_is_left() -> None:
    match = Match(full())
    match.play("prepare", tactics=["t-trap"])
    match.play("activate", tactic="t-trap", dice=dice("block 0 0, stop 0 0 0"))
    for event in ("adjust", "replace", "prepare", "buy_player", "buy_tactic", "activate", "end_turn", "mismatch"):
        assert match.refused(event) == "NBA-4.5"
    match.play("keep", dice=[])
    for event in ("replace", "prepare", "buy_player", "buy_tactic"):
        assert match.refused(event) == "NBA-4.4"
    assert match.refused("adjust") == "NBA-4.3"
    assert match.refused("keep", dice=[]) == "NBA-4.5"
    assert match.refused("reroll", dice=[0], to=[]) == "NBA-4.5"
    assert match.refused("ai_recruit", cards=[]) == "NBA-12.3"
