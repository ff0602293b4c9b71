"""The sheet of stickers of a dice set: instructions and a test patch, then a row of six faces with cut lines a die."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from companion.language import Language
from companion.printing.paper import HEIGHT, POINT, WIDTH, Paper
from companion.printing.patch import HEIGHT as PATCH_HEIGHT
from companion.printing.patch import draw_patch
from vision.dice_sets import DiceSet, Kind, Likely, as_printed
from vision.drawing.design import FaceDesign, bodies_of, face_designs
from vision.drawing.rendering import Colour

SMALLEST, LARGEST, USUAL = 12.0, 20.0, 16.0
"""Edges of a sticker in millimetres."""

MOST_COPIES = 100

BLEED = 1.0
"""How far a face's colour goes beyond its cut line, in millimetres."""

MARGIN = 12.0
_GAP = 2.0
_TICK = 1.5
_LABEL, _NUMBER = 9.0, 6.0
_ALWAYS = 5
"""Instructions that every set needs."""

PAPER_WHITE: Colour = (1.0, 1.0, 1.0)
_NEARLY_WHITE = 0.9


@dataclass(frozen=True, slots=True)
class Row:
    """The stickers of one die: what it is called, and its faces in the order of its kind."""

    label: str
    faces: tuple[FaceDesign, ...]


def dice_sheet(
    dice_set: DiceSet,
    language: Language,
    size: float = USUAL,
    copies: int = 1,
    likely: Mapping[str, Likely] = MappingProxyType({}),
) -> bytes:
    """A PDF of A4 sheets with the stickers of `copies` dice of every kind and body; `size` is their edge (mm), `likely`
    the faces that kinds with numbers of unknown colour probably have.

    Raises ValueError for a face that there is no artwork for, and for a size or number out of bounds.
    """
    if not SMALLEST <= size <= LARGEST:
        raise ValueError(f"a sticker is {SMALLEST:g} to {LARGEST:g} mm wide, not {size:g}")
    if not 1 <= copies <= MOST_COPIES:
        raise ValueError(f"1 to {MOST_COPIES} copies of each die are printed, not {copies}")
    paper = Paper(language("sheet.title", name=dice_set.name), language.code)
    y = _opening(paper, language, dice_set, size)
    for row in _rows(as_printed(dice_set, likely), language, copies):
        if y + row_height(size) > HEIGHT - MARGIN:
            paper.next_page()
            y = MARGIN
        _draw_row(paper, row, y, size)
        y += row_height(size)
    return paper.finished()


def row_height(size: float) -> float:
    """Millimetres that a die takes from top to bottom: its label, its stickers with their bleed, their numbers."""
    return 1.5 * _LABEL * POINT + _TICK + size + 2 * BLEED + 1.3 * _NUMBER * POINT + _GAP


def sticker_place(place: int, y: float, size: float) -> tuple[float, float]:
    """The upper left corner (mm) of the sticker number `place` (from 0) of a row that begins at `y`."""
    x = MARGIN + BLEED + _TICK + place * (size + 2 * BLEED + _GAP)
    return x, y + 1.5 * _LABEL * POINT + _TICK + BLEED


def _rows(dice_set: DiceSet, language: Language, copies: int) -> list[Row]:
    rows = []
    for kind in dice_set.kinds:
        name = _named(kind, language)
        for body in bodies_of(kind):
            faces = face_designs(kind, body)
            coloured = language("sheet.die", kind=name, body=language(f"sheet.colour.{body}"))
            label = name if kind.marks == "plain" or body == kind.name else coloured
            for copy in range(1, copies + 1):
                rows.append(Row(label if copies == 1 else f"{label} · {copy}/{copies}", faces))
    return rows


def _named(kind: Kind, language: Language) -> str:
    id = f"sheet.kind.{kind.name}"
    return language(id) if language(id) != id else kind.name


def _instructions(dice_set: DiceSet, language: Language, size: float) -> list[str]:
    said = [language(f"sheet.step{number}", size=f"{size:g}") for number in range(1, _ALWAYS + 1)]
    if dice_set.with_marks("digits"):
        said.append(language("sheet.step6"))
    unknown = [
        f"{_named(kind, language)} {', '.join(str(kind.faces[index].value) for index in kind.open_faces)}"
        for kind in dice_set.kinds
        if kind.open_faces
    ]
    return [*said, language("sheet.open", numbers=" · ".join(unknown))] if unknown else said


def _opening(paper: Paper, language: Language, dice_set: DiceSet, size: float) -> float:
    """Title, instructions and test patch of the first sheet; gives where the rows begin."""
    width = WIDTH - 2 * MARGIN
    y = MARGIN + 16 * POINT
    paper.text(MARGIN, y, language("sheet.title", name=dice_set.name), 16, bold=True)
    y += 3
    for number, words in enumerate(_instructions(dice_set, language, size), 1):
        paper.text(MARGIN, y + 1.3 * 9 * POINT, f"{number}.", 9, bold=True)
        y = paper.paragraph(MARGIN + 6, y, width - 6, words, 9)
    draw_patch(paper, MARGIN, y + 3, language)
    return y + 3 + PATCH_HEIGHT


def _draw_row(paper: Paper, row: Row, y: float, size: float) -> None:
    paper.text(MARGIN, y + _LABEL * POINT, row.label, _LABEL, bold=True)
    for place, face in enumerate(row.faces):
        left, top = sticker_place(place, y, size)
        paper.area(left - BLEED, top - BLEED, size + 2 * BLEED, size + 2 * BLEED, on_paper(face.ground))
        paper.shapes(left, top, size, face.shapes, on_paper(face.ink))
        _cut_lines(paper, left, top, size)
        foot = top + size + BLEED + 1.3 * _NUMBER * POINT
        paper.text(left + size / 2, foot, str(place + 1), _NUMBER, centred=True)


def on_paper(colour: Colour) -> Colour:
    """A colour as it is printed: white is the paper's own, not a thin grey of dots."""
    return PAPER_WHITE if min(colour) > _NEARLY_WHITE else colour


def _cut_lines(paper: Paper, left: float, top: float, size: float) -> None:
    """The rim along which to cut, and ticks at its corners that the colour does not hide."""
    paper.frame(left, top, size, size, (0.5, 0.5, 0.5))
    near, far = BLEED, BLEED + _TICK
    for x in (left, left + size):
        paper.line(x, top - far, x, top - near)
        paper.line(x, top + size + near, x, top + size + far)
    for y in (top, top + size):
        paper.line(left - far, y, left - near, y)
        paper.line(left + size + near, y, left + size + far, y)
