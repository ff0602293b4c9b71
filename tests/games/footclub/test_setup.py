"""Headers: chapters 1, 2.1, 16.1 and 18.1, in the order of 19.1."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.games.footclub import FOOTCLUB
from tests.games.footclub.kit import Match, coach, header, player, rule_of_header, squads

Change = Callable[[dict[str, Any]], Any]


def changed(change: Change, **setup: Any) -> dict[str, Any]:
    head = header(**setup)
    change(head)
    return head


def first(head: dict[str, Any]) -> dict[str, Any]:
    """Return blue's first player."""
    card: dict[str, Any] = head["setup"]["squads"]["blue"]["players"][0]
    return card


def blue(head: dict[str, Any]) -> dict[str, Any]:
    squad: dict[str, Any] = head["setup"]["squads"]["blue"]
    return squad


HEADERS: list[tuple[str, Change]] = [
    ("FC-18.1", lambda h: h.update(journal=2)),
    ("FC-18.1", lambda h: h.update(journal=True)),
    ("FC-18.1", lambda h: h.pop("journal")),
    ("FC-18.1", lambda h: h.update(game="nba")),
    ("FC-18.1", lambda h: (h.update(game="nba"), h.pop("sides"))),
    ("FC-1.1", lambda h: h["sides"].pop("red")),
    ("FC-1.1", lambda h: h["sides"].update(green={"name": "x"})),
    ("FC-1.1", lambda h: h["sides"].update(red={"name": None})),
    ("FC-1.1", lambda h: h["sides"].update(red="Rouges")),
    ("FC-1.1", lambda h: (h.pop("sides"), h["setup"].pop("home"))),
    ("FC-1.11", lambda h: h.pop("setup")),
    ("FC-1.11", lambda h: h["setup"].pop("home")),
    ("FC-1.11", lambda h: h["setup"].update(home="green")),
    ("FC-1.11", lambda h: h["setup"].update(kop="K03")),
    ("FC-1.11", lambda h: h["setup"].update(format=None)),
    ("FC-1.11", lambda h: h["setup"].update(format="cup")),
    ("FC-1.11", lambda h: h["setup"].update(weather="rain")),
    ("FC-1.11", lambda h: h["setup"].update(options={"kop_attack_bonus": 3})),
    ("FC-1.11", lambda h: h["setup"].update(options={"kop_attack_bonus": True})),
    ("FC-1.11", lambda h: h["setup"].update(options={"kop": 2})),
    ("FC-1.11", lambda h: h["setup"].update(options=None)),
    ("FC-1.11", lambda h: h["setup"].update(catalogue={"cards": {}})),
    ("FC-1.11", lambda h: h["setup"].update(market=1)),
    ("FC-1.11", lambda h: h["setup"].pop("squads")),
    ("FC-1.11", lambda h: h["setup"]["squads"].pop("red")),
    ("FC-1.11", lambda h: blue(h).pop("coach")),
    ("FC-1.11", lambda h: blue(h).update(players=blue(h)["players"][:9])),
    ("FC-1.11", lambda h: blue(h)["players"].extend(player(f"x{n}", "fw") for n in range(3))),
    ("FC-1.11", lambda h: first(h).pop("id")),
    ("FC-1.11", lambda h: first(h).update(id="")),
    ("FC-1.11", lambda h: first(h).update(id=7)),
    ("FC-1.11", lambda h: first(h).update(id="b-fb2")),
    ("FC-1.11", lambda h: first(h).update(id="r-cb1")),
    ("FC-1.11", lambda h: first(h).update(id="r-gk")),
    ("FC-1.3", lambda h: first(h).update(level=6)),
    ("FC-1.3", lambda h: first(h).update(level=0)),
    ("FC-1.3", lambda h: first(h).update(level=True)),
    ("FC-1.3", lambda h: first(h).pop("level")),
    ("FC-1.3", lambda h: first(h).update(posts=[])),
    ("FC-1.3", lambda h: first(h).update(posts="fb")),
    ("FC-1.3", lambda h: first(h).update(posts=["gk"])),
    ("FC-1.3", lambda h: first(h).update(posts=["fb", "cb", "dm"])),
    ("FC-1.3", lambda h: first(h).update(profiles=[])),
    ("FC-1.3", lambda h: first(h).update(profiles=["technical", "technical"])),
    ("FC-1.3", lambda h: first(h).update(profiles=["fast"])),
    ("FC-1.3", lambda h: first(h).update(strength="fast")),
    ("FC-1.3", lambda h: first(h).update(strength=["rugged"])),
    ("FC-1.4", lambda h: blue(h)["coach"].update(level=0)),
    ("FC-1.4", lambda h: blue(h)["goalkeeper"].pop("level")),
    ("FC-1.4", lambda h: blue(h)["coach"]["style"].update(technical=6)),
    ("FC-1.4", lambda h: blue(h)["coach"]["style"].update(technical=-5, physical=13)),
    ("FC-1.4", lambda h: blue(h)["coach"]["style"].pop("tactical")),
    ("FC-1.4", lambda h: blue(h)["coach"].update(preferred="physical")),
    ("FC-1.4", lambda h: blue(h)["coach"].update(preferred=None)),
    ("FC-1.4", lambda h: blue(h).update(coach=coach("b-coach", 4, 4, 2))),
    ("FC-1.5", lambda h: first(h).update(posts=["fb", "cb"])),
    ("FC-1.5", lambda h: first(h).update(strength="versatile")),
    ("FC-1.5", lambda h: first(h).update(posts=["fb", "dm"], strength="versatile")),
    ("FC-1.5", lambda h: first(h).update(posts=["fb", "fb"], strength="versatile")),
    ("FC-1.5", lambda h: first(h).update(posts=["cb", "fb"], profiles=["technical", "tactical"], strength=None)),
    ("FC-1.6", lambda h: first(h).update(profiles=["technical", "tactical"])),
    ("FC-1.6", lambda h: first(h).update(posts=["cb", "fb"], profiles=["technical", "tactical"], strength="versatile")),
    ("FC-16.1", lambda h: h["setup"].update(format="leg2")),
    ("FC-16.1", lambda h: h["setup"].update(first_leg={"score": {"blue": 0, "red": 0}})),
    ("FC-16.1", lambda h: h["setup"].update(first_leg=None)),
]


