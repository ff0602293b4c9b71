"""Turns the message ids of games, table and app into sentences of the player's language (gettext, through Babel)."""

from __future__ import annotations

import gettext
import io
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from companion.games.base import Message

LANGUAGES = ("fr", "en")


class Language:
    """The sentences of one language. Unknown ids show as themselves, so that a gap is seen and nothing breaks."""

    def __init__(self, code: str) -> None:
        if code not in LANGUAGES:
            raise ValueError(f"unknown language {code!r}; known: {', '.join(LANGUAGES)}")
        self.code = code
        self._catalogue = _catalogue(code)
        self._found: dict[tuple[str, Any], str] = {}

    def text(self, message: Message) -> str:
        """The sentence of a message, its nested messages translated first."""
        return self(message.id, **message.args)

    def template(self, id: str, n: Any = None) -> str:
        """The sentence of an id as the catalogue has it, its arguments in braces; `n` chooses the plural."""
        many = n if isinstance(n, int) else None
        known = self._found.get((id, many))
        if known is None:  # a catalogue has many files, and each of them would be asked in turn
            known = self._catalogue.ngettext(id, id, many) if many is not None else id
            known = self._found[id, many] = self._catalogue.gettext(id) if known == id else known
        return known

    def decimal(self, number: str) -> str:
        """A number written with a point, as the language writes it."""
        return number.replace(".", ",") if self.code == "fr" else number

    def __call__(self, id: str, /, **args: Any) -> str:
        sentence = self.template(id, args.get("n"))
        shown = {key: self.text(value) if isinstance(value, Message) else value for key, value in args.items()}
        return sentence.format_map(_Gaps(shown)) if shown else sentence


class _Gaps(dict[str, Any]):
    def __missing__(self, key: str) -> str:
        return "{" + key + "}"


@cache
def _catalogue(code: str) -> gettext.NullTranslations:
    """All `locales/<code>/*.po`, one after the other; the files are read as they are, nothing needs compiling."""
    merged: gettext.NullTranslations | None = None
    folder = resources.files("companion") / "locales" / code
    for file in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if not file.name.endswith(".po"):
            continue
        compiled = io.BytesIO()
        write_mo(compiled, read_po(io.BytesIO(file.read_bytes()), locale=code))
        compiled.seek(0)
        translations = gettext.GNUTranslations(compiled)
        if merged is None:
            merged = translations
        else:
            merged.add_fallback(translations)
    return merged or gettext.NullTranslations()


def messages(code: str) -> Mapping[str, object]:
    """Every message id of a language with its sentence or plural forms (for the checks of the catalogues)."""
    found: dict[str, object] = {}
    folder = resources.files("companion") / "locales" / code
    for file in folder.iterdir():
        if file.name.endswith(".po"):
            for entry in read_po(io.BytesIO(file.read_bytes()), locale=code):
                if entry.id:
                    key = entry.id[0] if isinstance(entry.id, (tuple, list)) else entry.id
                    found[key] = entry.string
    return found
