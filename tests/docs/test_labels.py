"""Words in italics in the manuals are words of the screen: a player looks for them there."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from tests.tracked import files, text

MANUALS = {
    "docs/PLAYING.md": ("en",),
    "docs/fr/JOUER.md": ("fr",),
    "docs/HUB.md": ("en",),
    "docs/PANEL.md": ("en", "fr"),
    "docs/HARDWARE.md": ("en",),
}
"""Manuals with the languages of the labels that they quote."""
ABOUT_ITSELF = {"italics", "italique"}
"""The manuals say how they mark labels."""

_LABEL = re.compile(r"(?<![*\w])\*([^*\n]+)\*(?![*\w])")
_MESSAGE = re.compile(r'^msgstr(?:\[\d\])? "(.+)"$', re.MULTILINE)
_ARGUMENT = re.compile(r"\\\{\w+\\\}")


def plain(label: str) -> str:
    """Return a label with ordinary spaces and apostrophes, in small letters, without an ellipsis at the end."""
    return re.sub("[\u00a0\u202f]", " ", label).replace("\u2019", "'").lower().strip("…. ")


@cache
def patterns(language: str) -> list[tuple[str, re.Pattern[str]]]:
    """Return all messages of the catalogues in a language that have words of their own, with their patterns."""
    catalogues = [path for path in files() if path.suffix == ".po" and path.parent.name == language]
    messages = [plain(found) for path in catalogues for found in _MESSAGE.findall(text(path))]
    return [
        (message, re.compile(_ARGUMENT.sub(".+", re.escape(message))))
        for message in messages
        if len(re.sub(r"\{\w+\}|\W", "", message)) >= 3
    ]


def is_on_screen(label: str, language: str) -> bool:
    """Return True if a message contains this label; where it has an argument, any text may stand."""
    wanted = plain(label)
    return any(wanted in message or pattern.fullmatch(wanted) for message, pattern in patterns(language))


@pytest.mark.parametrize("manual", MANUALS)
def test_manuals_quote_labels_of_the_screen(manual: str) -> None:
    found = set(_LABEL.findall(text(Path(manual)))) - ABOUT_ITSELF
    assert len(found) >= 2
    unknown = [label for label in sorted(found) if not any(is_on_screen(label, one) for one in MANUALS[manual])]
    assert unknown == []
