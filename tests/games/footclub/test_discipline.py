"""Chapter 13: cards, injuries, windows, and clubs that become too small."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.games.footclub.kit import DEFENSIVE, Match, under_way


def booked(*ids: str) -> Match:
    """Return a match in which blue has these yellow cards and red has the ball."""
    match = under_way(blue=DEFENSIVE)
    players = dict(match.state.club("blue").players)
    for id in ids:
        players[id] = replace(players[id], yellow=players[id].yellow + 1)
    return match.reshape("blue", players=players)


def sent_off(ones: int, match: Match, section: str = "dm_l") -> dict[str, Any]:
    """Play blue's aggressive tackle on the ball holder, with `ones` throws of two ones."""
    match.play("tackle", side="blue", section=section, mode="aggressive")
    match.play("roll", dice=[1, 1])
    return match.play("roll", dice=[1, 1] if ones == 2 else [1, 2])


def test_FC_13_1_and_FC_13_2_a_second_yellow_card_is_a_red_one() -> None:
    match = booked("b-dm1")
    match.play("tackle", side="blue", section="dm_l")
    assert match.view["odds"] == {
        "success": "7/12",
        "foul": "5/12",
        "yellow": "1/36",
        "red": "0",
        "sent_off": "1/36",
    }
    outcome = match.play("roll", dice=[1, 1])
    assert (outcome["card"], outcome["sent_off"], outcome["injury"]) == ("yellow", True, "light")
    assert (match.player("b-dm1")["status"], match.player("b-dm1")["yellow"], match.club("blue")["reds"]) == (
        "sent_off",
        2,
        1,
    )


def test_FC_13_3_a_sent_off_player_is_not_replaced() -> None:
    match = under_way()
    sent_off(2, match)
    assert match.club("blue")["lineup"]["dm"] == ["b-dm2"]
    assert match.club("blue")["formation"] == "2-2-1-2-2"
    match.play("captain", side="red", player="r-am1")
    assert match.refused("change", side="blue", subs=[{"out": "b-dm1", "in": "b-s3"}]) == "FC-12.6"
    assert "b-dm1" not in match.club("blue")["bench"]


@pytest.mark.parametrize(
    ("ids", "bookings", "malus"),
    [
        ((), 0, 0),
        (("b-fb1", "b-fb2"), 2, 0),
        (("b-fb1", "b-fb2", "b-dm1"), 3, 1),
        (("b-fb1", "b-fb2", "b-dm1", "b-am1", "b-fw1"), 5, 3),
    ],
)
def test_FC_13_5_the_defensive_malus(ids: tuple[str, ...], bookings: int, malus: int) -> None:
    club = booked(*ids).club("blue")
    assert (club["booking_halves"], club["bookings"], club["defensive_malus"], club["def"]) == (
        2 * bookings,
        bookings,
        malus,
        25 - malus,
    )


def test_FC_13_5_half_cards_count_half_rounded_up_and_only_on_the_pitch() -> None:
    leg = {"score": {"blue": 0, "red": 0}, "booked": ["b-fb1", "b-fb2", "b-dm1", "b-am1", "b-fw1", "b-s4"]}
    match = under_way(format="leg2", first_leg=leg)
    club = match.club("blue")
    assert (club["booking_halves"], club["bookings"], club["defensive_malus"], club["def"]) == (5, 3, 1, 24)
    assert [match.player(id)["half_yellow"] for id in ("b-fb1", "b-s4", "b-cb1")] == [1, 0, 0]
    match.play("change", side="blue", subs=[{"out": "b-fw2", "in": "b-s4"}, {"out": "b-dm1", "in": "b-s3"}])
    club = match.club("blue")
    assert (club["booking_halves"], club["bookings"], match.player("b-s4")["half_yellow"]) == (5, 3, 1)


def test_FC_13_2_a_half_card_is_not_a_yellow_card() -> None:
    leg = {"score": {"blue": 0, "red": 0}, "booked": ["b-dm1"]}
    match = under_way(format="leg2", first_leg=leg)
    match.play("tackle", side="blue", section="dm_l")
    assert match.view["odds"]["sent_off"] == "0"
    assert match.play("roll", dice=[1, 1])["sent_off"] is False
    assert match.club("blue")["booking_halves"] == 3


def test_FC_13_6_a_short_team_is_not_optimised() -> None:
    match = under_way()
    assert match.club("red")["optimised"]
    assert match.status("injured_off", "r-fw2").club("red")["optimised"] is False


