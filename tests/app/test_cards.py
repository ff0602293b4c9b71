"""Tests of the card pages' logic: distinct new cards, stable row order, cards described in words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.app.cards.lists import card_detail, card_title
from companion.app.cards.rows import CardRows, new_row
from companion.games.footclub.catalogues import CLUBS, MATCH, TEAM
from companion.games.occasion.catalogues import CHANCES
from companion.language import LANGUAGES, Language
from companion.table.catalogues.card_store import CardStore, sample
from companion.table.catalogues.csv_tables import KINDS, row_faults, without_foreign_values


@pytest.fixture
def card_store(tmp_path: Path) -> CardStore:
    return CardStore(tmp_path / "catalogues", tmp_path / "clubs")


@pytest.mark.parametrize("kind", [kind for kind in KINDS.values() if kind is not CLUBS], ids=lambda kind: kind.name)
def test_every_sample_card_is_judged_good_and_told_in_words(card_store: CardStore, kind) -> None:
    rows = CardRows(card_store, {"kind": kind.name}).rows
    for at, row in enumerate(rows[:12]):
        assert row_faults(kind, row, [*rows[:at], *rows[at + 1 :]]) == ()
        for code in LANGUAGES:
            language = Language(code)
            text = f"{card_title(kind, row, language)} {card_detail(kind, row, language)}"
            assert "catalogues." not in text
            assert "{" not in text
            assert card_title(kind, row, language)


def test_the_form_says_what_the_table_would_say() -> None:
    row = next(row for row in sample(TEAM).rows if row["sort"] == "player")
    others = [one for one in sample(TEAM).rows if one is not row]
    wrong = {**row, "level": "neuf", "posts": ["fb", "fb", "cb"], "id": ""}
    assert [broken.column for broken in row_faults(TEAM, wrong, others)] == ["id", "level", "posts"]
    assert [
        broken.rule for broken in row_faults(TEAM, {**row, "posts": ["am", "fw"], "strength": "rugged"}, others)
    ] == ["FC-1.5"]
    assert [broken.column for broken in row_faults(TEAM, {**row, "id": others[0]["id"]}, others)] == ["id"]


def test_one_card_too_many_of_a_type_is_said_at_that_card() -> None:
    rows = sample(MATCH).rows
    tackle = next(row for row in rows if row["type"] == "tackle")
    more: dict[str, Any] = {**tackle, "number": 1}
    others = [row for row in rows if row["number"] != 1]
    assert [(broken.column, broken.rule) for broken in row_faults(MATCH, more, others)] == [("type", "FC-1.7")]


def test_another_sort_leaves_what_it_does_not_have() -> None:
    player = next(row for row in sample(TEAM).rows if row["sort"] == "player")
    assert set(without_foreign_values(TEAM, {**player, "sort": "goalkeeper"})) == {"sort", "id", "name", "level"}


def test_new_cards_are_told_apart(card_store: CardStore) -> None:
    cards = CardRows(card_store, {"kind": TEAM.name})
    one = new_row(cards)
    assert one["sort"] == "player"
    cards.put({**one, "level": 3, "posts": ["fb"], "profiles": ["technical"]})
    assert new_row(cards)["id"] != one["id"]
    copy = new_row(cards, None, cards.rows[-1])
    assert (copy["level"], copy["id"] != one["id"]) == (3, True)
    match = CardRows(card_store, {"kind": MATCH.name})
    match.remove(match.rows[6])
    assert new_row(match)["number"] == 7
    club = CardRows(card_store, {"kind": CLUBS.name, "club": "Étoile d’Œuf", "new": True})
    assert new_row(club, club.name)["id"].startswith("etoile-")


def test_a_card_stays_where_it_stood(card_store: CardStore) -> None:
    cards = CardRows(card_store, {"kind": TEAM.name})
    third = cards.rows[2]
    cards.put({**third, "id": "neuf", "level": 5}, TEAM.identity_of(third))
    again = CardRows(card_store, {"kind": TEAM.name})
    assert again.is_own
    assert again.rows[2]["id"] == "neuf"
    assert len(again.rows) == 72


def test_a_zone_joins_its_card_and_an_unfinished_card_is_kept(card_store: CardStore) -> None:
    chances = CardRows(card_store, {"kind": CHANCES.name})
    zone = {**new_row(chances, "contre"), "row": 9, "shot": True, "name": "Contre neuf"}
    chances.put(zone)
    own = [row for row in CardRows(card_store, {"kind": CHANCES.name}).rows if row["card"] == "contre"]
    assert own[-1]["zone"] == zone["zone"]
    assert {row["name"] for row in own} == {"Contre neuf"}
    chances.put({**new_row(chances, "debut", {"name": "Début"}), "row": 1})
    again = CardRows(card_store, {"kind": CHANCES.name})
    assert any(row["card"] == "debut" for row in again.rows)
    assert any("debut" in Language("fr").text(fault) for fault in again.faults)
    assert all(row["card"] != "debut" for row in card_store.load(CHANCES).rows)
    assert not list(card_store.folder.glob("*.old"))
