"""Message ids for FootClub's identifiers: the one place where an identifier becomes a text."""

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


# What the people of a match are called and where they stand, looked up in its state by what is said to the table.


def find_player(state: State, id: str) -> Player | None:
    """An outfield player of either club in this match."""
    for club in state.clubs:
        if id in club.players:
            return club.players[id]
    return None


def full_name(state: State, id: str) -> str:
    """What the players call somebody of this match, coach and goalkeeper too; his id if nothing else is known."""
    player = find_player(state, id)
    if player is not None:
        return player.card.name
    return next((card.name for card in _other_cards(state) if card.id == id), id)


def short(state: State, id: str) -> str:
    return short_name(full_name(state, id))


def shorts(state: State, ids: Iterable[str]) -> str:
    """Several people, short, with commas."""
    return ", ".join(short(state, id) for id in ids)


def post_of(state: State, id: str) -> Message | None:
    """Where a player stands, with the side if there is one: AT_G; the middle one of three is AT alone (FC-5.4)."""
    for club in state.clubs:
        at = club.place_of(id)
        if at is None or club.lineup is None:
            continue
        post, index = at
        line = club.lineup[post]
        if len(line) == 1 or (len(line) == 3 and index == 1):
            return word("post", POSTS[post])
        return place(f"{POSTS[post]}_{'l' if index == 0 else 'r'}")
    return None


def _other_cards(state: State) -> Iterable[Coach | Goalkeeper | PlayerCard]:
    for club in state.clubs:
        yield club.coach
        yield club.goalkeeper
    catalogue = state.setup.team_cards
    yield from catalogue.coaches
    yield from catalogue.goalkeepers
    yield from catalogue.players
