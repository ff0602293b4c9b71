"""Chapters 4, 5, 8, 9.4 and 11: turns, scoring, ultimate turns, overtime, three and four sides."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.nba.kit import Match, dice, full, header

SHORT_MATCH = {"market_cards": 6}
"""Ten turns for two sides."""


def test_each_defence_die_tells_why_it_counts() -> None:
    match = Match()
    match.play("attack", dice=dice("inside 4, three_points 0"))
    match.play("end_turn")
    outcome = match.play("defend", dice=dice("stop 3y 3b, block 3r 0"))
    assert outcome == {"against": {"ann": 6}, "fatigue": 0}
    against = match.view["defence"]["ben"]["against"]["ann"]
    assert against == {"value": 6, "counts": [True, True, False, False], "why": ["match", "match", "colour", "blank"]}
    match.play("end_turn")
    assert match.view["score"] == {"ann": 0, "ben": 0}


def test_without_an_attack_nothing_counts() -> None:
    match = Match()
    match.play("defend", dice=dice("stop 3y 0"))
    assert match.view["defence"]["ann"]["against"]["ben"]["why"] == ["no_attack", "blank"]


def test_an_attack_waits_a_round_and_both_defences_go_back() -> None:
    match = Match()
    match.play("attack", dice=dice("inside 7 4"))
    match.play("end_turn")
    match.play("defend", dice=dice("stop 3y"))
    assert match.play("end_turn")["scored"] == [
        {"side": "ann", "against": "ben", "attack": 11, "defence": 3, "points": 8}
    ]
    assert match.view["attack"] == {"ann": None, "ben": None}
    assert match.view["defence"] == {"ann": None, "ben": None}


def test_an_empty_list_lays_nothing() -> None:
    match = Match()
    match.play("attack", dice=[])
    match.play("defend", dice=[])
    assert (match.view["attack"]["ann"], match.view["defence"]["ann"]) == (None, None)
    assert match.view["done"] == ["offence", "defence"]
    assert match.refused("attack", dice=[]) == "NBA-7.1"
    assert match.refused("defend", dice=[]) == "NBA-7.1"


def test_a_known_tactic_binds_the_dice_kept() -> None:
    match = Match(header(cards=full()["setup"]["cards"]))
    assert match.refused("attack", dice=[], tactic="t-trap") == "NBA-1.2"
    assert match.refused("attack", dice=dice("inside 4"), tactic="t-out") == "NBA-7.7"
    assert match.refused("attack", dice=dice("three_points 2 2 2"), tactic="t-out") == "NBA-7.7"
    assert match.refused("attack", dice=dice("three_points 2 2"), tactic="t-out") is None
    assert match.refused("attack", dice=dice("inside 4"), tactic="n-ace") is None
    assert match.refused("defend", dice=dice("block 0 0"), tactic="t-trap") == "NBA-7.7"


def test_fatigue_at_level_scores() -> None:
    match = Match(header(fatigue={"cards": 2}))
    assert match.refused("defend", dice=[], fatigue=3) == "NBA-7.5"
    match.play("defend", dice=[], fatigue=2)
    assert match.view["fatigue"] == {
        "pile": 0,
        "taken": {"ann": 2, "ben": 0},
        "removed": {"ann": 0, "ben": 0},
        "held": {"ann": 2, "ben": 0},
    }


def test_money_time_takes_no_fatigue() -> None:
    match = Match(header(**SHORT_MATCH, variants={"money_time": True})).pass_turns(4)
    assert (match.view["closing"], match.view["money_time"], match.view["turn"]) == (True, True, 5)
    assert match.refused("defend", dice=[], fatigue=1) == "NBA-7.5"
    assert not Match(header(**SHORT_MATCH)).pass_turns(3).view["closing"]


def test_ultimate_turns() -> None:
    match = Match(header(**SHORT_MATCH)).pass_turns(9)
    match.play("attack", dice=dice("inside 7"))
    end = match.play("end_turn")
    assert (end["next"], end["turn"], end["ultimate"], end["phase"]) == ("ann", 10, True, "adjust")
    assert match.refused("attack", dice=[]) == "NBA-8.4"
    match.play("defend", dice=dice("stop 2y"))
    end = match.play("end_turn")
    assert end == {
        "next": None,
        "turn": 10,
        "ultimate": False,
        "scored": [{"side": "ben", "against": "ann", "attack": 7, "defence": 2, "points": 5}],
        "phase": "over",
    }
    assert (match.view["winner"], match.view["ranking"], match.view["done"]) == ("ben", None, [])
    assert match.view["defence"] == {"ann": None, "ben": None}


def test_what_an_ultimate_turn_bars_at_level_full() -> None:
    match = Match(full(**SHORT_MATCH)).pass_turns(10)
    assert match.view["ultimate"]
    for event in ("adjust", "replace", "buy_player", "buy_tactic"):
        assert match.refused(event) == "NBA-8.4"
    assert match.refused("prepare", tactics=["t-out"]) == "NBA-8.4"
    match.play("prepare", tactics=["t-switch"])
    match.reshape("ann", prepared=("t-switch", "t-out"))
    assert match.refused("prepare", discard=["t-out"]) == "NBA-4.4"
    assert match.refused("activate", tactic="t-drive", dice=[]) == "NBA-7.1"
    assert match.refused("activate", tactic="t-out", dice=[]) == "NBA-8.4"


def test_a_tie_opens_overtime_and_the_first_player_changes() -> None:
    match = Match(full(**SHORT_MATCH)).pass_turns(11)
    assert (match.view["phase"], match.view["active"], match.view["first"]) == ("tied", None, "ann")
    for event in ("end_turn", "adjust", "prepare", "reroll", "ruling", "mismatch", "ai_recruit"):
        assert match.refused(event) == "NBA-8.6"
    assert match.play("overtime") == {"period": 1, "first": "ben"}
    view = match.view
    assert (view["active"], view["turn"], view["limit"], view["turns_left"]) == ("ben", 1, 6, 5)
    assert view["market"] == {"cards": 6, "deck": 0, "track": None, "on_track": 5}
    assert view["closing"]
    assert match.refused("buy_player") == "NBA-8.7"
    assert match.refused("buy_tactic") == "NBA-8.7"
    assert match.refused("end_turn", market_empty=True) == "NBA-8.3"
    match.pass_turns(7)
    assert match.view["phase"] == "tied"
    assert match.play("overtime") == {"period": 2, "first": "ann"}
    match.pass_turns(7)
    assert match.play("accept_draw") == {"winner": None}
    assert (match.view["over"], match.view["draw"], match.view["winner"]) == (True, True, None)


def test_overtime_ends_in_conceding_too() -> None:
    match = Match(header(**SHORT_MATCH)).pass_turns(11)
    assert match.refused("concede", side="ann") is None
    assert Match().refused("accept_draw") == "NBA-8.6"


def test_the_market_as_clock() -> None:
    match = Match(header(**SHORT_MATCH, clock="market")).pass_turns(12)
    assert (match.view["limit"], match.view["turns_left"], match.view["turn"]) == (None, None, 13)
    end = match.play("end_turn", market_empty=True)
    assert (end["next"], end["ultimate"]) == ("ben", True)
    assert match.refused("end_turn", market_empty=True) == "NBA-8.3"
    assert Match().refused("end_turn", market_empty=True) == "NBA-8.3"
    assert Match().refused("end_turn", market_empty=False) is None


def test_cards_removed_from_the_match() -> None:
    match = Match(full())
    assert match.refused("end_turn", eliminated=["fatigue", "nobody"]) == "NBA-8.2"
    assert Match().refused("end_turn", eliminated=["fatigue"]) == "NBA-8.2"
    assert match.refused("end_turn", eliminated=["s-pg"]) == "NBA-8.2"
    match.play("end_turn", eliminated=["b-pg", "t-out", "b-pg"])
    assert match.view["eliminated"]["ann"] == ["b-pg", "t-out", "b-pg"]


@pytest.mark.parametrize("turns", [1, 5, 6, 7, 24])
def test_the_track(turns: int) -> None:
    """NBA-6.1: an empty deck moves every card one slot."""
    match = Match(full()).pass_turns(turns - 1)
    market = match.view["market"]
    laid = min(20, turns + 1)
    empty = max(0, turns - 19)
    assert market["deck"] == 20 - laid
    assert market["track"] == [None] * min(6, empty) + ["?"] * min(6 - empty, laid) + [None] * (6 - empty - laid)
    assert market["on_track"] == sum(card is not None for card in market["track"])


def three(**setup: Any) -> Match:
    return Match(header("ann", "ben", "cat", **setup))


def test_one_attack_scores_in_all_matches_and_defences_stay_a_round() -> None:
    match = three()
    match.play("attack", dice=dice("inside 7 4"))
    match.play("end_turn")
    match.play("defend", dice=dice("stop 3y"))
    match.play("end_turn")
    match.play("attack", dice=dice("inside 4"))
    match.play("defend", dice=dice("stop 2y"))
    scored = match.play("end_turn")["scored"]
    assert [(each["against"], each["points"]) for each in scored] == [("ben", 8), ("cat", 9)]
    assert match.view["matches"] == [{"ann": 8, "ben": 0}, {"ann": 9, "cat": 0}, {"ben": 0, "cat": 0}]
    assert match.view["score"] == {"ann": 17, "ben": 0, "cat": 0}
    assert match.view["defence"]["ben"]["against"]["cat"]["value"] == 3
    match.play("end_turn")
    assert (match.view["defence"]["ben"], match.view["defence"]["cat"] is None) == (None, False)


def test_the_others_play_an_ultimate_turn_each_and_are_ranked() -> None:
    match = three(market_cards=6).pass_turns(12)
    assert (match.view["active"], match.view["ultimate"], match.view["turn"]) == ("ann", True, 12)
    points = [{"side": "cat", "against": "ben", "points": 4}, {"side": "ann", "against": "cat", "points": 1}]
    match.play("ruling", text="décision", points=[*points, {"side": "ben", "against": "ann", "points": 4}])
    match.pass_turns(1)
    assert match.play("end_turn")["phase"] == "over"
    assert match.view["ranking"] == ["cat", "ben", "ann"]  # one match won each; +3, 0, -3
    assert (match.view["winner"], match.view["draw"]) == ("cat", False)


def test_three_equal_sides_have_no_winner_and_no_overtime() -> None:
    match = three(market_cards=6).pass_turns(14)
    assert (match.view["phase"], match.view["winner"], match.view["draw"]) == ("over", None, True)
    assert match.view["ranking"] == ["ann", "ben", "cat"]
