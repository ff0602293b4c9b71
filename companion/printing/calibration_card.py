"""The calibration card on paper: four marks to find it by, patches of known colours, and how to use it."""

from __future__ import annotations

from companion.language import Language
from companion.printing.paper import BLACK, POINT, WIDTH, Paper
from companion.printing.patch import RULER, draw_ruler
from vision.drawing import card
from vision.drawing.rendering import Colour

MARGIN = 15.0
_STEPS = 4
_NUMBER = 9


def calibration_card(language: Language) -> bytes:
    """A PDF of one sheet of A4 with the card (100 x 70 mm) and what to do with it."""
    paper = Paper(language("cli.card_sheet.title"), language.code)
    y = MARGIN + 16 * POINT
    paper.text(MARGIN, y, language("cli.card_sheet.title"), 16, bold=True)
    y += 3
    for number in range(1, _STEPS + 1):
        words = language(f"cli.card_sheet.step{number}", length=RULER)
        paper.text(MARGIN, y + 1.3 * _NUMBER * POINT, f"{number}.", _NUMBER, bold=True)
        y = paper.paragraph(MARGIN + 6, y, WIDTH - 2 * MARGIN - 6, words, _NUMBER)
    y += 6
    left = (WIDTH - card.WIDTH) / 2
    draw_card(paper, left, y)
    draw_ruler(paper, left, y + card.HEIGHT + 8, language)
    return paper.finished()


def draw_card(paper: Paper, x: float, y: float) -> None:
    """Draws the card with its upper left corner at (x, y) in millimetres, and the line along which to cut."""
    for patch in card.patches():
        _square(paper, x + patch.x, y + patch.y, patch.width, patch.height, patch.colour)
    for across, down in card.MARKS:
        for sevenths, light in card.RINGS:
            side = card.MARK * sevenths / 7
            _square(paper, x + across, y + down, side, side, (light, light, light))
    paper.frame(x, y, card.WIDTH, card.HEIGHT, BLACK)


def _square(paper: Paper, x: float, y: float, width: float, height: float, colour: Colour) -> None:
    """A filled rectangle about its middle; paper white is left as it is."""
    paper.area(x - width / 2, y - height / 2, width, height, colour)
