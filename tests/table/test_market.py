"""Market and draft on the screen: chapter 2 of the rules from the first pick to two clubs, with undo and resume."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from companion.games.base import Refusal
from companion.games.footclub import draft, mercato
from companion.games.footclub.catalogues import TEAM
from companion.games.footclub.draft import Draft
from companion.games.footclub.mercato import Mercato
from companion.games.footclub.screens.selection_store import SelectionStore, SquadSelection
from companion.games.footclub.squad_status import squad_status
from companion.games.footclub.squads import club_of, header
from companion.language import LANGUAGES, Language
from companion.table.catalogues.card_store import sample

ROWS = sample(TEAM).rows
NAMES = ("Bleus", "Rouges")


def played(seed: int, picks: int = 10) -> Mercato:
    random = Random(seed)
    market = mercato.open_market(ROWS, NAMES, random)
    for _ in range(picks):
        market = market.pick(random.choice(market.revealed), random.choice(market.pairs))
    return market


def drafted(seed: int, picks: int = 34) -> Draft:
    random = Random(seed)
    club_draft = draft.start_draft(ROWS, NAMES)
    for _ in range(picks):
        club_draft = club_draft.pick(
            random.choice([row["id"] for row in club_draft.left if club_draft.disabled_reason(row) is None])
        )
    return club_draft


@pytest.mark.parametrize("seed", range(12))
def test_a_market_ends_with_two_clubs_that_can_meet(seed: int) -> None:
    market = played(seed)
    assert market.finished
    assert market.next is None
    clubs = [
        club_of("x", [{"club": market.names[side], **row} for row in market.squad(side)]) for side in ("blue", "red")
    ]
    assert [len(club.squad["players"]) for club in clubs] == [15, 15]
    assert header(*clubs)["sides"]["red"]["name"] == "Rouges"
    for side in ("blue", "red"):
        assert sum(row["level"] for row in market.squad(side)[:2]) == 8


def test_five_star_players_come_before_four_star_players() -> None:
    market = mercato.open_market(ROWS, NAMES, Random(3))
    levels = [market.card(id)["level"] for id in market.upper]
    assert levels == sorted(levels, reverse=True)
    assert set(levels) == {4, 5}


def test_a_pick_that_the_rules_forbid_is_refused() -> None:
    market = played(1, 2)
    with pytest.raises(Refusal) as refused:
        market.pick(market.upper[-1], market.pairs[0])
    assert refused.value.rule == "FC-2.4"
    with pytest.raises(Refusal) as refused:
        market.pick(market.revealed[0], (market.lower[-1], market.lower[-2]))
    assert refused.value.rule == "FC-2.5"


@pytest.mark.parametrize(("rows", "rule"), [(ROWS[:30], "FC-2.1"), ((), "FC-2.1")])
def test_a_market_needs_enough_cards(rows: tuple[dict[str, object], ...], rule: str) -> None:
    with pytest.raises(Refusal) as refused:
        mercato.open_market(rows, NAMES, Random(1))
    assert refused.value.rule == rule


def test_a_market_without_pairs_of_eight_stars_is_refused() -> None:
    weak = [{**row, "level": 1} if row["sort"] == "goalkeeper" else row for row in ROWS]
    with pytest.raises(Refusal) as refused:
        mercato.open_market(weak, NAMES, Random(1))
    assert refused.value.rule == "FC-2.2"
    assert "8" in Language("fr").text(refused.value.message)


@pytest.mark.parametrize("selection", [played(2, 4), drafted(2, 7)], ids=["market", "draft"])
def test_undo_takes_back_one_pick_and_never_the_opening(selection: SquadSelection) -> None:
    sizes = []
    for _ in range(9):
        sizes.append(len(selection.squad("blue")) + len(selection.squad("red")))
        selection = selection.undo()
    step = 3 if isinstance(selection, Mercato) else 1
    least = 4 if isinstance(selection, Mercato) else 0
    assert sizes[1] == sizes[0] - step
    assert sizes[-1] == least
    assert selection.next is not None


@pytest.mark.parametrize("seed", range(4))
def test_a_draft_ends_with_two_whole_clubs(seed: int) -> None:
    club_draft = drafted(seed)
    assert club_draft.finished
    for side in ("blue", "red"):
        found = squad_status(club_draft.squad(side))
        assert found.players == draft.PLAYERS
        assert found.coach
        assert found.goalkeeper
        club_of("x", [{"club": "x", **row} for row in club_draft.squad(side)])


def test_a_draft_says_why_a_card_cannot_be_taken() -> None:
    club_draft = draft.start_draft(ROWS, NAMES)
    coaches = [row["id"] for row in ROWS if row["sort"] == "coach"]
    club_draft = club_draft.pick(coaches[0]).pick(coaches[1])
    with pytest.raises(Refusal):
        club_draft.pick(coaches[2])
    with pytest.raises(Refusal):
        club_draft.pick(coaches[0])
    with pytest.raises(Refusal) as refused:
        draft.start_draft(ROWS[:20], NAMES)
    assert refused.value.rule == "FC-1.11"


@pytest.mark.parametrize("selection", [played(5, 3), played(5, 10), drafted(5, 9)], ids=["market", "ended", "draft"])
def test_a_deal_is_found_again_as_it_was(tmp_path: Path, selection: SquadSelection) -> None:
    SelectionStore(tmp_path / "new").save(selection)
    found = SelectionStore(tmp_path / "new").load()
    assert found is not None
    assert found.next == selection.next
    assert [found.squad(side) for side in ("blue", "red")] == [selection.squad(side) for side in ("blue", "red")]
    if isinstance(selection, Mercato) and isinstance(found, Mercato) and not selection.finished:
        assert found.pairs == selection.pairs
        assert found.revealed == selection.revealed


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"draft": {}}', b'{"mercato": {"header": {}}}', b"\xff", b"1"])
def test_a_spoilt_deal_is_set_aside(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "market.json").write_bytes(content)
    assert SelectionStore(tmp_path).load() is None
    assert [path.name for path in tmp_path.iterdir()] == ["market.json.damaged"]


def test_a_deal_with_an_impossible_pick_is_set_aside(tmp_path: Path) -> None:
    SelectionStore(tmp_path).save(played(5, 3))
    file = tmp_path / "market.json"
    kept = json.loads(file.read_text())
    kept["mercato"]["events"][-1]["take"] = "nobody"
    file.write_text(json.dumps(kept))
    assert SelectionStore(tmp_path).load() is None


def test_what_a_squad_lacks_is_said_with_the_rule() -> None:
    players = [row for row in ROWS if row["sort"] == "player" and "cb" not in row["posts"]][:12]
    found = squad_status(players)
    assert found.formations == ()
    for code in LANGUAGES:
        texts = [Language(code).text(message) for message in found.missing]
        assert any("FC-3.2" in one for one in texts)
        assert sum("FC-1.11" in one for one in texts) == 2
        assert all("{" not in one for one in texts)
    assert len(squad_status(ROWS[:17]).formations) > 3
    assert squad_status(ROWS[:17]).missing == ()
