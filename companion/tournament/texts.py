"""What a text that a person typed may hold: the one place that says it, for facts, names, labels and reasons alike."""

from __future__ import annotations

from typing import Any
from unicodedata import category

from companion.games.base import Message
from companion.tournament.refusing import refusal

LONGEST = 200
"""Characters of a text at most."""
LONGEST_NAME = 60
"""Of the name of a table, and of whoever has a key or logs in."""


_BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and signs that leave a blank: fillers of Hangul syllables, and Braille without a dot."""


def fits(text: str, most: int = LONGEST) -> bool:
    """Whether all of it can be seen: no control sign, none that turns the direction of writing, no half character.

    Spaces of every width are taken: French puts narrow ones before its signs.
    """
    seen = (sign not in _BLANK and (sign.isprintable() or category(sign) == "Zs") for sign in text)
    return len(text) <= most and all(seen)


def checked(text: Any, place: str, field: str, *, most: int = LONGEST, empty: bool = True) -> str:
    """The text as it is. Raises `Refusal` with the place and the field for one that is no text or does not fit."""
    if not isinstance(text, str) or not fits(text, most) or not (empty or text.strip()):
        raise refusal("bad_field", place=place, field=field, allowed=Message("tournament.allowed.text", {"most": most}))
    return text
