"""Energies, fouls and the end of a duel: chapters 7 to 9."""

from __future__ import annotations

import pytest

from tests.games.occasion.kit import Match, opposed, revealing, verdict


def test_energies_are_turned_up_in_turn() -> None:
    match = opposed()
    match.play("add_support", side="home", players=["cm"])
    match.play("add_support", side="away", players=["rb", "cb", "cm"])
    match.no_support()
    order = []
    while match.view["phase"] == "reveal":
        (due,) = match.view["waiting_for"]
        other = "away" if due == "home" else "home"
        assert match.refused("reveal", side=other, value=1) == "OC-7.1"
        outcome = match.play("reveal", side=due, value=1)
        order.append((due, outcome["slot"], outcome["number"]))
    assert order == [
        ("home", "base", 0),
        ("away", "base", 0),
        ("home", "support", 1),
        ("away", "support", 1),
        ("away", "support", 2),
        ("away", "support", 3),
    ]
    assert match.view["phase"] == "verdict"
    assert match.view["duel"]["defence"]["energy"] == [1, 1, 1, 1]
    assert match.view["waiting_for"] == ["home", "away"]


def test_more_supports_in_attack_than_in_defence() -> None:
    match = opposed()
    match.play("add_support", side="home", players=["cm", "st"])
    match.no_support()
    due = []
    while match.view["phase"] == "reveal":
        due += match.view["waiting_for"]
        match.reveal(2)
    assert due == ["home", "away", "home", "home"]


def test_what_a_revealed_energy_comes_to() -> None:
    match = revealing()
    assert match.play("reveal", side="home", value=0) == {
        "slot": "base",
        "number": 0,
        "counted": 0,
        "attack_total": 6,
        "defence_total": 6,
    }
    assert match.play("reveal", side="away", value=99)["defence_total"] == 105


def test_the_double_energy_is_that_of_the_attacks_base_player() -> None:
    match = Match().at("L1").move("lb").let_pass()
    assert match.view["bonus_x2"] is True
    match.move("lw").oppose("rb")
    match.play("add_support", side="home", players=["cm"])
    match.no_support()
    assert match.play("reveal", side="home", value=4)["counted"] == 8
    assert match.play("reveal", side="away", value=4)["counted"] == 4
    assert match.play("reveal", side="home", value=4)["counted"] == 4
    assert match.view["duel"]["attack"]["energy"] == [8, 4]
    assert match.view["bonus_x2"] is True
    assert match.play("resolve")["attack_total"] == 4 + 2 + 8 + 4
    assert match.view["bonus_x2"] is False


def test_the_discarded_energy_of_a_dribble_never_counts() -> None:
    match = Match().at("C1")
    match.duel("cm", "dribble", "rb", 3, 0)
    assert match.view["energy_used"] == {"home": 2, "away": 1}
    assert match.view["carrier"] == "cm"


@pytest.mark.parametrize(("values", "winner"), [((1, 0), "home"), ((1, 1), "away"), ((0, 1), "away")])
def test_the_attack_needs_the_higher_total(values: tuple[int, int], winner: str) -> None:
    outcome = verdict(*values).play("resolve")
    assert outcome["duel_winner"] == winner
    assert (outcome["attack_total"], outcome["defence_total"]) == (6 + values[0], 6 + values[1])


def test_a_lost_duel_ends_the_turn() -> None:
    match = verdict(1, 1)
    assert match.play("resolve") == {
        "attack_total": 7,
        "defence_total": 7,
        "duel_winner": "away",
        "zone": None,
        "phase": "choose_occasion",
    }
    view = match.view
    assert (view["attack"], view["turn"], view["occasion"], view["duel"]) == ("away", 2, None, None)
    assert view["discard"] == {"home": ["lb"], "away": ["dm"]}


def test_a_won_duel_goes_on() -> None:
    match = verdict(1, 0)
    outcome = match.play("resolve")
    assert (outcome["zone"], outcome["phase"]) == ("L2", "attack_move")
    assert match.view["discard"] == {"home": ["lb"], "away": ["dm"]}
    assert match.view["carrier"] is None


