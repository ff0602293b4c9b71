"""Whom a card's ribbon names (chapter 5): places, full backs that are not there, the shift to the right."""

from __future__ import annotations

from companion.games.footclub.events import CardReference
from companion.games.footclub.refusing import refusal
from companion.games.footclub.state import Club, State
from companion.games.footclub.tables import CB, COLOURS, FB, POSTS, RIBBON_WIDTH, Section, Side
from companion.games.footclub.words import card as card_word

_PLACES = {f"{post}_{hand}": (index, -(hand == "r")) for index, post in enumerate(POSTS) for hand in "lr"}
"""Each place as a post and the index there: 0 is the first from the left, -1 the last (FC-5.4)."""


def at_place(club: Club, place: str) -> str | None:
    """The player at a place such as `dm_l` (FC-5.4, FC-5.5), or None if it cannot be filled."""
    post, index = _PLACES[place]
    lineup = club.lineup
    if lineup is None:
        return None
    line = lineup[post]
    if not line and post == FB:
        line = lineup[CB]
    return line[index] if line else None


def at_section(club: Club, section: Section) -> tuple[str, ...] | None:
    """The players that a section names, or None if one of its places cannot be filled."""
    ids = []
    for place in section:
        id = at_place(club, place)
        if id is None:
            return None
        ids.append(id)
    return tuple(ids)


def along(club: Club, ribbon: tuple[Section, ...], colour: str) -> tuple[tuple[str, ...], str] | None:
    """The players named by a whole ribbon and the colour that was read, shifts included (FC-5.6)."""
    start = COLOURS.index(colour)
    for step in range(len(COLOURS)):
        index = (start + step) % len(COLOURS)
        ids = at_section(club, ribbon[index])
        if ids is not None:
            return ids, COLOURS[index]
    return None


def check_reference(state: State, reference: CardReference, type: str) -> None:
    """FC-1.8 for a malformed ribbon or section, FC-4.8 for a number that is not of that type."""
    if reference.number is not None:
        card = state.setup.match_card(reference.number)
        if card is None:
            raise refusal("FC-4.8", "unknown", number=reference.number)
        if card.type != type:
            raise refusal("FC-4.8", "type", number=reference.number, card=card_word(type))
    elif reference.ribbon is None and reference.section is None:
        raise refusal("FC-1.8", "two" if RIBBON_WIDTH[type] == 2 else "one", card=card_word(type))


def named(state: State, side: Side, reference: CardReference) -> tuple[tuple[str, ...], str]:
    """The players of a side that a card names and the colour read; raises FC-5.6 or FC-5.7."""
    club = state.club(side)
    colour = state.colour or COLOURS[0]
    if reference.section is not None:
        ids = at_section(club, reference.section)
        if ids is None:
            raise refusal("FC-5.7")
        return ids, colour
    ribbon = reference.ribbon
    if reference.number is not None:
        card = state.setup.match_card(reference.number)
        ribbon = card.ribbon if card else None
    found = along(club, ribbon, colour) if ribbon else None
    if found is None:
        raise refusal("FC-5.6")
    return found
