"""Score sheets, star sheets and help cards: every game in both languages, whole, inside the page, always the same."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion.commands.sheets import run_play_sheet
from companion.games.registry import SPECS
from companion.language import LANGUAGES, Language
from companion.printing.page import MARGIN
from companion.printing.play_sheets import NoSheet, SheetKind, play_sheet, sheets_of
from tests.printing.pdf_text import _OBJECT, _content, pages, plain

SHEETS = [(game, kind) for game in SPECS for kind in sheets_of(SPECS[game])]
POINT_MM = 25.4 / 72
PAGE_WIDTH_MM = 210.0
_MOVE = re.compile(rb"1 0 0 1 ([\d.-]+) ([\d.-]+) (?:cm|Tm)")
_ID = re.compile(r"\b(?:sheet|help|guide|app)\.[a-z_]+")


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize(("game", "kind"), SHEETS)
def test_every_sheet_has_its_title_and_no_message_id(game: str, kind: SheetKind, code: str) -> None:
    language = Language(code)
    pdf = play_sheet(SPECS[game], kind, language)
    text = [plain(page) for page in pages(pdf)]
    title = language(f"sheet.{kind}.title", game=language(f"app.game.{game}"))
    assert " ".join(title.split()) in text[0]
    assert not [found for page in text for found in _ID.findall(page)]
    assert pdf == play_sheet(SPECS[game], kind, language)


@pytest.mark.parametrize(("game", "kind"), SHEETS)
def test_nothing_begins_outside_the_margins(game: str, kind: SheetKind) -> None:
    pdf = play_sheet(SPECS[game], kind, Language("fr"))
    objects = {int(number): body for number, body in _OBJECT.findall(pdf)}
    for body in objects.values():
        if not re.search(rb"/Type /Page\b", body):
            continue
        for x, _ in _MOVE.findall(_content(objects, body)):
            assert float(x) * POINT_MM <= PAGE_WIDTH_MM - MARGIN


def test_the_score_sheet_counts_both_sides_and_every_period() -> None:
    (first, second) = [plain(page) for page in pages(play_sheet(SPECS["footclub"], "score", Language("en")))]
    for page in (first, second):
        for label in ("1st half", "2nd half", "Extra time", "Shoot-out", "Goals", "Injuries"):
            assert label in page
    assert "Side 1" in first
    assert "Side 2" in second
    assert "Winner" in second


def test_the_help_card_tells_the_steps_with_their_rules() -> None:
    language = Language("en")
    text = " ".join(plain(page) for page in pages(play_sheet(SPECS["footclub"], "guide", language)))
    for phase, rules in SPECS["footclub"].phases.items():
        hint = language(f"guide.footclub.{phase}")
        if hint.startswith("guide."):
            continue
        assert " ".join(hint.split()) in text
        assert all(rule in text for rule in rules)


def test_a_game_without_people_has_no_star_sheet() -> None:
    assert sheets_of(SPECS["hoops21"]) == ("score", "guide")
    with pytest.raises(NoSheet):
        play_sheet(SPECS["hoops21"], "stars", Language("fr"))


def test_the_command_writes_a_sheet_and_names_what_it_does_not_have(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "sheet.pdf"
    assert run_play_sheet(None, "nba", "stars", out, "en") == 0
    assert out.read_bytes().startswith(b"%PDF")
    capsys.readouterr()
    assert run_play_sheet(None, "hoops21", "stars", out, "en") == 2
    assert "score, guide" in capsys.readouterr().err
    assert run_play_sheet(None, "chess", "score", out, "en") == 2
    assert run_play_sheet(None, "nba", "score", tmp_path / "none" / "sheet.pdf", "en") == 1
