"""A card in words: what it is called in a list, what is told beside it, what its columns say. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.language import Language
from companion.table.catalogues.columns import Column, Row
from companion.table.catalogues.kinds import Kind

STARS = "level"
BETWEEN = ", "
CLOSE, APART = "/", " + "
SHORT = 4
"""Signs of words that stand close together; longer ones need a place to break the line."""
UNSAID = "–"


def title(kind: Kind, row: Row, say: Language) -> str:
    """What the card is called."""
    column = kind.column(kind.title)
    word = value(column, row.get(kind.title), say)
    number = row.get(kind.identity[-1])
    if column.options:
        return f"{number}. {word}" if word != UNSAID else str(number or UNSAID)
    return word if word != UNSAID else str(number or UNSAID)


def detail(kind: Kind, row: Row, say: Language) -> str:
    """The columns that matter most, one after the other."""
    return BETWEEN.join(_told(kind, row, say))


def found(kind: Kind, row: Row, wanted: str, say: Language) -> bool:
    """Whether a card has these letters in what is told of it, or in its id."""
    told = f"{title(kind, row, say)} {detail(kind, row, say)} {row.get(kind.identity[-1], '')}"
    return wanted.casefold() in told.casefold()


def value(column: Column, given: Any, say: Language) -> str:
    """What a column says, in the player's words."""
    if given is None:
        return UNSAID
    if column.form == "switch":
        return say(f"catalogues.switch.{'yes' if given else 'no'}")
    if isinstance(given, list):
        return BETWEEN.join(_word(column, one, say) for one in given) or say("app.cards.none")
    return _word(column, given, say)


def _told(kind: Kind, row: Row, say: Language) -> Iterator[str]:
    for key in kind.brief:
        given = row.get(key)
        column = kind.column(key)
        if given is None or given == column.otherwise or not column.belongs(str(row.get(kind.sort, ""))):
            continue
        if key == STARS:
            yield say("app.cards.stars", n=int(given))
        elif column.form == "whole":
            yield f"{say(column.short) if column.short else say.text(column.label)} {given}"
        elif column.form == "switch":
            yield from [say.text(column.label)] * bool(given)
        elif isinstance(given, list) and given:
            words = [_word(column, one, say) for one in given]
            yield (CLOSE if max(map(len, words)) <= SHORT else APART).join(words)
        else:
            yield value(column, given, say)


def _word(column: Column, given: Any, say: Language) -> str:
    return say.text(column.word(given)) if given in column.options else str(given)
