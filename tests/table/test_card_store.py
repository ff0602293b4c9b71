"""Catalogues and clubs on disk: samples as default, backups before overwriting, files that appear and disappear."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.games.footclub.catalogues import CLUBS, TEAM
from companion.games.footclub.squads import rows_of, sample_clubs
from companion.games.occasion.catalogues import CHANCES
from companion.language import Language
from companion.table.catalogues.card_store import (
    CardStore,
    CardStoreError,
    ExchangeFolders,
    fault_message,
    merge,
    read_file,
    sample,
)
from companion.table.catalogues.csv_tables import KINDS, format_table, read_table
from companion.table.catalogues.squads import read_squad

JPEG = b"\xff\xd8\xff\xe0 a picture"
PNG = b"\x89PNG\r\n\x1a\n a picture"


@pytest.fixture
def card_store(tmp_path: Path) -> CardStore:
    return CardStore(tmp_path / "catalogues", tmp_path / "clubs")


@pytest.mark.parametrize("kind", [kind for kind in KINDS.values() if kind is not CLUBS], ids=lambda kind: kind.name)
def test_the_sample_shows_until_players_have_their_own(card_store: CardStore, kind) -> None:
    rows = card_store.load(kind).rows
    assert len(rows) >= (8 if kind.has_cards else 1)
    assert not card_store.is_own(kind)
    card_store.save(kind, rows[:3] if not kind.group else rows)
    assert card_store.is_own(kind)
    assert card_store.load(kind).rows == (rows[:3] if not kind.group else rows)
    aside = card_store.restore_sample(kind)
    assert card_store.load(kind).rows == rows
    card_store.move(aside, card_store.path(kind))
    assert card_store.is_own(kind)


def test_a_table_with_faults_is_set_aside_before_it_is_written_over(card_store: CardStore) -> None:
    card_store.folder.mkdir()
    spoilt = format_table(TEAM, sample(TEAM).rows[:3]) + b"player,,,,,\n"
    card_store.path(TEAM).write_bytes(spoilt)
    loaded = card_store.load(TEAM)
    assert loaded.faults
    card_store.save(TEAM, loaded.rows)
    assert card_store.load(TEAM).faults == ()
    assert [path.read_bytes() for path in card_store.folder.glob("*.old")] == [spoilt]


def test_a_club_is_kept_while_it_is_being_built(card_store: CardStore) -> None:
    rows = [{**row, "club": "Étoile d’Œuf"} for row in rows_of(sample_clubs()[0])]
    path = card_store.save_club(rows[:6])
    unfinished = card_store.club(path)
    assert unfinished.fault is not None
    assert "FC-1.11" in Language("fr").text(unfinished.fault)
    assert list(unfinished.rows) == rows[:6]
    assert card_store.save_club(rows, path) == path
    assert card_store.club(path).fault is None
    assert read_squad(path).name == "Étoile d’Œuf"
    assert card_store.all_clubs()[0].name == "Étoile d’Œuf"
    assert len(card_store.all_clubs()) == 5
    other = card_store.save_club(rows)
    assert other != path


def test_a_club_of_another_file_becomes_a_table_and_the_file_stays(card_store: CardStore) -> None:
    card_store.clubs.mkdir()
    club = sample_clubs()[0]
    file = card_store.clubs / "mien.json"
    file.write_text(json.dumps({"name": "Mien", **club.squad}), encoding="utf-8")
    rows = [{**row, "nation": "Ici"} if row["sort"] == "coach" else row for row in card_store.club(file).rows]
    path = card_store.save_club(rows, file)
    assert path.name == "mien.csv"
    assert sorted(entry.name for entry in card_store.clubs.iterdir()) == ["mien.csv", "mien.json.old"]
    assert card_store.club(path).rows[0]["nation"] == "Ici"
    aside = card_store.set_aside(path)
    assert all(club.path is None for club in card_store.all_clubs())
    card_store.move(aside, path)
    assert card_store.all_clubs()[0].name == "Mien"


def test_pictures_of_cards_are_kept_and_replaced(card_store: CardStore) -> None:
    row = sample(TEAM).rows[4]
    assert card_store.picture(TEAM, row) is None
    card_store.save_picture(TEAM, row, JPEG)
    path = card_store.save_picture(TEAM, row, PNG)
    assert card_store.picture(TEAM, row) == path
    assert path.read_bytes() == PNG
    assert card_store.picture(TEAM, sample(TEAM).rows[5]) is None
    with pytest.raises(ValueError, match="JPEG"):
        card_store.save_picture(TEAM, row, b"GIF89a")


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "catalogues").write_text("a file, no folder")
    card_store = CardStore(tmp_path / "catalogues", tmp_path / "catalogues" / "clubs")
    for action in (
        lambda: card_store.save(TEAM, ()),
        lambda: card_store.save_club(rows_of(sample_clubs()[0])),
        lambda: ExchangeFolders(tmp_path / "catalogues").export(tmp_path / "catalogues", "a", TEAM, (), Language("fr")),
        lambda: read_file(tmp_path / "none.csv"),
    ):
        with pytest.raises(CardStoreError) as trouble:
            action()
        assert "{" not in Language("fr").text(trouble.value.message)


def test_tables_go_out_in_the_players_words_and_come_back(tmp_path: Path) -> None:
    exchange = ExchangeFolders(tmp_path / "exchange", mount_roots=(tmp_path / "media",))
    rows = sample(TEAM).rows
    for code in ("fr", "en"):
        path = exchange.export(exchange.folder, "cartes", TEAM, rows, Language(code))
        assert read_table(path.name, path.read_bytes()).rows == rows
    assert [path.name for path in exchange.files((".csv",))] == ["cartes-2.csv", "cartes.csv"]
    assert "Entraîneur" in (exchange.folder / "cartes.csv").read_text(encoding="utf-8-sig")
    assert exchange.list_folders() == [exchange.folder]


def test_squad_files_come_in_as_tables_of_one_club(tmp_path: Path) -> None:
    club = sample_clubs()[1]
    good, bad = tmp_path / "a.json", tmp_path / "b.toml"
    good.write_text(json.dumps({"name": club.name, **club.squad}), encoding="utf-8")
    bad.write_text('name = "B"\nplayrs = []\n', encoding="utf-8")
    assert list(read_file(good).rows) == rows_of(club)
    assert "playrs" in Language("en").text(fault_message(read_file(bad).faults[0]))


def test_new_rows_take_the_place_of_the_same_cards() -> None:
    rows = sample(TEAM).rows[:4]
    changed = {**rows[1], "name": "Neuf"}
    added = {**rows[1], "id": "zz"}
    assert merge(TEAM, rows, [changed, added]) == (rows[0], changed, *rows[2:], added)
    chances = sample(CHANCES).rows
    zones = [row for row in chances if row["card"] == "contre"][:1]
    assert [row["zone"] for row in merge(CHANCES, chances, zones) if row["card"] == "contre"] == [zones[0]["zone"]]
