"""Message ids for FootClub's identifiers. All conversions from identifier to text are here."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from companion.games.base import Message
from companion.games.footclub.tables import POSTS
from companion.games.wording import short_name

if TYPE_CHECKING:
    from companion.games.footclub.cards import Coach, Goalkeeper, PlayerCard
    from companion.games.footclub.state import Player, State


def word(kind: str, identifier: str) -> Message:
    """Return the text of an identifier of glossary chapter 0: `kind` is `card`, `colour`, `post`, `place`, …"""
    return Message(f"footclub.{kind}.{identifier}")


def card_message(type_: str) -> Message:
    """Return the name of a match card type, or of `free_kick` and `penalty`."""
    return word("card", type_)


def place_message(name: str) -> Message:
    """Return a place of the ribbon as printed in the player's language: AT_G, FW_L."""
    return word("place", name)


def colour_message(name: str) -> Message:
    return word("colour", name)


# Names and positions of the people in a match, looked up in its state.


def find_player(state: State, id: str) -> Player | None:
    """Return an outfield player of either club in this match."""
    for club in state.clubs:
        if id in club.players:
            return club.players[id]
    return None


def full_name(state: State, id: str) -> str:
    """Return the display name of a person of this match, including coach and goalkeeper; the id if no name is known."""
    player = find_player(state, id)
    if player is not None:
        return player.card.name
    return next((card.name for card in _other_cards(state) if card.id == id), id)


def short_name_of(state: State, id: str) -> str:
    return short_name(full_name(state, id))


def short_names_of(state: State, ids: Iterable[str]) -> str:
    """Return several short names, joined by commas."""
    return ", ".join(short_name_of(state, id) for id in ids)


def position_message(state: State, id: str) -> Message | None:
    """Return a player's place, with the side if there is one: AT_G; the middle one of three is AT alone (FC-5.4)."""
    for club in state.clubs:
        at = club.place_of(id)
        if at is None or club.lineup is None:
            continue
        post, index = at
        line = club.lineup[post]
        if len(line) == 1 or (len(line) == 3 and index == 1):
            return word("post", POSTS[post])
        return place_message(f"{POSTS[post]}_{'l' if index == 0 else 'r'}")
    return None


def _other_cards(state: State) -> Iterable[Coach | Goalkeeper | PlayerCard]:
    for club in state.clubs:
        yield club.coach
        yield club.goalkeeper
    catalogue = state.setup.team_cards
    yield from catalogue.coaches
    yield from catalogue.goalkeepers
    yield from catalogue.players
