"""Chapter 13: the values carried from match to match, in a campaign and in a legacy tournament."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from companion.games.base import Refusal
from companion.games.nba import campaign
from companion.games.nba.campaign import Campaign
from companion.games.nba.legacy import KeepableCards, KeptCards, keepable, next_header, replaceable_cards
from companion.games.nba.setup import read_header
from companion.games.nba.state import Result, State
from tests.games.nba.kit import CARDS, ROSTER, Match, full, header, rule_of_header, solo

KEPT_CARDS = KeptCards("n-ace", "b-sg", "t-five", "t-post")


def ended(head: dict[str, Any], winner: str | None, **bought: tuple[str, ...]) -> State:
    """Return a finished match with the cards bought by each side."""
    match = Match(head)
    for side, ids in bought.items():
        match.reshape(side, bought=ids)
    return replace(match.state, phase="over", active=None, result=Result(winner))


def rule(call: Any, *args: Any) -> str:
    with pytest.raises(Refusal) as caught:
        call(*args)
    return caught.value.rule


# The campaign (NBA-13.1)


def test_after_a_win_the_next_match_has_one_resource_more() -> None:
    run = campaign.start_campaign(solo(resources=3))
    run = campaign.after_match(run, ended(solo(resources=3), "ann"))
    assert (run.resources, run.won, run.over) == (4, 1, False)
    assert rule_of_header(dict(run.header)) is None


@pytest.mark.parametrize("winner", ["ben", None])
def test_the_run_ends_with_the_first_match_not_won(winner: str | None) -> None:
    run = campaign.start_campaign(solo())
    after = campaign.after_match(run, ended(solo(), winner))
    assert after == Campaign(run.header, won=0, over=True)
    assert rule(campaign.after_match, after, ended(solo(), "ann")) == "NBA-13.1"


def test_a_match_that_goes_on_decides_nothing() -> None:
    assert rule(campaign.after_match, campaign.start_campaign(solo()), Match(solo()).state) == "NBA-13.1"


def test_a_campaign_is_of_solo_matches() -> None:
    assert rule(campaign.start_campaign, full()) == "NBA-13.1"
    assert rule(campaign.keepable_cards, Match(full()).state) == "NBA-13.1"


def test_what_the_next_resources_could_pay_may_be_kept() -> None:
    state = ended(solo(resources=3), "ann", ann=("n-ace", "t-wall", "n-wall", "n-wing", "t-hard"))
    assert campaign.keepable_cards(state) == KeepableCards(("n-ace", "n-wing"), ("t-wall",))


def test_cards_kept_take_the_place_of_base_cards() -> None:
    state = ended(solo(resources=3), "ann", ann=("n-ace", "t-five"))
    run = campaign.after_match(campaign.start_campaign(solo(resources=3)), state, KEPT_CARDS)
    setup = run.header["setup"]
    assert setup["legacy"] == {"stage": 2, "threshold": 4, "kept": {"ann": ["n-ace", "t-five"]}}
    roster = setup["rosters"]["ann"]
    assert roster["bench"] == ["b-pg", "n-ace", "b-sg2", "b-sf", "b-pf", "b-pf2", "b-c"]
    assert roster["tactics"] == ["t-out", "t-drive", "t-five", "t-switch", "t-trap"]
    assert setup["rosters"]["ben"] == ROSTER
    assert read_header(run.header).solo == read_header(solo(resources=4)).solo


def test_three_matches_carry_everything_on() -> None:
    run = campaign.start_campaign(solo(resources=3))
    run = campaign.after_match(run, ended(dict(run.header), "ann", ann=("n-ace", "t-five")), KEPT_CARDS)
    more = KeptCards("n-wing", "b-c", "t-five", "t-out")
    run = campaign.after_match(run, ended(dict(run.header), "ann", ann=("n-wing", "t-five")), more)
    assert run.won == 2
    assert run.header["setup"]["legacy"]["stage"] == 3
    assert run.header["setup"]["legacy"]["kept"] == {"ann": ["n-ace", "t-five", "n-wing", "t-five"]}
    assert rule_of_header(dict(run.header)) is None


# The legacy tournament (NBA-13.2)


def test_both_sides_keep_and_the_decks_of_the_market_are_shuffled_anew() -> None:
    head = full(market_list=["n-wing", "n-lead", "n-ace", "n-big", "n-wall", "n-star"], market_cards=6)
    state = ended(head, "ann", ann=("n-ace",), ben=("n-big", "t-five"))
    kept_cards = {"ann": KeptCards("n-ace", "b-sg"), "ben": KeptCards("n-big", "b-c", "t-five", "t-out")}
    after = next_header(head, state, 4, kept_cards)
    assert rule_of_header(after) is None
    assert "market_list" not in after["setup"]
    assert after["setup"]["legacy"]["kept"] == {"ann": ["n-ace"], "ben": ["n-big", "t-five"]}
    assert "legacy" not in head["setup"]


def test_a_deck_that_is_not_listed_is_left_alone() -> None:
    rosters = {side: {"court": ROSTER["court"]} for side in ("ann", "ben")}
    head = full(rosters=rosters)
    after = next_header(head, ended(head, "ann", ann=("n-ace",)), 4, {"ann": KeptCards("n-ace")})
    assert after["setup"]["rosters"] == rosters
    assert rule_of_header(after) is None


@pytest.mark.parametrize(
    "kept_cards",
    [
        KeptCards("n-big", "b-c"),
        KeptCards("n-star", "b-c"),
        KeptCards("n-wing", "b-c"),
        KeptCards("t-five", "b-c"),
        KeptCards(tactic="n-ace", replaced_tactic="t-out"),
        KeptCards("n-ace"),
        KeptCards("n-ace", "s-pg"),
        KeptCards("n-ace", "t-out"),
    ],
)
def test_what_may_not_be_kept_and_where(kept_cards: KeptCards) -> None:
    """Cases: not bought, too expensive, removed, of the other kind; no place, or a place that is no card of the
    deck."""
    state = ended(full(), "ann", ann=("n-ace", "n-star", "n-wing", "t-five"))
    state = replace(state, teams=state.with_teams(replace(state.team("ann"), eliminated=("n-wing",))))
    assert rule(next_header, full(), state, 4, {"ann": kept_cards}) == "NBA-13.2"


def test_a_card_kept_before_is_no_place_for_another() -> None:
    legacy = {"stage": 2, "threshold": 4, "kept": {"ann": ["n-ace"]}}
    rosters = {"ann": {**ROSTER, "bench": ["n-ace", *ROSTER["bench"][1:]]}, "ben": ROSTER}
    head = full(legacy=legacy, rosters=rosters)
    assert replaceable_cards(head, "ann", "bench") == tuple(ROSTER["bench"][1:])
    assert replaceable_cards(head, "ben", "tactics") == tuple(ROSTER["tactics"])
    assert replaceable_cards(header(), "ann", "bench") == ()
    state = ended(head, "ann", ann=("n-wing",))
    assert rule(next_header, head, state, 4, {"ann": KeptCards("n-wing", "n-ace")}) == "NBA-13.2"


def test_copies_and_removed_cards_are_told_once_and_not_at_all() -> None:
    match = Match(full()).reshape("ann", bought=("t-five", "n-ace", "t-five", "n-wing"), eliminated=("n-wing",))
    assert keepable(match.state, "ann", 9) == KeepableCards(("n-ace",), ("t-five",))


LEGACY = {"stage": 3, "threshold": 4, "kept": {"ann": ["n-ace", "n-big", "t-five", "t-five"], "ben": []}}


def test_a_legacy_within_its_bounds() -> None:
    assert rule_of_header(header(cards=CARDS, legacy=LEGACY)) is None
    assert rule_of_header(header(cards=CARDS, legacy=None)) is None


@pytest.mark.parametrize(
    "wrong",
    [
        {"stage": 0},
        {"stage": True},
        {"stage": None},
        {"stage": 2},
        {"threshold": 3},
        {"threshold": -1},
        {"kept": None},
        {"kept": {"cat": []}},
        {"kept": {"ann": ["nobody"]}},
        {"kept": {"ann": "n-ace"}},
        {"kept": {"ann": ["n-ace", "n-big", "n-wing"]}},
        {"kept": {"ann": ["t-five", "t-five", "t-mixed"]}},
        {"kept": {"ann": ["n-star"]}},
    ],
)
def test_a_legacy_beyond_its_bounds(wrong: dict[str, Any]) -> None:
    assert rule_of_header(header(cards=CARDS, legacy={**LEGACY, **wrong})) == "NBA-13.2"


@pytest.mark.parametrize("missing", LEGACY)
def test_all_three_keys_are_required(missing: str) -> None:
    legacy = {key: value for key, value in LEGACY.items() if key != missing}
    assert rule_of_header(header(cards=CARDS, legacy=legacy)) == "NBA-13.2"


def test_an_nba_card_in_the_deck_must_have_been_kept() -> None:
    rosters = {"ann": {**ROSTER, "bench": ["n-ace", *ROSTER["bench"][1:]]}, "ben": ROSTER}
    assert rule_of_header(full(rosters=rosters)) == "NBA-3.4"
    assert rule_of_header(full(rosters=rosters, variants={"team_selection": True})) == "NBA-9.2"
    legacy = {"stage": 2, "threshold": 4, "kept": {"ann": ["n-ace"]}}
    assert rule_of_header(full(rosters=rosters, legacy=legacy)) is None
    assert rule_of_header(full(rosters=rosters, legacy=legacy, variants={"team_selection": True})) is None
