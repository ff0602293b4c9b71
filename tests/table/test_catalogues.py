"""Card catalogues: tables round-trip, every fault names row and column, and the rules check the cards."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.catalogue import CatalogueColumn, CatalogueKind, Row
from companion.games.footclub import catalogues as footclub
from companion.games.footclub.setup import read_header as footclub_header
from companion.games.footclub.squads import rows_of, sample_clubs
from companion.games.nba import catalogues as nba
from companion.games.nba.setup import read_header as nba_header
from companion.games.occasion import catalogues as occasion
from companion.games.occasion.setup import read_header as occasion_header
from companion.language import LANGUAGES, Language
from companion.table.catalogues.card_store import sample
from companion.table.catalogues.csv_tables import (
    KINDS,
    TableReading,
    accepted_headings,
    format_table,
    read_table,
    value_fault,
)

CLUB_ROWS = rows_of(sample_clubs()[0])
TABLES = {kind.name: list(sample(kind).rows) or CLUB_ROWS for kind in KINDS.values()}


def table(kind: CatalogueKind, *changes: tuple[int, str, str], add: str = "") -> bytes:
    """Return a sample's table with changed cells (spreadsheet row, column key, text)."""
    records = list(csv.reader(io.StringIO(format_table(kind, TABLES[kind.name]).decode())))
    for row, key, cell in changes:
        records[row - 1][records[0].index(key)] = cell
    out = io.StringIO()
    csv.writer(out).writerows(records)
    return (out.getvalue() + add).encode()


def fault_texts(reading: TableReading, code: str = "fr") -> list[str]:
    return [plain(Language(code).text(fault.message)) for fault in reading.faults]


def plain(sentence: str) -> str:
    """Return a text with ordinary spaces."""
    return sentence.replace("\u00a0", " ").replace("\u202f", " ")


@pytest.mark.parametrize(
    ("kind", "key", "headings"),
    [
        (nba.PLAYERS, "iq", ("IQ", "QI", "IJ", "Intelligence de Jeu")),
        (nba.PLAYERS, "three_points", ("3 points", "3-pointers", "3P")),
        (nba.TACTICS, "keep.three_points", ("3 points dice",)),
        (footclub.TEAM, "posts", ("Posts",)),
        (occasion.CHANCES, "attack_posts", ("Attack posts",)),
    ],
)
def test_a_table_with_an_earlier_heading_or_an_abbreviation_is_read(
    kind: CatalogueKind, key: str, headings: tuple[str, ...]
) -> None:
    for heading in headings:
        records = list(csv.reader(io.StringIO(format_table(kind, TABLES[kind.name]).decode())))
        records[0][records[0].index(key)] = heading
        out = io.StringIO()
        csv.writer(out).writerows(records)
        reading = read_table("table.csv", out.getvalue().encode(), kind)
        assert not reading.faults, (heading, fault_texts(reading))
        assert [row.get(key) for row in reading.rows] == [row.get(key) for row in TABLES[kind.name]]


@pytest.mark.parametrize("kind", KINDS.values(), ids=lambda kind: kind.name)
def test_headings_and_words_mean_one_thing_in_both_languages(kind: CatalogueKind) -> None:
    names = [name for column in kind.columns for name in accepted_headings(column)]
    assert len(names) == len(set(names))
    for code in LANGUAGES:
        for message in [kind.label, *(m for c in kind.columns for m in (c.label, *map(c.option_label, c.options)))]:
            assert Language(code).text(message) != message.id


@pytest.mark.parametrize("language", [None, "fr", "en"])
@pytest.mark.parametrize("mark", [",", ";", "\t"])
@pytest.mark.parametrize("kind", KINDS.values(), ids=lambda kind: kind.name)
def test_samples_are_in_order_and_read_back_from_any_table(
    kind: CatalogueKind, mark: str, language: str | None
) -> None:
    rows = TABLES[kind.name]
    content = format_table(kind, rows, Language(language) if language else None, mark)
    reading = read_table("table.csv", content)
    assert reading.kind is kind
    assert reading.faults == ()
    assert list(reading.rows) == rows


