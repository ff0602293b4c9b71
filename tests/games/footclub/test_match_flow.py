"""Chapter 14: the course of a match."""

from __future__ import annotations

import pytest

from tests.games.footclub.kit import EXTRA, TACTICS, Match, under_way


def test_FC_14_1_the_ball_waits_for_team_sheets_and_choices() -> None:
    match = Match()
    assert match.refused("ball", colour="red") == "FC-14.1"
    match.play("tactics", side="blue")
    match.play("tactics", side="red")
    assert match.refused("ball", colour="red") == "FC-14.1"
    match.sheets()
    assert match.play("ball", colour="red") == {"colour": "red", "half": 1, "kickoff": "red"}


def test_FC_14_1_hands_of_four_then_step_1() -> None:
    match = under_way()
    assert [(match.club(side)["hand"], match.club(side)["deck"]) for side in ("blue", "red")] == [(6, 8), (6, 8)]
    assert (match.view["phase"], match.view["half"], match.view["turn"]) == ("preparation", 1, 1)


@pytest.mark.parametrize(("home", "first", "second"), [("blue", "red", "blue"), ("red", "blue", "red")])
def test_FC_14_2_who_kicks_off(home: str, first: str, second: str) -> None:
    match = under_way(home=home)
    assert match.view["possession"] == first
    match.idle_half().kick_off()
    assert (match.view["possession"], match.view["ball_holder"]) == (second, match.club(second)["captain"])


def test_FC_14_5_and_FC_14_6_possession_goes_on_until_the_ball_is_left() -> None:
    match = under_way()
    match.play("tackle", side="blue", section="dm_l")
    match.play("roll", dice=[6, 6])
    assert match.refused("leave", side="blue") == "FC-18.5"
    match.play("press", side="red", section=["am_l", "am_r"])
    match.play("press", side="blue", section=["am_l", "am_r"])
    assert match.play("leave", side="red") == {"attack": "blue"}
    assert (match.view["phase"], match.view["possession"], match.view["ball_holder"]) == ("attack", "blue", "b-am1")


def test_FC_14_7_then_no_pressing_and_no_tackle() -> None:
    match = under_way()
    match.play("leave", side="blue")
    assert match.refused("press", side="blue", section=["am_l", "am_r"]) == "FC-14.7"
    assert match.refused("tackle", side="blue", section=0) == "FC-14.7"
    assert match.refused("leave", side="blue") == "FC-14.7"


def test_FC_14_8_declining_ends_the_turn() -> None:
    match = under_way()
    match.play("leave", side="blue")
    assert match.play("no_offensive", side="red") == {}
    assert match.view["phase"] == "end_of_turn"


def test_FC_14_10_the_hand_size_is_attackers_and_forwards() -> None:
    match = under_way()
    assert [match.club(side)["hand_limit"] for side in ("blue", "red")] == [4, 5]
    assert [match.club(side)["must_discard"] for side in ("blue", "red")] == [0, 0]
    assert [Match().club(side)["hand_limit"] for side in ("blue", "red")] == [None, None]


def test_FC_14_11_the_next_turn_begins_when_nobody_has_too_many() -> None:
    match = under_way()
    match.play("leave", side="blue")
    match.play("no_offensive", side="red")
    match.play("discard", side="red", cards=["tackle"])
    assert match.view["phase"] == "end_of_turn"
    match.play("discard", side="blue", cards=["tackle", "pressing"])
    view = match.view
    assert (view["phase"], view["turn"], view["possession"], view["ball_holder"]) == ("preparation", 2, "red", "r-dm1")
    assert [match.club(side)["hand"] for side in ("blue", "red")] == [6, 7]


def test_FC_14_9_empty_step_5_takes_no_event() -> None:
    match = under_way()
    match.play("supporter", side="blue")
    match.play("supporter", side="red")
    match.play("tackle", side="blue", section="dm_l")
    match.play("roll", dice=[6, 6])
    match.play("leave", side="red")
    match.play("no_offensive", side="blue")
    assert (match.view["phase"], match.view["turn"]) == ("preparation", 2)


def test_FC_14_12_the_half_ends_with_its_fifth_turn_without_discards() -> None:
    match = under_way()
    for _ in range(4):
        match.idle_turn()
    match.play("leave", side="blue")
    match.play("no_offensive", side="red")
    assert (match.view["phase"], match.view["half"], match.view["turn"]) == ("half_time", 1, 5)


