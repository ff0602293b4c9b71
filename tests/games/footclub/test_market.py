"""Chapter 2: the squad market."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.footclub.kit import Match, coach, player

POSTS = ["fb", "cb", "dm", "am", "fw"]


def box(lower: int = 24, upper: int = 20) -> dict[str, Any]:
    """Return a market's cards: U0 to U7 have five stars, the other U four, L three."""
    uppers = [player(f"U{n}", POSTS[n % 5], 5 if n < 8 else 4) for n in range(upper)]
    lowers = [player(f"L{n}", POSTS[n % 5]) for n in range(lower)]
    return {
        "coaches": [coach("C3", 5, 3, 2, 3), coach("C4", 5, 3, 2, 4), coach("C5", 5, 3, 2, 5)],
        "goalkeepers": [{"id": "G3", "level": 3}, {"id": "G4", "level": 4}, {"id": "G5", "level": 5}],
        "players": uppers + lowers,
    }


def market(**sizes: int) -> Match:
    return Match(squads=None, market=True, catalogue={"team_cards": box(**sizes)})


PAIRS = [["L0", "L1"], ["L2", "L3"], ["L4", "L5"]]


def opened(**sizes: int) -> Match:
    match = market(**sizes)
    match.play("market_staff", side="blue", coach="C3", goalkeeper="G5")
    match.play("market_staff", side="red", coach="C5", goalkeeper="G3")
    match.play("market_open", first="red", pairs=PAIRS)
    return match


def pick(n: int, side: str, pair: Any = None, **rest: Any) -> dict[str, Any]:
    """Return the n-th pick: the next two upper players, the n-th pair in opening order, the next lower player."""
    revealed = [f"U{2 * n}", f"U{2 * n + 1}"]
    fields = {"side": side, "revealed": revealed, "take": revealed[0], "pair": pair or [f"L{2 * n}", f"L{2 * n + 1}"]}
    following = [f"L{2 * n + 6}", f"L{2 * n + 7}"]
    return {**fields, "next_pair": following, **rest}


def picked(count: int, lower: int = 24) -> Match:
    match = opened(lower=lower)
    for n in range(count):
        fields = pick(n, ("red", "blue")[n % 2])
        if 2 * n + 7 >= lower:
            del fields["next_pair"]
        match.play("market_pick", **fields)
    return match


def test_before_the_opening() -> None:
    match = market()
    view = match.view
    assert (view["phase"], view["clubs"], view["half"]) == ("market", {}, 0)
    assert view["market"] == {"next": None, "pairs": [], "staff": {}, "picked": {"blue": [], "red": []}}
    assert match.play("market_staff", side="red", coach="C4", goalkeeper="G4") == {"level": 8}
    assert match.view["market"]["staff"] == {"red": ["C4", "G4"]}


@pytest.mark.parametrize(
    ("pair", "rule"),
    [
        (("C3", "G5"), "FC-2.2"),
        (("C4", "G4"), None),
        (("C4", "G5"), "FC-2.2"),
        (("C5", "G4"), "FC-2.2"),
        (("X", "G4"), "FC-2.2"),
        (("G4", "C4"), "FC-2.2"),
    ],
)
def test_FC_2_2_a_pair_has_exactly_eight_stars_and_is_free(pair: tuple[str, str], rule: str | None) -> None:
    match = market()
    match.play("market_staff", side="blue", coach="C3", goalkeeper="G5")
    assert match.refused("market_staff", side="red", coach=pair[0], goalkeeper=pair[1]) == rule
    assert match.refused("market_staff", side="blue", coach=pair[0], goalkeeper=pair[1]) == "FC-18.6"


def test_FC_2_3_the_opening() -> None:
    match = market()
    match.play("market_staff", side="blue", coach="C3", goalkeeper="G5")
    assert match.refused("market_open", first="red", pairs=PAIRS) == "FC-2.3"
    match.play("market_staff", side="red", coach="C5", goalkeeper="G3")
    assert match.refused("market_pick", **pick(0, "red")) == "FC-2.3"
    for wrong in (["L0", "U0"], ["L0", "L2"], ["L0", "L0"], ["L0", "nobody"], ["C3", "L9"]):
        assert match.refused("market_open", first="red", pairs=[wrong, *PAIRS[1:]]) == "FC-2.3"
    assert match.play("market_open", first="red", pairs=PAIRS) == {"pairs": 3}
    assert (match.view["market"]["next"], match.view["market"]["pairs"]) == ("red", PAIRS)
    assert match.refused("market_open", first="red", pairs=PAIRS) == "FC-18.6"


