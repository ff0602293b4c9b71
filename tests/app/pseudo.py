"""A pseudo language for layout tests: French sentences one third longer, with an accent on every letter.

Text that appears plain on the screen is hard-coded instead of taken from a catalogue.
"""

from __future__ import annotations

import re
from typing import Any

from companion.language import Language

CODE = "pseudo"
_ACCENTED = str.maketrans("aceinouyAEIOU", "àçéîñôûÿÀÉÎÔÛ")
_PARTS = re.compile(r"(\{[^}]*\})")
_LONGER = 3
"""One extra character per this many; words of up to four characters, such as post and profile names, keep their length.

"""


class PseudoLanguage(Language):
    """French with accents and longer words; arguments (names, numbers) are unchanged."""

    def __init__(self, code: str) -> None:
        super().__init__("fr" if code == CODE else code)
        self._pseudo = code == CODE

    def template(self, id: str, n: Any = None) -> str:
        sentence = super().template(id, n)
        return stretched(sentence) if self._pseudo and sentence != id else sentence


def stretched(sentence: str) -> str:
    """Return a sentence with accents and words one third longer; text in braces is unchanged."""
    parts = _PARTS.split(sentence)
    return "".join(part if part.startswith("{") else _stretched(part) for part in parts)


def _stretched(part: str) -> str:
    tokens = re.split(r"(\s+)", part.translate(_ACCENTED))
    return "".join(word + "ö" * (len(word) // _LONGER) if len(word) > 4 and word.isalpha() else word for word in tokens)