def values(column: CatalogueColumn) -> st.SearchStrategy[object]:
    """Return a strategy for the valid values of a column, or none."""
    signs = st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp"), exclude_characters="/")
    text = st.text(signs, max_size=60).map(str.strip)
    several = st.lists(
        st.sampled_from(column.options) if column.options else text.filter(bool), max_size=column.maximum
    )
    made: dict[str, st.SearchStrategy[object]] = {
        "text": st.sampled_from(column.options) if column.options else text,
        "whole": st.integers(column.minimum, column.maximum),
        "pick": st.sampled_from(column.options) if column.options else st.nothing(),
        "picks": several,
        "switch": st.booleans(),
        "texts": several,
    }
    value = made[column.type].filter(lambda value: value not in ("", []) or (column.has_empty_marker and value == []))
    value = value.filter(lambda value: value_fault(column, value) is None and value != ["-"])
    return value if column.required or column.default else st.none() | value


@st.composite
def rows(draw: st.DrawFn, kind: CatalogueKind) -> list[Row]:
    """Draw rows whose single cells are valid; together they may break the rules."""
    found = []
    for _ in range(draw(st.integers(1, 3))):
        row: Row = {}
        for column in kind.columns:
            if column.applies_to(str(row.get(kind.sort, ""))) and (value := draw(values(column))) is not None:
                row[column.key] = value
        found.append(row)
    return found


@pytest.mark.parametrize("kind", KINDS.values(), ids=lambda kind: kind.name)
@settings(max_examples=25)
@given(data=st.data())
def test_what_is_written_reads_back_exactly(kind: CatalogueKind, data: st.DataObject) -> None:
    made = data.draw(rows(kind))
    language = data.draw(st.sampled_from([None, *map(Language, LANGUAGES)]))
    content = format_table(kind, made, language, data.draw(st.sampled_from(",;\t")))
    reading = read_table("table.csv", content, kind)
    spoilt = {fault.row for fault in reading.faults}
    assert all(row in reading.valid_rows for number, row in enumerate(made, 2) if number not in spoilt)
    assert all(row in made for row in reading.valid_rows)
    assert all(fault.rule or fault.reason.id.startswith("catalogues.fault") for fault in reading.faults)


