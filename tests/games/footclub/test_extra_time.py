"""Chapter 15 (with FC-14.15): full time, extra time, shoot-out."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.figures import Attempts, Headline
from companion.games.footclub import FOOTCLUB, messages
from tests.games.footclub.kit import EXTRA, Match, under_way

BLUE_FIVE = ["b-gk", "b-am1", "b-am2", "b-fw1", "b-fw2"]
RED_FIVE = ["r-am1", "r-am2", "r-am3", "r-fw1", "r-fw2"]


def full_time(**setup: Any) -> Match:
    """Return a goalless match after its second half."""
    return under_way(**setup).idle_half().kick_off().idle_half()


def extra_time() -> Match:
    match = full_time()
    match.play("extra_time", play=True)
    return match.kick_off(EXTRA, EXTRA, "violet")


def shootout(first: str | None = "blue") -> Match:
    match = extra_time().idle_half()
    if first is not None:
        match.play("shooters", side="blue", players=BLUE_FIVE)
        match.play("shooters", side="red", players=RED_FIVE)
        match.play("shootout", first=first)
    return match


def test_FC_14_15_a_draw_of_a_single_match_asks_for_extra_time() -> None:
    match = full_time()
    view = match.view
    assert (view["phase"], view["half"], view["turn"], view["result"]) == ("full_time", 2, 5, None)
    assert match.refused("ball", colour="red") == "FC-18.4"
    assert match.play("extra_time", play=False) == {"play": False}
    assert (match.view["phase"], match.view["result"]) == ("finished", {"winner": None, "by": "draw"})


@pytest.mark.parametrize("format_", ["league", "leg1"])
def test_FC_14_15_and_FC_17_2_elsewhere_a_draw_stands(format_: str) -> None:
    assert full_time(format=format_).view["result"] == {"winner": None, "by": "draw"}


def test_FC_14_15_more_goals_win() -> None:
    match = under_way()
    match.attack("red", section="am_r")
    match.play("shot", defence=1, attack=6)
    match.discard().idle_half().kick_off().idle_half()
    assert match.view["result"] == {"winner": "red", "by": "goals"}


def test_FC_15_1_and_FC_15_2_extra_time() -> None:
    match = full_time()
    assert match.refused("extra_time", play=True) is None
    match.play("extra_time", play=True)
    assert (match.view["phase"], match.view["half"], match.view["ball_colour"]) == ("extra_time_break", 2, None)
    assert match.refused("tactics", side="blue", cards={**EXTRA, "tackle": 6, "counter_attack": 1}) == "FC-4.3"
    assert match.play("tactics", side="blue") == {"cards": 10, "known": False}
    match.play("tactics", side="red", cards=EXTRA)
    assert match.play("ball", colour="violet") == {"colour": "violet", "half": 3, "kickoff": "blue"}
    view = match.view
    assert (view["phase"], view["half"], view["turn"], view["possession"], view["ball_holder"]) == (
        "preparation",
        3,
        1,
        "blue",
        "b-am1",
    )
    assert (match.club("blue")["hand"], match.club("blue")["deck"]) == (6, 4)
    match.idle_turn().idle_turn()
    assert (match.view["turn"], match.club("red")["deck"]) == (3, 0)


def test_FC_15_3_extra_time_may_decide_after_its_third_turn() -> None:
    match = extra_time()
    match.play("leave", side="red")
    match.play("offensive", side="blue", kind="positional_attack", section="fw_l")
    match.play("shot", defence=1, attack=6)
    assert match.view["result"] is None
    match.discard().idle_turn().idle_turn()
    assert match.view["result"] == {"winner": "blue", "by": "extra_time"}
    assert match.view["goals"][0]["half"] == 3


def test_FC_15_4_otherwise_a_shootout_follows() -> None:
    view = shootout(None).view
    assert (view["phase"], view["half"], view["turn"], view["odds"]) == ("shootout", 3, 3, None)
    empty = {"blue": 0, "red": 0}
    assert view["shootout"] == {
        "first": None,
        "next": None,
        "scored": empty,
        "taken": empty,
        "throw": 1,
        "defence_die": None,
    }
    assert extra_time().view["shootout"] is None


def test_FC_15_5_five_shooters_and_the_club_that_begins() -> None:
    match = shootout(None)
    assert match.refused("shootout", first="red") == "FC-15.5"
    assert match.refused("shot", defence=1, attack=1) == "FC-15.5"
    for wrong in ("b-s1", "r-gk", "nobody", "b-coach"):
        assert match.refused("shooters", side="blue", players=[*BLUE_FIVE[:4], wrong]) == "FC-15.5"
    assert match.play("shooters", side="blue", players=BLUE_FIVE) == {"players": BLUE_FIVE}
    assert match.refused("shooters", side="blue", players=BLUE_FIVE) == "FC-18.6"
    assert match.refused("shootout", first="red") == "FC-15.5"
    match.play("shooters", side="red", players=RED_FIVE)
    assert match.refused("shot", defence=1, player="b-gk") == "FC-18.2"
    assert match.play("shootout", first="red") == {"first": "red"}
    assert match.refused("shootout", first="red") == "FC-18.6"
    assert (match.view["shootout"]["first"], match.view["shootout"]["next"]) == ("red", "red")
    assert match.view["odds"] == {"goal": "7/9", "corner": "1/18", "save": "1/6"}


def test_FC_15_6_and_FC_15_7_kicks_in_turn_at_plus_two() -> None:
    match = shootout()
    outcome = match.play("shot", defence=3)
    assert outcome == {"throw": 1, "defence": 3, "attack_total": None, "result": "pending", "shooter": "b-gk"}
    assert (match.view["shootout"]["defence_die"], match.view["odds"]["goal"]) == (3, "11/12")
    outcome = match.play("shot", attack=1)
    assert (outcome["attack_total"], outcome["result"], outcome["shooter"]) == (3, "second_throw", "b-gk")
    assert (match.view["shootout"]["throw"], match.view["shootout"]["next"]) == (2, "blue")
    outcome = match.play("shot", defence=4, attack=2)
    assert (outcome["attack_total"], outcome["result"], outcome["throw"], outcome["shooter"]) == (
        2,
        "corner",
        2,
        "b-gk",
    )
    state = match.view["shootout"]
    assert (state["next"], state["scored"], state["taken"], state["throw"]) == (
        "red",
        {"blue": 0, "red": 0},
        {"blue": 1, "red": 0},
        1,
    )
    assert match.play("shot", defence=1, attack=6)["shooter"] == "r-am1"
    assert match.view["shootout"]["scored"] == {"blue": 0, "red": 1}
    assert match.view["score"] == {"blue": 0, "red": 0}
    assert match.view["goals"] == []


GOAL, MISS = {"defence": 1, "attack": 6}, {"defence": 6, "attack": 1}


def kicks(match: Match, pattern: str) -> Match:
    """Play alternate kicks: `g` is scored, `m` is missed."""
    for kick in pattern:
        assert match.view["result"] is None
        match.play("shot", **(GOAL if kick == "g" else MISS))
    return match


@pytest.mark.parametrize(
    ("pattern", "winner"),
    [
        ("gmgmgm", "blue"),
        ("mgmgmg", "red"),
        ("gggggmgm", "blue"),
        ("mgmgmmm", "red"),
        ("gg" * 4 + "gm", "blue"),
        ("gg" * 4 + "mg", "red"),
        ("gg" * 5 + "gm", "blue"),
        ("mm" * 5 + "gg" + "mg", "red"),
    ],
)
def test_FC_15_8_it_ends_as_soon_as_one_club_cannot_be_caught(pattern: str, winner: str) -> None:
    match = kicks(shootout(), pattern)
    assert match.view["result"] == {"winner": winner, "by": "shootout"}
    assert (match.view["phase"], match.view["shootout"]["next"], match.view["odds"]) == ("finished", None, None)
    assert match.view["shootout"]["taken"]["blue"] == (len(pattern) + 1) // 2


@pytest.mark.parametrize("pattern", ["gmgm", "gmg", "gg" * 5, "gg" * 5 + "g", "mmgg" * 3])
def test_FC_15_8_and_not_before(pattern: str) -> None:
    assert kicks(shootout(), pattern).view["result"] is None


def sudden_death() -> Match:
    return kicks(shootout(), "gg" * 5)


def test_FC_18_2_a_shooter_is_named_with_the_first_die_of_sudden_death() -> None:
    match = shootout()
    assert match.refused("shot", defence=1, player="b-gk") == "FC-18.2"
    match = sudden_death()
    match.play("shot", defence=3, player="b-dm1")
    assert match.refused("shot", attack=1, player="b-dm1") == "FC-18.2"
    assert match.play("shot", attack=1)["shooter"] == "b-dm1"
    assert match.refused("shot", defence=1, player="b-dm1") == "FC-18.2"
    assert match.play("shot", defence=1, attack=6)["shooter"] == "b-dm1"


@pytest.mark.parametrize(
    ("player", "rule"),
    [("b-fb1", None), ("b-gk", "FC-15.8"), ("b-am1", "FC-15.8"), ("r-cb1", "FC-15.8"), ("b-s1", "FC-15.8")],
)
def test_FC_15_8_who_may_shoot_in_sudden_death(player: str, rule: str | None) -> None:
    assert sudden_death().refused("shot", defence=1, player=player) == rule


def test_FC_18_2_the_first_die_is_the_defence_die() -> None:
    assert sudden_death().refused("shot", attack=1, player="b-fb1") == "FC-18.2"
    assert sudden_death().refused("shot", attack=1) == "FC-11.1"
    assert sudden_death().refused("shot", defence=1, attack=1, player="b-gk") == "FC-15.8"


def test_FC_15_8_if_not_named_nobody_is_recorded() -> None:
    match = sudden_death()
    assert match.play("shot", **GOAL)["shooter"] is None
    match.play("shot", **GOAL)
    assert match.refused("shot", defence=1, player="b-fb1") is None


def test_FC_15_8_nobody_shoots_twice_before_all_have() -> None:
    match = sudden_death()
    rest = ["b-fb1", "b-fb2", "b-cb1", "b-cb2", "b-dm1", "b-dm2"]
    for id in rest:
        assert match.refused("shot", **GOAL, player="b-gk") == "FC-15.8"
        match.play("shot", **GOAL, player=id)
        match.play("shot", **GOAL)
    assert match.refused("shot", **GOAL, player="b-gk") is None
    assert match.refused("shot", **GOAL, player="b-dm2") is None
    assert match.refused("shot", **GOAL, player="b-s1") == "FC-15.8"


def test_FC_18_7_a_forfeit_in_the_shootout() -> None:
    match = shootout()
    match.play("shot", defence=3)
    match.play("forfeit", side="red")
    shot = match.view["shootout"]
    assert (shot["next"], shot["first"], shot["defence_die"]) == (None, "blue", 3)
    assert match.view["score"] == {"blue": 3, "red": 0}


def test_extra_time_is_asked_at_full_time_only() -> None:
    assert under_way().refused("extra_time", play=True) == "FC-18.4"
    assert extra_time().refused("shooters", side="blue", players=BLUE_FIVE) == "FC-18.4"


def test_of_those_who_may_kick_the_goalkeeper_alone_is_marked() -> None:
    match = shootout(None)
    choices = FOOTCLUB.decision(match.state).choices
    options = [option for choice in choices for ask in choice.prompts for option in ask.options]
    keepers = {match.state.club(side).goalkeeper.id for side in ("blue", "red")}
    marked = {option.value for option in options if option.detail}
    assert marked
    assert marked <= keepers


def marks(match: Match) -> list[str]:
    """Return the kicks on the screen, one letter each: `g` scored, `m` missed, `n` the current one, `-` to come."""
    figure = next(one for one in FOOTCLUB.scene(match.state).figures if isinstance(one, Attempts))
    letters = {"made": "g", "missed": "m", "now": "n", "due": "-"}
    return ["".join(letters[mark] for mark in row.marks) for row in figure.rows]


def headline(match: Match) -> Headline:
    return next(one for one in FOOTCLUB.scene(match.state).figures if isinstance(one, Headline))


def test_the_table_names_the_shooter_and_shows_every_kick() -> None:
    match = shootout("red")
    shooter = messages.full_name(match.state, RED_FIVE[0])
    assert headline(match).text.args == {"player": shooter}
    assert marks(match) == ["-----", "n----"]
    kicks(match, "gm")
    assert headline(match).text.args == {"player": messages.full_name(match.state, RED_FIVE[1])}
    assert marks(match) == ["m----", "gn---"]
    match.play("shot", defence=3)
    assert headline(match).text.args == {"player": messages.full_name(match.state, RED_FIVE[1])}


def test_sudden_death_shows_the_last_five_kicks_and_the_shooter_once_he_is_named() -> None:
    match = kicks(shootout(), "gg" * 5 + "g")
    assert marks(match) == ["ggggg", "ggggn"]
    assert headline(match).text.args == {"player": match.state.setup.name("red")}
    match.play("shot", defence=1, player="r-dm1")
    assert headline(match).text.args == {"player": messages.full_name(match.state, "r-dm1")}
