"""A4 page layout: fonts, styles, wrapping cells, French non-breaking spaces, page numbers."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any
from xml.sax.saxutils import escape

from reportlab.lib.colors import HexColor
from reportlab.lib.enums import TA_CENTER, TA_RIGHT
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import CondPageBreak, PageBreak, Paragraph, SimpleDocTemplate, Table, TableStyle
from reportlab.platypus import Flowable as Flowable

from companion.typefaces import FontChain, fallback_fonts, find_font

REGULAR, BOLD = "Lato", "LatoBold"
GREEN, GREY, LINE, BAND = HexColor("#134430"), HexColor("#4A564F"), HexColor("#B9C6BD"), HexColor("#EEF3EF")
MARGIN = 16.0
"""Left and right margin in millimetres."""

TOP, BOTTOM = 16.0, 18.0
SIZE = 9.0
WIDTH = A4[0] / mm - 2 * MARGIN
"""Text width in millimetres."""

_MIN_SPACE_UNDER_HEADING_MM = 34.0
_NARROW, _FIXED = "\N{NARROW NO-BREAK SPACE}", "\N{NO-BREAK SPACE}"
_NARROW_SIZE = 0.55
"""Size factor: not every Lato has a narrow space, so a normal non-breaking space is set in a smaller size."""

_CUT = "\N{HORIZONTAL ELLIPSIS}"

STYLES = {
    "title": ParagraphStyle("title", fontName=BOLD, fontSize=20, leading=25, textColor=GREEN, spaceAfter=2),
    "sub": ParagraphStyle("sub", fontName=REGULAR, fontSize=10, leading=14, textColor=GREY, spaceAfter=4),
    "head": ParagraphStyle(
        "head", fontName=BOLD, fontSize=13, leading=17, textColor=GREEN, spaceBefore=10, spaceAfter=4
    ),
    "strong": ParagraphStyle("strong", fontName=BOLD, fontSize=SIZE + 1, leading=13, spaceBefore=4, spaceAfter=2),
    "text": ParagraphStyle("text", fontName=REGULAR, fontSize=SIZE, leading=12.5),
    "note": ParagraphStyle("note", fontName=REGULAR, fontSize=8, leading=11, textColor=GREY, spaceBefore=2),
    "name": ParagraphStyle("name", fontName=BOLD, fontSize=14, leading=18, alignment=TA_CENTER),
    "score": ParagraphStyle("score", fontName=BOLD, fontSize=30, leading=36, alignment=TA_CENTER, textColor=GREEN),
    "cell": ParagraphStyle("cell", fontName=REGULAR, fontSize=8.5, leading=11),
    "cell_head": ParagraphStyle("cell_head", fontName=BOLD, fontSize=8.5, leading=11, textColor=GREEN),
    "large": ParagraphStyle("large", fontName=REGULAR, fontSize=13, leading=17),
    "number": ParagraphStyle("number", fontName=REGULAR, fontSize=8.5, leading=11, alignment=TA_RIGHT),
    "number_head": ParagraphStyle(
        "number_head", fontName=BOLD, fontSize=8.5, leading=11, alignment=TA_RIGHT, textColor=GREEN
    ),
}


def register_fonts() -> None:
    """Register both fonts."""
    for name in (REGULAR, BOLD):
        pdfmetrics.registerFont(TTFont(name, _chain(name).fonts[0]))


@cache
def _chain(font: str) -> FontChain:
    """Return REGULAR or BOLD with its fallbacks. The system's Lato has more characters than that of the lock file."""
    own = find_font("Lato-Bold.ttf" if font == BOLD else "Lato-Regular.ttf")
    assert own is not None, "font-lato is a dependency"
    return FontChain([own, *fallback_fonts(bold=font == BOLD)])


def font_parts(text: str, font: str) -> list[tuple[str, str]]:
    """Split a text for REGULAR or BOLD into parts and the registered fonts that draw them.

    A fallback font is registered on first use. A narrow space becomes a normal one: not every Lato has one.
    """
    chain, parts = _chain(font), []
    for at, part in chain.split(text.replace(_NARROW, _FIXED)):
        name = f"{font}-{at}" if at else font
        if name not in pdfmetrics.getRegisteredFontNames():
            pdfmetrics.registerFont(TTFont(name, chain.fonts[at]))
        parts.append((name, part))
    return parts


def text_width(text: str, font: str, size: float) -> float:
    """Return the width in points of one line, drawn by `draw_text`."""
    return sum(pdfmetrics.stringWidth(part, name, size) for name, part in font_parts(text, font))


def draw_text(canvas: Canvas, x: float, y: float, text: str, font: str, size: float) -> None:
    """Draw one line of text in REGULAR or BOLD from `x` to the right, with its baseline at `y`, all in points."""
    for name, part in font_parts(text, font):
        canvas.setFont(name, size)
        canvas.drawString(x, y, part)
        x += pdfmetrics.stringWidth(part, name, size)


