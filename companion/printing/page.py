"""Flowing pages of A4: fonts, styles, cells that wrap, French spaces that do not break, page numbers."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from typing import Any
from xml.sax.saxutils import escape

import font_lato
from reportlab.lib.colors import HexColor
from reportlab.lib.enums import TA_CENTER, TA_RIGHT
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import CondPageBreak, Flowable, Paragraph, SimpleDocTemplate, Table, TableStyle

REGULAR, BOLD = "Lato", "LatoBold"
GREEN, GREY, LINE, BAND = HexColor("#134430"), HexColor("#4A564F"), HexColor("#B9C6BD"), HexColor("#EEF3EF")
MARGIN = 16.0
"""Millimetres left and right."""

TOP, BOTTOM = 16.0, 18.0
SIZE = 9.0
WIDTH = A4[0] / mm - 2 * MARGIN
"""Millimetres that text may take."""

_UNDER_HEAD = 34.0
_NARROW, _FIXED = "\N{NARROW NO-BREAK SPACE}", "\N{NO-BREAK SPACE}"
_NARROW_SIZE = 0.55
"""Lato has no narrow space: the usual fixed one is set so much smaller."""

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
    "number": ParagraphStyle("number", fontName=REGULAR, fontSize=8.5, leading=11, alignment=TA_RIGHT),
    "number_head": ParagraphStyle(
        "number_head", fontName=BOLD, fontSize=8.5, leading=11, alignment=TA_RIGHT, textColor=GREEN
    ),
}


def register_fonts() -> None:
    """Makes both fonts known; they come with the program."""
    for name in (REGULAR, BOLD):
        pdfmetrics.registerFont(TTFont(name, font_lato.font_files[name]))


def paragraph(words: str, style: str = "text") -> Paragraph:
    """Words as they are written, wrapped; a word wider than its box is broken."""
    made = STYLES[style]
    return Paragraph(markup(words, made.fontSize), made)


def led(lead: str, words: str) -> Paragraph:
    """Words after a lead in bold."""
    made = STYLES["text"]
    return Paragraph(f'<font name="{BOLD}">{markup(lead, made.fontSize)}</font> {markup(words, made.fontSize)}', made)


def heading(words: str) -> list[Flowable]:
    """A heading with room under it for what it heads."""
    return [CondPageBreak(_UNDER_HEAD * mm), paragraph(words, "head")]


def markup(words: str, size: float) -> str:
    """Text for reportlab's paragraphs: marks escaped, narrow spaces kept, signs that the font lacks shown as `?`."""
    known = pdfmetrics.getFont(REGULAR).face.charToGlyph
    shown = "".join(sign if ord(sign) in known or sign in (_NARROW, "\n") else "?" for sign in words)
    narrow = f'<font size="{size * _NARROW_SIZE:.2f}">{_FIXED}</font>'
    return escape(shown).replace(_NARROW, narrow)


def table(
    heads: Sequence[str], rows: Sequence[Sequence[str]], widths: Sequence[float], numbers: Sequence[int] = ()
) -> Table:
    """A table whose cells wrap and whose head stands on every page. Widths are shares of the page's; `numbers` are the
    columns set to the right.
    """
    whole = sum(widths)

    def line(cells: Sequence[str], suffix: str) -> list[Paragraph]:
        kinds = [("number" if at in numbers else "cell") + suffix for at in range(len(cells))]
        return [paragraph(cell, kind) for cell, kind in zip(cells, kinds, strict=True)]

    made = Table(
        [line(heads, "_head"), *(line(row, "") for row in rows)],
        colWidths=[WIDTH * mm * width / whole for width in widths],
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


def pages(story: Sequence[Flowable], title: str, language: str, foot: Callable[[int, int], str]) -> bytes:
    """The PDF of a story; `foot` gives the line under each page from its number and the number of all.

    The same story gives the same bytes: it holds neither date nor random mark.
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

    class Numbered(_Numbered):
        foot_words = staticmethod(foot)

    document.build(list(story), canvasmaker=Numbered)
    return out.getvalue()


class _Numbered(Canvas):
    """Keeps its pages back until it knows how many there are."""

    foot_words: Callable[[int, int], str]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._kept: list[dict[str, Any]] = []

    def showPage(self) -> None:
        self._kept.append(dict(self.__dict__))
        self._startPage()

    def save(self) -> None:
        for number, page in enumerate(self._kept, 1):
            self.__dict__.update(page)
            self.setFont(REGULAR, 8)
            self.setFillColor(GREY)
            words = type(self).foot_words(number, len(self._kept)).replace(_NARROW, _FIXED)
            self.drawCentredString(A4[0] / 2, 10 * mm, words)
            super().showPage()
        super().save()
