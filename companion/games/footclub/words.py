"""Message ids for FootClub's identifiers: the one place where an identifier becomes a text."""

from __future__ import annotations

from companion.games.base import Message
from companion.games.footclub.tables import COLOURS


def word(kind: str, identifier: str) -> Message:
    """The text of an identifier of glossary chapter 0: `kind` is `card`, `colour`, `post`, `place`, `profile` …"""
    return Message(f"footclub.{kind}.{identifier}")


def card(type_: str) -> Message:
    """A type of match card, or `free_kick` and `penalty`."""
    return word("card", type_)


def place(name: str) -> Message:
    """A place of the ribbon as printed in the player's language: AT_G, FW_L."""
    return word("place", name)


def colour(name: str) -> Message:
    return word("colour", name)


def section_number(colour_name: str) -> int:
    """The place in the ribbon, 1 to 6 (FC-1.8)."""
    return COLOURS.index(colour_name) + 1
