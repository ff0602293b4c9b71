"""Chapter 12: the choices of the solo opponent, and the events allowed in its turns."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from companion.games.nba.cards import PlayerCard, TacticCard, read_cards
from companion.games.nba.dice_set import RULEBOOK_DICE, NbaFace
from companion.games.nba.odds import counting_law, mean_of_best, scoring_law
from companion.games.nba.solo import (
    Exchange,
    OpponentStrength,
    Recruit,
    card_value,
    choose_exchange,
    choose_recruit,
    indices_to_keep,
    preferred_tactic,
    rate_tactic,
)
from companion.games.nba.tables import COLOURS, SKILLS, SOLO_PROFILES
from tests.games.nba.kit import BASE_TACTICS, CARDS, COURT, ROSTER, Match, dice, full, player, rule_of_header, solo
from tests.games.nba.kit import tactic as tactic_card

DRIVERS = SOLO_PROFILES["drivers"]
ALL = frozenset(COLOURS)
MEANS = OpponentStrength((3, 3, 3, 2, 2, 3), 6, RULEBOOK_DICE, DRIVERS)


def players(**cards: dict[str, Any]) -> list[PlayerCard]:
    return [card for card in read_cards(cards).values() if isinstance(card, PlayerCard)]


def tactics(**cards: dict[str, Any]) -> list[TacticCard]:
    return [card for card in read_cards(cards).values() if isinstance(card, TacticCard)]


COURT_CARDS = [card for id in COURT.values() for card in players(**{id: CARDS[id]})]
BOARD = tactics(**{id: CARDS[id] for id in BASE_TACTICS})


# Value of a card for the solo opponent (NBA-12.4)


@pytest.mark.parametrize(("profile", "value"), [("shooters", 14), ("bigs", 8), ("drivers", 12)])
def test_the_worth_of_a_card_by_profile(profile: str, value: int) -> None:
    """Two of `iq` and `three_points`, one of `penetration` and `interception`."""
    (ace,) = players(ace=CARDS["n-ace"])
    assert card_value(ace, SOLO_PROFILES[profile]) == value


def test_the_highest_gain_it_can_pay_wins() -> None:
    offered = players(
        dear=player("c", cost=9, inside=9), best=player("sf", cost=3, penetration=5), good=player("pg", iq=6)
    )
    assert choose_recruit(offered, COURT_CARDS, 3, DRIVERS) == Recruit("best", "sf", "s-sf")


def test_no_gain_no_recruit() -> None:
    same = [*players(same=player("pg", cost=0, iq=2, three_points=1, penetration=1, interception=1))]
    assert choose_recruit(same, COURT_CARDS, 9, DRIVERS) is None
    assert choose_recruit([], COURT_CARDS, 9, DRIVERS) is None


def test_ties_go_to_the_cheaper_then_the_earlier_card_then_the_first_position() -> None:
    dear, cheap = player("c sg", cost=3, iq=9), player("c sg", cost=2, iq=9)
    court = players(**{str(n): player("pg", cost=0) for n in range(5)})
    assert choose_recruit(players(a=dear, b=cheap, c=cheap), court, 3, DRIVERS) == Recruit("b", "sg", "1")


# Value of a tactic for the solo opponent (NBA-12.5)


def test_the_rating_is_the_weighted_mean_of_what_is_kept() -> None:
    mixed, zone = tactics(a=CARDS["t-mixed"], b=CARDS["t-zone"])
    inside, red = scoring_law(RULEBOOK_DICE.of("inside")), scoring_law(RULEBOOK_DICE.of("penetration"))
    assert rate_tactic(mixed, MEANS, ALL) == 1 * mean_of_best(inside, 3, 2) + 3 * mean_of_best(red, 3, 1)
    blue = frozenset({"blue"})
    beige, brown = (counting_law(RULEBOOK_DICE.of(kind), blue, "even") for kind in ("interception", "stop"))
    assert rate_tactic(zone, MEANS, blue) == 1 * mean_of_best(beige, 2, 2) + 2 * mean_of_best(brown, 3, 2)


def test_beyond_its_level_or_without_dice_a_tactic_is_worth_nothing() -> None:
    hard, out = tactics(a=CARDS["t-hard"], b=CARDS["t-out"])
    assert rate_tactic(hard, MEANS, ALL) == 0
    assert rate_tactic(out, OpponentStrength((0,) * 6, 6, RULEBOOK_DICE, DRIVERS), ALL) == 0


def test_a_defence_against_nothing_is_worth_nothing() -> None:
    assert all(rate_tactic(card, MEANS, frozenset()) == 0 for card in BOARD if card.type == "defence")


def test_the_best_open_tactic_takes_the_place_of_the_weakest_of_its_type() -> None:
    market = tactics(
        dear=tactic_card("offence", 1, 9, penetration=5), better=tactic_card("offence", 3, 2, penetration=3)
    )
    weakest = min(range(3), key=lambda place: rate_tactic(BOARD[place], MEANS, ALL))
    assert choose_exchange(market, BOARD, 3, MEANS, ALL) == Exchange("better", weakest)


def test_base_tactics_and_types_it_does_not_own_are_no_candidates() -> None:
    market = tactics(a=tactic_card("offence", 1, 0, True, penetration=3), b=CARDS["t-zone"])
    assert choose_exchange(market, BOARD[:3], 9, MEANS, ALL) is None


def test_equal_tactics_the_cheaper_then_the_earlier_and_the_earliest_place() -> None:
    dear, cheap = (tactic_card("offence", 1, cost, penetration=3) for cost in (2, 1))
    twins = tactics(x=BASE_TACTICS["t-out"], y=BASE_TACTICS["t-out"])
    assert choose_exchange(tactics(a=dear, b=cheap, c=cheap), twins, 2, MEANS, ALL) == Exchange("b", 0)


def test_of_equal_tactics_the_earliest_is_planned() -> None:
    twins = tactics(x=BASE_TACTICS["t-out"], y=BASE_TACTICS["t-out"])
    assert preferred_tactic(twins, MEANS, ALL) == "x"
    assert preferred_tactic(tactics(a=CARDS["t-hard"]), MEANS, ALL) is None
    assert preferred_tactic([], MEANS, ALL) is None


def test_it_keeps_the_highest_of_each_skill() -> None:
    (mixed,) = tactics(a=CARDS["t-mixed"])
    faces = [NbaFace("inside", value, "yellow") for value in (4, 0, 4, 7)] + [NbaFace("penetration", 0, "red")]
    assert indices_to_keep(mixed, faces, frozenset()) == (0, 3)


def test_of_a_defence_it_keeps_what_counts() -> None:
    (switch,) = tactics(a=CARDS["t-switch"])
    faces = [NbaFace("interception", 2, "red"), NbaFace("interception", 1, "blue"), NbaFace("stop", 0, None)]
    assert indices_to_keep(switch, faces, frozenset({"blue"})) == (1,)


# Logged turns of the solo opponent (NBA-12.2, 12.3, 12.6 to 12.8)


def opponents_turn(attack: str = "inside 7 4 0", **setup: Any) -> Match:
    """Return a match after Anne's turn, in which she has prepared and played."""
    match = Match(solo(**setup))
    if attack:
        match.play("prepare", tactics=["t-post"])
        match.play("activate", tactic="t-post", dice=dice(attack))
        match.play("keep", dice=[0, 1])
    return match.pass_turns()


