"""Chapter 6: freshness and pressing."""

from __future__ import annotations

import pytest

from tests.games.footclub.kit import under_way

BOTH = ["b-fw2", "b-am1"]


def test_FC_6_1_everybody_starts_with_a_token_and_a_ball_winner_with_two() -> None:
    match = under_way()
    assert [match.player(id)["freshness"] for id in ("b-fb1", "b-fb2", "b-s5")] == [2, 1, 0]


def test_FC_6_2_so_does_a_player_coming_on() -> None:
    match = under_way()
    match.play("change", side="blue", subs=[{"out": "b-cb2", "in": "b-s5"}, {"out": "b-dm1", "in": "b-s3"}])
    assert [match.player(id)["freshness"] for id in ("b-s5", "b-s3", "b-cb2")] == [2, 1, 1]


def test_FC_6_3_and_FC_6_4_it_wins_the_ball_for_a_token_of_each() -> None:
    match = under_way()
    outcome = match.play("press", side="blue", section=["fw_r", "am_l"])
    assert outcome == {"players": BOTH, "holder": "b-fw2", "section": "red"}
    assert [match.player(id)["freshness"] for id in BOTH] == [0, 0]
    view = match.view
    assert (view["phase"], view["possession"], view["ball_holder"]) == ("possession", "blue", "b-fw2")
    assert (match.club("blue")["hand"], match.club("blue")["discard"]) == (5, {"pressing": 1})


@pytest.mark.parametrize(
    ("pay", "tokens", "supporters"),
    [
        (["token", "supporter"], [0, 1], 4),
        (["supporter", "token"], [1, 0], 4),
        (["supporter", "supporter"], [1, 1], 3),
    ],
)
def test_FC_6_4_a_supporter_pays_in_the_place_of_either(pay: list[str], tokens: list[int], supporters: int) -> None:
    match = under_way()
    match.play("press", side="blue", section=["fw_r", "am_l"], pay=pay)
    assert [match.player(id)["freshness"] for id in BOTH] == tokens
    club = match.club("blue")
    assert (club["supporters"], club["discard"]["supporters"]) == (supporters, 5 - supporters)
    assert club["cards_left"]["supporters"] == 2


@pytest.mark.parametrize(
    ("pay", "tokens"), [(["kop", "kop"], [1, 1]), (["kop", "token"], [1, 0]), (["token", "kop"], [0, 1])]
)
def test_FC_6_5_the_kop_K02_pays_one_or_both_and_is_turned(pay: list[str], tokens: list[int]) -> None:
    match = under_way(kop="K02")
    match.play("press", side="blue", section=["fw_r", "am_l"], pay=pay)
    assert [match.player(id)["freshness"] for id in BOTH] == tokens
    club = match.club("blue")
    assert (club["kop"], club["stands"], club["supporters"]) == ("down", 6, 5)
    match.play("press", side="red", section=["fw_r", "am_l"])
    assert match.refused("press", side="blue", section=["cb_l", "cb_r"], pay=["kop", "token"]) == "FC-6.5"


def test_FC_6_5_K01_pays_none_and_the_away_club_has_no_kop() -> None:
    assert under_way().refused("press", side="blue", section=["fw_r", "am_l"], pay=["kop", "token"]) == "FC-6.5"
    away_match = under_way(home="red", kop="K02")
    away_match.play("leave", side="red")
    away_match.play("no_offensive", side="blue")
    away_match.discard().play("press", side="red", section=["cb_l", "cb_r"])
    assert away_match.refused("press", side="blue", section=["fw_r", "am_l"], pay=["token", "kop"]) == "FC-6.5"


def test_FC_6_6_one_player_named_twice_pays_one_token() -> None:
    match = under_way()
    assert match.refused("press", side="blue", section=["fb_l", "fb_l"]) == "FC-6.6"
    match.play("press", side="blue", section=["fb_l", "fb_l"], pay=["token", "supporter"])
    assert match.player("b-fb1")["freshness"] == 1


def test_FC_6_7_who_cannot_pay_cannot_play() -> None:
    match = under_way()
    match.play("press", side="blue", section=["fw_r", "am_l"])
    match.play("press", side="red", section=["fw_r", "am_l"])
    assert match.refused("press", side="blue", section=["fw_r", "dm_l"]) == "FC-6.7"
    assert match.refused("press", side="blue", section=["dm_l", "fw_r"]) == "FC-6.7"
    match.reshape("blue", supporters=1)
    assert match.refused("press", side="blue", section=["fw_r", "fw_r"], pay=["supporter", "supporter"]) == "FC-6.7"
    assert match.refused("press", side="blue", section=["fw_r", "fw_l"], pay=["supporter", "token"]) is None


def test_FC_6_the_order_of_the_checks_of_payment() -> None:
    match = under_way().reshape("blue", supporters=0)
    match.play("press", side="blue", section=["fw_r", "am_l"])
    match.play("press", side="red", section=["fw_r", "am_l"])
    assert match.refused("press", side="blue", section=["fw_r", "fw_r"]) == "FC-6.6"
    assert match.refused("press", side="blue", section=["fw_l", "am_l"], pay=["supporter", "token"]) == "FC-6.7"
    assert match.refused("press", side="blue", section=["fw_l", "dm_l"], pay=["supporter", "kop"]) == "FC-6.7"
    assert match.refused("press", side="blue", section=["fw_l", "dm_l"], pay=["token", "kop"]) == "FC-6.5"


def test_FC_18_5_only_the_club_without_the_ball_presses() -> None:
    match = under_way()
    assert match.refused("press", side="red", section=["fw_r", "am_l"]) == "FC-18.5"
    match.play("press", side="blue", section=["fw_r", "am_l"])
    assert match.refused("press", side="blue", section=["fw_r", "am_l"]) == "FC-18.5"


def test_FC_6_7_a_pressing_does_not_count_among_the_three_supporters() -> None:
    match = under_way()
    match.play("press", side="blue", section=["fw_r", "am_l"], pay=["supporter", "supporter"])
    match.attack("blue", section="am_l")
    assert match.view["offensive"]["spent"] == {"blue": 0, "red": 0}
    assert match.refused("spend", side="blue", supporters=3) is None
