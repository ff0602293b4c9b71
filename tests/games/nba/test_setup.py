"""Chapters 2 and 3 with the setup rules of 9.2, 9.3, 9.5, 12.1 and 13.2: every fault by its rule, on line 1."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.nba.dice_set import RULEBOOK_DICE
from companion.games.nba.setup import read_header
from companion.games.nba.turns import initial_state
from tests.games.nba.kit import (
    BASE_TACTICS,
    CARDS,
    COURT,
    ROSTER,
    SUBSTITUTES,
    full,
    header,
    player,
    rule_of_header,
    solo,
    tactic,
)

SIX = [f"m{n}" for n in range(6)]
MARKET = {id: player("pg", cost=3 + n // 3) for n, id in enumerate(SIX)}
MINIS = {f"d{n}": player("sg", cost=2) for n in range(10)}


def rosters(**ann: Any) -> dict[str, Any]:
    return {"ann": {**ROSTER, **ann}, "ben": ROSTER}


@pytest.mark.parametrize(
    "head",
    [
        {},
        {**header(), "journal": 2},
        {**header(), "journal": True},
        {**header(), "game": "footclub"},
        {**header(), "sides": {"ann": {"name": "Anne"}}},
        {**header(), "sides": {"ann": {"name": "Anne"}, "ben": {"name": 3}}},
        {**header(), "sides": {"ann": {"name": "Anne"}, "ben": "Ben"}},
        {**header(), "sides": [1, 2]},
        {**header(), "setup": None},
        header(level="half"),
        header(first="cat"),
        header(duration="endless"),
        header(market_cards=5),
        header(market_cards=101),
        header(market_cards=True),
        header(clock="watch"),
        header(variants=None),
        header(variants={"draft": 1}),
        header(variants={"mismatch": 6}),
        header(fatigue={"cards": 100}),
        header(fatigue={"removed_to": "hand"}),
    ],
)
def test_a_bad_header(head: dict[str, Any]) -> None:
    assert rule_of_header(head) == "NBA-3.1"


def test_what_is_left_out_is_the_default_and_what_is_unknown_is_ignored() -> None:
    head = header(colour="green", dice_set=None, legacy=None, solo=None, variants={"zone": 3}, rosters=7)
    setup = read_header(head)
    assert setup == read_header({key: value for key, value in header().items() if key != "setup"})
    assert (setup.level, setup.first, setup.market_cards, setup.limit) == ("scores", "ann", 20, 24)
    assert (setup.fatigue_cards, setup.removed_to, setup.dice_set) == (9, "pile", RULEBOOK_DICE)


@pytest.mark.parametrize(
    ("duration", "sides", "cards", "limit"),
    [
        ("short", 2, 12, 16),
        ("normal", 2, 20, 24),
        ("long", 2, 32, 36),
        ("epic", 2, 44, 48),
        ("normal", 3, 30, 36),
        ("normal", 4, 40, 44),
        ("short", 3, 18, 24),
    ],
)
def test_durations(duration: str, sides: int, cards: int, limit: int) -> None:
    """NBA-9.1 and NBA-8.3; full rounds with three and four sides."""
    setup = read_header(header(*("ann", "ben", "cat", "dan")[:sides], duration=duration))
    assert (setup.market_cards, setup.limit) == (cards, limit)
    assert setup.fatigue_cards == (9 if sides == 2 else 18)


DEFENCE_FACES = [{"value": 0}, *({"value": n, "colour": "unknown"} for n in (1, 1, 2, 2, 4))]


@pytest.mark.parametrize(
    "dice_set",
    [
        7,
        {"id": 3},
        {"six_nine": "line"},
        {"faces": None},
        {"faces": {"basket": [0] * 6}},
        {"faces": {"inside": [0] * 5}},
        {"faces": {"inside": [0, 0, 0, 0, 0, 10]}},
        {"faces": {"block": [0] * 6}},
        {"faces": {"block": [*DEFENCE_FACES[:5], {"value": 3}]}},
        {"faces": {"block": [*DEFENCE_FACES[:5], {"value": 0, "colour": "red"}]}},
        {"faces": {"block": [*DEFENCE_FACES[:5], {"value": 3, "colour": "green"}]}},
    ],
)
def test_a_bad_dice_set(dice_set: Any) -> None:
    assert rule_of_header(header(dice_set=dice_set)) == "NBA-2.2"


def test_a_dice_set_keeps_the_faces_it_does_not_name() -> None:
    given = {"faces": {"block": DEFENCE_FACES, "inside": [1, 2, 3, 4, 5, 9]}}
    dice_set = read_header(header(dice_set=given)).dice_set
    assert (dice_set.id, dice_set.six_nine, dice_set.unknown) == ("custom", "underline", 10)
    assert dice_set.of("stop") == RULEBOOK_DICE.of("stop")
    assert dice_set.of("inside") == tuple((n, None) for n in (1, 2, 3, 4, 5, 9))


@pytest.mark.parametrize(
    "card",
    [
        7,
        {"kind": "coach"},
        {"kind": "player"},
        player(""),
        player("pg bench"),
        {**player("pg"), "role": "star"},
        {**player("pg"), "iq": -1},
        {**player("pg"), "iq": True},
        {**player("pg"), "decisive": 1},
        {**player("pg"), "name": None},
        {**tactic("offence", 3, three_points=2), "keep": {}},
        tactic("offence", 3, block=1),
        tactic("offence", 3, three_points=0),
        tactic("press", 3, three_points=1),
        {**tactic("offence", 3, three_points=1), "base": "yes"},
    ],
)
def test_a_bad_card(card: Any) -> None:
    assert rule_of_header(header(cards={"x": card})) == "NBA-3.2"


def test_the_catalogue_as_a_whole() -> None:
    assert rule_of_header(header(cards=None)) == "NBA-3.2"
    assert rule_of_header(header(cards={"fatigue": player("pg")})) == "NBA-3.2"
    assert rule_of_header(header(level="full", rosters={})) == "NBA-3.2"
    assert rule_of_header(header(cards={"x": player("pg")})) is None


@pytest.mark.parametrize(
    "given",
    [
        None,
        {"ann": ROSTER},
        {"ann": ROSTER, "ben": 3},
        rosters(court={position: id for position, id in COURT.items() if position != "c"}),
        rosters(court={**COURT, "c": "s-pg"}),
        rosters(court={**COURT, "c": "nobody"}),
        rosters(court={**COURT, "c": ["s-c"]}),
        rosters(court={**COURT, "c": "t-out"}),
        rosters(court={**COURT, "pg": "n-ace", "sg": "n-ace"}),
        {side: {**ROSTER, "court": {**COURT, "pg": "n-ace"}} for side in ("ann", "ben")},
    ],
)
def test_courts(given: Any) -> None:
    assert rule_of_header(full(rosters=given)) == "NBA-3.3"
    head = full()
    del head["setup"]["rosters"]
    assert rule_of_header(head) == "NBA-3.3"


BENCH, TACTICS = list(SUBSTITUTES), list(BASE_TACTICS)


@pytest.mark.parametrize(
    ("ann", "rule"),
    [
        ({"bench": 3}, "3.4"),
        ({"bench": ["nobody"], "tactics": None}, "3.4"),
        ({"tactics": ["b-pg"]}, "3.4"),
        ({"bench": BENCH[:6]}, "3.4"),
        ({"tactics": TACTICS[:4]}, "3.4"),
        ({"bench": [*BENCH[:6], BENCH[0]]}, "3.4"),
        ({"bench": [*BENCH[:6], "s-pg"]}, "3.4"),
        ({"bench": [*BENCH[:6], "n-ace"]}, "3.4"),
        ({"tactics": [*TACTICS[:4], "t-five"]}, "3.4"),
        ({"tactics": [*TACTICS[:4], "t-out"]}, None),
        ({"bench": [*BENCH[:6], "n-ace"], "tactics": None}, None),
        ({"bench": None, "tactics": None}, None),
    ],
)
def test_decks(ann: dict[str, Any], rule: str | None) -> None:
    """The five checks of NBA-3.4; with team selection the same faults break NBA-9.2."""
    assert rule_of_header(full(rosters=rosters(**ann))) == (rule and f"NBA-{rule}")


@pytest.mark.parametrize(
    ("ann", "right"),
    [
        ({}, True),
        ({"bench": BENCH[:5], "tactics": [*TACTICS, "t-out", "t-out"]}, True),
        ({"bench": BENCH[:4], "tactics": [*TACTICS, "t-out", "t-out", "t-out"]}, False),
        ({"bench": BENCH, "tactics": TACTICS[:4]}, False),
        ({"bench": [*BENCH[:6], "n-ace"]}, False),
        ({"bench": ["nobody"]}, False),
    ],
)
def test_team_selection(ann: dict[str, Any], right: bool) -> None:
    head = full(rosters=rosters(**ann), variants={"team_selection": True})
    assert rule_of_header(head) == (None if right else "NBA-9.2")


def drafted(**ann: Any) -> dict[str, Any]:
    ben = {**ROSTER, "mini": list(MINIS)[5:]}
    given = {"ann": {**ROSTER, "mini": list(MINIS)[:5], **ann}, "ben": ben}
    return full(cards={**CARDS, **MINIS, **MARKET}, rosters=given, variants={"draft": True}, market_cards=6)


@pytest.mark.parametrize("mini", [list(MINIS)[:4], list(MINIS)[4:9], ["d0"] * 5, ["s-pg", *list(MINIS)[:4]], None])
def test_personal_markets(mini: Any) -> None:
    assert rule_of_header(drafted()) is None
    assert rule_of_header(drafted(mini=mini)) == "NBA-9.3"


def test_personal_markets_need_the_variant_and_stay_out_of_the_deck() -> None:
    head = drafted()
    head["setup"]["market_list"] = [*SIX[:5], "d0"]
    assert rule_of_header(head) == "NBA-9.3"
    assert rule_of_header({**head, "setup": {**head["setup"], "variants": {}}}) == "NBA-9.3"


@pytest.mark.parametrize(
    "deck",
    [None, SIX[:5], [*SIX[:5], "m0"], [*SIX[:5], "s-pg"], [*SIX[:5], "nobody"], [*SIX[:5], ["m5"]], SIX[::-1]],
)
def test_the_deck_of_the_market(deck: Any) -> None:
    head = full(cards={**CARDS, **MARKET}, market_cards=6)
    assert rule_of_header({**head, "setup": {**head["setup"], "market_list": SIX}}) is None
    assert rule_of_header({**head, "setup": {**head["setup"], "market_list": deck}}) == "NBA-3.5"


def test_the_deck_of_the_market_needs_four_of_cost_three_to_five() -> None:
    dear = {id: player("pg", cost=3 if n < 3 else 6) for n, id in enumerate(SIX)}
    head = header(cards=dear, market_cards=6, market_list=SIX)
    assert rule_of_header(head) == "NBA-3.5"
    assert rule_of_header({**head, "setup": {**head["setup"], "variants": {"draft": True}}}) is None


@pytest.mark.parametrize(
    "coaches",
    [
        None,
        {"cat": {"power": "draw7"}},
        {"ann": "draw7"},
        {"ann": {}},
        {"ann": {"power": "luck"}},
        {"ann": {"power": "second_tactic", "extra": -1}},
        {"ann": {"power": "discount", "skill": "iq"}},
        {"ann": {"power": "discount", "skill": "luck", "min": 1}},
        {"ann": {"power": "reroll"}},
    ],
)
def test_a_bad_coach(coaches: Any) -> None:
    assert rule_of_header(header(coaches=coaches)) == "NBA-9.5"


@pytest.mark.parametrize(
    "legacy",
    [
        7,
        {"stage": 2, "threshold": 4},
        {"stage": 0, "threshold": 4, "kept": {}},
        {"stage": 2, "threshold": 4, "kept": {"cat": []}},
        {"stage": 2, "threshold": 4, "kept": {"ann": ["nobody"]}},
        {"stage": 2, "threshold": 4, "kept": {"ann": ["n-ace", "n-big"]}},
        {"stage": 2, "threshold": 3, "kept": {"ann": ["n-ace"]}},
    ],
)
def test_a_bad_legacy(legacy: Any) -> None:
    assert rule_of_header(header(cards=CARDS, legacy=legacy)) == "NBA-13.2"


def test_a_kept_card_takes_a_place_in_the_deck() -> None:
    kept = {"stage": 2, "threshold": 4, "kept": {"ann": ["n-ace", "t-five"]}}
    given = rosters(bench=[*BENCH[:6], "n-ace"], tactics=[*TACTICS[:4], "t-five"])
    assert rule_of_header(full(rosters=given, legacy=kept)) is None
    assert rule_of_header(full(rosters=given)) == "NBA-3.4"


def opponent(**changes: Any) -> dict[str, Any]:
    head = solo()
    return {**head, "setup": {**head["setup"], **changes}}


@pytest.mark.parametrize(
    "head",
    [
        opponent(solo=7),
        opponent(solo={"side": "cat"}),
        opponent(solo={"side": "ben", "resources": -1}),
        opponent(solo={"side": "ben", "profile": "stars"}),
        opponent(solo={"side": "ben", "profile": {"luck": 1}}),
        opponent(variants={"mismatch": 1}),
        opponent(rosters={"ann": ROSTER, "ben": {"court": COURT}}),
        opponent(rosters={"ann": ROSTER, "ben": {"court": COURT, "tactics": []}}),
        opponent(rosters={"ann": ROSTER, "ben": {"court": COURT, "tactics": ["s-pg"]}}),
        header(solo={"side": "ben"}),
        full("ann", "ben", "cat", solo={"side": "ben"}),
    ],
)
def test_a_bad_solo_opponent(head: dict[str, Any]) -> None:
    assert rule_of_header(head) == "NBA-12.1"


def test_the_order_of_the_checks() -> None:
    """NBA-1.7: each fault hides the later ones."""
    faults: list[tuple[str, dict[str, Any]]] = [
        ("NBA-3.1", {"clock": 0}),
        ("NBA-2.2", {"dice_set": 0}),
        ("NBA-3.2", {"cards": 0}),
        ("NBA-9.5", {"coaches": 0}),
        ("NBA-13.2", {"legacy": 0}),
        ("NBA-3.3", {"rosters": 0}),
        ("NBA-3.5", {"market_list": 0}),
        ("NBA-12.1", {"solo": 0}),
    ]
    changes: dict[str, Any] = {}
    for rule, change in reversed(faults):
        changes |= change
        assert rule_of_header(full(**changes)) == rule


def test_the_first_turn_is_open_after_the_header() -> None:
    state = initial_state(read_header(full(first="ben")))
    assert (state.active, state.phase, state.turn, state.deck) == ("ben", "adjust", 1, 18)
    assert state.track == ("?", "?", None, None, None, None)