def steps(match: Match, market: tuple[str, ...] = ()) -> Match:
    """Log its steps: no card is offered to it, and no tactic unless named."""
    match.play("ai_recruit", cards=[])
    if match.play("ai_tactic", market=list(market))["again"]:
        match.play("ai_tactic", market=[])
    return match


def test_the_counter_rises_with_each_turn_of_its_own() -> None:
    match = opponents_turn(resources=0)
    assert match.view["ai"] == {
        "side": "ben",
        "resources": 1,
        "profile": "drivers",
        "given": 0,
        "plan": {"offence": "t-drive", "defence": "t-trap"},
        "reroll": [],
    }
    assert Match(solo()).view["ai"]["plan"] == {"offence": None, "defence": None}


def test_the_track_moves_twice_for_the_person_and_not_for_the_opponent() -> None:
    match = Match(solo())
    assert (match.view["market"]["deck"], match.view["market"]["on_track"]) == (17, 3)
    match = opponents_turn("")
    assert match.view["market"]["on_track"] == 3
    assert Match(solo(first="ben")).view["market"]["deck"] == 19


def test_cards_that_leave_the_track_are_given_to_it() -> None:
    """Three cards are on the track in Anne's first turn, five in her second, and then the six slots are full."""
    match = Match(solo())
    given = []
    for _ in range(4):
        given.append(match.view["ai"]["given"])
        play_out(match.pass_turns())
    assert given == [0, 0, 1, 2]


