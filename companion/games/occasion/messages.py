"""Message ids for this game's identifiers, and names of cards and sides. All conversions from id to text are here."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from companion.games.base import Message
from companion.games.occasion.state import State
from companion.games.occasion.tables import DEFAULT_POSTS, RULED_ABILITIES, SIDES, Side
from companion.games.wording import comma_separated, literal


def word(kind: str, identifier: str) -> Message:
    """Return the text of an identifier of the glossary: `kind` is `move`, `stat`, `post`, `phase` …"""
    return Message(f"occasion.{kind}.{identifier}")


def side_message(id: str, state: State, side: Side, **args: object) -> Message:
    """Return a sentence about a side, by its name."""
    return Message(f"occasion.{id}", {"side": state.setup.name(side), **args})


def player_name(state: State, id: str, side: Side | None = None) -> str:
    """Return a player's name; without a side, that of either list; the id if it is unknown or ambiguous."""
    cards = [state.card(each, id) for each in (SIDES if side is None else (side,))]
    names = {card.name for card in cards if card is not None}
    return names.pop() if len(names) == 1 else id


def player_names(state: State, ids: Iterable[str], side: Side | None = None) -> str:
    """Return several player names, joined by commas."""
    return ", ".join(player_name(state, id, side) for id in ids)


def chance_name(state: State, id: str) -> str:
    """Return a chance card's name, or its id if it is not known."""
    chance = state.occasions.get(id)
    return id if chance is None else chance.name


def post_message(state: State, id: str) -> Message:
    """Return a post's name: the usual ones translated, a match's own ones as they are."""
    usual = DEFAULT_POSTS.get(id)
    return word("post", id) if usual is not None and state.setup.posts.get(id) == usual else literal(id)


def posts_message(state: State, ids: Sequence[str]) -> Message:
    """Return several post names, joined by commas; a word for none."""
    return comma_separated([post_message(state, id) for id in ids]) if ids else word("posts", "none")


def full_post_message(state: State, id: str) -> Message:
    """Return a post's full name with its abbreviation; a match's own posts as they are."""
    short = post_message(state, id)
    return (
        short
        if short.id == literal("").id
        else Message("occasion.posts.full", {"name": word("post_name", id), "post": short})
    )


def full_posts_message(state: State, ids: Sequence[str]) -> Message:
    """Return the full names of several posts, joined by commas; a word for none."""
    return comma_separated([full_post_message(state, id) for id in ids]) if ids else word("posts", "none")


def ability_message(name: str) -> Message:
    """Return an ability's name: those of the rules translated, all others as printed."""
    return word("ability", name) if name in RULED_ABILITIES else literal(name)
