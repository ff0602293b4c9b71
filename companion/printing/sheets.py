"""Printable sheets at actual size: dice stickers, and the camera calibration card."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from reportlab.lib.pagesizes import A4
from reportlab.lib.units import mm
from reportlab.lib.utils import simpleSplit
from reportlab.pdfgen.canvas import FILL_EVEN_ODD, Canvas

from companion.language import Language
from companion.printing.page import BOLD, REGULAR, draw_text, register_fonts, text_width
from vision.dice_sets import DiceSet, Kind, Likely, with_one_ink
from vision.drawing import card
from vision.drawing.design import BALL_COLOURS, FaceDesign, Shapes, bodies_of, face_designs
from vision.drawing.rendering import BODIES, Colour, from_hex

SHEET_WIDTH_MM, SHEET_HEIGHT_MM = 210.0, 297.0
"""Size of a sheet in millimetres."""

POINT_MM = 1 / mm
"""A typographic point in millimetres."""

BLACK: Colour = (0.0, 0.0, 0.0)

_HAIRLINE_MM = 0.1


class Paper:
    """A PDF writer. Deterministic: no date or random id, so the same drawing gives the same bytes."""

    def __init__(self, title: str, language: str) -> None:
        register_fonts()
        self._bytes = io.BytesIO()
        self._canvas = Canvas(self._bytes, pagesize=A4, invariant=1, pageCompression=1, lang=language)
        self._canvas.setTitle(title)
        self._canvas.setLineWidth(_HAIRLINE_MM * mm)

    def next_page(self) -> None:
        """Start a new page."""
        self._canvas.showPage()
        self._canvas.setLineWidth(_HAIRLINE_MM * mm)

    def to_bytes(self) -> bytes:
        """Return the PDF. Nothing can be drawn after this."""
        self._canvas.save()
        return self._bytes.getvalue()

    def area(self, x: float, y: float, width: float, height: float, colour: Colour) -> None:
        """Draw a filled rectangle without an outline."""
        self._canvas.setFillColorRGB(*_rgb(colour))
        self._canvas.rect(x * mm, (SHEET_HEIGHT_MM - y - height) * mm, width * mm, height * mm, stroke=0, fill=1)

    def frame(self, x: float, y: float, width: float, height: float, colour: Colour = BLACK) -> None:
        """Draw the outline of a rectangle with a hairline."""
        self._canvas.setStrokeColorRGB(*_rgb(colour))
        self._canvas.rect(x * mm, (SHEET_HEIGHT_MM - y - height) * mm, width * mm, height * mm, stroke=1, fill=0)

    def line(self, x: float, y: float, to_x: float, to_y: float) -> None:
        """Draw a black hairline."""
        self._canvas.setStrokeColorRGB(*BLACK)
        self._canvas.line(x * mm, (SHEET_HEIGHT_MM - y) * mm, to_x * mm, (SHEET_HEIGHT_MM - to_y) * mm)

    def shapes(self, x: float, y: float, edge: float, shapes: Shapes, colour: Colour) -> None:
        """Draw the outlines of a face on a square of `edge` millimetres."""
        self._canvas.setFillColorRGB(*_rgb(colour))
        for shape in shapes:
            path = self._canvas.beginPath()
            for outline in shape:
                for index, (right, down) in enumerate(outline.tolist()):
                    place = (x + right * edge) * mm, (SHEET_HEIGHT_MM - y - down * edge) * mm
                    (path.lineTo if index else path.moveTo)(*place)
                path.close()
            self._canvas.drawPath(path, stroke=0, fill=1, fillMode=FILL_EVEN_ODD)

    def text(self, x: float, y: float, text: str, size: float, *, bold: bool = False, centred: bool = False) -> None:
        """Draw one line of text of `size` points with its baseline at `y`.

        `x` is its left end, or its centre if centred.
        """
        self._canvas.setFillColorRGB(*BLACK)
        font = BOLD if bold else REGULAR
        left = x * mm - (text_width(text, font, size) / 2 if centred else 0.0)
        draw_text(self._canvas, left, (SHEET_HEIGHT_MM - y) * mm, text, font, size)

    def paragraph(self, x: float, y: float, width: float, text: str, size: float) -> float:
        """Draw text in lines of at most `width` from `y` down. Returns the y position of the next paragraph."""
        lines: Iterable[str] = simpleSplit(text, REGULAR, size, width * mm)
        for line in lines:
            y += 1.3 * size * POINT_MM
            self.text(x, y, line, size)
        return y + 0.4 * size * POINT_MM


def _rgb(colour: Colour) -> tuple[float, float, float]:
    blue, green, red = colour
    return red, green, blue


# Test patch of a printed sheet: greys, the colours to distinguish, and a ruler to check the print scale.


RULER_MM = 50
"""Length of the ruler in millimetres."""

DIE_BODIES = ("blue", "yellow", "red", "ivory", "grey", "brown")
"""Body colours of coloured dice; beige is named ivory."""

GREYS = (0, 20, 40, 60, 80, 100)
"""Grey levels in percent of white."""

PATCH_HEIGHT_MM = 41.0
"""Height of the patch in millimetres."""

_SIDE, _STEP, _ROW = 8.0, 15.0, 13.5
_SMALL = 6.0


def draw_patch(paper: Paper, x: float, y: float, language: Language) -> None:
    """Draw the patch with its upper left corner at (x, y) in millimetres."""
    greys = [(language("sheet.grey", step=step), (step / 100, step / 100, step / 100)) for step in GREYS]
    bodies = [(language(f"sheet.colour.{name}"), BODIES[name]) for name in DIE_BODIES]
    paints = [(language(f"sheet.colour.{name}"), from_hex(text)) for name, text in BALL_COLOURS.items()]
    for row, squares in enumerate((greys, bodies, paints)):
        _squares(paper, x, y + row * _ROW, squares)
    draw_ruler(paper, x + 6 * _STEP + 8, y + 2, language)


def _squares(paper: Paper, x: float, y: float, squares: Sequence[tuple[str, Colour]]) -> None:
    for place, (name, colour) in enumerate(squares):
        left = x + place * _STEP
        paper.area(left, y, _SIDE, _SIDE, colour)
        paper.frame(left, y, _SIDE, _SIDE)
        paper.text(left, y + _SIDE + 1.1 * _SMALL * POINT_MM, name, _SMALL)


def draw_ruler(paper: Paper, x: float, y: float, language: Language) -> None:
    """Draw a ruler of RULER_MM millimetres from (x, y), with its explanation."""
    paper.line(x, y, x + RULER_MM, y)
    for millimetre in range(RULER_MM + 1):
        tick = 4.0 if millimetre % 10 == 0 else 3.0 if millimetre % 5 == 0 else 2.0
        paper.line(x + millimetre, y, x + millimetre, y + tick)
        if millimetre % 10 == 0:
            paper.text(x + millimetre, y + tick + 2.5, str(millimetre), _SMALL, centred=True)
    paper.paragraph(x, y + 8, RULER_MM + 8, language("sheet.ruler", length=RULER_MM), 8)


# The printed calibration card: four markers to detect it, patches of known colours, and instructions.


CARD_MARGIN = 15.0
_CARD_STEP_COUNT = 4
_CARD_FONT_SIZE = 9


def calibration_card(language: Language) -> bytes:
    """Return a one-page A4 PDF with the card (100 x 70 mm) and its instructions."""
    paper = Paper(language("cli.card_sheet.title"), language.code)
    y = CARD_MARGIN + 16 * POINT_MM
    paper.text(CARD_MARGIN, y, language("cli.card_sheet.title"), 16, bold=True)
    y += 3
    for number in range(1, _CARD_STEP_COUNT + 1):
        step_text = language(f"cli.card_sheet.step{number}", length=RULER_MM)
        paper.text(CARD_MARGIN, y + 1.3 * _CARD_FONT_SIZE * POINT_MM, f"{number}.", _CARD_FONT_SIZE, bold=True)
        y = paper.paragraph(CARD_MARGIN + 6, y, SHEET_WIDTH_MM - 2 * CARD_MARGIN - 6, step_text, _CARD_FONT_SIZE)
    y += 6
    left = (SHEET_WIDTH_MM - card.WIDTH) / 2
    draw_card(paper, left, y)
    draw_ruler(paper, left, y + card.HEIGHT + 8, language)
    return paper.to_bytes()


def draw_card(paper: Paper, x: float, y: float) -> None:
    """Draw the card with its upper left corner at (x, y) in millimetres, and its cut line."""
    for patch in card.patches():
        _square(paper, x + patch.x, y + patch.y, patch.width, patch.height, patch.colour)
    for across, down in card.MARKS:
        for sevenths, light in card.RINGS:
            side = card.MARK * sevenths / 7
            _square(paper, x + across, y + down, side, side, (light, light, light))
    paper.frame(x, y, card.WIDTH, card.HEIGHT, BLACK)


def _square(paper: Paper, x: float, y: float, width: float, height: float, colour: Colour) -> None:
    """Draw a filled rectangle around its centre."""
    paper.area(x - width / 2, y - height / 2, width, height, colour)


# Sticker sheet of a dice set: instructions and a test patch, then for each die a row of six faces with cut lines.


MIN_STICKER_MM, MAX_STICKER_MM, DEFAULT_STICKER_MM = 12.0, 20.0, 16.0
"""Edge lengths of a sticker in millimetres."""

MAX_COPIES = 100

BLEED_MM = 1.0
"""Bleed: how far a face's colour extends beyond its cut line, in millimetres."""

