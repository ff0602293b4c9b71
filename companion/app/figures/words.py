"""Texts for the table's widgets: messages in the players' language, signed numbers, percentages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kivy.app import App

from companion.games.base import Message


def text(message: Message | None) -> str:
    """The sentence of a message in the language that is set now; nothing for none."""
    return "" if message is None else str(App.get_running_app().text(message))


def say(id: str, **args: Any) -> str:
    """A sentence of the app's own."""
    return str(App.get_running_app().say(id, **args))


def at_hyphen(word: str) -> str:
    """A word too long for its line, broken after the hyphen nearest to its middle; as it is if it has none."""
    hyphens = [place for place, sign in enumerate(word) if sign == "-"]
    if not hyphens:
        return word
    middle = min(hyphens, key=lambda place: abs(place - len(word) / 2)) + 1
    return f"{word[:middle]}\n{word[middle:]}"


def briefer(name: str) -> Iterator[str]:
    """A name whole, then with one word after the other, from the first on, as its initial (SCREENS 8)."""
    words = name.split()
    yield name
    for count in range(1, len(words)):
        yield " ".join([f"{word[0]}." for word in words[:count]] + words[count:])
    yield at_hyphen(words[-1])


def signed(value: int) -> str:
    """A bonus as it is written, with the true minus sign."""
    if value == 0:
        return "0"
    return f"+{value}" if value > 0 else f"\N{MINUS SIGN}{-value}"


def percent(value: int) -> str:
    """A whole percentage as the language writes it."""
    return say("app.table.percent", value=value)
