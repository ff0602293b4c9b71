"""The header and its cards: OC-1.1, OC-2.4 and chapter 12."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.occasion import OCCASION
from companion.games.occasion.tables import DEFAULT_POSTS
from tests.games.occasion.kit import Match, header, occasions, player, players, rule_of_header, zone

BAD_SETUPS: list[dict[str, Any]] = [
    {"first_attack": "left"},
    {"first_attack": None},
    {"posts": None},
    {"posts": {"GK": 1}},
    {"players": []},
    {"players": None},
    {"players": {"left": {}}},
    {"players": {"home": None}},
    {"players": {"home": []}},
    {"occasions": []},
    {"occasions": None},
    {"visible": []},
    {"visible": {"left": []}},
    {"visible": {"home": None}},
    {"visible": {"home": "wing"}},
    {"visible": {"home": [1]}},
    {"visible": {"home": ["nothing"]}},
    {"visible": {"home": ["wing", "wing"]}},
    {"visible": {"home": ["wing", "posts", "gift"]}},
    {"goals_to_win": 0},
    {"goals_to_win": True},
    {"goals_to_win": 1.0},
    {"goals_to_win": "3"},
]

BAD_PLAYERS: list[Any] = [
    None,
    [],
    {},
    {**player("LB", "1 1 1 1"), "post": "XX"},
    {**player("LB", "1 1 1 1"), "post": None},
    {**player("LB", "1 1 1 1"), "pass": -1},
    {**player("LB", "1 1 1 1"), "dribble": 1.5},
    {**player("LB", "1 1 1 1"), "int": True},
    {key: value for key, value in player("LB", "1 1 1 1").items() if key != "tak"},
    {**player("LB", "1 1 1 1"), "name": None},
    {**player("LB", "1 1 1 1"), "abilities": "wall"},
    {**player("LB", "1 1 1 1"), "abilities": [1]},
]

SHOT = zone("S", 2, shot=True)
BAD_OCCASIONS: list[Any] = [
    None,
    {},
    {"zones": {}},
    {"zones": []},
    {"zones": [None]},
    {"zones": [SHOT], "name": 3},
    {"zones": [{"id": "A", "shot": True}]},
    {"zones": [{"row": 1, "shot": True}]},
    {"zones": [zone("A", 0, shot=True)]},
    {"zones": [zone("A", True, shot=True)]},
    {"zones": [zone("A", 1, shot=1)]},
    {"zones": [{"id": 1, "row": 1, "shot": True}]},
    {"zones": [zone("S", 1), SHOT]},
    {"zones": [zone("A", 1, attack_posts=["XX"]), SHOT]},
    {"zones": [zone("A", 1, defence_posts=["XX"]), SHOT]},
    {"zones": [zone("A", 1, defence_posts=None), SHOT]},
    {"zones": [zone("A", 1, next=["B"]), SHOT]},
    {"zones": [zone("A", 1, next=None), SHOT]},
    {"zones": [zone("A", 1, next=[]), SHOT]},
    {"zones": [zone("A", 3), SHOT]},
    {"zones": [zone("A", 1), zone("B", 2)]},
]


def test_a_header_needs_no_setup() -> None:
    bare = {key: value for key, value in header().items() if key != "setup"}
    view = OCCASION.view(OCCASION.initial_state(bare))
    assert (view["attack"], view["visible"]) == ("home", {"home": [], "away": []})
    assert rule_of_header({**bare, "setup": {}}) is None


@pytest.mark.parametrize(
    "change",
    [
        {"journal": 2},
        {"journal": True},
        {"journal": 1.0},
        {"game": "footclub"},
        {"sides": None},
        {"sides": {"home": {"name": "A"}}},
        {"sides": {"home": {"name": "A"}, "away": {"name": "B"}, "third": {"name": "C"}}},
        {"sides": {"home": {"name": "A"}, "away": {}}},
        {"sides": {"home": {"name": "A"}, "away": {"name": 1}}},
        {"sides": {"home": {"name": "A"}, "away": "B"}},
        {"setup": None},
        {"setup": []},
    ],
)
def test_a_bad_header_is_refused(change: dict[str, Any]) -> None:
    assert rule_of_header({**header(), **change}) == "OC-1.1"


def test_an_empty_header_is_refused() -> None:
    assert rule_of_header({}) == "OC-1.1"


@pytest.mark.parametrize("change", BAD_SETUPS, ids=str)
def test_a_bad_setup_is_refused(change: dict[str, Any]) -> None:
    assert rule_of_header(header(**change)) == "OC-1.1"


@pytest.mark.parametrize("card", BAD_PLAYERS, ids=str)
def test_a_bad_player_card_is_refused_everywhere(card: Any) -> None:
    assert rule_of_header(header(players={"home": {"x": card}})) == "OC-1.1"
    given = Match().refused("define_card", kind="player", side="home", id="x", card=card)
    assert given == ("OC-1.6" if isinstance(card, dict) else "OC-1.2")


@pytest.mark.parametrize("card", BAD_OCCASIONS, ids=str)
def test_a_bad_chance_card_is_refused_everywhere(card: Any) -> None:
    assert rule_of_header(header(occasions={**occasions(), "x": card})) == "OC-1.1"
    given = Match().refused("define_card", kind="occasion", id="x", card=card)
    assert given == ("OC-1.6" if isinstance(card, dict) else "OC-1.2")


def test_what_is_not_listed_is_ignored() -> None:
    head = header(colour="green")
    head["setup"]["players"]["home"]["lb"]["shirt"] = 3
    head["setup"]["occasions"]["wing"]["zones"][0]["picture"] = None
    assert OCCASION.initial_state({**head, "place": "here"}) == OCCASION.initial_state(header())


def test_the_setup_is_what_the_match_begins_with() -> None:
    match = Match(first_attack="away", goals_to_win=None)
    view = match.view
    assert (view["phase"], view["turn"], view["attack"]) == ("choose_occasion", 1, "away")
    assert view["visible"] == {"home": ["wing", "posts"], "away": ["posts", "wing"]}
    assert (view["waiting_for"], view["winner"], view["score"]) == (["away"], None, {"home": 0, "away": 0})


def test_given_posts_replace_the_usual_ones_as_a_whole() -> None:
    own = {"P1": "front", "P2": "back"}
    cards = {"home": {"a": player("P1", "1 2 3 4")}}
    assert rule_of_header(header(posts=own)) == "OC-1.1"
    assert rule_of_header(header(posts=own, players=cards, occasions={}, visible={})) is None
    assert rule_of_header(header(posts={}, players={}, occasions={}, visible={})) is None


def test_the_usual_posts() -> None:
    lines = {line: [post for post in DEFAULT_POSTS if DEFAULT_POSTS[post] == line] for line in DEFAULT_POSTS.values()}
    assert lines == {
        "keeper": ["GK"],
        "defence": ["RB", "CB", "LB"],
        "midfield": ["DM", "RM", "CM", "LM", "AM"],
        "attack": ["RW", "ST", "LW"],
    }
    assert rule_of_header(header(posts=dict(DEFAULT_POSTS))) is None


def test_where_zones_lead() -> None:
    zones = {zone.id: zone.next for zone in OCCASION.initial_state(header()).occasions["posts"].zones}
    assert zones == {"M": ("L", "R"), "L": ("near",), "R": ("near", "far"), "near": (), "far": ()}
    shuffled = {"zones": [zone("S2", 5, shot=True), zone("A", 1), zone("S1", 5, shot=True, next=["A"])]}
    wide = OCCASION.initial_state(header(occasions={"w": shuffled}, visible={})).occasions["w"]
    assert [each.next for each in wide.zones] == [(), ("S2", "S1"), ("A",)]


def test_players_of_both_sides_may_bear_the_same_id() -> None:
    state = OCCASION.initial_state(header(players={"home": players()["home"], "away": players()["home"]}))
    assert state.players[0] == state.players[1]