MARGIN = 12.0
_GAP = 2.0
_TICK = 1.5
_LABEL, _NUMBER = 9.0, 6.0
_COMMON_STEP_COUNT = 5
"""Number of instruction steps common to all sets."""

PAPER_WHITE: Colour = (1.0, 1.0, 1.0)
_NEARLY_WHITE = 0.9


@dataclass(frozen=True, slots=True)
class Row:
    """The stickers of one die: its label, and its faces in the order of its kind."""

    label: str
    faces: tuple[FaceDesign, ...]


def dice_sheet(
    dice_set: DiceSet,
    language: Language,
    size: float = DEFAULT_STICKER_MM,
    copies: int = 1,
    likely: Mapping[str, Likely] = MappingProxyType({}),
) -> bytes:
    """Return a PDF of A4 sheets with dice stickers.

    Args:
        size: edge length of a sticker in mm.
        copies: dice of every kind and body.
        likely: probable faces of kinds with numbers of unknown colour.

    Raises: ValueError for a face without artwork, or a size or number out of range.
    """
    if not MIN_STICKER_MM <= size <= MAX_STICKER_MM:
        raise ValueError(f"a sticker is {MIN_STICKER_MM:g} to {MAX_STICKER_MM:g} mm wide, not {size:g}")
    if not 1 <= copies <= MAX_COPIES:
        raise ValueError(f"1 to {MAX_COPIES} copies of each die are printed, not {copies}")
    paper = Paper(language("sheet.title", name=dice_set.name), language.code)
    y = _draw_first_page(paper, language, dice_set, size)
    for row in _rows(with_one_ink(dice_set, likely), language, copies):
        if y + row_height(size) > SHEET_HEIGHT_MM - MARGIN:
            paper.next_page()
            y = MARGIN
        _draw_row(paper, row, y, size)
        y += row_height(size)
    return paper.to_bytes()


