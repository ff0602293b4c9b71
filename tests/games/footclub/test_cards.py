"""Chapter 4: match cards as counts, tactical choices, what may be played."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.footclub.tables import COPIES
from tests.games.footclub.kit import TACTICS, Match, under_way


def test_FC_1_7_a_club_has_42_cards() -> None:
    assert sum(COPIES.values()) == 42


@pytest.mark.parametrize(
    ("cards", "rule"),
    [
        (TACTICS, None),
        ({**TACTICS, "supporters": 3}, "FC-4.3"),
        ({**TACTICS, "supporters": 1}, "FC-4.3"),
        ({}, "FC-4.3"),
        ({"tackle": 14}, "FC-4.4"),
        ({**TACTICS, "supporters": 4, "tackle": 1}, "FC-4.4"),
        ({**TACTICS, "supporters": 3, "tackle": 2}, None),
        ({**TACTICS, "counter_attack": 4, "tackle": 0}, "FC-4.4"),
    ],
)
def test_FC_4_3_and_FC_4_4_the_choice_fits_pile_and_reserve(cards: Any, rule: str | None) -> None:
    assert Match().refused("tactics", side="blue", cards=cards) == rule


def test_FC_4_4_a_spent_supporter_is_in_the_reserve_again_after_the_half() -> None:
    match = under_way(kop="K01")
    match.play("press", side="blue", section=["fw_l", "fw_r"], pay=["supporter", "supporter"])
    match.play("leave", side="red")
    match.play("no_offensive", side="blue")
    match.discard().idle_half()
    assert match.club("blue")["supporters"] == 3
    assert match.refused("tactics", side="blue", cards={**TACTICS, "supporters": 5, "tackle": 0}) is None
    assert (
        match.refused("tactics", side="blue", cards={**TACTICS, "supporters": 6, "pressing": 2, "tackle": 0})
        == "FC-4.4"
    )


def test_FC_18_6_a_choice_is_made_once() -> None:
    match = Match()
    assert match.play("tactics", side="blue") == {"cards": 14, "known": False}
    assert match.refused("tactics", side="blue") == "FC-18.6"
    assert match.refused("tactics", side="blue", cards={"tackle": 14}) == "FC-18.6"
    assert match.play("tactics", side="red", cards=TACTICS) == {"cards": 14, "known": True}


def test_FC_4_5_a_secret_choice_knows_only_the_reserve() -> None:
    match = Match()
    assert (match.club("blue")["tactics_known"], match.club("blue")["cards_left"]) == (None, None)
    match.play("tactics", side="blue")
    club = match.club("blue")
    assert club["tactics_known"] is False
    assert club["cards_left"] == {**COPIES, "supporters": 3}
    match.play("tactics", side="red", cards=TACTICS)
    assert match.club("red")["cards_left"] == {**dict.fromkeys(COPIES, 0), **TACTICS}
    assert match.club("red")["tactics_known"] is True


def test_FC_4_7_no_card_of_a_type_that_is_used_up() -> None:
    match = under_way(red={"tackle": 6, "pressing": 6, "positional_attack": 1, "counter_attack": 1})
    match.attack("red")
    match.play("shot", defence=1, attack=6)
    match.discard()
    match.play("leave", side="red")
    match.play("no_offensive", side="blue")
    match.discard()
    match.play("tackle", side="red", section="dm_l")
    match.play("roll", dice=[6, 6])
    match.play("leave", side="blue")
    assert match.club("red")["cards_left"]["positional_attack"] == 0
    assert match.refused("offensive", side="red", kind="positional_attack", section="fw_l") == "FC-4.7"


def test_FC_4_6_an_empty_hand_plays_nothing() -> None:
    match = under_way(blue={"pressing": 6, "tackle": 6, "supporters": 2}, red=None)
    for side in ("blue", "red") * 6:
        match.play("tackle", side=side, section="dm_l")
        match.play("roll", dice=[6, 6])
    assert (match.club("blue")["hand"], match.club("red")["hand"]) == (0, 0)
    assert match.refused("tackle", side="blue", section="dm_l") == "FC-4.6"
    assert match.refused("press", side="blue", section=["fw_l", "fw_r"]) == "FC-4.6"
    assert match.refused("leave", side="blue") is None


RIBBON = ["fw_l", "fw_r", "am_l", "am_r", "dm_l", "dm_r"]
CATALOGUE = {"match_cards": {"7": {"type": "tackle", "ribbon": RIBBON}, "8": {"type": "supporters"}}}


def test_FC_4_8_a_number_is_in_the_catalogue_and_of_the_type() -> None:
    match = under_way(catalogue=CATALOGUE)
    assert match.refused("tackle", side="blue", card=9) == "FC-4.8"
    assert match.refused("tackle", side="blue", card=8) == "FC-4.8"
    assert match.refused("press", side="blue", card=7) == "FC-4.8"
    assert match.play("tackle", side="blue", card=7)["player"] == "b-fw1"


def test_FC_1_8_comes_after_the_club_and_before_the_hand() -> None:
    match = under_way(blue={"supporters": 3, "attacking_support": 5, "positional_attack": 4, "defensive_support": 2})
    assert match.refused("tackle", side="red", section="fw") == "FC-18.5"
    assert match.refused("tackle", side="blue", section="fw") == "FC-1.8"
    assert match.refused("press", side="blue", section="fw_l") == "FC-1.8"
    assert match.refused("press", side="blue", ribbon=RIBBON) == "FC-1.8"
    assert match.refused("tackle", side="blue", ribbon=RIBBON[:5]) == "FC-1.8"
    assert match.refused("tackle", side="blue", section="fw_l") == "FC-4.7"


def test_FC_4_1_a_card_goes_to_the_pile_once_it_has_taken_effect() -> None:
    match = under_way()
    match.play("tackle", side="blue", section="dm_l", mode="aggressive")
    assert match.club("blue")["discard"] == {}
    match.play("roll", dice=[1, 1])
    assert match.club("blue")["discard"] == {}
    match.play("roll", dice=[4, 4])
    assert match.club("blue")["discard"] == {"tackle": 1}
    match.play("leave", side="red")
    match.play("offensive", side="blue", kind="positional_attack", section="am_l")
    match.play("attacking_support", side="blue")
    assert match.club("blue")["discard"] == {"tackle": 1, "attacking_support": 1}
    match.play("shot", defence=6, attack=1)
    assert match.club("blue")["discard"] == {"tackle": 1, "attacking_support": 1, "positional_attack": 1}


def test_FC_4_9_discards_are_public_and_counted() -> None:
    match = under_way()
    match.play("leave", side="blue")
    match.play("no_offensive", side="red")
    assert (match.view["phase"], match.club("blue")["must_discard"], match.club("red")["must_discard"]) == (
        "end_of_turn",
        2,
        1,
    )
    assert match.play("discard", side="blue", cards=["tackle", "tackle"]) == {"hand": 4}
    club = match.club("blue")
    assert (club["discard"], club["cards_left"]["tackle"], club["must_discard"]) == ({"tackle": 2}, 1, 0)


def test_FC_4_7_a_discard_looks_at_the_whole_list() -> None:
    match = under_way()
    match.play("leave", side="blue")
    match.play("no_offensive", side="red")
    assert match.refused("discard", side="blue", cards=["solo_effort", "tackle"]) == "FC-4.7"
    assert match.refused("discard", side="blue", cards=["counter_attack", "counter_attack"]) == "FC-4.7"
    assert match.refused("discard", side="blue", cards=["solo_effort"]) == "FC-14.11"
    assert match.refused("discard", side="blue", cards=["tackle"] * 3) == "FC-14.11"
    match.play("discard", side="red", cards=["tackle"])
    assert match.refused("discard", side="red", cards=["tackle"]) == "FC-14.11"
