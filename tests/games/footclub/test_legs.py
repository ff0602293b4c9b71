"""Chapter 16: two legs and the transfers between them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.footclub.kit import BLUE_LINEUP, EXTRA, Match, player, under_way

NEWCOMERS = {"players": [player(f"n{level}{n}", "fw", level) for level in (4, 5, 3) for n in range(8)]}
OFFER = ["n40", "n41", "n42", "n50", "n51"]


def second_leg(blue: int = 0, red: int = 0, **rest: Any) -> Match:
    """Return a second leg: red was at home in the first leg, with this score; now blue is."""
    setup: dict[str, Any] = {"first_leg": {"score": {"blue": blue, "red": red}, **rest}, "format": "leg2"}
    return Match(**setup, catalogue={"team_cards": NEWCOMERS})


def scored(match: Match, side: str) -> Match:
    """Let this club score in the current turn, with the ball at either club."""
    other = "red" if side == "blue" else "blue"
    if match.view["possession"] == other:
        match.play("tackle", side=side, section="dm_l")
        match.play("roll", dice=[6, 6])
    match.attack(side, section="am_l")
    match.play("shot", defence=1, attack=6)
    return match.discard()


@pytest.mark.parametrize(
    ("first", "goals", "winner", "by"),
    [
        ((1, 0), "", "blue", "aggregate"),
        ((0, 2), "b", "red", "aggregate"),
        ((1, 2), "b", "blue", "away_goals"),
        ((0, 1), "br", None, None),
        ((1, 1), "", "blue", "away_goals"),
        ((1, 1), "br", None, None),
        ((0, 0), "br", "red", "away_goals"),
    ],
)
def test_FC_16_2_the_sum_decides_then_goals_scored_away(
    first: Any, goals: str, winner: str | None, by: str | None
) -> None:
    match = second_leg(*first).sheets().kick_off()
    for goal in goals:
        scored(match, "blue" if goal == "b" else "red")
    match.idle_half().kick_off().idle_half()
    blue, red = first[0] + goals.count("b"), first[1] + goals.count("r")
    if by is None and blue == red:
        assert (match.view["phase"], match.view["result"]) == ("extra_time_break", None)
    elif by is None:
        assert match.view["result"] == {"winner": "red", "by": "aggregate"}
    else:
        assert match.view["result"] == {"winner": winner, "by": by}


def level_tie() -> Match:
    """Return the extra time of a second leg with everything equal."""
    match = second_leg().sheets().kick_off().idle_half().kick_off().idle_half()
    assert match.view["phase"] == "extra_time_break"
    assert match.refused("extra_time", play=True) == "FC-18.4"
    return match.kick_off(EXTRA, EXTRA)


@pytest.mark.parametrize(
    ("goals", "result"),
    [
        ("b", {"winner": "blue", "by": "aggregate"}),
        ("r", {"winner": "red", "by": "aggregate"}),
        ("br", {"winner": "red", "by": "away_goals"}),
        ("", None),
    ],
)
def test_FC_16_2_goals_of_extra_time_count_like_the_others(goals: str, result: Any) -> None:
    match = level_tie()
    for goal in goals:
        scored(match, "blue" if goal == "b" else "red")
    match.idle_half()
    assert match.view["result"] == result
    assert match.view["phase"] == ("finished" if result else "shootout")


def test_FC_16_3_and_FC_16_4_and_FC_16_5_what_the_first_leg_left() -> None:
    match = second_leg(suspended=["b-s4"], booked=["b-fb1", "b-s5"], injured=["b-fw1", "b-s2"])
    assert match.player("b-s4")["status"] == "suspended"
    assert [match.player(id)["injury"] for id in ("b-fw1", "b-s2", "b-fb1")] == [1, 1, 0]
    assert [match.player(id)["half_yellow"] for id in ("b-fb1", "b-s5")] == [0, 0]
    match.sheets()
    assert [match.player(id)["half_yellow"] for id in ("b-fb1", "b-s5")] == [1, 0]
    assert (match.player("b-fw1")["level"], match.club("blue")["att"]) == (3, 19)
    match.kick_off().idle_half()
    assert match.player("b-fw1")["injury"] == 1


def test_carry_over_is_ready_for_the_second_leg() -> None:
    match = under_way(format="leg1", blue={"tackle": 6, "pressing": 6, "supporters": 2})
    assert match.view["carry_over"] == {"suspended": [], "booked": [], "injured": []}
    match.play("tackle", side="blue", section="dm_l", mode="aggressive")
    match.play("roll", dice=[1, 1])
    match.play("roll", dice=[1, 1])
    match.play("change", side="red", subs=[{"out": "r-dm1", "in": "r-s4"}], captain="r-cb1")
    match.play("no_offensive", side="red")
    match.discard()
    match.play("tackle", side="blue", section="am_l")
    match.play("roll", dice=[1, 1])
    assert match.view["carry_over"] == {"suspended": ["b-dm1"], "booked": ["b-am1"], "injured": ["r-dm1"]}
    match.play("change", side="blue", subs=[{"out": "b-am1", "in": "b-s2"}], captain="b-s2")
    match.play("forfeit", side="blue")
    assert match.view["carry_over"] == {"suspended": ["b-dm1"], "booked": ["b-am1"], "injured": ["r-dm1"]}
    assert match.view["result"] == {"winner": "red", "by": "forfeit"}
    assert under_way().view["carry_over"] is None


def test_FC_16_7_a_forfeit_in_the_second_leg_loses_the_tie() -> None:
    match = second_leg(5, 0)
    match.play("forfeit", side="blue")
    assert match.view["result"] == {"winner": "red", "by": "forfeit"}
    assert match.view["score"] == {"blue": 0, "red": 3}


def transfer(match: Match, offered: Any = OFFER, chosen: Any = ("n40", "n50"), side: str = "blue") -> str | None:
    return match.refused("market_transfer", side=side, offered=list(offered), take=list(chosen))


def test_FC_16_6_two_of_five_join_the_bench() -> None:
    match = second_leg(suspended=[])
    assert match.play("market_transfer", side="blue", offered=OFFER, take=["n40", "n50"]) == {"squad": 19}
    assert {"n40", "n50"} <= set(match.club("blue")["bench"])
    assert transfer(match) == "FC-18.6"
    assert match.refused("team_sheet", side="blue", lineup={**BLUE_LINEUP, "fw": ["n40", "n50"]}, captain="n50") is None


def test_FC_16_6_only_between_two_legs() -> None:
    assert transfer(Match(catalogue={"team_cards": NEWCOMERS})) == "FC-16.6"


def test_FC_18_6_not_after_the_team_sheet() -> None:
    match = second_leg()
    match.play("team_sheet", side="blue", lineup=BLUE_LINEUP, captain="b-am1")
    assert transfer(match) == "FC-18.6"
    assert transfer(match, side="red") is None


@pytest.mark.parametrize(
    ("offered", "chosen"),
    [
        (["b-fb1", "n41", "n42", "n50", "n51"], ["n41", "n50"]),
        (["nobody", "n41", "n42", "n50", "n51"], ["n41", "n50"]),
        (["n30", "n41", "n42", "n50", "n51"], ["n41", "n50"]),
        (["n40", "n41", "n42", "n43", "n51"], ["n41", "n42"]),
        (["n40", "n40", "n42", "n50", "n51"], ["n40", "n50"]),
        (OFFER, ["n40", "n43"]),
        (OFFER, ["n40", "n40"]),
        (OFFER, ["n50", "n51"]),
    ],
)
def test_FC_16_6_the_offer_and_the_choice(offered: list[str], chosen: list[str]) -> None:
    assert transfer(second_leg(), offered, chosen) == "FC-16.6"


def test_FC_16_6_offers_do_not_overlap() -> None:
    match = second_leg()
    match.play("market_transfer", side="red", offered=OFFER, take=["n41", "n51"])
    assert transfer(match) == "FC-16.6"
    assert transfer(match, ["n43", "n44", "n42", "n52", "n53"], ["n43", "n44"]) == "FC-16.6"
    assert transfer(match, ["n43", "n44", "n45", "n52", "n53"], ["n43", "n44"]) is None


def test_a_card_of_a_squad_is_owned() -> None:
    cards = {"players": [*NEWCOMERS["players"], player("b-am1", "am", 5, "technical", "skilful")]}
    setup: dict[str, Any] = {"first_leg": {"score": {"blue": 0, "red": 0}}, "format": "leg2"}
    match = Match(**setup, catalogue={"team_cards": cards})
    assert transfer(match, ["n40", "n41", "n42", "n50", "b-am1"], ["n40", "n41"]) == "FC-16.6"
