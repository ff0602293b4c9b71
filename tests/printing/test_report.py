"""The printed report: all parts are readable on numbered A4 pages, with any player names."""

from __future__ import annotations

import re

import pytest

from companion.games.registry import GAMES
from companion.language import LANGUAGES, Language
from companion.printing.report import report_pdf
from companion.table.report import MatchReport
from tests.printing.pdf_text import pages, plain
from tests.table.sample_match import ledger_of, sample_header, until_duel
from tests.table.sample_reports import amended, played, report_of


def report_text(report: MatchReport, code: str = "fr") -> str:
    return plain(" ".join(pages(report_pdf([report], Language(code)))))


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_every_part_stands_on_paper(game: str, code: str) -> None:
    language, match_report = Language(code), report_of(played(game, 1))
    found = report_text(match_report, code)
    for id in ("title", "line_ups", "course", "rolls", "luck", "amended", "rules"):
        assert plain(language(f"report.{id}")) in found, id
    assert all(side.name in found for side in match_report.sides)
    for change in match_report.course.changes:
        assert " – ".join(str(points) for points in change.scores) in found
    missing = [id for id in re.findall(r"\b[a-z]+\.[a-z_]+\.[a-z_.]+", found) if id.startswith((game, "report", "cli"))]
    assert missing == []
    assert "{" not in found


def test_rolls_stand_with_promise_and_result() -> None:
    """FC-7.3: a tackle of two dice succeeds 21 times of 36."""
    found = report_text(
        report_of(ledger_of(sample_header(), [*until_duel(sample_header()), {"event": "roll", "dice": [5, 4]}]))
    )
    assert "5, 4 – 0,58 1,00" in found


def test_line_ups_name_everybody_on_the_pitch() -> None:
    match_report = report_of(played("footclub", 3))
    found = report_text(match_report).replace(" ", "")
    for side in match_report.sides:
        for group in (*side.start, *side.end):
            assert [member.name for member in group.members if member.name.replace(" ", "") not in found] == []


def test_corrections_are_told_on_paper() -> None:
    found = report_text(report_of(amended()))
    assert "Ballon rouge" in found
    assert "corrigé" in found
    assert "annulé" in found


def test_pages_are_a4_and_numbered() -> None:
    pdf = report_pdf([report_of(played("hoops21", 1))], Language("fr"))
    page_texts = pages(pdf)
    assert len(page_texts) > 3
    for number, page in enumerate(page_texts, 1):
        assert f"Page {number} sur {len(page_texts)}" in plain(page)
    boxes = re.findall(rb"/MediaBox \[ ([\d. ]+) \]", pdf)
    assert len(boxes) == len(page_texts)
    assert {tuple(round(float(side)) for side in box.split()[2:]) for box in boxes} == {(595, 842)}


def test_several_matches_begin_on_pages_of_their_own() -> None:
    both = [report_of(played("footclub", 1)), report_of(played("occasion", 1))]
    page_texts = [plain(page) for page in pages(report_pdf(both, Language("en")))]
    assert [page.count("Match report") for page in page_texts].count(1) == 2
    assert any(f"of {len(page_texts)}" in page for page in page_texts)


def test_the_same_match_gives_the_same_bytes() -> None:
    match_report = report_of(played("occasion", 1))
    assert report_pdf([match_report], Language("fr")) == report_pdf([match_report], Language("fr"))


@pytest.mark.parametrize(
    "name",
    [
        "Association sportive de Saint-Symphorien-des-Bruyères et de Villefranche-de-Rouergue réunies",
        "Donaudampfschifffahrtsgesellschaftskapitänskajütenschlüsselanhängersammlerverein",
        'A & B <i>C</i> "D"',
        "Спартак Ωmega Nguyễn Thị Hồng Phượng",
    ],
)
def test_any_name_fits_on_paper(name: str) -> None:
    header = sample_header()
    header = {**header, "sides": {**header["sides"], "blue": {"name": name}}}
    found = report_text(report_of(ledger_of(header, [*until_duel(header), {"event": "roll", "dice": [5, 4]}])))
    assert name.replace(" ", "") in found.replace(" ", "")
