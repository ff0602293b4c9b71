"""Cards to cut out: result slips, table cards and player cards, each with a QR code."""

from __future__ import annotations

from collections.abc import Sequence

import segno
from reportlab.lib.units import mm
from reportlab.platypus import Flowable, Spacer, Table, TableStyle

from companion.printing.page import GREY, WIDTH, paragraph

QR_MM = 32.0
"""Side of a QR code with its quiet zone, in millimetres: read at arm's length by a telephone."""

_QUIET_ZONE = 4
_MIDDLE = ("VALIGN", (0, 0), (-1, -1), "MIDDLE")


def card(text: Sequence[Flowable], address: str) -> Flowable:
    """Return a card: text at the left, the QR code of an address at the right."""
    columns = [(WIDTH - QR_MM - 12) * mm, (QR_MM + 6) * mm]
    return Table([[list(text), PrintedQrCode(address)]], colWidths=columns, style=TableStyle([_MIDDLE]))


def slip(title: str, names: tuple[str, str], signatures: str) -> list[Flowable]:
    """Return the text of a result slip: a box for the points of each side, and room for two signatures."""
    boxes = Table(
        [[paragraph(name, "strong"), ""] for name in names],
        colWidths=[100 * mm, 22 * mm],
        rowHeights=[13 * mm] * 2,
        style=TableStyle([("BOX", (1, 0), (1, 0), 1, GREY), ("BOX", (1, 1), (1, 1), 1, GREY), _MIDDLE]),
    )
    line = "_" * 22
    return [paragraph(title, "head"), boxes, Spacer(1, 3 * mm), paragraph(f"{signatures} {line}   {line}")]


def to_cut(made: Sequence[Flowable], height: float) -> list[Flowable]:
    """Return cards below each other with lines to cut along; `height` in millimetres."""
    style = TableStyle([("LINEBELOW", (0, 0), (-1, -1), 0.5, GREY, 0, (3, 3)), _MIDDLE])
    return [Table([[each]], colWidths=[WIDTH * mm], rowHeights=[height * mm], style=style) for each in made]


class PrintedQrCode(Flowable):
    """A QR code of an address, with its quiet zone."""

    def __init__(self, address: str) -> None:
        super().__init__()
        self._rows = [bytes(row) for row in segno.make(address, error="m", micro=False).matrix]

    def wrap(self, *_: float) -> tuple[float, float]:
        """Return the size in points."""
        return QR_MM * mm, QR_MM * mm

    def draw(self) -> None:
        """Draw the dark modules."""
        module = QR_MM * mm / (len(self._rows) + 2 * _QUIET_ZONE)
        for y, row in enumerate(reversed(self._rows), _QUIET_ZONE):
            for x, dark in enumerate(row, _QUIET_ZONE):
                if dark:
                    self.canv.rect(x * module, y * module, module, module, stroke=0, fill=1)