@pytest.mark.parametrize(("rule", "change"), HEADERS, ids=[f"{rule}-{n}" for n, (rule, _) in enumerate(HEADERS)])
def test_a_bad_header_is_refused_by_its_rule(rule: str, change: Change) -> None:
    assert rule_of_header(changed(change)) == rule


FIRST_LEGS: list[Any] = [
    None,
    {},
    {"score": {"blue": 1}},
    {"score": {"blue": 1, "red": True}},
    {"score": {"blue": 1, "red": -1}},
    {"score": {"blue": 1, "red": 0}, "suspended": ["b-gk"]},
    {"score": {"blue": 1, "red": 0}, "booked": ["nobody"]},
    {"score": {"blue": 1, "red": 0}, "injured": None},
    {"score": {"blue": 1, "red": 0}, "hurt": []},
]


@pytest.mark.parametrize("leg", FIRST_LEGS)
def test_FC_16_1_a_first_leg_is_a_score_and_lists_of_players(leg: Any) -> None:
    def with_leg(head: dict[str, Any]) -> None:
        head["setup"].update(format="leg2", first_leg=leg)

    assert rule_of_header(changed(with_leg)) == "FC-16.1"


def test_FC_16_1_a_first_leg_names_players_of_the_squads() -> None:
    leg = {"score": {"blue": 1, "red": 0}, "suspended": ["b-fb1"], "booked": ["r-cb1"], "injured": []}
    assert rule_of_header(header(format="leg2", first_leg=leg)) is None


RIBBON = ["fw_l", "fw_r", "am_l", "am_r", "dm_l", "dm_r"]
DOUBLE = [["fw_l", "am_l"]] * 6
CARDS: list[tuple[str | None, Any]] = [
    (None, {"1": {"type": "tackle", "ribbon": RIBBON}, "2": {"type": "pressing", "ribbon": DOUBLE}}),
    (None, {"42": {"type": "supporters"}, "41": {"type": "attacking_support"}}),
    ("FC-1.7", []),
    ("FC-1.7", {"0": {"type": "supporters"}}),
    ("FC-1.7", {"43": {"type": "supporters"}}),
    ("FC-1.7", {"01": {"type": "supporters"}}),
    ("FC-1.7", {"1": {"type": "goal"}}),
    ("FC-1.7", {"1": {}}),
    ("FC-1.7", {"1": "supporters"}),
    ("FC-1.7", {str(n): {"type": "supporters"} for n in range(1, 10)}),
    ("FC-1.7", {"1": {"type": "tackle", "ribbon": []}, "99": {"type": "supporters"}}),
    ("FC-1.8", {"1": {"type": "tackle"}}),
    ("FC-1.8", {"1": {"type": "tackle", "ribbon": RIBBON[:5]}}),
    ("FC-1.8", {"1": {"type": "tackle", "ribbon": DOUBLE}}),
    ("FC-1.8", {"1": {"type": "pressing", "ribbon": RIBBON}}),
    ("FC-1.8", {"1": {"type": "tackle", "ribbon": ["gk_l", *RIBBON[1:]]}}),
    ("FC-1.8", {"1": {"type": "supporters", "ribbon": RIBBON}}),
    ("FC-1.8", {"1": {"type": "supporters", "ribbon": None}}),
]


