"""Message ids for this game's identifiers, and what its cards and sides are called: where an id becomes a text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from companion.games.base import Message
from companion.games.occasion.state import State
from companion.games.occasion.tables import DEFAULT_POSTS, RULED_ABILITIES, SIDES, Side
from companion.games.wording import listed, literal


def word(kind: str, identifier: str) -> Message:
    """The text of an identifier of the glossary: `kind` is `move`, `stat`, `post`, `phase` …"""
    return Message(f"occasion.{kind}.{identifier}")


def said(id: str, state: State, side: Side, **args: object) -> Message:
    """A sentence about a side, which it names as the players do."""
    return Message(f"occasion.{id}", {"side": state.setup.name(side), **args})


def player_name(state: State, id: str, side: Side | None = None) -> str:
    """What a player is called; without a side the one of either list, the id where that is nobody or not clear."""
    cards = [state.card(each, id) for each in (SIDES if side is None else (side,))]
    names = {card.name for card in cards if card is not None}
    return names.pop() if len(names) == 1 else id


def player_names(state: State, ids: Iterable[str], side: Side | None = None) -> str:
    """Several players, with commas."""
    return ", ".join(player_name(state, id, side) for id in ids)


def chance_name(state: State, id: str) -> str:
    """What a chance card is called; its id if it is not known."""
    chance = state.occasions.get(id)
    return id if chance is None else chance.name


def post(state: State, id: str) -> Message:
    """A post as the players write it: the usual ones in their language, a match's own ones as they are."""
    usual = DEFAULT_POSTS.get(id)
    return word("post", id) if usual is not None and state.setup.posts.get(id) == usual else literal(id)


def posts(state: State, ids: Sequence[str]) -> Message:
    """Several posts, with commas; a word for none."""
    return listed([post(state, id) for id in ids]) if ids else word("posts", "none")


def ability(name: str) -> Message:
    """An ability: those of the rules in the player's language, all others as they are printed."""
    return word("ability", name) if name in RULED_ABILITIES else literal(name)
