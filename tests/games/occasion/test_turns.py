"""Turns: letting through, goals, the end, used cards, new cards and rulings (OC-1.6, chapters 10 and 11)."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.occasion import OCCASION
from tests.games.occasion.kit import Match, opposed, player, verdict


def shooting(**setup: Any) -> Match:
    return Match(**setup).at("L1").move("lw", "cross").let_pass()


def test_letting_through_a_pass() -> None:
    match = Match().at("L1").move("lb")
    outcome = match.play("defence_choice", choice="let_pass", player="rb")
    assert outcome == {"choice": "let_pass", "zone": "L2", "phase": "attack_move"}
    view = match.view
    assert (view["bonus_x2"], view["carrier"], view["discard"]["home"]) == (True, None, ["lb"])


def test_letting_through_again_keeps_the_bonus_at_double() -> None:
    match = Match().at("L1").move("lb").let_pass().move("cm").let_pass()
    assert (match.view["bonus_x2"], match.view["phase"]) == (True, "shot")
    match.play("chance_missed")
    assert match.view["bonus_x2"] is False


def test_letting_through_a_cross() -> None:
    match = Match().at("L1").move("lw", "cross")
    assert match.play("defence_choice", choice="let_pass") == {"choice": "let_pass", "zone": "box", "phase": "shot"}
    match = Match(players={"home": {"lw": player("LW", "1 1 1 1", "cross")}}).at("M", "posts").move("lw", "cross")
    assert match.play("defence_choice", choice="let_pass")["phase"] == "advance"
    assert (match.view["options"], match.view["bonus_x2"]) == (["near", "far"], True)
    assert match.refused("advance", zone="L") == "OC-9.3"
    assert match.play("advance", zone="far") == {"zone": "far", "phase": "shot"}


def test_a_turn_end_uses_up_what_is_left() -> None:
    match = Match().at("C1").move("cm", "dribble").let_pass()
    assert match.play("turn_ended") == {"turn": 2, "attack": "away"}
    view = match.view
    assert (view["carrier"], view["bonus_x2"], view["occasion"]) == (None, False, None)
    assert view["discard"] == {"home": ["cm"], "away": []}
    assert view["visible"] == {"home": ["posts"], "away": ["posts", "wing"]}
    assert match.play("turn_ended") == {"turn": 3, "attack": "home"}


def test_a_goal_and_a_miss_end_the_turn() -> None:
    match = shooting()
    assert match.play("goal_scored") == {"goal": True, "score": {"home": 1, "away": 0}}
    assert (match.view["attack"], match.view["turn"], match.view["phase"]) == ("away", 2, "choose_occasion")
    match = shooting()
    assert match.play("chance_missed") == {"goal": False, "score": {"home": 0, "away": 0}}
    assert match.view["attack"] == "away"


def test_the_last_goal_wins_at_once() -> None:
    match = Match(goals_to_win=1).at("C1").move("cm", "dribble").let_pass().move("cm", "dribble").let_pass()
    match.play("goal_scored")
    view = match.view
    assert (view["phase"], view["winner"], view["turn"], view["attack"]) == ("over", "home", 1, "home")
    assert (view["occasion"], view["carrier"], view["bonus_x2"]) == ({"card": "wing", "zone": "box"}, "cm", True)
    assert (view["waiting_for"], view["discard"]["home"]) == ([], [])
    assert match.refused("concede", side="home") == "OC-1.4"
    assert OCCASION.finished(match.state)


@pytest.mark.parametrize(
    ("goals", "winner"), [({"home": 1}, "home"), ({"away": 2, "home": 1}, "away"), ({"home": 1, "away": 1}, None)]
)
def test_more_goals_win(goals: dict[str, int], winner: str | None) -> None:
    match = Match()
    match.play("ruling", text="carried over", goals=goals)
    assert match.play("match_ended") == {"winner": winner}
    assert match.view["winner"] == winner


def test_giving_up_in_a_duel() -> None:
    match = opposed()
    before = match.view
    assert match.play("concede", side="away") == {"winner": "home"}
    after = match.view
    changed = {key for key in before if before[key] != after[key]}
    assert changed == {"phase", "duel", "waiting_for", "winner"}
    assert after["duel"] is None


def test_giving_up_while_a_zone_is_chosen() -> None:
    match = Match().at("M", "posts").move("cm").let_pass()
    match.play("concede", side="home")
    assert (match.view["options"], match.view["winner"]) == ([], "away")


def test_used_cards_come_back() -> None:
    match = verdict(9, 0)
    match.play("resolve")
    assert match.refused("cards_recovered", side="home", players=["cm"]) == "OC-10.4"
    assert match.refused("cards_recovered", side="home", players=["lb", "lb"]) == "OC-10.4"
    assert match.refused("cards_recovered", side="home", players=["dm"]) == "OC-10.4"
    assert match.refused("cards_recovered", side="home", energy=2) == "OC-10.4"
    assert match.play("cards_recovered", side="home") == {"discard": ["lb"], "energy_used": 1}
    outcome = match.play("cards_recovered", side="home", players=["lb"], energy=1)
    assert outcome == {"discard": [], "energy_used": 0}
    assert match.view["energy_used"] == {"home": 0, "away": 1}
    assert match.refused("attack_move", player="lb", move="pass") is None


def test_the_order_of_the_discard_stays() -> None:
    match = Match().at("C1").move("cm", "dribble").oppose("rb")
    match.play("support_done", side="home")
    match.play("add_support", side="away", players=["dm", "st", "cb"])
    match.no_support().reveal(9, 0, 0, 0, 0).play("resolve")
    outcome = match.play("cards_recovered", side="away", players=["st", "rb"])
    assert outcome == {"discard": ["dm", "cb"], "energy_used": 4}


def test_a_new_player_card() -> None:
    match = Match().at("L1")
    new = {"kind": "player", "id": "new", "card": player("LB", "9 9 9 9")}
    assert match.refused("define_card", **{**new, "id": "lb"}, side="home") == "OC-1.6"
    assert match.refused("define_card", **{**new, "id": "lb"}, side="away") is None
    assert match.refused("define_card", **{**new, "card": player("XX", "1 1 1 1")}, side="home") == "OC-1.6"
    assert match.play("define_card", **new, side="home") == {"kind": "player", "id": "new"}
    assert match.refused("define_card", **new, side="home") == "OC-1.6"
    assert match.play("attack_move", player="new", move="pass")["base"] == 9


def test_a_new_chance_card() -> None:
    match = Match(visible={})
    card = {"zones": [{"id": "S", "row": 1, "shot": True}]}
    assert match.refused("define_card", kind="occasion", id="wing", card=card) == "OC-1.6"
    assert match.play("define_card", kind="occasion", id="new", card=card) == {"kind": "occasion", "id": "new"}
    match.play("occasion_shown", side="home", card="new")
    assert match.play("occasion_played", card="new")["phase"] == "shot"


def test_cards_given_early_or_late_make_the_same_situation() -> None:
    late = Match(occasions={}, visible={})
    early = Match(occasions={"new": {"zones": [{"id": "S", "row": 1, "shot": True}]}}, visible={})
    late.play("define_card", kind="occasion", id="new", card={"zones": [{"id": "S", "row": 1, "shot": True}]})
    assert late.state == early.state
    assert hash(late.state) == hash(early.state)


def test_a_ruling_changes_the_score() -> None:
    match = Match()
    assert match.refused("ruling", text="x", goals={"home": -1}) == "OC-11.1"
    assert match.play("ruling", text="x", goals={"home": 2}) == {"score": {"home": 2, "away": 0}}
    assert match.refused("ruling", text="x", goals={"home": -3, "away": 5}) == "OC-11.1"
    assert match.play("ruling", text="x", goals={"home": -2, "away": 1}) == {"score": {"home": 0, "away": 1}}
    assert (match.view["phase"], match.view["turn"]) == ("choose_occasion", 1)


def test_a_ruling_may_end_the_match() -> None:
    match = Match(goals_to_win=2)
    match.play("ruling", text="x", goals={"home": 2, "away": 3}, next_attack="away")
    view = match.view
    assert (view["phase"], view["winner"], view["turn"]) == ("over", "home", 1)
    match = Match(goals_to_win=2)
    match.play("ruling", text="x", goals={"home": 1, "away": 3})
    assert match.view["winner"] == "away"


@pytest.mark.parametrize("side", ["home", "away"])
def test_a_ruling_may_say_who_attacks_next(side: str) -> None:
    match = opposed()
    match.play("add_support", side="home", players=["cm"])
    match.play("ruling", text="The lights went out", next_attack=side)
    view = match.view
    assert (view["attack"], view["turn"], view["phase"]) == (side, 2, "choose_occasion")
    assert view["discard"] == {"home": ["lb", "cm"], "away": ["dm"]}
    assert (view["duel"], view["occasion"]) == (None, None)


def test_a_ruling_leaves_a_duel_as_it_is() -> None:
    match = opposed()
    before = match.view
    match.play("ruling", text="A warning for both", next_attack=None)
    assert match.view == before
