"""The players' own material as table rows: a set is the faces of the dice and a court, with the checks of chapter 2."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.base import JsonObject, Message
from companion.games.catalogue import CatalogueColumn, CatalogueKind, Row, RowError
from companion.games.hoops21.tables import (
    DEFAULT_ARC,
    DEFAULT_FACES,
    DEFAULT_SECTIONS,
    DICE,
    MAX_SECTIONS,
    MIN_SECTIONS,
    SYMBOLS,
)

RULE = "HB-2.1"
MARKS_RULE = "HB-2.6"
_DISTANCES = tuple(str(distance) for distance in range(MAX_SECTIONS // 2))
_MARKS = {"plus": 1, "minus": -1}
"""The modifier of the sections in each column of marks."""


def faces_of(row: Row) -> JsonObject:
    """Return `setup.dice_faces` of a header."""
    return {symbol: row[f"faces.{symbol}"] for symbol in SYMBOLS}


def court_of(row: Row) -> JsonObject:
    """Return `setup.court` of a header."""
    marks = {at: mark for key, mark in _MARKS.items() for at in row.get(key, ())}
    return {"sections": 2 * row["half"], "arc": row["arc"], "modifiers": marks}


def _check(row: Row) -> RowError | None:
    faces = sum(row[f"faces.{symbol}"] for symbol in SYMBOLS)
    if faces != DICE:
        sentence = Message("app.hoops21.prepare.faces_sum", {"n": faces, "due": DICE})
        return RowError(f"faces.{SYMBOLS[0]}", sentence, RULE)
    if row["arc"] > row["half"] - 2:
        return RowError("arc", Message("app.hoops21.prepare.arc_far", {"most": row["half"] - 2}), RULE)
    return next(_wrong_marks(row), None)


def _wrong_marks(row: Row) -> Iterator[RowError]:
    """Yield a fault for each mark beyond the half line and each section with two marks."""
    for key in _MARKS:
        for at in row.get(key, ()):
            if int(at) >= row["half"]:
                args = {"n": at, "most": row["half"] - 1}
                yield RowError(key, Message("app.hoops21.prepare.mark_far", args), MARKS_RULE)
    for at in row.get("plus", ()):
        if at in row.get("minus", ()):
            yield RowError("minus", Message("app.hoops21.prepare.mark_twice", {"n": at}), MARKS_RULE)


MATERIAL = CatalogueKind(
    "hoops21-material",
    "hoops21",
    (
        CatalogueColumn("name", required=True),
        *(
            CatalogueColumn(
                f"faces.{symbol}",
                "whole",
                minimum=int(symbol == SYMBOLS[0]),
                maximum=DICE,
                required=True,
                default=str(usual),
                rule=RULE,
            )
            for symbol, usual in zip(SYMBOLS, DEFAULT_FACES, strict=True)
        ),
        CatalogueColumn(
            "half",
            "whole",
            minimum=MIN_SECTIONS // 2,
            maximum=MAX_SECTIONS // 2,
            required=True,
            default=str(DEFAULT_SECTIONS // 2),
            rule=RULE,
        ),
        CatalogueColumn(
            "arc", "whole", maximum=MAX_SECTIONS // 2 - 2, required=True, default=str(DEFAULT_ARC), rule=RULE
        ),
        *(CatalogueColumn(key, "picks", _DISTANCES, maximum=len(_DISTANCES), rule=MARKS_RULE) for key in _MARKS),
    ),
    ("name",),
    "name",
    _check,
    rule=RULE,
    summary_columns=("half", "arc"),
    id_prefix="",
    has_cards=False,
)
