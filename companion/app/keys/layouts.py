"""Which key stands where: azerty with French letters of its own, qwerty with accents behind a long press. Pure data.

A row is a string of keys with spaces between them. Upper-case words are keys that do something. A tall screen is too
narrow for ten keys of nine millimetres in a row: there nine stand in it, and those left over move to the row below.
"""

from __future__ import annotations

from dataclasses import dataclass

SHIFT, BACK, SPACE, DONE, DIGITS, LETTERS = "SHIFT", "BACK", "SPACE", "DONE", "DIGITS", "LETTERS"
DOING = frozenset({SHIFT, BACK, SPACE, DONE, DIGITS, LETTERS})

VARIANTS = {
    "a": "à â ä á æ", "e": "é è ê ë", "i": "î ï í", "o": "ô œ ö ó", "u": "ù û ü ú", "c": "ç", "y": "ÿ", "n": "ñ",
    "s": "ß", "’": "' “ ”", "-": "– _", ".": ", : ; … ! ?",
}  # fmt: skip
"""What a long press on a key offers."""

WIDE = {SPACE: 4.0, DONE: 2.0, DIGITS: 1.5, LETTERS: 1.5}
"""Keys wider than a letter, in letters."""

Rows = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Sheets:
    """The keys of a language: letters and signs, each for a wide and for a tall screen."""

    letters: Rows
    letters_tall: Rows


def _rows(*rows: str) -> Rows:
    return tuple(tuple(row.split()) for row in rows)


_LAST = "DIGITS SPACE . DONE"
SHEETS = {
    "fr": Sheets(
        _rows("a z e r t y u i o p", "q s d f g h j k l m", "SHIFT w x c v b n ’ - BACK", "é è ê ë ç à ù ï ô œ", _LAST),
        _rows(
            "a z e r t y u i o", "q s d f g h j k l", "w x c v b n m p ’", "é è ê ç à ù ï ô œ",
            "SHIFT DIGITS SPACE - BACK", ". DONE",
        ),
    ),
    "en": Sheets(
        _rows("q w e r t y u i o p", "a s d f g h j k l ’", "SHIFT z x c v b n m - BACK", _LAST),
        _rows("q w e r t y u i o", "a s d f g h j k l", "z x c v b n m p ’", "SHIFT DIGITS SPACE - BACK", ". DONE"),
    ),
}  # fmt: skip
SIGNS = _rows("1 2 3 4 5 6 7 8 9 0", "( ) / & + = * # % @", ', . : ; ! ? ’ " - BACK', "LETTERS SPACE DONE")
SIGNS_TALL = _rows("1 2 3 4 5 6 7", "8 9 0 ( ) / &", '+ = * # % @ "', ", . : ; ! ? ’", "LETTERS SPACE - BACK", "DONE")
NUMBERS = _rows("1 2 3 4 5 BACK", "6 7 8 9 0 , - DONE")
NUMBERS_TALL = _rows("1 2 3", "4 5 6", "7 8 9", ", 0 -", "BACK DONE")


def rows(language: str, tall: bool, page: str) -> Rows:
    """The rows of a page: `letters`, `signs` or `numbers` (for a field that takes nothing else)."""
    if page == "signs":
        return SIGNS_TALL if tall else SIGNS
    if page == "numbers":
        return NUMBERS_TALL if tall else NUMBERS
    sheets = SHEETS.get(language, SHEETS["fr"])
    return sheets.letters_tall if tall else sheets.letters


def variants(key: str) -> tuple[str, ...]:
    """What a long press on a key offers, none for most."""
    return tuple(VARIANTS.get(key, "").split())


def capital(letter: str) -> str:
    """The capital of a letter; ß and signs stay as they are."""
    upper = letter.upper()
    return upper if len(upper) == 1 else letter
