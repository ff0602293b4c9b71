"""A language that nobody speaks, for the layout: every sentence of French longer by a third, every letter accented.

What stays plain in it on the screen is written in the code instead of in a catalogue.
"""

from __future__ import annotations

import re
from typing import Any

from companion.language import Language

CODE = "pseudo"
_ACCENTED = str.maketrans("aceinouyAEIOU", "àçéîñôûÿÀÉÎÔÛ")
_PARTS = re.compile(r"(\{[^}]*\})")
_LONGER = 3
"""One sign more for so many; words of up to four signs, names of posts and profiles among them, stay as long."""


class PseudoLanguage(Language):
    """French with accents and length; arguments (names, numbers) stay as they are."""

    def __init__(self, code: str) -> None:
        super().__init__("fr" if code == CODE else code)
        self._pseudo = code == CODE

    def template(self, id: str, n: Any = None) -> str:
        sentence = super().template(id, n)
        return stretched(sentence) if self._pseudo and sentence != id else sentence


def stretched(sentence: str) -> str:
    """A sentence with accents, its words longer by a third; what stands in braces stays."""
    parts = _PARTS.split(sentence)
    return "".join(part if part.startswith("{") else _stretched(part) for part in parts)


def _stretched(part: str) -> str:
    words = re.split(r"(\s+)", part.translate(_ACCENTED))
    return "".join(word + "ö" * (len(word) // _LONGER) if len(word) > 4 and word.isalpha() else word for word in words)
