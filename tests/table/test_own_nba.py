"""The players' own NBA cards in a match: teams made from them, and a header that the rules accept."""

from __future__ import annotations

from pathlib import Path

from companion.games.nba.card_sets import match_cards, sample_cards
from companion.games.nba.catalogues import PLAYERS, TACTICS
from companion.games.nba.preparation import NbaPreparation
from companion.games.nba.setup import read_header
from companion.table.catalogues.card_store import CardStore, sample


def shelf_with(folder: Path, players: list[dict[str, object]]) -> CardStore:
    card_store = CardStore(folder / "catalogues", folder / "clubs")
    card_store.save(PLAYERS, players)
    return card_store


def test_the_sample_serves_until_there_are_own_cards(tmp_path: Path) -> None:
    assert match_cards(CardStore(tmp_path, tmp_path)) is sample_cards()
    few = shelf_with(tmp_path, list(sample(PLAYERS).rows[:4]))
    assert match_cards(few) is sample_cards()


def test_own_cards_make_teams_and_matches(tmp_path: Path) -> None:
    own = [{**row, "id": f"x-{row['id']}"} for row in sample(PLAYERS).rows]
    card_store = shelf_with(tmp_path, own)
    found = match_cards(card_store)
    assert len(found.teams) >= 2
    assert all(team.id.startswith("own-") for team in found.teams)
    assert set(found.cards) == {row["id"] for row in own} | {row["id"] for row in sample(TACTICS).rows}
    preparing = NbaPreparation({}, card_store)
    preparing.choose("level", "full")
    setup = read_header(preparing.header())
    assert setup.full
    assert all(id.startswith("x-") for id in setup.rosters[setup.sides[0]].court)


def test_a_changed_card_keeps_the_teams_of_the_sample(tmp_path: Path) -> None:
    rows = [{**row, "name": "Renommé"} if at == 0 else row for at, row in enumerate(sample(PLAYERS).rows)]
    found = match_cards(shelf_with(tmp_path, rows))
    assert [team.id for team in found.teams][:4] == [team.id for team in sample_cards().teams]
    assert found.cards[str(rows[0]["id"])]["name"] == "Renommé"
