"""Catalogues and clubs on the disk: samples until there are own ones, nothing destroyed, files that come and go."""

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
def shelf(tmp_path: Path) -> CardStore:
    return CardStore(tmp_path / "catalogues", tmp_path / "clubs")


@pytest.mark.parametrize("kind", [kind for kind in KINDS.values() if kind is not CLUBS], ids=lambda kind: kind.name)
def test_the_sample_shows_until_players_have_their_own(shelf: CardStore, kind) -> None:
    rows = shelf.load(kind).rows
    assert len(rows) >= 8
    assert not shelf.is_own(kind)
    shelf.save(kind, rows[:3] if not kind.group else rows)
    assert shelf.is_own(kind)
    assert shelf.load(kind).rows == (rows[:3] if not kind.group else rows)
    aside = shelf.restore_sample(kind)
    assert shelf.load(kind).rows == rows
    shelf.move(aside, shelf.path(kind))
    assert shelf.is_own(kind)


def test_a_table_with_faults_is_set_aside_before_it_is_written_over(shelf: CardStore) -> None:
    shelf.folder.mkdir()
    spoilt = format_table(TEAM, sample(TEAM).rows[:3]) + b"player,,,,,\n"
    shelf.path(TEAM).write_bytes(spoilt)
    loaded = shelf.load(TEAM)
    assert loaded.faults
    shelf.save(TEAM, loaded.rows)
    assert shelf.load(TEAM).faults == ()
    assert [path.read_bytes() for path in shelf.folder.glob("*.old")] == [spoilt]


def test_a_club_is_kept_while_it_is_being_built(shelf: CardStore) -> None:
    rows = [{**row, "club": "Étoile d’Œuf"} for row in rows_of(sample_clubs()[0])]
    path = shelf.save_club(rows[:6])
    unfinished = shelf.club(path)
    assert unfinished.fault is not None
    assert "FC-1.11" in Language("fr").text(unfinished.fault)
    assert list(unfinished.rows) == rows[:6]
    assert shelf.save_club(rows, path) == path
    assert shelf.club(path).fault is None
    assert read_squad(path).name == "Étoile d’Œuf"
    assert shelf.all_clubs()[0].name == "Étoile d’Œuf"
    assert len(shelf.all_clubs()) == 5
    other = shelf.save_club(rows)
    assert other != path


def test_a_club_of_another_file_becomes_a_table_and_the_file_stays(shelf: CardStore) -> None:
    shelf.clubs.mkdir()
    club = sample_clubs()[0]
    file = shelf.clubs / "mien.json"
    file.write_text(json.dumps({"name": "Mien", **club.squad}), encoding="utf-8")
    rows = [{**row, "nation": "Ici"} if row["sort"] == "coach" else row for row in shelf.club(file).rows]
    path = shelf.save_club(rows, file)
    assert path.name == "mien.csv"
    assert sorted(entry.name for entry in shelf.clubs.iterdir()) == ["mien.csv", "mien.json.old"]
    assert shelf.club(path).rows[0]["nation"] == "Ici"
    aside = shelf.set_aside(path)
    assert all(club.path is None for club in shelf.all_clubs())
    shelf.move(aside, path)
    assert shelf.all_clubs()[0].name == "Mien"


def test_pictures_of_cards_are_kept_and_replaced(shelf: CardStore) -> None:
    row = sample(TEAM).rows[4]
    assert shelf.picture(TEAM, row) is None
    shelf.save_picture(TEAM, row, JPEG)
    path = shelf.save_picture(TEAM, row, PNG)
    assert shelf.picture(TEAM, row) == path
    assert path.read_bytes() == PNG
    assert shelf.picture(TEAM, sample(TEAM).rows[5]) is None
    with pytest.raises(ValueError, match="JPEG"):
        shelf.save_picture(TEAM, row, b"GIF89a")


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "catalogues").write_text("a file, no folder")
    shelf = CardStore(tmp_path / "catalogues", tmp_path / "catalogues" / "clubs")
    for action in (
        lambda: shelf.save(TEAM, ()),
        lambda: shelf.save_club(rows_of(sample_clubs()[0])),
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
