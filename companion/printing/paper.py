"""Sheets of A4 to draw on in millimetres from the upper left corner; they end as the bytes of a PDF of vectors."""

from __future__ import annotations

import io
from collections.abc import Iterable

import font_lato
from reportlab.lib.pagesizes import A4
from reportlab.lib.units import mm
from reportlab.lib.utils import simpleSplit
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import FILL_EVEN_ODD, Canvas

from vision.drawing.design import Shapes
from vision.drawing.rendering import Colour

WIDTH, HEIGHT = 210.0, 297.0
"""Size of a sheet in millimetres."""

POINT = 1 / mm
"""A typographic point in millimetres."""

REGULAR, BOLD = "Lato", "LatoBold"

BLACK: Colour = (0.0, 0.0, 0.0)

_HAIR = 0.1


class Paper:
    """A PDF in the making. The same drawing gives the same bytes: it holds neither date nor random mark."""

    def __init__(self, title: str, language: str) -> None:
        for name in (REGULAR, BOLD):
            pdfmetrics.registerFont(TTFont(name, font_lato.font_files[name]))
        self._bytes = io.BytesIO()
        self._canvas = Canvas(self._bytes, pagesize=A4, invariant=1, pageCompression=1, lang=language)
        self._canvas.setTitle(title)
        self._canvas.setLineWidth(_HAIR * mm)

    def next_page(self) -> None:
        """Goes on on a new sheet."""
        self._canvas.showPage()
        self._canvas.setLineWidth(_HAIR * mm)

    def finished(self) -> bytes:
        """The PDF. Nothing can be drawn after this."""
        self._canvas.save()
        return self._bytes.getvalue()

    def area(self, x: float, y: float, width: float, height: float, colour: Colour) -> None:
        """A filled rectangle without a rim."""
        self._canvas.setFillColorRGB(*_rgb(colour))
        self._canvas.rect(x * mm, (HEIGHT - y - height) * mm, width * mm, height * mm, stroke=0, fill=1)

    def frame(self, x: float, y: float, width: float, height: float, colour: Colour = BLACK) -> None:
        """The rim of a rectangle, a hair wide."""
        self._canvas.setStrokeColorRGB(*_rgb(colour))
        self._canvas.rect(x * mm, (HEIGHT - y - height) * mm, width * mm, height * mm, stroke=1, fill=0)

    def line(self, x: float, y: float, to_x: float, to_y: float) -> None:
        """A black line, a hair wide."""
        self._canvas.setStrokeColorRGB(*BLACK)
        self._canvas.line(x * mm, (HEIGHT - y) * mm, to_x * mm, (HEIGHT - to_y) * mm)

    def shapes(self, x: float, y: float, edge: float, shapes: Shapes, colour: Colour) -> None:
        """The outlines of a face on a square of `edge` millimetres."""
        self._canvas.setFillColorRGB(*_rgb(colour))
        for shape in shapes:
            path = self._canvas.beginPath()
            for outline in shape:
                for index, (right, down) in enumerate(outline.tolist()):
                    place = (x + right * edge) * mm, (HEIGHT - y - down * edge) * mm
                    (path.lineTo if index else path.moveTo)(*place)
                path.close()
            self._canvas.drawPath(path, stroke=0, fill=1, fillMode=FILL_EVEN_ODD)

    def text(self, x: float, y: float, words: str, size: float, *, bold: bool = False, centred: bool = False) -> None:
        """One line of text of `size` points whose foot is at `y`; `x` is its left end, or its middle if centred."""
        self._canvas.setFillColorRGB(*BLACK)
        self._canvas.setFont(BOLD if bold else REGULAR, size)
        draw = self._canvas.drawCentredString if centred else self._canvas.drawString
        draw(x * mm, (HEIGHT - y) * mm, words)

    def paragraph(self, x: float, y: float, width: float, words: str, size: float) -> float:
        """Text in lines of at most `width` from `y` down; gives where the next one may begin."""
        lines: Iterable[str] = simpleSplit(words, REGULAR, size, width * mm)
        for line in lines:
            y += 1.3 * size * POINT
            self.text(x, y, line, size)
        return y + 0.4 * size * POINT


def _rgb(colour: Colour) -> tuple[float, float, float]:
    blue, green, red = colour
    return red, green, blue
