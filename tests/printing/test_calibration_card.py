"""The printed calibration card: its marks and patches have the right size in millimetres, and the camera finds it."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.commands.sheets import run_card_sheet
from companion.language import LANGUAGES, Language
from companion.printing.sheets import SHEET_HEIGHT_MM, SHEET_WIDTH_MM, calibration_card
from tests.printing.test_dice_sheet import pages, rectangles
from vision.drawing import card


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_card_has_its_millimetres_and_lies_on_the_sheet(language: str) -> None:
    (page,) = pages(calibration_card(Language(language)))
    (cut,) = rectangles(page, b"S")
    assert cut[2:] == pytest.approx((card.WIDTH, card.HEIGHT), abs=0.01)
    filled = rectangles(page, b"f")
    assert len(filled) == len(card.patches()) + 3 * len(card.MARKS)
    for x, y, width, height in filled:
        assert cut[0] <= x
        assert x + width <= cut[0] + card.WIDTH
        assert cut[1] <= y
        assert y + height <= cut[1] + card.HEIGHT
    assert 0 < cut[0] < SHEET_WIDTH_MM - card.WIDTH
    assert 0 < cut[1] < SHEET_HEIGHT_MM - card.HEIGHT
    marks = [rim for rim in filled if rim[2] == pytest.approx(card.MARK, abs=0.01)]
    assert len(marks) == 4


def test_the_same_card_is_printed_every_time() -> None:
    assert calibration_card(Language("fr")) == calibration_card(Language("fr"))


def test_the_command_writes_the_card_or_says_why_not(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "card.pdf"
    assert run_card_sheet(None, True, out, "en") == 0
    assert out.read_bytes().startswith(b"%PDF-")
    assert run_card_sheet(None, False, out, "en") == 2
    assert "--calibration" in capsys.readouterr().err
    assert run_card_sheet(None, True, out, "de") == 2
    assert "«\u00a0de\u00a0»" in capsys.readouterr().err
    assert run_card_sheet(None, True, tmp_path / "none" / "card.pdf", "en") == 1
    assert "card.pdf" in capsys.readouterr().err