def test_the_last_card_of_the_deck_is_named_where_it_lies() -> None:
    """Five cards after the setup: in Anne's third turn one is placed and the second step moves it to slot 2."""
    match = Match(solo(market_cards=6))
    for _ in range(2):
        play_out(match.pass_turns())
    assert match.view["market"]["deck"] == 0
    before = match.view["market"]["track"]
    assert before[:2] == [None, "?"]
    assert match.refused("adjust", revealed=["n-ace", "n-big"]) == "NBA-6.1"
    assert match.play("adjust", revealed=["n-ace"])["track"] == [None, "n-ace", *before[2:]]


def play_out(match: Match) -> Match:
    """Play its turn without a recruit, with every tactic thrown blank."""
    steps(match)
    while planned := [id for id in match.view["ai"]["plan"].values() if id]:
        sizes = match.view["odds"][planned[0]]["dice"]
        blank = ", ".join(f"{kind}{' 0' * count}" for kind, count in sizes.items() if count)
        match.play("activate", tactic=planned[0], dice=dice(blank))
    return match.pass_turns()


def test_what_is_never_logged_in_its_turns_and_what_only_there() -> None:
    match = Match(solo())
    assert match.refused("ai_recruit", cards=[]) == "NBA-12.3"
    assert match.refused("ai_tactic", market=[]) == "NBA-12.3"
    match = opponents_turn()
    for event in ("adjust", "replace", "prepare", "buy_player", "buy_tactic"):
        assert match.refused(event) == "NBA-12.3", event


def test_its_steps_have_an_order() -> None:
    match = opponents_turn()
    assert match.refused("ai_tactic", market=["nobody"]) == "NBA-12.3"
    assert match.refused("activate", tactic="t-drive", dice=[]) == "NBA-12.3"
    assert match.refused("end_turn") == "NBA-12.8"
    match.play("ai_recruit", cards=[])
    assert match.refused("ai_recruit", cards=[]) == "NBA-4.4"
    assert match.refused("ai_tactic", market=["nobody"]) == "NBA-1.2"
    assert match.refused("ai_tactic", market=["t-wall"] * 7) == "NBA-1.2"
    assert match.refused("activate", tactic="t-drive", dice=[]) == "NBA-12.3"


def test_a_second_market_when_the_first_shows_nothing() -> None:
    match = opponents_turn()
    match.play("ai_recruit", cards=[])
    assert match.play("ai_tactic", market=["t-hard"]) == {"choice": None, "out": None, "again": True}
    assert match.refused("activate", tactic="t-drive", dice=[]) == "NBA-12.3"
    assert match.play("ai_tactic", market=["t-hard"]) == {"choice": None, "out": None, "again": False}
    assert match.refused("ai_tactic", market=[]) == "NBA-4.4"
    assert match.view["done"] == ["ai_recruit", "ai_tactic", "ai_tactic"]


def test_a_tactic_it_takes_lies_where_the_weakest_lay() -> None:
    match = opponents_turn()
    match.play("ai_recruit", cards=[])
    assert match.play("ai_tactic", market=["t-mixed"]) == {"choice": "t-mixed", "out": "t-post", "again": False}
    assert match.view["teams"]["ben"]["prepared"]["offence"] == ["t-out", "t-drive", "t-mixed"]
    assert match.view["bought"]["ben"] == ["t-mixed"]
    assert match.refused("ai_tactic", market=[]) == "NBA-4.4"