def draw_cut(canvas: Canvas, at: tuple[float, float], text: str, size: float, width: float, bold: bool) -> None:
    """Draw one line of text from a point to the right, cut at its end with "…" where it is wider than `width`."""
    font = BOLD if bold else REGULAR
    kept, end = text, ""
    while kept and text_width(kept + end, font, size) > width:
        kept, end = kept[:-1].rstrip(), _CUT
    draw_text(canvas, *at, kept + end, font, size)


def paragraph(text: str, style: str = "text") -> Paragraph:
    """Return a plain text paragraph. Wraps, and breaks words wider than the box."""
    paragraph_style = STYLES[style]
    return Paragraph(markup(text, paragraph_style.fontSize, paragraph_style.fontName), paragraph_style)


def lead_paragraph(lead: str, text: str) -> Paragraph:
    """Return a paragraph with a lead in bold."""
    paragraph_style = STYLES["text"]
    bold, plain = (markup(part, paragraph_style.fontSize, font) for part, font in ((lead, BOLD), (text, REGULAR)))
    return Paragraph(f'<font name="{BOLD}">{bold}</font> {plain}', paragraph_style)


def new_page() -> Flowable:
    """Return the start of a new page."""
    return PageBreak()


def heading(text: str) -> list[Flowable]:
    """Return a heading that keeps room for the content below it."""
    return [CondPageBreak(_MIN_SPACE_UNDER_HEADING_MM * mm), paragraph(text, "head")]


def markup(text: str, size: float, font: str = REGULAR) -> str:
    """Return reportlab markup: escaped, narrow spaces kept, characters missing from the font in a fallback font."""
    narrow = f'<font size="{size * _NARROW_SIZE:.2f}">{_FIXED}</font>'
    return narrow.join(_in_fonts(piece, font) for piece in text.split(_NARROW))


def _in_fonts(text: str, font: str) -> str:
    parts = font_parts(text, font)
    return "".join(
        escape(part) if name == font else f'<font name="{name}">{escape(part)}</font>' for name, part in parts
    )


def table(
    headers: Sequence[str],
    rows: Sequence[Sequence[str]],
    widths: Sequence[float],
    number_columns: Sequence[int] = (),
    large: bool = False,
) -> Table:
    """Return a table with wrapping cells and a header row repeated on every page.

    Args:
        widths: relative column widths.
        number_columns: right-aligned columns.
        large: whether the cells are read on a wall.
    """
    total_width = sum(widths)

    def line(cells: Sequence[str], suffix: str) -> list[Paragraph]:
        kinds = [("number" if at in number_columns else "cell") + suffix for at in range(len(cells))]
        if large and not suffix:
            kinds = ["large"] * len(cells)
        return [paragraph(cell, kind) for cell, kind in zip(cells, kinds, strict=True)]

    made = Table(
        [line(headers, "_head"), *(line(row, "") for row in rows)],
        colWidths=[WIDTH * mm * width / total_width for width in widths],
        repeatRows=1,
        splitInRow=1,
    )
    made.setStyle(_TABLE)
    return made


_TABLE = TableStyle(
    [
        ("VALIGN", (0, 0), (-1, -1), "TOP"),
        ("BACKGROUND", (0, 0), (-1, 0), BAND),
        ("LINEBELOW", (0, 0), (-1, -1), 0.4, LINE),
        ("LEFTPADDING", (0, 0), (-1, -1), 4),
        ("RIGHTPADDING", (0, 0), (-1, -1), 4),
        ("TOPPADDING", (0, 0), (-1, -1), 2),
        ("BOTTOMPADDING", (0, 0), (-1, -1), 3),
    ]
)


def build_pdf(flowables: Sequence[Flowable], title: str, language: str, footer: Callable[[int, int], str]) -> bytes:
    """Return the PDF of the flowables. `footer` returns the line below each page, given its number and the page count.

    Deterministic: no date or random id, so the same content gives the same bytes.
    """
    out = io.BytesIO()
    document = SimpleDocTemplate(
        out,
        pagesize=A4,
        leftMargin=MARGIN * mm,
        rightMargin=MARGIN * mm,
        topMargin=TOP * mm,
        bottomMargin=BOTTOM * mm,
        title=title,
        lang=language,
        invariant=1,
    )

    class Numbered(_NumberedCanvas):
        footer_text = staticmethod(footer)

    document.build(list(flowables), canvasmaker=Numbered)
    return out.getvalue()


class _NumberedCanvas(Canvas):
    """A canvas that defers its pages until the page count is known."""

    footer_text: Callable[[int, int], str]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._page_states: list[dict[str, Any]] = []

    def showPage(self) -> None:
        self._page_states.append(dict(self.__dict__))
        self._startPage()

    def save(self) -> None:
        for number, page in enumerate(self._page_states, 1):
            self.__dict__.update(page)
            self.setFillColor(GREY)
            footer = type(self).footer_text(number, len(self._page_states))
            draw_text(self, (A4[0] - text_width(footer, REGULAR, 8)) / 2, 10 * mm, footer, REGULAR, 8)
            super().showPage()
        super().save()
