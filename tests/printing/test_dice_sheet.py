"""The printed sticker sheet: A4 pages, stickers with the right sizes and colours, unprinted white."""

from __future__ import annotations

import re
import zlib
from base64 import a85decode
from itertools import pairwise
from pathlib import Path

import pytest

from companion.commands.sheets import run_dice_sheet
from companion.games.nba.tables import PROPOSED_FACES
from companion.language import LANGUAGES, Language
from companion.printing import sheets
from companion.printing.sheets import SHEET_HEIGHT_MM, SHEET_WIDTH_MM, dice_sheet, printed_colour, sticker_position
from tests.printing import pdf_text
from tests.printing.pdf_text import plain
from vision import dice_sets
from vision.dice_sets import BODIES, with_one_ink
from vision.drawing.design import bodies_of
from vision.drawing.rendering import BODIES as COLOURS

MM = 72 / 25.4
NUMBER = rb"(-?[\d.]+)"
RECTANGLE = re.compile(rb"n " + rb" ".join([NUMBER] * 4) + rb" re (S|f)")


def pages(pdf: bytes) -> list[bytes]:
    """Return the PDF drawing commands of each page."""
    assert pdf.startswith(b"%PDF-")
    streams = re.findall(rb"/ASCII85Decode /FlateDecode.*?stream\r?\n(.*?)endstream", pdf, re.DOTALL)
    return [zlib.decompress(a85decode(stream.strip().removesuffix(b"~>"))) for stream in streams]


def rectangles(page: bytes, how: bytes) -> list[tuple[float, ...]]:
    """Return x, y from the top, width and height in mm of all filled (`f`) or stroked (`S`) rectangles."""
    found = [match.groups() for match in RECTANGLE.finditer(page)]
    sized = [tuple(float(part) / MM for part in group[:4]) for group in found if group[4] == how]
    return [(x, SHEET_HEIGHT_MM - y - height, width, height) for x, y, width, height in sized]


def stickers(pdf: bytes, size: float) -> list[tuple[float, ...]]:
    """Return the cutting outlines."""
    every = [rim for page in pages(pdf) for rim in rectangles(page, b"S")]
    return [rim for rim in every if rim[2] == pytest.approx(size, abs=0.01) and rim[3] == pytest.approx(size, abs=0.01)]


@pytest.mark.parametrize("name", dice_sets.names())
def test_every_die_of_a_set_has_six_stickers(name: str) -> None:
    pdf = dice_sheet(dice_sets.load(name), Language("fr"))
    dice = sum(len(bodies_of(kind)) for kind in dice_sets.load(name).kinds)
    assert len(stickers(pdf, 16)) == 6 * dice
    assert len(pages(pdf)) == 1


@pytest.mark.parametrize("size", [12.0, 14.5, 20.0])
def test_stickers_have_their_millimetres_and_lie_on_the_sheet(size: float) -> None:
    pdf = dice_sheet(dice_sets.load("hoops21"), Language("en"), size)
    cut = stickers(pdf, size)
    assert len(cut) == 12
    for x, y, width, height in cut:
        assert sheets.MARGIN <= x <= SHEET_WIDTH_MM - sheets.MARGIN - width
        assert sheets.MARGIN <= y <= SHEET_HEIGHT_MM - sheets.MARGIN - height
    lefts = sorted({round(rim[0], 2) for rim in cut})
    assert lefts == pytest.approx([sticker_position(place, 0, size)[0] for place in range(6)], abs=0.01)
    assert min(b - a for a, b in pairwise(lefts)) > size + 2 * sheets.BLEED_MM


def test_the_colour_goes_beyond_the_cut() -> None:
    (page,) = pages(dice_sheet(dice_sets.load("nba"), Language("en")))
    filled = rectangles(page, b"f")
    for x, y, width, height in stickers(dice_sheet(dice_sets.load("nba"), Language("en")), 16):
        wanted = (x - 1, y - 1, width + 2, height + 2)
        assert any(area == pytest.approx(wanted, abs=0.01) for area in filled)


def test_more_dice_take_more_sheets_of_a4() -> None:
    pdf = dice_sheet(dice_sets.load("nba"), Language("fr"), copies=10)
    drawn = pages(pdf)
    assert len(stickers(pdf, 16)) == 360
    boxes = re.findall(rb"/MediaBox \[ 0 0 ([\d.]+) ([\d.]+) \]", pdf)
    assert len(boxes) == len(drawn) > 6
    assert {(round(float(width) / MM), round(float(height) / MM)) for width, height in boxes} == {(210, 297)}


def test_the_ruler_is_fifty_millimetres() -> None:
    (page,) = pages(dice_sheet(dice_sets.load("ball"), Language("en")))
    lines = re.findall(rb"n " + rb" ".join([NUMBER] * 2) + rb" m " + rb" ".join([NUMBER] * 2) + rb" l S", page)
    level = [abs(float(x) - float(to_x)) / MM for x, y, to_x, to_y in lines if y == to_y]
    assert [length for length in level if length > 30] == pytest.approx([50], abs=0.01)


def test_the_same_sheet_is_the_same_file_and_languages_differ() -> None:
    french, again, english = (dice_sheet(dice_sets.load("pips"), Language(code)) for code in ("fr", "fr", "en"))
    assert french == again
    assert french != english