def test_a_won_duel_may_leave_a_choice() -> None:
    match = Match().at("M", "posts")
    outcome = match.duel("cm", "dribble", "rb", 9, 0)
    assert (outcome["zone"], outcome["phase"]) == ("M", "advance")
    view = match.view
    assert (view["options"], view["carrier"], view["duel"]) == (["L", "R"], "cm", None)
    match.play("advance", zone="R")
    assert match.refused("attack_move", player="lb", move="pass") == "OC-3.6"


def test_base_player_first_then_supports_are_used_up() -> None:
    match = Match().at("C1").move("cm", "dribble").oppose("rb")
    match.play("add_support", side="home", players=["st", "lb"])
    match.play("add_support", side="away", players=["dm"])
    match.no_support().reveal(9, 0, 9, 0, 0).play("resolve")
    assert match.view["discard"] == {"home": ["st", "lb"], "away": ["rb", "dm"]}
    assert match.view["carrier"] == "cm"
    match.duel("cm", "pass", "cm", 9, 0)
    assert match.view["phase"] == "shot"
    assert match.view["discard"]["home"] == ["st", "lb", "cm"]


def test_a_foul_needs_a_revealed_energy() -> None:
    match = revealing()
    assert match.refused("foul_called", side="home", effect="none") == "OC-8.1"
    match.reveal(1)
    assert match.play("foul_called", side="home", effect="none") == {"effect": "none", "zone": "L1", "phase": "reveal"}
    match.reveal(1)
    assert match.play("foul_called", side="away", effect="none")["phase"] == "verdict"


def test_who_fouls_is_in_the_duel() -> None:
    match = verdict()
    assert match.refused("foul_called", side="home", effect="none", player="dm") == "OC-8.2"
    assert match.refused("foul_called", side="away", effect="none", player="rb") == "OC-8.2"
    match.play("foul_called", side="away", effect="none", player="dm", card="yellow")
    match.play("foul_called", side="home", effect="none", card="red")
    assert match.view["cards_shown"] == [
        {"side": "away", "player": "dm", "card": "yellow", "turn": 1},
        {"side": "home", "player": None, "card": "red", "turn": 1},
    ]


def test_a_foul_for_the_attack_lets_it_go_on_whatever_the_totals() -> None:
    match = Match().at("C1").move("cm", "dribble").oppose("rb").no_support().reveal(0)
    outcome = match.play("foul_called", side="away", effect="attack_wins", player="rb")
    assert outcome == {"effect": "attack_wins", "zone": "L2", "phase": "attack_move"}
    assert (match.view["carrier"], match.view["discard"]) == ("cm", {"home": [], "away": ["rb"]})
    assert match.view["energy_used"] == {"home": 2, "away": 1}


def test_a_foul_for_the_defence_ends_the_turn() -> None:
    match = verdict(9, 0)
    outcome = match.play("foul_called", side="home", effect="defence_wins", card="yellow")
    assert outcome == {"effect": "defence_wins", "zone": None, "phase": "choose_occasion"}
    assert (match.view["attack"], match.view["cards_shown"][0]["turn"]) == ("away", 1)


def test_a_foul_may_lead_to_a_shot() -> None:
    match = Match().at("C1").move("cm", "dribble").let_pass()
    match.move("cm", "dribble").oppose("rb").no_support().reveal(1)
    assert match.view["bonus_x2"] is True
    outcome = match.play("foul_called", side="away", effect="shot")
    assert outcome == {"effect": "shot", "zone": "L2", "phase": "shot"}
    view = match.view
    assert (view["bonus_x2"], view["carrier"], view["duel"]) == (False, None, None)
    assert view["discard"] == {"home": ["cm"], "away": ["rb"]}


def test_a_foul_in_a_stopped_cross_follows_the_path() -> None:
    match = Match().at("C1").move("lw", "cross").oppose("cb").no_support().reveal(0)
    assert match.play("foul_called", side="away", effect="attack_wins")["zone"] == "L2"
