"""The players that a card's ribbon names (chapter 5): places, missing full backs, the shift to the right."""

from __future__ import annotations

from companion.games.footclub.events import CardReference
from companion.games.footclub.messages import card_message as card_word
from companion.games.footclub.refusals import refusal
from companion.games.footclub.state import Club, State
from companion.games.footclub.tables import CB, COLOURS, FB, POSTS, RIBBON_WIDTH, Section, Side

_PLACES = {f"{post}_{hand}": (index, -(hand == "r")) for index, post in enumerate(POSTS) for hand in "lr"}
"""Each place as a post and the index within it: 0 is the first from the left, -1 the last (FC-5.4)."""


def player_at_place(club: Club, place: str) -> str | None:
    """Return the player at a place such as `dm_l` (FC-5.4, FC-5.5), or None if it cannot be filled."""
    post, index = _PLACES[place]
    lineup = club.lineup
    if lineup is None:
        return None
    line = lineup[post]
    if not line and post == FB:
        line = lineup[CB]
    return line[index] if line else None


def players_at_section(club: Club, section: Section) -> tuple[str, ...] | None:
    """Return the players that a section names, or None if one of its places cannot be filled."""
    ids = []
    for place in section:
        id = player_at_place(club, place)
        if id is None:
            return None
        ids.append(id)
    return tuple(ids)


def players_on_ribbon(club: Club, ribbon: tuple[Section, ...], colour: str) -> tuple[tuple[str, ...], str] | None:
    """Return the players named by a whole ribbon and the colour that was read, including shifts (FC-5.6)."""
    start = COLOURS.index(colour)
    for step in range(len(COLOURS)):
        index = (start + step) % len(COLOURS)
        ids = players_at_section(club, ribbon[index])
        if ids is not None:
            return ids, COLOURS[index]
    return None


def check_reference(state: State, reference: CardReference, type: str) -> None:
    """Check a card reference: FC-1.8 for a malformed ribbon or section, FC-4.8 for a number of another type.

    Raises: Refusal.
    """
    if reference.number is not None:
        card = state.setup.match_card(reference.number)
        if card is None:
            raise refusal("FC-4.8", "unknown", number=reference.number)
        if card.type != type:
            raise refusal("FC-4.8", "type", number=reference.number, card=card_word(type))
    elif reference.ribbon is None and reference.section is None:
        raise refusal("FC-1.8", "two" if RIBBON_WIDTH[type] == 2 else "one", card=card_word(type))


def named_players(state: State, side: Side, reference: CardReference) -> tuple[tuple[str, ...], str]:
    """Return the players of a side that a card names, and the colour read. Raises: Refusal (FC-5.6 or FC-5.7)."""
    club = state.club(side)
    colour = state.colour or COLOURS[0]
    if reference.section is not None:
        ids = players_at_section(club, reference.section)
        if ids is None:
            raise refusal("FC-5.7")
        return ids, colour
    ribbon = reference.ribbon
    if reference.number is not None:
        card = state.setup.match_card(reference.number)
        ribbon = card.ribbon if card else None
    found = players_on_ribbon(club, ribbon, colour) if ribbon else None
    if found is None:
        raise refusal("FC-5.6")
    return found
