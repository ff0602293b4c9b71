"""Translates message ids of games, table and app into sentences of the player's language (gettext catalogues)."""

from __future__ import annotations

import errno
import gettext
import re
import socket
import ssl
import unicodedata
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from companion.games.base import Message
from companion.games.folders import game_folders

LANGUAGES = ("fr", "en")
READER = Path(__file__).parents[1] / "vision"
"""Folder of the dice reader. It has its own catalogues, so that it works without the rest of the product."""

_PO_LINE = re.compile(r'^(msgid_plural|msgid|msgstr(?:\[\d\])?|) ?"(.*)"$', re.MULTILINE)
_ESCAPED = re.compile(r"\\(.)")
_ESCAPES = {"n": "\n", "t": "\t"}

Forms = list[str]
"""A sentence, or one form for each plural."""

_PLACE = re.compile(r"line (\d+),? column (\d+)")
"""Position of a syntax error in the messages of the TOML and JSON parsers."""
_CERTIFICATE_FAULTS = {10: "expired", 18: "self_signed", 19: "self_signed", 20: "unknown_authority", 62: "other_host"}
"""Certificate faults by OpenSSL verification code (x509_vfy.h)."""


@runtime_checkable
class Translatable(Protocol):
    """A message id with its arguments: `Message`, and the messages of packages that do not import the games."""

    @property
    def id(self) -> str: ...

    @property
    def args(self) -> Mapping[str, object]: ...


class Language:
    """The sentences of one language. An unknown id is returned as is, so that a gap is visible and nothing breaks."""

    def __init__(self, code: str) -> None:
        if code not in LANGUAGES:
            raise ValueError(f"unknown language {code!r}; known: {', '.join(LANGUAGES)}")
        self.code = code
        self._sentences, self._plural = _catalogue(code)

    def text(self, message: Translatable) -> str:
        """Return the sentence of a message. Nested messages are translated first."""
        return self(message.id, **message.args)

    def template(self, id: str, n: object = None) -> str:
        """Return the sentence of an id with its arguments in braces. `n` selects the plural form."""
        forms = self._sentences.get(id)
        if forms is None:
            return id
        return forms[0] if len(forms) == 1 else forms[self._plural(n if isinstance(n, int) else 1)]

    def decimal(self, number: str) -> str:
        """Format a decimal number, written with a point, for the language."""
        return number.replace(".", ",") if self.code == "fr" else number

    def __call__(self, id: str, /, **args: object) -> str:
        sentence = self.template(id, args.get("n"))
        values = {key: self._value(value) for key, value in args.items()}
        is_known = id in self._sentences  # an id of another program may hold anything, braces too
        return sentence.format_map(_KeepMissing(values)) if values and is_known else sentence

    def _value(self, value: object) -> object:
        if isinstance(value, str | int):  # nearly all: the test for a protocol below is slow
            return value
        if isinstance(value, Exception):
            return self.text(reason_of(value))
        return self.text(value) if isinstance(value, Translatable) else value


def alphabetical_key(name: str) -> tuple[str, str]:
    """Return the key that puts names in alphabetical order: É stands with E, and capitals with small letters."""
    folded = name.casefold()
    return without_accents(folded.replace("œ", "oe").replace("æ", "ae")), folded


def without_accents(text: str) -> str:
    """Return a text with plain letters in place of those with accents."""
    return "".join(sign for sign in unicodedata.normalize("NFKD", text) if not unicodedata.combining(sign))


def reason_of(error: Exception) -> Message:
    """Return the reason for an error, as text for brackets or after a colon.

    The system and the libraries have only English texts, so the reason is derived from the error's type and number.
    """
    message: Translatable | None = getattr(error, "message", None)
    if message is not None and not isinstance(message, str):
        return Message(message.id, message.args)
    if isinstance(error.__cause__, Exception) and getattr(error, "errno", None) is None:
        return reason_of(error.__cause__)
    if isinstance(error, UnicodeError):
        return Message("system.not_utf8")
    if isinstance(error, RecursionError):
        return Message("system.too_deep")
    return _system_reason(error) if isinstance(error, OSError) else _syntax_reason(error)


def quoted(text: str) -> Message:
    """Return the output of another program, untranslated, as text for brackets or after a colon."""
    return Message("system.quoted", {"text": text})


def _system_reason(error: OSError) -> Message:
    if isinstance(error, ssl.SSLCertVerificationError):
        fault = _CERTIFICATE_FAULTS.get(error.verify_code, "untrusted")
        return Message(f"system.certificate.{fault}", {"number": error.verify_code})
    if isinstance(error, ssl.SSLError):
        return Message("system.other", {"name": error.reason or type(error).__name__})
    if isinstance(error, socket.gaierror):
        return Message("system.no_host")
    number = errno.ETIMEDOUT if isinstance(error, TimeoutError) else error.errno
    if number is None and error.__context__ is not None:  # pyserial wraps the error of termios
        number = next((part for part in error.__context__.args if isinstance(part, int)), None)
    name = errno.errorcode.get(number or 0, type(error).__name__)
    id = f"system.{name.lower()}"
    return Message(id) if id in _catalogue(LANGUAGES[0])[0] else Message("system.other", {"name": name})


def _syntax_reason(error: Exception) -> Message:
    max_bytes = getattr(error, "max_bytes", None)  # of a file that is too large
    if max_bytes is not None:
        return Message("system.too_large", {"kilobytes": max_bytes // 1000})
    text = str(error)
    place = _PLACE.search(text)
    if place:
        return Message("system.place", {"line": place[1], "column": place[2]})
    if "end of document" in text:
        return Message("system.end_of_file")
    if "4300 digits" in text:
        return Message("system.long_number")
    name = getattr(error, "sqlite_errorname", type(error).__name__)
    is_content = isinstance(error, ValueError) or type(error).__module__ in ("zipfile", "zlib", "msgspec")
    return Message("system.malformed") if is_content else Message("system.other", {"name": name})


class _KeepMissing(dict[str, Any]):
    def __missing__(self, key: str) -> str:
        return "{" + key + "}"


@cache
def _catalogue(code: str) -> tuple[Mapping[str, Forms], Callable[[int], int]]:
    """Return the sentences of a language and its plural function.

    The sentences are merged from all `locales/<code>/*.po` files of the program and its games, which are read without
    compilation.
    """
    sentences: dict[str, Forms] = {}
    for root in (Path(__file__).parent, READER, *game_folders().values()):
        for file in sorted((root / "locales" / code).glob("*.po")):
            sentences |= _read(file.read_text(encoding="utf-8"))
    head = "".join(sentences.pop("", ()))
    return sentences, gettext.c2py(head.partition("plural=")[2].partition(";")[0])


def _read(text: str) -> dict[str, Forms]:
    """Parse a catalogue into sentences by id. The header has the empty id."""
    found: dict[str, Forms] = {}
    id, forms = "", Forms()
    for keyword, quoted in _PO_LINE.findall(text):
        value = _ESCAPED.sub(lambda sign: _ESCAPES.get(sign[1], sign[1]), quoted) if "\\" in quoted else quoted
        if keyword == "msgid":
            id, forms = value, Forms()
        elif keyword.startswith("msgstr"):
            forms.append(value)
            found[id] = forms
        elif not keyword and forms:  # continuation line of a sentence
            forms[-1] += value
    return {id: forms for id, forms in found.items() if all(forms)}


def messages(code: str) -> Mapping[str, object]:
    """Return every message id of a language with its sentence or plural forms (for the catalogue checks)."""
    return {id: forms[0] if len(forms) == 1 else tuple(forms) for id, forms in _catalogue(code)[0].items()}
