"""The occasion card and the attack: chapters 2 and 3, choice of a zone (OC-9.3)."""

from __future__ import annotations

import pytest

from tests.games.occasion.kit import Match, player


def test_two_different_cards_lie_before_a_side() -> None:
    match = Match(visible={"home": ["wing"]})
    assert match.refused("occasion_shown", side="home", card="wing") == "OC-2.1"
    assert match.refused("occasion_shown", side="home", card="nothing") == "OC-2.1"
    assert match.play("occasion_shown", side="home", card="gift") == {"visible": ["wing", "gift"]}
    assert match.refused("occasion_shown", side="home", card="posts") == "OC-2.1"
    assert match.play("occasion_shown", side="away", card="wing") == {"visible": ["wing"]}
    match.at("L1")
    assert match.view["visible"] == {"home": ["gift"], "away": ["wing"]}
    assert match.play("occasion_shown", side="home", card="wing") == {"visible": ["gift", "wing"]}


def test_the_attack_plays_a_card_of_its_own() -> None:
    match = Match(visible={"home": ["posts"], "away": ["gift"]})
    assert match.refused("occasion_played", card="gift") == "OC-2.2"
    assert match.refused("occasion_played", card="nothing", zone="M") == "OC-2.2"
    assert match.play("occasion_played", card="posts") == {"card": "posts", "zone": "M", "phase": "attack_move"}
    assert match.view["occasion"] == {"card": "posts", "zone": "M"}
    assert match.view["waiting_for"] == ["home"]


def test_where_the_chance_starts() -> None:
    match = Match()
    assert match.refused("occasion_played", card="wing") == "OC-2.3"
    assert match.refused("occasion_played", card="wing", zone="L2") == "OC-2.3"
    assert match.refused("occasion_played", card="posts", zone="L") == "OC-2.3"
    assert match.refused("occasion_played", card="posts", zone="M") is None
    assert match.play("occasion_played", card="wing", zone="C1")["zone"] == "C1"


def test_a_chance_may_start_at_the_goal() -> None:
    match = Match(visible={"home": ["gift"]})
    assert match.play("occasion_played", card="gift") == {"card": "gift", "zone": "G", "phase": "shot"}
    assert match.view["waiting_for"] == ["home", "away"]


@pytest.mark.parametrize(
    ("id", "move", "zone", "base", "bonus", "spent"),
    [
        ("lb", "pass", "L1", 4, 2, 1),
        ("cb", "pass", "L1", 3, 1, 1),
        ("cm", "dribble", "L1", 4, 0, 2),
        ("lw", "cross", "L1", 4, 0, 1),
        ("lw", "dribble", "C1", 6, 0, 2),
        ("cm", "pass", "C1", 5, 2, 1),
    ],
)
def test_base_score_bonus_and_energy_of_a_move(
    id: str, move: str, zone: str, base: int, bonus: int, spent: int
) -> None:
    match = Match().at(zone)
    assert match.play("attack_move", player=id, move=move) == {"base": base, "bonus": bonus, "energy_spent": spent}
    view = match.view
    assert (view["phase"], view["waiting_for"], view["energy_used"]) == (
        "defence",
        ["away"],
        {"home": spent, "away": 0},
    )
    attack = {"player": id, "base": base, "bonus": bonus, "support": [], "energy": [], "ability": 0}
    assert view["duel"] == {
        "move": move,
        "margin": None,
        "attack": {**attack, "total": base + bonus},
        "defence": None,
    }


def test_the_line_of_any_of_the_posts_brings_one_point() -> None:
    match = Match(players={"home": {"rw": player("RW", "1 1 1 1"), "cm": player("CM", "1 1 1 1")}})
    match.at("L1")
    match.play("define_card", kind="occasion", id="x", card={"zones": [{"id": "S", "row": 1, "shot": True}]})
    match.play("turn_ended")
    match.play("turn_ended")
    match.play("occasion_played", card="posts")
    assert match.play("attack_move", player="rw", move="pass")["bonus"] == 0
    match = Match(players={"home": {"rm": player("RM", "1 1 1 1")}}).at("M", "posts")
    assert match.play("attack_move", player="rm", move="pass")["bonus"] == 1


def test_a_zone_without_posts_brings_nothing() -> None:
    free = {"zones": [{"id": "A", "row": 1}, {"id": "S", "row": 2, "shot": True}]}
    match = Match(occasions={"free": free}, visible={"home": ["free"]}).at("A", "free")
    assert match.play("attack_move", player="st", move="pass")["bonus"] == 0
    assert match.play("defence_choice", choice="oppose", player="st")["bonus"] == 0


def test_who_may_be_laid() -> None:
    match = Match().at("L1")
    assert match.refused("attack_move", player="rb", move="pass") == "OC-3.1"
    match.duel("lb", "pass", "dm", 3, 0)
    assert match.view["discard"] == {"home": ["lb"], "away": ["dm"]}
    assert match.refused("attack_move", player="lb", move="pass") == "OC-3.1"
    assert match.refused("attack_move", player="lb", move="cross") == "OC-3.1"


def test_only_a_card_with_the_ability_crosses() -> None:
    match = Match().at("L1")
    assert match.refused("attack_move", player="lb", move="cross") == "OC-3.4"
    assert match.refused("attack_move", player="lw", move="cross") is None


def test_the_carrier_stays_the_base_player() -> None:
    match = Match().at("C1").move("cm", "dribble")
    assert match.view["carrier"] is None
    match.let_pass()
    assert (match.view["carrier"], match.view["occasion"]["zone"]) == ("cm", "L2")
    assert match.view["discard"] == {"home": [], "away": []}
    assert match.refused("attack_move", player="lw", move="cross") == "OC-3.6"
    assert match.refused("attack_move", player="nobody", move="pass") == "OC-3.6"
    assert match.refused("attack_move", player="cm", move="cross") == "OC-3.4"
    assert match.play("attack_move", player="cm", move="pass") == {"base": 5, "bonus": 1, "energy_spent": 1}
    assert (match.view["carrier"], match.view["energy_used"]["home"]) == (None, 3)


def test_the_attack_chooses_among_several_zones() -> None:
    match = Match().at("M", "posts").move("cm").let_pass()
    view = match.view
    assert (view["phase"], view["options"], view["waiting_for"]) == ("advance", ["L", "R"], ["home"])
    assert view["occasion"] == {"card": "posts", "zone": "M"}
    assert view["duel"] is None
    assert match.refused("advance", zone="near") == "OC-9.3"
    assert match.refused("advance", zone="M") == "OC-9.3"
    assert match.play("advance", zone="L") == {"zone": "L", "phase": "attack_move"}
    assert match.view["options"] == []
    assert match.move("lb").play("defence_choice", choice="let_pass")["phase"] == "shot"