def test_FC_2_7_the_clubs_take_turns() -> None:
    match = opened()
    assert match.refused("market_pick", **pick(0, "blue")) == "FC-2.7"
    assert match.play("market_pick", **pick(0, "red")) == {"squad": 5}
    assert match.refused("market_pick", **pick(1, "red")) == "FC-2.7"
    assert match.play("market_pick", **pick(1, "blue")) == {"squad": 5}
    assert match.play("market_pick", **pick(2, "red")) == {"squad": 8}


@pytest.mark.parametrize(
    ("revealed", "chosen"),
    [
        (["U2", "U2"], "U2"),
        (["U0", "U2"], "U2"),
        (["L9", "U2"], "U2"),
        (["U2", "U3"], "U4"),
        (["X", "U2"], "U2"),
        (["U2", "U3"], "L2"),
    ],
)
def test_FC_2_4_two_new_upper_players_and_one_of_them_taken(revealed: list[str], chosen: str) -> None:
    match = picked(1)
    assert match.refused("market_pick", **pick(1, "blue", revealed=revealed, take=chosen)) == "FC-2.4"


def test_FC_2_4_no_five_star_player_after_a_four_star_one() -> None:
    match = opened()
    match.play("market_pick", **pick(0, "red", revealed=["U7", "U8"], take="U8"))
    assert match.refused("market_pick", **pick(1, "blue", revealed=["U0", "U9"], take="U9")) == "FC-2.4"
    assert match.refused("market_pick", **pick(1, "blue", revealed=["U10", "U9"], take="U9")) is None


def test_FC_2_5_one_of_the_open_pairs() -> None:
    match = opened()
    for wrong in (["L0", "L2"], ["L6", "L7"], ["L0", "L0"]):
        assert match.refused("market_pick", **pick(0, "red", wrong)) == "FC-2.5"
    match.play("market_pick", **pick(0, "red", ["L3", "L2"]))
    assert match.view["market"]["pairs"] == [["L0", "L1"], ["L6", "L7"], ["L4", "L5"]]
    assert match.view["market"]["picked"] == {"blue": [], "red": ["U0", "L2", "L3"]}


def test_FC_2_6_the_taken_pair_is_replaced_while_two_are_left() -> None:
    match = opened()
    fields = pick(0, "red")
    del fields["next_pair"]
    assert match.refused("market_pick", **fields) == "FC-2.6"
    for wrong in (["L0", "L6"], ["L6", "L6"], ["U3", "L6"]):
        assert match.refused("market_pick", **pick(0, "red", next_pair=wrong)) == "FC-2.3"
    last = picked(9)
    assert last.refused("market_pick", **pick(9, "blue", next_pair=["L0", "L1"])) == "FC-2.6"
    assert last.refused("market_pick", **pick(9, "blue")) == "FC-2.6"


def test_FC_2_6_and_by_nothing_afterwards() -> None:
    match = picked(8, lower=21)
    assert match.view["market"]["pairs"] == [["L18", "L19"], ["L16", "L17"]]


def test_FC_2_7_after_ten_picks_both_squads_are_complete() -> None:
    match = picked(10)
    view = match.view
    assert (view["phase"], view["market"]) == ("pre_match", None)
    assert [len(view["clubs"][side]["bench"]) for side in ("blue", "red")] == [15, 15]
    assert [view["clubs"][side]["stands"] for side in ("blue", "red")] == [6, 5]
    assert match.state.club("red").coach.id == "C5"
    assert match.refused("market_open", first="red", pairs=PAIRS) == "FC-18.4"


def test_FC_2_8_and_FC_18_7_a_forfeit_in_the_market() -> None:
    match = opened()
    match.play("forfeit", side="blue")
    view = match.view
    assert (view["clubs"], view["market"], view["phase"], view["turn"]) == ({}, None, "finished", 0)
    assert (view["score"], view["result"]) == ({"blue": 0, "red": 3}, {"winner": "red", "by": "forfeit"})
    assert match.refused("market_pick", **pick(0, "red")) == "FC-18.3"


def test_other_events_wait_for_the_end_of_the_market() -> None:
    match = opened()
    assert match.refused("team_sheet", side="blue", lineup={}, captain="x") == "FC-18.4"
    assert match.refused("captain", side="blue", player="x") == "FC-3.10"
    assert match.refused("change", side="blue", subs=[]) == "FC-12.1"
    assert match.refused("market_transfer", side="blue", offered=["a"] * 5, take=["a", "b"]) == "FC-18.4"
