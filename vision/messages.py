"""Messages of the reader to the user: message ids with arguments. The sentences are in `vision/locales`.

`str` of a message is its English sentence, so the reader can be used without the rest of the product.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TextIO

_ENGLISH = Path(__file__).parent / "locales" / "en" / "vision.po"
_ENTRY = re.compile(r'^msgid "(.+)"\nmsgstr "(.+)"$', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class ReaderMessage:
    """A message id with its arguments. An argument may be a message, or the error that is the reason.

    An id that is not in the catalogue is shown as the text.
    """

    id: str
    args: Mapping[str, object] = field(default_factory=dict)

    def __str__(self) -> str:
        sentence = _sentences().get(self.id, self.id)
        return (
            sentence.format_map({key: _plain_value(value) for key, value in self.args.items()})
            if self.args
            else sentence
        )


class VisionError(Exception):
    """An error that is reported to the user as `message`."""

    def __init__(self, id: str, **args: object) -> None:
        self.message = ReaderMessage(id, args)
        super().__init__(str(self.message))


Notify = Callable[[ReaderMessage], None]
"""Function that reports a message to the user."""


def message_printer(stream: TextIO, translate: Callable[[ReaderMessage], str] = str) -> Notify:
    """Return a function that prints messages to a stream, one per line, translated by `translate`.

    The default language is English.
    """
    return lambda message: print(translate(message), file=stream, flush=True)


def _plain_value(value: object) -> object:
    """Return an argument as text; a system error without number and path, because the sentence names the file."""
    if isinstance(value, OSError) and value.strerror:
        return value.strerror
    return str(value).partition(";")[0] if isinstance(value, ReaderMessage | Exception) else value


@cache
def _sentences() -> Mapping[str, str]:
    text = _ENGLISH.read_text(encoding="utf-8")
    return {id: re.sub(r"\\(.)", r"\1", sentence) for id, sentence in _ENTRY.findall(text)}