def test_a_recruit_takes_its_position_and_the_card_there_is_gone() -> None:
    match = opponents_turn()
    outcome = match.play("ai_recruit", cards=["n-star", "n-wing", "n-lead"])
    assert outcome == {"resources": 3, "recruit": "n-wing", "position": "pf", "out": "s-pf"}
    assert match.view["teams"]["ben"]["court"]["pf"] == "n-wing"
    assert match.view["bought"]["ben"] == ["n-wing"]
    assert match.view["eliminated"]["ben"] == []
    assert match.play("ai_tactic", market=[])["again"]


@pytest.mark.parametrize(
    ("cards", "rule"),
    [
        (["n-ace", "n-big", "n-wing", "n-lead"], "NBA-12.4"),
        (["n-ace", "n-ace"], "NBA-12.4"),
        (["b-pf"], "NBA-12.4"),
        (["t-wall"], "NBA-1.2"),
        (["nobody"], "NBA-1.2"),
        (["n-ace", "n-big", "n-wing"], None),
    ],
)
def test_what_may_be_offered(cards: list[str], rule: str | None) -> None:
    assert opponents_turn().refused("ai_recruit", cards=cards) == rule


def test_cards_bought_removed_or_on_court_are_not_offered() -> None:
    match = opponents_turn()
    match.reshape("ann", bought=("n-ace",), eliminated=("n-big",), court=("n-lead", "s-sg", "s-sf", "s-pf", "s-c"))
    for id in ("n-ace", "n-big", "n-lead"):
        assert match.refused("ai_recruit", cards=[id]) == "NBA-12.4", id
    assert match.refused("ai_recruit", cards=["n-wing"]) is None


def test_it_plays_the_planned_tactic_of_each_type() -> None:
    match = steps(opponents_turn())
    assert match.refused("activate", tactic="t-out", dice=[]) == "NBA-12.6"
    assert match.refused("activate", tactic="t-switch", dice=[]) == "NBA-12.6"
    assert match.refused("end_turn") == "NBA-12.8"
    outcome = match.play("activate", tactic="t-trap", dice=dice("block 2y 1r, stop 2y 3b 0"))
    assert outcome["against"] == {"ann": 4}
    assert (outcome["fatigue"], [die["value"] for die in outcome["kept"]]) == (0, [2, 2])
    assert match.view["ai"]["plan"] == {"offence": "t-drive", "defence": None}
    assert match.refused("activate", tactic="t-switch", dice=[]) == "NBA-12.6"
    outcome = match.play("activate", tactic="t-drive", dice=dice("penetration 0 6 4"))
    assert (outcome["type"], outcome["rerolls"], outcome["value"]) == ("offence", 0, 10)
    assert match.view["teams"]["ben"]["prepared"]["offence"] == ["t-out", "t-drive", "t-post"]
    assert match.refused("end_turn") is None


def test_its_turn_ends_without_a_defence_when_nothing_is_pending() -> None:
    match = steps(opponents_turn(""))
    assert match.view["ai"]["plan"] == {"offence": "t-drive", "defence": None}
    match.play("activate", tactic="t-drive", dice=dice("penetration 0 0 0"))
    assert match.view["attack"]["ben"] is None
    assert match.refused("end_turn") is None


def test_it_rolls_blank_dice_again_as_far_as_its_rebounds_allow() -> None:
    match = steps(opponents_turn().reshape("ben", court=("s-pg", "s-sg", "s-sf", "s-pf", "n-wall")))
    outcome = match.play("activate", tactic="t-drive", dice=dice("penetration 0 6 0"))
    assert outcome == {"type": "offence", "rerolls": 2, "coach_reroll": None}
    assert match.view["ai"]["reroll"] == [0, 2]
    assert match.refused("keep", dice=[]) == "NBA-12.3"
    for indices in ([0], [0, 1], [0, 1, 2]):
        again = dice("penetration" + " 2" * len(indices))
        assert match.refused("reroll", dice=indices, to=again) == "NBA-12.7"
    outcome = match.play("reroll", dice=[2, 0], to=dice("penetration 4 0"))
    assert [die["value"] for die in outcome["dice"]] == [0, 6, 4]
    assert (outcome["fatigue"], outcome["value"]) == (0, 10)
    assert match.view["phase"] == "activation"