def row_height(size: float) -> float:
    """Return the height of a die's row in millimetres: label, stickers with bleed, and numbers."""
    return 1.5 * _LABEL * POINT_MM + _TICK + size + 2 * BLEED_MM + 1.3 * _NUMBER * POINT_MM + _GAP


def sticker_position(index: int, y: float, size: float) -> tuple[float, float]:
    """Return the upper left corner (mm) of sticker `index` (from 0) in a row that starts at `y`."""
    x = MARGIN + BLEED_MM + _TICK + index * (size + 2 * BLEED_MM + _GAP)
    return x, y + 1.5 * _LABEL * POINT_MM + _TICK + BLEED_MM


def _rows(dice_set: DiceSet, language: Language, copies: int) -> list[Row]:
    rows = []
    for kind in dice_set.kinds:
        name = _kind_name(kind, language)
        for body in bodies_of(kind):
            faces = face_designs(kind, body)
            coloured = language("sheet.die", kind=name, body=language(f"sheet.colour.{body}"))
            label = name if kind.marks == "plain" or body == kind.name else coloured
            for copy in range(1, copies + 1):
                rows.append(Row(label if copies == 1 else f"{label} · {copy}/{copies}", faces))
    return rows


def _kind_name(kind: Kind, language: Language) -> str:
    id = f"sheet.kind.{kind.name}"
    return language(id) if language(id) != id else kind.name