def test_FC_14_12_a_goal_in_the_last_turn_ends_the_half() -> None:
    match = under_way()
    for _ in range(4):
        match.idle_turn()
    match.reshape("red", cards_left=(1,) * 8).attack("red", section="am_r")
    match.play("shot", defence=1, attack=6)
    assert (match.view["phase"], match.view["score"]) == ("half_time", {"blue": 0, "red": 1})


def test_FC_14_13_half_time() -> None:
    match = under_way()
    match.play("press", side="blue", section=["fw_r", "am_l"], pay=["token", "supporter"])
    match.play("tackle", side="red", section="dm_l")
    match.play("roll", dice=[1, 1])
    match.play("change", side="blue", subs=[{"out": "b-cb2", "in": "b-s5"}])
    assert match.player("b-fw2")["injury"] == 1
    match.play("no_offensive", side="blue")
    match.discard().idle_half()
    view, club = match.view, match.club("blue")
    assert (view["ball_colour"], view["possession"], view["ball_holder"]) == (None, None, None)
    assert (club["hand"], club["deck"], club["discard"], club["cards_left"], club["tactics_known"]) == (
        0,
        0,
        {},
        None,
        None,
    )
    assert (club["supporters"], club["kop"], club["replacements_left"]) == (4, "up", 2)
    assert (match.player("b-fw2")["injury"], match.player("b-fw2")["freshness"], match.player("r-dm1")["yellow"]) == (
        0,
        0,
        1,
    )
    assert match.refused("change", side="blue", subs=[{"out": "b-fw2", "in": "b-s4"}]) == "FC-12.1"
    assert match.refused("team_sheet", side="blue", lineup={}, captain="x") == "FC-18.4"
    assert match.refused("ball", colour="blue") == "FC-14.1"


def test_FC_14_14_the_second_half_is_played_as_the_first() -> None:
    match = under_way().idle_half()
    match.play("tactics", side="blue", cards=TACTICS)
    match.play("tactics", side="red")
    assert match.play("ball", colour="green") == {"colour": "green", "half": 2, "kickoff": "blue"}
    assert (match.view["turn"], match.club("red")["deck"]) == (1, 8)


def test_FC_18_3_after_the_match_nothing_is_legal() -> None:
    match = under_way(format="league").idle_half().kick_off().idle_half()
    assert match.view["phase"] == "finished"
    assert match.refused("ball", colour="red") == "FC-18.3"
    assert match.refused("offensive", side="red", kind="counter_attack", section="x") == "FC-18.3"
    assert match.refused("ball", colour="pink") == "FC-18.2"
    club = match.club("blue")
    assert (club["hand"], club["deck"], club["cards_left"], match.view["ball_colour"]) == (0, 0, None, None)


@pytest.mark.parametrize(
    "event",
    [
        "market_open",
        "market_staff",
        "market_pick",
        "tactics",
        "team_sheet",
        "ball",
        "roll",
        "recover",
        "discard",
        "shooters",
    ],
)
def test_FC_18_4_out_of_phase(event: str) -> None:
    fields = {
        "market_open": {"first": "red", "pairs": [["a", "b"]] * 3},
        "market_staff": {"side": "red", "coach": "a", "goalkeeper": "b"},
        "market_pick": {"side": "red", "revealed": ["a", "b"], "take": "a", "pair": ["a", "b"]},
        "tactics": {"side": "red", "cards": EXTRA},
        "team_sheet": {"side": "red", "lineup": {}, "captain": ""},
        "ball": {"colour": "red"},
        "roll": {"dice": [1, 1]},
        "recover": {"side": "blue", "card": "tackle"},
        "discard": {"side": "blue", "cards": ["tackle"]},
        "shooters": {"side": "blue", "players": ["a", "b", "c", "d", "e"]},
    }
    assert under_way().refused(event, **fields[event]) == "FC-18.4"


def test_FC_18_4_in_a_duel_only_dice() -> None:
    match = under_way()
    match.play("tackle", side="blue", section="dm_l")
    for event in ("press", "leave", "no_offensive", "supporter", "attacking_support"):
        fields = {"side": "blue", **({"section": ["fw_l", "fw_r"]} if event == "press" else {})}
        assert match.refused(event, **fields) == "FC-18.4"
    assert match.refused("change", side="blue", subs=[]) == "FC-12.1"
    assert match.refused("permute", side="blue", players=["a", "b"]) == "FC-12.8"
