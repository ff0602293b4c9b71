"""The players' own NBA cards in a match: teams made from them, and a header that the rules accept."""

from __future__ import annotations

from pathlib import Path

from companion.games.nba.card_sets import match_cards, sample_cards
from companion.games.nba.catalogues import PLAYERS, TACTICS
from companion.games.nba.preparation import NbaPreparation
from companion.games.nba.setup import read_header
from companion.games.nba.tables import POSITIONS
from companion.table.catalogues.card_store import CardStore, sample


def shelf_with(folder: Path, players: list[dict[str, object]]) -> CardStore:
    card_store = CardStore(folder / "catalogues", folder / "clubs")
    card_store.save(PLAYERS, players)
    return card_store


def test_the_sample_serves_until_there_are_own_cards(tmp_path: Path) -> None:
    assert match_cards(CardStore(tmp_path, tmp_path)) == sample_cards()
    few = shelf_with(tmp_path, list(sample(PLAYERS).rows[:4]))
    found = match_cards(few)
    assert (found.cards, found.teams) == (sample_cards().cards, sample_cards().teams)
    assert {message.id for message in found.shortages} == {"app.nba.team.no_starter_card", "app.nba.team.bench_cards"}
    rows = {row.id: row for column in NbaPreparation({}, few).columns() for row in column.rows}
    assert rows["samples"].page == "catalogues"


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


def of_one_box() -> list[dict[str, object]]:
    """Return a catalogue as one box has it: ten starters, ten substitutes, NBA players."""
    rows = list(sample(PLAYERS).rows)
    starters = [row for row in rows if row.get("role") == "starter"][:10]
    bench = [row for row in rows if row.get("role") == "substitute"][:10]
    named = [{**row, "id": f"x-{row['id']}"} for row in (*starters, *bench)]
    return named + [row for row in rows if row.get("role", "nba") == "nba"]


def test_the_cards_of_one_box_make_the_teams_of_every_side(tmp_path: Path) -> None:
    preparing = NbaPreparation({}, shelf_with(tmp_path, of_one_box()))
    preparing.choose("players", "4")
    assert preparing.missing() == ()
    setup = read_header(preparing.header())
    assert len(set(setup.names.values())) == 4
    for roster in setup.rosters.values():
        cards = [setup.tactic(id) for id in roster.tactics or ()]
        assert [card.type for card in cards] == ["offence"] * 3 + ["defence"] * 2
        assert {position for id in roster.bench or () for position in setup.player(id).positions} == set(POSITIONS)


def test_five_offences_before_the_defences_still_leave_the_solo_opponent_two_defences(tmp_path: Path) -> None:
    card_store = shelf_with(tmp_path, of_one_box())
    base = [row for row in sample(TACTICS).rows if row.get("base")]
    offences = [{**base[0], "id": f"o-{number}", "name": f"O {number}"} for number in range(5)]
    card_store.save(TACTICS, [*offences, *(row for row in base if row["type"] == "defence")])
    preparing = NbaPreparation({}, card_store)
    preparing.choose("players", "solo")
    setup = read_header(preparing.header())
    assert [setup.tactic(id).type for id in setup.rosters["two"].tactics or ()].count("defence") == 2
