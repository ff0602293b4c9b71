"""What the reader says to people: message ids with arguments. Their sentences are in `vision/locales`; as plain text a
message is its English sentence, so that the reader can be used without the rest of the product."""

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
class Message:
    """The id of a sentence and its arguments; an argument may be a message itself, or the error that is the reason.

    A text that is no id stands for itself.
    """

    id: str
    args: Mapping[str, object] = field(default_factory=dict)

    def __str__(self) -> str:
        sentence = _sentences().get(self.id, self.id)
        return sentence.format_map({key: _shown(value) for key, value in self.args.items()}) if self.args else sentence


class VisionError(Exception):
    """A fault that is told to people; `message` is what is said."""

    def __init__(self, id: str, **args: object) -> None:
        self.message = Message(id, args)
        super().__init__(str(self.message))


Notify = Callable[[Message], None]
"""Says a message to whoever uses the reader."""


def message_printer(stream: TextIO, translate: Callable[[Message], str] = str) -> Notify:
    """Prints messages to a stream, one a line, in the language of `translate` (English by default)."""
    return lambda message: print(translate(message), file=stream, flush=True)


def _shown(value: object) -> object:
    """Errors of the system without their number and path, as the sentence names the file itself."""
    if isinstance(value, OSError) and value.strerror:
        return value.strerror
    return str(value).partition(";")[0] if isinstance(value, Message | Exception) else value


@cache
def _sentences() -> Mapping[str, str]:
    text = _ENGLISH.read_text(encoding="utf-8")
    return {id: re.sub(r"\\(.)", r"\1", sentence) for id, sentence in _ENTRY.findall(text)}