@pytest.mark.parametrize(("rule", "cards"), CARDS)
def test_FC_1_7_and_FC_1_8_the_catalogue_of_match_cards(rule: str | None, cards: Any) -> None:
    assert rule_of_header(header(catalogue={"match_cards": cards})) == rule


def box() -> dict[str, Any]:
    """Return team cards for a market: 2 pairs of staff, 20 upper and 24 lower players."""
    return {
        "coaches": [coach("E01", 5, 3, 2, 4), coach("E02", 5, 3, 2, 4)],
        "goalkeepers": [{"id": "E03", "level": 4}, {"id": "E04", "level": 4}],
        "players": [player(f"U{n}", "fw", 5 if n < 8 else 4) for n in range(20)]
        + [player(f"L{n}", "cb") for n in range(20)],
    }


def market_header(cards: Any, **setup: Any) -> dict[str, Any]:
    return header(squads=None, market=True, catalogue={"team_cards": cards}, **setup)


def test_FC_2_1_a_market_needs_enough_cards() -> None:
    assert rule_of_header(market_header(box())) is None
    for key in ("coaches", "goalkeepers", "players"):
        assert rule_of_header(market_header({**box(), key: box()[key][1:]})) == "FC-2.1"
    fewer = box()
    fewer["players"][-1]["level"] = 2
    assert rule_of_header(market_header(fewer)) == "FC-2.1"


def test_FC_1_11_a_market_has_team_cards_and_no_squads() -> None:
    assert rule_of_header(header(squads=None, market=True)) == "FC-1.11"
    assert rule_of_header(header(market=True, catalogue={"team_cards": box()})) == "FC-1.11"


def test_FC_1_11_ids_of_team_cards_are_their_own() -> None:
    twice = box()
    twice["coaches"][0]["id"] = "U0"
    assert rule_of_header(market_header(twice)) == "FC-1.11"
    bad = box()
    bad["players"][3]["profiles"] = []
    assert rule_of_header(market_header(bad)) == "FC-1.3"
    assert rule_of_header(market_header({**box(), "coaches": None})) == "FC-1.11"
    assert rule_of_header(market_header({**box(), "referees": []})) == "FC-1.11"


def test_a_squad_card_may_be_among_the_team_cards() -> None:
    cards = {"players": [squads()["blue"]["players"][0]]}
    assert rule_of_header(header(catalogue={"team_cards": cards})) is None


def test_FC_16_1_with_a_market_the_first_leg_names_team_cards() -> None:
    for id, rule in (("U3", None), ("b-fb1", "FC-16.1"), ("E01", "FC-16.1")):
        leg = {"score": {"blue": 0, "red": 0}, "booked": [id]}
        assert rule_of_header(market_header(box(), format="leg2", first_leg=leg)) == rule


def test_FC_1_4_of_tied_profiles_the_setup_names_one() -> None:
    tied = squads()
    tied["blue"]["coach"] = {**coach("b-coach", 4, 4, 2), "preferred": "physical"}
    assert rule_of_header(header(squads=tied)) is None
    tied["blue"]["coach"]["preferred"] = "tactical"
    assert rule_of_header(header(squads=tied)) == "FC-1.4"


def test_other_keys_of_cards_are_free_and_strength_may_be_absent() -> None:
    free = squads()
    free["blue"]["players"][3].update(nation="FR", serial=12, triangle="red")
    del free["blue"]["players"][3]["strength"]
    assert rule_of_header(header(squads=free)) is None


def test_FC_1_9_and_FC_4_2_the_home_club_has_the_kop_and_both_five_supporters() -> None:
    view = Match(home="red").view["clubs"]
    assert [(view[side]["kop"], view[side]["supporters"], view[side]["stands"]) for side in ("blue", "red")] == [
        (None, 5, 5),
        ("up", 5, 6),
    ]


def test_the_first_state_is_before_the_match() -> None:
    view = Match().view
    assert (view["phase"], view["half"], view["turn"], view["market"]) == ("pre_match", 0, 0, None)
    assert FOOTCLUB.view(FOOTCLUB.initial_state(market_header(box())))["clubs"] == {}