@pytest.mark.parametrize(
    ("name", "change", "rule", "expected"),
    [
        ("footclub-team", (5, "level", "6"), "FC-1.3", "« 6 » n’est pas un nombre entier de 1 à 5"),
        ("footclub-team", (2, "level", "6"), "FC-1.4", "« 6 » n’est pas un nombre entier de 1 à 5"),
        ("footclub-team", (5, "posts", "AL/DC/MD"), "FC-1.3", "trop de valeurs"),
        ("footclub-team", (5, "posts", "libéro"), "FC-1.3", "AL, DC, MD, MO, AT"),
        ("footclub-team", (5, "posts", "MO/AT"), "FC-1.5", "polyvalent"),
        ("footclub-team", (4, "profiles", "technique+tactique"), "FC-1.6", "double profil"),
        ("footclub-team", (2, "style.tactical", "9"), "FC-1.4", "10"),
        ("footclub-team", (2, "posts", "AL"), "", "Entraîneur"),
        ("footclub-team", (6, "id", ""), "FC-1.11", "remplie"),
        ("footclub-match", (7, "number", "43"), "FC-1.7", "43"),
        ("footclub-match", (30, "type", "tackle"), "FC-1.8", "Tacle"),
        ("footclub-match", (3, "ribbon.green", "AT_G"), "FC-1.8", "deux places"),
        ("nba-players", (3, "positions", "libero"), "NBA-3.2", "MJ"),
        ("nba-players", (3, "id", "fatigue"), "NBA-3.2", "réservé"),
        ("nba-tactics", (2, "keep.stop", "2"), "", "Offensive"),
        ("nba-tactics", (2, "type", ""), "NBA-3.2", "remplie"),
        ("occasion-players", (4, "pass", "beaucoup"), "OC-1.1", "beaucoup"),
        ("occasion-players", (4, "post", "XX"), "OC-1.1", "XX"),
        ("occasion-chances", (4, "shot", "no"), "OC-1.1", "tir"),
        ("occasion-posts", (4, "line", ""), "OC-1.1", "remplie"),
        ("occasion-posts", (4, "post", "G"), "OC-1.1", "« G » est déjà donné"),
        ("occasion-posts", (4, "post", "Aile, droite"), "OC-1.1", "aucun de ces signes"),
        ("hoops21-material", (2, "faces.pass", "2"), "HB-2.1", "6 faces"),
        ("hoops21-material", (2, "minus", "0/5"), "HB-2.6", "+1"),
        ("occasion-chances", (2, "next", "z9"), "OC-1.1", "z9"),
        ("footclub-clubs", (4, "name", "x" * 61), "", "60"),
        ("footclub-clubs", (3, "sort", "coach"), "FC-1.4", "remplie"),
    ],
)
def test_a_fault_says_row_column_and_rule(name: str, change: tuple[int, str, str], rule: str, expected: str) -> None:
    kind = KINDS[name]
    reading = read_table("cartes.csv", table(kind, change), kind)
    assert reading.faults
    mine = [fault for fault in reading.faults if expected in plain(Language("fr").text(fault.message))]
    assert [fault.rule for fault in mine[:1]] == [rule], fault_texts(reading)
    for code in LANGUAGES:
        sentence = Language(code).text(mine[0].message)
        assert "cartes.csv" in sentence
        assert f" {mine[0].row}," in sentence
        assert "{" not in sentence
    assert all(fault.row >= change[0] - 2 for fault in reading.faults)
    assert reading.skipped_count >= 1


def test_every_fault_is_found_and_the_rest_is_kept() -> None:
    changes = (3, "level", "9"), (3, "posts", "x"), (8, "level", "zero"), (9, "id", "  ")
    reading = read_table("a.csv", table(footclub.TEAM, *changes), footclub.TEAM)
    assert [(fault.row, fault.column.id) for fault in reading.faults if not isinstance(fault.column, str)] == [
        (3, "catalogues.column.level"),
        (3, "catalogues.column.posts"),
        (8, "catalogues.column.level"),
        (9, "catalogues.column.id"),
    ]
    assert len(reading.rows) == len(TABLES["footclub-team"]) - 3
    assert reading.skipped_count == 3


def test_the_same_id_twice_and_too_many_copies_break_their_rules() -> None:
    first = str(TABLES["footclub-team"][0]["id"])
    twice = read_table("a.csv", table(footclub.TEAM, (3, "id", first)), footclub.TEAM)
    assert [(fault.row, fault.rule) for fault in twice.faults] == [(3, "FC-1.11")]
    copies = read_table("a.csv", table(footclub.MATCH, (40, "type", "supporters")), footclub.MATCH)
    assert [fault.rule for fault in copies.faults if fault.reason.id.endswith("copies")] == []
    more = read_table("a.csv", table(footclub.MATCH, (34, "type", "supporters")), footclub.MATCH)
    assert [(fault.row, fault.rule) for fault in more.faults if fault.reason.id.endswith("copies")] == [(34, "FC-1.7")]


def test_a_club_needs_its_cards() -> None:
    rows = [row for row in CLUB_ROWS if row["sort"] != "coach"][:9]
    reading = read_table("a.csv", format_table(footclub.CLUBS, rows), footclub.CLUBS)
    assert {fault.rule for fault in reading.faults} == {"FC-1.11"}
    assert len(reading.faults) == 2
    assert reading.rows == ()
    assert list(reading.valid_rows) == rows


