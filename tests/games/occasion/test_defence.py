"""The defence, supports and abilities: chapters 4 to 6."""

from __future__ import annotations

from tests.games.occasion.kit import Match, opposed


def test_opposing_a_pass() -> None:
    match = Match().at("L1").move("lb")
    outcome = match.play("defence_choice", choice="oppose", player="rb")
    assert outcome == {
        "choice": "oppose",
        "stat": "int",
        "base": 4,
        "bonus": 0,
        "zone": "L1",
        "phase": "support",
    }
    view = match.view
    assert (view["energy_used"], view["waiting_for"]) == ({"home": 1, "away": 1}, ["home"])
    assert view["duel"]["margin"] == 6 - 4
    assert view["duel"]["defence"]["total"] == 4


def test_opposing_a_dribble_counts_the_tackle() -> None:
    match = Match().at("C1").move("cm", "dribble")
    outcome = match.play("defence_choice", choice="oppose", player="rb")
    assert (outcome["stat"], outcome["base"], outcome["bonus"]) == ("tak", 5, 0)


def test_posts_for_the_defence() -> None:
    """A zone's own defence list applies, even an empty one; otherwise the attack's list."""
    assert Match().at("C1").move("cm").play("defence_choice", choice="oppose", player="cm")["bonus"] == 2
    assert Match().at("C1").move("cm").play("defence_choice", choice="oppose", player="dm")["bonus"] == 1
    match = Match().at("M", "posts").move("cm").let_pass()
    match.play("advance", zone="R")
    assert match.move("lw").play("defence_choice", choice="oppose", player="st")["bonus"] == 0


def test_who_may_oppose() -> None:
    match = Match().at("L1").move("lb")
    assert match.refused("defence_choice", choice="oppose", player="lb") == "OC-4.2"
    match.oppose("dm").no_support().reveal(3, 0).play("resolve")
    match.move("lw")
    assert match.refused("defence_choice", choice="oppose", player="dm") == "OC-4.2"
    assert match.refused("defence_choice", choice="oppose", player="cm") is None


def test_a_cross_needs_a_wall() -> None:
    match = Match().at("C1").move("lw", "cross")
    assert match.refused("defence_choice", choice="oppose", player="rb") == "OC-4.5"
    outcome = match.play("defence_choice", choice="oppose", player="cb")
    assert (outcome["stat"], outcome["base"], outcome["bonus"]) == ("int", 5, 0)
    match.no_support().reveal(4, 2)
    assert match.play("resolve") == {
        "attack_total": 8,
        "defence_total": 7,
        "duel_winner": "home",
        "zone": "L2",
        "phase": "attack_move",
    }
    assert match.view["carrier"] is None


def test_the_sides_take_turns_to_support() -> None:
    match = opposed()
    assert match.refused("add_support", side="away", players=["rb"]) == "OC-5.2"
    assert match.refused("support_done", side="away") == "OC-5.2"
    assert match.play("add_support", side="home", players=["cm", "st"]) == {"support": 2, "energy_spent": 2}
    assert match.view["waiting_for"] == ["away"]
    assert match.refused("support_done", side="home") == "OC-5.2"
    assert match.play("support_done", side="away") == {"phase": "support"}
    assert match.play("add_support", side="home", players=["lw"]) == {"support": 3, "energy_spent": 1}
    assert match.play("add_support", side="away", players=["rb"]) == {"support": 1, "energy_spent": 1}
    assert match.play("support_done", side="home") == {"phase": "support"}
    assert match.play("support_done", side="away") == {"phase": "reveal"}
    view = match.view
    assert view["duel"]["attack"]["support"] == ["cm", "st", "lw"]
    assert view["energy_used"] == {"home": 4, "away": 2}
    assert view["waiting_for"] == ["home"]


def test_supports_bring_energy_only() -> None:
    match = opposed()
    before = match.view["duel"]["margin"]
    match.play("add_support", side="home", players=["cm"])
    assert match.view["duel"]["margin"] == before == 0
    assert match.view["duel"]["attack"]["total"] == 6


def test_who_may_support() -> None:
    match = opposed()
    for bad in (["nobody"], ["lb"], ["cm", "cm"], ["cm", "nobody"], ["rb"]):
        assert match.refused("add_support", side="home", players=bad) == "OC-5.3"
    match.play("add_support", side="home", players=["cm"])
    match.play("support_done", side="away")
    assert match.refused("add_support", side="home", players=["cm"]) == "OC-5.3"
    match.play("support_done", side="home")
    match.reveal(9, 0, 0).play("resolve")
    match.move("lw", "pass").oppose("rb")
    assert match.refused("add_support", side="home", players=["lb"]) == "OC-5.3"
    assert match.refused("add_support", side="home", players=["st"]) is None


def test_an_ability_brings_its_points_at_any_moment_of_the_support() -> None:
    match = Match().at("C1").move("cm").oppose("dm")
    assert match.play("ability_used", side="away", player="dm", ability="pressing", points=2) == {"ability_total": 2}
    assert match.play("ability_used", side="home", player="cm", ability="vision", points=3) == {"ability_total": 3}
    assert match.play("ability_used", side="home", player="cm", ability="vision", points=-4) == {"ability_total": -1}
    duel = match.view["duel"]
    assert (duel["attack"]["total"], duel["defence"]["total"], duel["margin"]) == (6, 8, -2)
    assert match.view["waiting_for"] == ["home"]


def test_whose_ability_it_is() -> None:
    match = Match().at("C1").move("lw", "cross").oppose("cb")
    fields = {"side": "home", "points": 1}
    assert match.refused("ability_used", **fields, player="cm", ability="vision") == "OC-6.2"
    assert match.refused("ability_used", side="home", points=1, player="cb", ability="wall") == "OC-6.2"
    assert match.refused("ability_used", **fields, player="lw", ability="vision") == "OC-6.3"
    assert match.refused("ability_used", **fields, player="lw", ability="cross") == "OC-6.3"
    assert match.refused("ability_used", side="away", points=1, player="cb", ability="wall") == "OC-6.3"
    match.play("add_support", side="home", players=["cm"])
    assert match.refused("ability_used", **fields, player="cm", ability="vision") is None
    assert match.refused("ability_used", **fields, player="lw", ability="sprint") is None