def _instructions(dice_set: DiceSet, language: Language, size: float) -> list[str]:
    steps = [language(f"sheet.step{number}", size=f"{size:g}") for number in range(1, _COMMON_STEP_COUNT + 1)]
    if dice_set.with_marks("digits"):
        steps.append(language("sheet.step6"))
    unknown = [
        f"{_kind_name(kind, language)} {', '.join(str(kind.faces[index].value) for index in kind.open_faces)}"
        for kind in dice_set.kinds
        if kind.open_faces
    ]
    return [*steps, language("sheet.open", numbers=" · ".join(unknown))] if unknown else steps


def _draw_first_page(paper: Paper, language: Language, dice_set: DiceSet, size: float) -> float:
    """Draw title, instructions and test patch of the first page. Returns the y position of the rows."""
    width = SHEET_WIDTH_MM - 2 * MARGIN
    y = MARGIN + 16 * POINT_MM
    paper.text(MARGIN, y, language("sheet.title", name=dice_set.name), 16, bold=True)
    y += 3
    for number, step in enumerate(_instructions(dice_set, language, size), 1):
        paper.text(MARGIN, y + 1.3 * 9 * POINT_MM, f"{number}.", 9, bold=True)
        y = paper.paragraph(MARGIN + 6, y, width - 6, step, 9)
    draw_patch(paper, MARGIN, y + 3, language)
    return y + 3 + PATCH_HEIGHT_MM


def _draw_row(paper: Paper, row: Row, y: float, size: float) -> None:
    paper.text(MARGIN, y + _LABEL * POINT_MM, row.label, _LABEL, bold=True)
    for place, face in enumerate(row.faces):
        left, top = sticker_position(place, y, size)
        paper.area(
            left - BLEED_MM, top - BLEED_MM, size + 2 * BLEED_MM, size + 2 * BLEED_MM, printed_colour(face.ground)
        )
        paper.shapes(left, top, size, face.shapes, printed_colour(face.ink))
        _cut_lines(paper, left, top, size)
        foot = top + size + BLEED_MM + 1.3 * _NUMBER * POINT_MM
        paper.text(left + size / 2, foot, str(place + 1), _NUMBER, centred=True)


def printed_colour(colour: Colour) -> Colour:
    """Return a colour for printing: near white becomes the paper's white, not a light grey raster."""
    return PAPER_WHITE if min(colour) > _NEARLY_WHITE else colour


def _cut_lines(paper: Paper, left: float, top: float, size: float) -> None:
    """Draw the cut line, and corner ticks outside the colour."""
    paper.frame(left, top, size, size, (0.5, 0.5, 0.5))
    near, far = BLEED_MM, BLEED_MM + _TICK
    for x in (left, left + size):
        paper.line(x, top - far, x, top - near)
        paper.line(x, top + size + near, x, top + size + far)
    for y in (top, top + size):
        paper.line(left - far, y, left - near, y)
        paper.line(left + size + near, y, left + size + far, y)
