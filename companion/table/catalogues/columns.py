"""From the cells of a table to the values of a catalogue's columns, and back."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import cache
from typing import Any

from companion.games.base import Message
from companion.games.catalogue import Column, listed
from companion.language import LANGUAGES, Language
from companion.table.squad_text import LONGEST_TEXT, is_sound

BETWEEN = "/"
"""What stands between several values in one cell."""
NOTHING = "-"
"""A cell that says "none", where that is not the same as saying nothing."""

_BETWEEN = re.compile(r"[/|+&,;]")
_WHOLE = re.compile(r"-?[0-9]{1,9}")
_YES = frozenset({"yes", "y", "oui", "o", "true", "vrai", "1", "x"})
_NO = frozenset({"no", "n", "non", "false", "faux", "0"})


class WrongCell(Exception):
    """A cell that its column cannot take. `reason` says why, without the place."""

    def __init__(self, case: str, **args: Any) -> None:
        self.reason = Message(f"catalogues.cell.{case}", args)
        super().__init__(str(self.reason))


def folded(text: str) -> str:
    """A text by which words are compared: without case, accents, spaces and marks."""
    plain = unicodedata.normalize("NFKD", text.casefold().replace("œ", "oe").replace("æ", "ae"))
    return "".join(sign for sign in plain if sign.isalnum())


@cache
def headings(column: Column) -> frozenset[str]:
    """All headings that mean the column, folded: its key and its name in each language."""
    return frozenset({folded(column.key), *(folded(Language(code).text(column.label)) for code in LANGUAGES)})


@cache
def _meanings(column: Column) -> Mapping[str, str]:
    """The options by their folded words in every language, identifiers before all."""
    found: dict[str, str] = {}
    for code in LANGUAGES:
        for option in column.options:
            found.setdefault(folded(Language(code).text(column.word(option))), option)
    return {**found, **{folded(option): option for option in column.options}}


def read_cell(column: Column, cell: str) -> Any:
    """The value in a cell, None if it says nothing. Raises WrongCell."""
    text = cell.strip() or column.otherwise
    if not text:
        if column.needed:
            raise WrongCell("needed")
        return None
    if column.form == "text":
        return _text(text)
    if column.form == "whole":
        return _whole(column, text)
    if column.form == "switch":
        return _switch(text)
    if column.none and text == NOTHING:
        return []
    if column.form == "pick":
        return _option(column, text)
    return _several(column, text)


def written_cell(column: Column, value: Any, language: Language | None) -> str:
    """The cell that says a value: in the words of a language, or in identifiers."""
    if value is None:
        return ""
    if column.form == "switch":
        word = "yes" if value else "no"
        return language(f"catalogues.switch.{word}") if language else word
    if column.form == "pick":
        return _shown(column, value, language)
    if column.form in ("picks", "texts"):
        shown = [_shown(column, entry, language) for entry in value]
        return BETWEEN.join(shown) if shown or not column.none else NOTHING
    return str(value)


def fault_of(column: Column, value: Any) -> Message | None:
    """Why the column cannot take this value, None if it can: the same judgement as for a cell."""
    try:
        read_cell(column, written_cell(column, value, None))
    except WrongCell as wrong:
        return wrong.reason
    return None


def _shown(column: Column, value: str, language: Language | None) -> str:
    return language.text(column.word(value)) if language and value in column.options else value


def _text(text: str) -> str:
    if "\n" in text or "\r" in text:
        raise WrongCell("line_break")
    if not is_sound(text):
        raise WrongCell("text", most=LONGEST_TEXT)
    return text


def _whole(column: Column, text: str) -> int:
    if not _WHOLE.fullmatch(text) or not column.least <= int(text) <= column.most:
        raise WrongCell("whole", value=_brief(text), least=column.least, most=column.most)
    return int(text)


def _switch(text: str) -> bool:
    if folded(text) in _YES:
        return True
    if folded(text) in _NO:
        return False
    raise WrongCell("switch", value=_brief(text))


def _option(column: Column, text: str) -> str:
    found = _meanings(column).get(folded(text))
    if found is None:
        raise WrongCell("option", value=_brief(text), known=listed([column.word(one) for one in column.options]))
    return found


def _several(column: Column, text: str) -> list[str]:
    parts = [part.strip() for part in (text.split(BETWEEN) if column.form == "texts" else _BETWEEN.split(text))]
    read = _named if column.form == "texts" else _option
    values = [read(column, part) for part in parts if part]
    if not values:
        raise WrongCell("needed")
    if len(values) > column.most:
        raise WrongCell("many", most=column.most)
    return values


def _named(column: Column, text: str) -> str:
    """A short text; one that is a word for an option stands for it."""
    return _meanings(column).get(folded(text)) or _text(text)


def _brief(text: str) -> str:
    """A cell as a sentence can show it."""
    short = text if len(text) <= 24 else text[:23] + "…"
    return short if is_sound(short) else ascii(short)[1:-1]