@pytest.mark.parametrize(
    ("content", "row", "column", "expected"),
    [
        (b"", 1, "Sorte", "vide"),
        (b"\n\n", 1, "Sorte", "vide"),
        (b"bonjour;tout\nle;monde\n", 1, "bonjour", "aucune colonne connue"),
        (b"id,name,levl,posts,profiles\np1,A,3,fb,technical\n", 1, "levl", "Niveau"),
        (b"id,level,posts,profiles,id\np1,3,fb,technical,p1\n", 1, "id", "deux fois"),
        (b"id,posts,profiles\np1,fb,technical\n", 1, "Niveau", "manque"),
        (b"id,level,posts,profiles\np1,3,fb,technical,,7\n", 2, "6", "sans colonne"),
        (b"id,level,name\np1,3,\x81\n", 2, "3", "UTF-8"),
        (b'id,level,name,posts,profiles\np1,3,"Elio\np2,4,B,fb,technical\n', 2, "Nom", "guillemet"),
        (b"id,level,name\np1,3,\0\n", 2, "Nom", "contrôle"),
        (b"\xff\xfei\x00d\x00,", 1, "1", "UTF-8"),
        (b"id,level\n" + b"x" * 1_000_001, 1, "1", "1000 ko"),
        (b'id,level\n"' + b"x" * 200_000 + b'"', 1, "1", "tableau"),
    ],
)
def test_a_file_that_is_no_good_table_is_told_with_its_place(
    content: bytes, row: int, column: str, expected: str
) -> None:
    reading = read_table("a.csv", content, footclub.TEAM)
    sentences = fault_texts(reading)
    assert any(f"ligne {row}, colonne « {column} »" in one and expected in one for one in sentences), sentences


def test_windows_letters_are_understood_and_told() -> None:
    content = "Identifiant;Nom;Niveau;Postes;Profils\np1;Élio Çaron;3;AL;Technique\n".encode("cp1252")
    reading = read_table("a.csv", content)
    assert reading.faults == ()
    assert reading.rows[0]["name"] == "Élio Çaron"
    assert "Windows-1252" in Language("fr").text(reading.notes[0])
    assert read_table("a.csv", "\ufeffid,level,posts,profiles\np1,3,fb,technical\n".encode()).notes == ()


def test_headings_and_words_are_read_without_case_and_accents() -> None:
    content = b"IDENTIFIANT,niveau,POSTES,profils,point_fort\np1,3,al | dc,PHYSIQUE,polyvalent\n"
    row = read_table("a.csv", content).rows[0]
    assert (row["posts"], row["profiles"], row["strength"]) == (["fb", "cb"], ["physical"], "versatile")


def test_the_games_take_what_the_catalogues_give() -> None:
    two = sample_clubs()[:2]
    squads = {side: dict(club.squad) for side, club in zip(("blue", "red"), two, strict=True)}
    catalogue = {
        "match_cards": footclub.match_cards(TABLES["footclub-match"]),
        "team_cards": footclub.team_cards(TABLES["footclub-team"]),
    }
    names = {side: {"name": side} for side in ("blue", "red")}
    setup = {"home": "blue", "kop": "K01", "squads": squads, "catalogue": catalogue}
    made = footclub_header({"journal": 1, "game": "footclub", "sides": names, "setup": setup})
    assert made.match_card(42) is not None
    cards = nba.cards(TABLES["nba-players"], TABLES["nba-tactics"])
    names = {side: {"name": side} for side in ("one", "two")}
    assert len(nba_header({"journal": 1, "game": "nba", "sides": names, "setup": {"cards": cards}}).cards) == len(cards)
    sides = {side: {"name": side} for side in ("home", "away")}
    teams = {row["team"] for row in TABLES["occasion-players"]}
    players = [occasion.players(r for r in TABLES["occasion-players"] if r["team"] == team) for team in sorted(teams)]
    setup = {
        "players": dict(zip(sides, players, strict=True)),
        "occasions": occasion.chances(TABLES["occasion-chances"]),
    }
    opening = occasion_header({"journal": 1, "game": "occasion", "sides": sides, "setup": setup})
    assert len(opening.occasions) == 8