def test_the_coach_gives_it_no_further_die() -> None:
    coach = {"power": "reroll", "die": "penetration"}
    match = steps(opponents_turn(coaches={"ben": coach}))
    outcome = match.play("activate", tactic="t-drive", dice=dice("penetration 0 6 0"))
    assert (outcome["rerolls"], outcome["coach_reroll"], outcome["value"]) == (0, "penetration", 6)


def test_no_steps_in_overtime_and_ultimate_turns() -> None:
    match = Match(solo(market_cards=6))
    while not match.view["ultimate"]:
        match.pass_turns() if match.view["active"] == "ann" else play_out(match)
    assert match.view["active"] == "ann"
    match.pass_turns()
    assert match.view["phase"] == "tied"
    match.play("overtime")
    assert match.view["active"] == "ben"
    assert match.refused("ai_recruit", cards=[]) == "NBA-8.7"
    match.play("activate", tactic="t-drive", dice=dice("penetration 0 0 0"))
    resources = match.view["ai"]["resources"]
    match.pass_turns(2)
    assert match.view["ai"]["resources"] == resources + 1


def test_in_its_ultimate_turn_it_only_defends() -> None:
    match = Match(solo(market_cards=6, first="ben"))
    while match.view["turn"] < 10:
        match.pass_turns() if match.view["active"] == "ann" else play_out(match)
    match.play("prepare", tactics=["t-post"])
    match.play("activate", tactic="t-post", dice=dice("inside 7 4 0"))
    match.play("keep", dice=[0, 1])
    resources = match.view["ai"]["resources"]
    match.pass_turns()
    assert (match.view["ultimate"], match.view["ai"]["resources"]) == (True, resources)
    assert match.view["ai"]["plan"] == {"offence": None, "defence": "t-trap"}
    assert match.refused("ai_recruit", cards=[]) == "NBA-8.4"
    assert match.refused("activate", tactic="t-drive", dice=[]) == "NBA-12.6"
    match.play("activate", tactic="t-trap", dice=dice("block 2y 1r, stop 2y 3y 0"))
    match.pass_turns()
    assert match.view["score"] == {"ann": 6, "ben": 0}


# The header (NBA-12.1)


@pytest.mark.parametrize(
    "wrong",
    [
        {"solo": []},
        {"solo": {}},
        {"solo": {"side": "cat"}},
        {"solo": {"side": "ben", "resources": -1}},
        {"solo": {"side": "ben", "profile": "lazy"}},
        {"solo": {"side": "ben", "profile": {"speed": 1}}},
        {"solo": {"side": "ben", "profile": {"iq": -1}}},
        {"variants": {"mismatch": 1}},
        {"rosters": {"ann": ROSTER, "ben": {"court": COURT}}},
        {"rosters": {"ann": ROSTER, "ben": {"court": COURT, "tactics": []}}},
        {"rosters": {"ann": ROSTER, "ben": {"court": COURT, "tactics": ["n-ace"]}}},
    ],
)
def test_headers_that_are_refused(wrong: dict[str, Any]) -> None:
    head = solo()
    head["setup"].update(wrong)
    assert rule_of_header(head) == "NBA-12.1"


def test_solo_needs_two_sides_and_full_logging() -> None:
    opponent = {"side": "ben"}
    assert rule_of_header(full("ann", "ben", "cat", solo=opponent)) == "NBA-12.1"
    assert rule_of_header({**solo(), "setup": {"solo": opponent}}) == "NBA-12.1"
    assert rule_of_header(full(solo=opponent)) is None
    assert rule_of_header(full(solo=None)) is None


def test_an_own_profile_weighs_what_it_names() -> None:
    match = opponents_turn(profile={"inside": 2})
    assert match.view["ai"]["profile"] == "custom"
    assert match.view["ai"]["plan"] == {"offence": "t-post", "defence": None}


def test_the_means_follow_its_court() -> None:
    match = opponents_turn()
    sizes = match.view["teams"]["ben"]["dice"]
    assert [sizes[skill] for skill in SKILLS] == list(MEANS.dice)
    assert (
        rate_tactic(BOARD[1], MEANS, ALL)
        == 3 * mean_of_best(scoring_law(RULEBOOK_DICE.of("penetration")), 3, 2)
        > Fraction(0)
    )