def test_FC_13_4_a_window_opens_for_both_away_first_and_closes() -> None:
    match = under_way()
    match.play("tackle", side="blue", section="dm_l")
    match.play("roll", dice=[1, 1])
    assert match.view["change_window"] is True
    assert match.refused("change", side="blue", subs=[]) == "FC-12.5"
    assert match.refused("permute", side="blue", players=["b-dm1", "b-dm2"]) == "FC-12.8"
    match.play("change", side="blue", subs=[{"out": "b-dm1", "in": "b-s3"}])
    assert match.view["change_window"] is True
    assert match.refused("change", side="red", subs=[{"out": "r-fw2", "in": "r-s5"}]) == "FC-14.4"
    match.play("change", side="blue", subs=[], lineup=match.club("blue")["lineup"])
    match.play("no_offensive", side="red")
    assert match.view["change_window"] is False
    assert match.refused("change", side="blue", subs=[{"out": "b-fw2", "in": "b-s4"}]) == "FC-12.1"


def test_FC_13_4_the_order_begins_anew_in_each_window() -> None:
    match = under_way()
    match.play("change", side="blue", subs=[{"out": "b-fw2", "in": "b-s4"}])
    assert match.refused("change", side="red", subs=[{"out": "r-fw2", "in": "r-s5"}]) == "FC-14.4"
    match.play("tackle", side="blue", section="dm_l")
    match.play("roll", dice=[1, 1])
    assert match.refused("change", side="blue", subs=[]) == "FC-12.5"
    assert match.refused("change", side="red", subs=[{"out": "r-fw2", "in": "r-s5"}]) is None


def test_FC_13_4_a_window_before_the_set_piece() -> None:
    match = under_way(blue=DEFENSIVE)
    match.attack("red", section="fw_r")
    match.play("defensive_support", side="blue", section="fb_l")
    match.play("roll", dice=[1, 1])
    match.play("change", side="red", subs=[{"out": "r-fw2", "in": "r-s5"}])
    assert (match.view["phase"], match.view["change_window"], match.view["ball_holder"]) == ("set_piece", True, "r-dm1")
    assert match.view["offensive"]["player"] == "r-fw2"
    match.play("shot", defence=1)
    assert match.view["change_window"] is False
    outcome = match.play("shot", attack=6)
    assert outcome["scorer"] == "r-dm1"
    assert match.view["goals"][0]["kind"] == "free_kick"


def test_FC_13_4_no_window_without_card_or_injury() -> None:
    match = under_way()
    match.play("tackle", side="blue", section="dm_l")
    match.play("roll", dice=[3, 3])
    assert match.refused("change", side="blue", subs=[{"out": "b-fw2", "in": "b-s4"}]) == "FC-12.1"


def test_FC_13_8_the_fourth_red_card_loses_the_match() -> None:
    match = under_way().status("sent_off", "b-fb1", "b-cb2", "b-am2")
    assert match.club("blue")["reds"] == 3
    outcome = sent_off(2, match)
    assert (outcome["card"], outcome["sent_off"], outcome["injury"]) == ("red", True, "serious")
    view = match.view
    assert (view["phase"], view["score"], view["result"]) == (
        "finished",
        {"blue": 0, "red": 3},
        {"winner": "red", "by": "forfeit"},
    )
    assert (view["duel"], view["odds"], view["change_window"]) == (None, None, False)
    assert (match.club("blue")["reds"], match.club("blue")["discard"], match.club("blue")["hand"]) == (
        4,
        {"tackle": 1},
        5,
    )
    assert (view["possession"], view["ball_colour"]) == ("red", "red")
    assert match.refused("forfeit", side="red") == "FC-18.3"


def below(**red: Any) -> Match:
    """Return a match where a tackle has reduced red to seven players by an injury, after three red cards."""
    match = under_way().status("sent_off", "r-cb2", "r-dm2", "r-am2")
    if red:
        match.reshape("red", **red)
    sent_off(2, match)
    return match


def test_FC_13_9_a_club_below_eight_must_replace_its_injured_player() -> None:
    match = below()
    assert match.view["result"] is None
    match.play("captain", side="red", player="r-cb1")
    for event, fields in (
        ("no_offensive", {"side": "red"}),
        ("change", {"side": "blue", "subs": [{"out": "b-fw2", "in": "b-s4"}]}),
        ("offensive", {"side": "red", "kind": "counter_attack", "section": "fw_l"}),
    ):
        assert match.refused(event, **fields) == "FC-13.9"
    assert match.refused("captain", side="red", player="r-cb1") == "FC-3.10"
    assert match.refused("forfeit", side="blue") is None
    match.play("change", side="red", subs=[{"out": "r-dm1", "in": "r-s4"}])
    assert match.refused("no_offensive", side="red") is None
    assert match.refused("change", side="blue", subs=[{"out": "b-fw2", "in": "b-s4"}]) is None