def test_white_is_left_to_the_paper() -> None:
    assert printed_colour(COLOURS["white"]) == (1.0, 1.0, 1.0)
    assert {name for name in BODIES if printed_colour(COLOURS[name]) != COLOURS[name]} == {"white"}


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_body_and_kind_has_a_name(code: str) -> None:
    language = Language(code)
    ids = [f"sheet.colour.{body}" for body in BODIES]
    ids += [f"sheet.kind.{kind.name}" for name in dice_sets.names() for kind in dice_sets.load(name).kinds]
    assert [id for id in ids if language(id) == id] == []


def test_a_set_of_one_s_own_is_printed(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    faces = ", ".join(f"{{ value = {value}, colour = 'blue' }}" for value in (0, 3, 5, 7, 8, 9))
    own.write_text(f'[kinds.odd]\nmarks = "digits"\nbodies = ["pink", "black"]\nunderlined = true\nfaces = [{faces}]\n')
    out = tmp_path / "own.pdf"
    assert run_dice_sheet(None, str(own), out, 18, 2, "en") == 0
    assert len(stickers(out.read_bytes(), 18)) == 2 * 2 * 6


@pytest.fixture
def english(tmp_path: Path) -> Path:
    """Return a configuration in which the terminal speaks English."""
    path = tmp_path / "config.toml"
    path.write_text('[display]\nlanguage = "en"\n', encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("name", "size", "copies", "language", "sentence"),
    [
        ("dominoes", 16.0, 1, "fr", "there is no dice set 'dominoes'"),
        ("nba", 11.9, 1, "fr", "A sticker is 12 to 20 mm wide, not 11.9"),
        ("nba", float("nan"), 1, "fr", "12 to 20 mm"),
        ("nba", 16.0, 0, "fr", "1 to 100 copies of each die are printed, not 0"),
        ("nba", 16.0, 101, "fr", "not 101"),
        ("nba", 16.0, 1, "de", "There is no language “de”. Languages: fr, en"),
    ],
)
def test_what_cannot_be_printed_is_refused_in_one_sentence(
    tmp_path: Path,
    english: Path,
    capsys: pytest.CaptureFixture[str],
    name: str,
    size: float,
    copies: int,
    language: str,
    sentence: str,
) -> None:
    out = tmp_path / "sheet.pdf"
    assert run_dice_sheet(english, name, out, size, copies, language) == 2
    stderr = capsys.readouterr().err
    assert sentence in stderr
    assert stderr.count("\n") == 1
    assert not out.exists()


def test_a_face_without_artwork_is_refused_with_its_place(
    tmp_path: Path, english: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = tmp_path / "tens.toml"
    faces = ", ".join(f"{{ value = {value} }}" for value in range(5, 11))
    own.write_text(f'[kinds.tens]\nmarks = "digits"\nfaces = [{faces}]\n')
    assert run_dice_sheet(english, str(own), tmp_path / "tens.pdf", 16, 1, "en") == 2
    assert "tens.toml: no artwork for face 6 of tens, 10: there is 0 to 9" in capsys.readouterr().err


def test_a_place_that_cannot_be_written_fails(
    tmp_path: Path, english: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "nowhere" / "sheet.pdf"
    assert run_dice_sheet(english, "pips", out, 16, 1, "en") == 1
    assert f"{out}: cannot be written" in capsys.readouterr().err


def test_no_number_is_printed_in_a_colour_that_its_die_does_not_have() -> None:
    """NBA-2.1: a defence die's colour is that of its number; black would raise a question at every throw."""
    printed = with_one_ink(dice_sets.load("nba"), PROPOSED_FACES)
    assert all(not kind.open_faces for kind in printed.kinds)
    assert [face.colour for face in printed.kind("interception").faces] == [
        None, "yellow", "blue", "blue", "yellow", "blue",
    ]  # fmt: skip
    assert [face.colour for face in printed.kind("block").faces] == [None, "red", "yellow", "yellow", "red", "red"]
    assert [face.colour for face in printed.kind("stop").faces] == [None, "red", "red", "yellow", "yellow", "blue"]
    faces = "{ value = 0 }, { value = 1 }, { value = 2, colour = 'red' }, { value = 3 }, { value = 4 }, { value = 5 }"
    own = dice_sets.parse(
        f"[kinds.own]\nmarks = 'digits'\ninks = ['red', 'blue']\nfaces = [{faces}]", "own", "own.toml"
    )
    assert [face.colour for face in with_one_ink(own, {}).kinds[0].faces] == [None, "blue", "red", "red", "blue", "red"]


def test_the_sheet_says_which_colours_are_only_likely_and_only_what_concerns_its_dice() -> None:
    sheets_of = {name: dice_sheet(dice_sets.load(name), Language("en")) for name in ("nba", "hoops21")}
    texts = {name: plain(pdf_text.pages(sheet)[0]) for name, sheet in sheets_of.items()}
    assert "the likely one is printed: Interception" in texts["nba"]
    assert "6 and 9 are read" in texts["nba"]
    assert "6 and 9" not in texts["hoops21"]
    assert "does not tell" not in texts["hoops21"]
