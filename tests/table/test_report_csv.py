"""The spreadsheet export: consistent separators and decimal marks, complete rows, no formula injection by names."""

from __future__ import annotations

import csv
import io

import pytest

from companion.games.registry import GAMES
from companion.language import Language
from companion.table.report import MatchReport, report_csv
from tests.table.sample_match import ledger_of, sample_header
from tests.table.sample_reports import amended, played, report_of


def rows(reports: list[MatchReport], code: str, separator: str = "auto") -> list[dict[str, str]]:
    raw = report_csv(reports, Language(code), separator)
    assert raw.startswith(b"\xef\xbb\xbf")
    mark = {"auto": {"fr": ";", "en": ","}[code]}.get(separator, separator)
    found = list(csv.DictReader(io.StringIO(raw.decode("utf-8-sig"), newline=""), delimiter=mark, strict=True))
    assert all(None not in row and None not in row.values() for row in found)
    return found


@pytest.mark.parametrize("game", GAMES)
def test_every_fact_is_a_row_with_the_score_after_it(game: str) -> None:
    match_report = report_of(played(game, 1))
    found = [row for row in rows([match_report], "en") if row["part"] in ("event", "roll")]
    assert [int(row["line"]) for row in found] == [fact.row.line for fact in match_report.events]
    for at, side in enumerate(match_report.sides, 1):
        assert int(found[-1][f"score {at}"]) == side.points
    assert sum(row["part"] == "roll" for row in found) == len(match_report.rolls)


def test_french_spreadsheets_get_semicolons_and_commas() -> None:
    match_report = report_of(played("footclub", 3))
    french, english = rows([match_report], "fr"), rows([match_report], "en")
    expected = [row["attendu 1"] for row in french if row["attendu 1"]]
    assert expected
    assert all("," in number and "." not in number for number in expected)
    assert [number.replace(",", ".") for number in expected] == [
        row["expected 1"] for row in english if row["expected 1"]
    ]
    assert rows([match_report], "fr", ",")[5]["match"] == french[5]["match"]
    assert rows([match_report], "en", ";")[5]["match"] == french[5]["match"]


def test_undone_and_corrected_facts_are_marked() -> None:
    states = [row["state"] for row in rows([report_of(amended())], "en")]
    assert states.count("corrected") == 1
    assert states.count("undone") == 1


def test_line_ups_and_result_are_rows_too() -> None:
    found = rows([report_of(played("footclub", 1))], "fr")
    assert found[0]["rubrique"] == "résultat"
    line_up = [row for row in found if row["rubrique"].startswith("composition, Sur le terrain")]
    assert len(line_up) == 20
    assert all(row["événement"] and row["type"] for row in line_up)


def test_several_matches_stand_one_after_the_other() -> None:
    reports = [report_of(played("footclub", 1)), report_of(played("nba", 5))]
    found = rows(reports, "fr")
    assert list(dict.fromkeys(row["match"] for row in found)) == [report.title for report in reports]
    assert len(reports[1].sides) == 3
    assert "score 3" in found[0]


def test_a_name_is_no_formula() -> None:
    header = sample_header()
    header = {**header, "sides": {**header["sides"], "blue": {"name": '=cmd|"/c calc"!A1;"x'}}}
    found = rows([report_of(ledger_of(header, []))], "fr")
    assert found[0]["match"].startswith('\'=cmd|"/c calc"!A1;"x')