def test_FC_13_9_comes_after_FC_3_9() -> None:
    match = below()
    assert match.refused("no_offensive", side="red") == "FC-3.9"
    assert match.refused("change", side="blue", subs=[{"out": "b-fw2", "in": "b-s4"}]) == "FC-13.9"
    assert match.refused("change", side="red", subs=[{"out": "r-dm1", "in": "r-s4"}], captain="r-cb1") is None


@pytest.mark.parametrize("hopeless", ["replacements", "bench"])
def test_FC_13_9_who_cannot_replace_loses(hopeless: str) -> None:
    if hopeless == "replacements":
        match = below(replacements_left=0)
    else:
        club = under_way().state.club("red")
        match = below(
            players={id: replace(p, status="out") if p.status == "bench" else p for id, p in club.players.items()}
        )
    view = match.view
    assert (view["phase"], view["result"], view["score"]) == (
        "finished",
        {"winner": "blue", "by": "forfeit"},
        {"blue": 3, "red": 0},
    )


def test_FC_13_9_so_does_who_wastes_the_last_replacement() -> None:
    match = below(replacements_left=1)
    outcome = match.play("change", side="red", subs=[{"out": "r-fw2", "in": "r-s5"}], captain="r-cb1")
    assert outcome["replacements_left"] == 0
    assert match.view["result"] == {"winner": "blue", "by": "forfeit"}


def test_FC_13_9_a_red_card_while_an_injured_player_is_not_replaced() -> None:
    match = under_way().status("sent_off", "b-fb1", "b-cb2").status("injured_off", "b-am2")
    match.reshape("blue", replacements_left=0)
    sent_off(2, match)
    assert match.view["result"] == {"winner": "red", "by": "forfeit"}


def test_FC_13_9_if_both_clubs_the_tackling_one_loses() -> None:
    match = under_way().status("sent_off", "b-fb1", "b-cb2", "r-cb2", "r-am2", "r-dm2").status("injured_off", "b-am2")
    match.reshape("blue", replacements_left=0).reshape("red", replacements_left=0)
    sent_off(2, match)
    assert match.view["result"] == {"winner": "red", "by": "forfeit"}
    assert match.view["ball_holder"] is None


def test_FC_13_9_both_may_have_to_replace_and_need_not_wait() -> None:
    match = under_way().status("sent_off", "b-fb1", "b-cb2", "r-cb2", "r-am2", "r-dm2").status("injured_off", "b-am2")
    sent_off(2, match)
    match.play("captain", side="red", player="r-cb1")
    match.play("change", side="blue", subs=[{"out": "b-am2", "in": "b-s2"}])
    assert match.refused("change", side="blue", subs=[{"out": "b-fw2", "in": "b-s4"}]) == "FC-13.9"
    match.play("change", side="red", subs=[{"out": "r-dm1", "in": "r-s4"}])
    assert match.refused("change", side="red", subs=[{"out": "r-fw2", "in": "r-s5"}]) == "FC-14.4"


def test_FC_7_9_an_injured_player_may_be_replaced_in_a_later_turn() -> None:
    match = under_way()
    sent_off(2, match)
    match.play("captain", side="red", player="r-am1")
    match.play("no_offensive", side="red")
    match.discard()
    assert match.view["turn"] == 2
    match.play("change", side="red", subs=[{"out": "r-dm1", "in": "r-s4"}])
    assert match.club("red")["lineup"]["dm"] == ["r-s4", "r-dm2"]


def test_FC_18_7_a_forfeit_leaves_everything_as_it_lies() -> None:
    match = under_way(blue=DEFENSIVE)
    match.attack("red", section="fw_r")
    match.play("defensive_support", side="blue", section="fb_l")
    before = match.view
    assert match.play("forfeit", side="blue") == {"winner": "red"}
    view = match.view
    assert view["score"] == {"blue": 0, "red": 3}
    gone = {"offensive", "duel", "odds", "score", "phase", "result"}
    assert {key: value for key, value in view.items() if key not in gone} == {
        key: value for key, value in before.items() if key not in gone
    }
    assert (view["offensive"], view["duel"], view["odds"]) == (None, None, None)


def test_FC_18_7_goals_are_kept_and_discards_are_no_longer_due() -> None:
    match = under_way()
    match.attack("red", section="am_r")
    match.play("shot", defence=1, attack=6)
    assert match.club("blue")["must_discard"] == 2
    match.play("forfeit", side="red")
    assert (match.club("blue")["must_discard"], len(match.view["goals"]), match.view["score"]) == (
        0,
        1,
        {"blue": 3, "red": 0},
    )


def test_FC_18_7_in_the_phase_counter() -> None:
    match = under_way()
    match.attack("red", section="am_r")
    match.play("shot", defence=6, attack=1)
    match.play("forfeit", side="red")
    assert (match.view["counter_for"], match.view["possession"]) == (None, "blue")
