"""Turns the message ids of games, table and app into sentences of the player's language (gettext's catalogues)."""

from __future__ import annotations

import gettext
import re
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from companion.games.base import Message
from companion.games.folders import folders

LANGUAGES = ("fr", "en")

_PO_LINE = re.compile(r'^(msgid_plural|msgid|msgstr(?:\[\d\])?|) ?"(.*)"$', re.MULTILINE)
_ESCAPED = re.compile(r"\\(.)")
_ESCAPES = {"n": "\n", "t": "\t"}

Forms = list[str]
"""A sentence, or each of its plural forms."""


class Language:
    """The sentences of one language. Unknown ids show as themselves, so that a gap is seen and nothing breaks."""

    def __init__(self, code: str) -> None:
        if code not in LANGUAGES:
            raise ValueError(f"unknown language {code!r}; known: {', '.join(LANGUAGES)}")
        self.code = code
        self._sentences, self._plural = _catalogue(code)

    def text(self, message: Message) -> str:
        """The sentence of a message, its nested messages translated first."""
        return self(message.id, **message.args)

    def template(self, id: str, n: object = None) -> str:
        """The sentence of an id as the catalogue has it, its arguments in braces; `n` chooses the plural."""
        forms = self._sentences.get(id)
        if forms is None:
            return id
        return forms[0] if len(forms) == 1 else forms[self._plural(n if isinstance(n, int) else 1)]

    def decimal(self, number: str) -> str:
        """A number written with a point, as the language writes it."""
        return number.replace(".", ",") if self.code == "fr" else number

    def __call__(self, id: str, /, **args: object) -> str:
        sentence = self.template(id, args.get("n"))
        values = {key: self.text(value) if isinstance(value, Message) else value for key, value in args.items()}
        return sentence.format_map(_KeepMissing(values)) if values else sentence


class _KeepMissing(dict[str, Any]):
    def __missing__(self, key: str) -> str:
        return "{" + key + "}"


@cache
def _catalogue(code: str) -> tuple[Mapping[str, Forms], Callable[[int], int]]:
    """All `locales/<code>/*.po` of the program and its games together, and which form a number takes.

    The files are read as they are.
    """
    sentences: dict[str, Forms] = {}
    for root in (Path(__file__).parent, *folders().values()):
        for file in sorted((root / "locales" / code).glob("*.po")):
            sentences |= _read(file.read_text(encoding="utf-8"))
    head = "".join(sentences.pop("", ()))
    return sentences, gettext.c2py(head.partition("plural=")[2].partition(";")[0])


def _read(text: str) -> dict[str, Forms]:
    """What a catalogue says of each id, its head under the empty one."""
    found: dict[str, Forms] = {}
    id, forms = "", Forms()
    for keyword, quoted in _PO_LINE.findall(text):
        value = _ESCAPED.sub(lambda sign: _ESCAPES.get(sign[1], sign[1]), quoted) if "\\" in quoted else quoted
        if keyword == "msgid":
            id, forms = value, Forms()
        elif keyword.startswith("msgstr"):
            forms.append(value)
            found[id] = forms
        elif not keyword and forms:  # a sentence that goes on in the next line
            forms[-1] += value
    return {id: forms for id, forms in found.items() if all(forms)}


def messages(code: str) -> Mapping[str, object]:
    """Every message id of a language with its sentence or plural forms (for the checks of the catalogues)."""
    return {id: forms[0] if len(forms) == 1 else tuple(forms) for id, forms in _catalogue(code)[0].items()}
