"""Match cards as counts (chapter 4): reserve, tactical choice, playable cards, discards."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from companion.games.base import Outcome, Refusal
from companion.games.footclub.events import Tactics
from companion.games.footclub.messages import card_message as card_word
from companion.games.footclub.refusals import refusal
from companion.games.footclub.state import Club, State
from companion.games.footclub.tables import COPIES, INDEX, PILE_SIZES, SUPPORTERS, TYPES


def with_count_changed(counts: tuple[int, ...], index: int, by: int) -> tuple[int, ...]:
    """Return counts by type with one of them changed."""
    return (*counts[:index], counts[index] + by, *counts[index + 1 :])


def reserve(club: Club) -> tuple[int, ...]:
    """Return the cards of each type that a tactical choice may take (FC-4.4).

    These are all copies minus the Supporters in the stands.
    """
    return with_count_changed(tuple(COPIES.values()), SUPPORTERS, -club.supporters)


def pile_size(state: State) -> int:
    """Return the number of cards in the tactical choice for the coming half (FC-4.3)."""
    return PILE_SIZES[state.half + 1]


def unplayable_refusal(club: Club, type: str) -> Refusal | None:
    """Return why no card of a type can be played from the hand (FC-4.6, FC-4.7), or None."""
    if club.hand < 1:
        return refusal("FC-4.6", card=card_word(type))
    if club.cards_left is not None and club.cards_left[INDEX[type]] < 1:
        return refusal("FC-4.7", card=card_word(type))
    return None


def check_play(club: Club, type: str) -> None:
    reason = unplayable_refusal(club, type)
    if reason is not None:
        raise reason


def play_card(club: Club, type: str) -> Club:
    """Return the club after a card left the hand but has not taken effect yet (FC-4.1)."""
    left = club.cards_left
    return replace(
        club, hand=club.hand - 1, cards_left=None if left is None else with_count_changed(left, INDEX[type], -1)
    )


def play_and_discard(club: Club, type: str) -> Club:
    """Return the club after a card moved from the hand to the discard pile."""
    left = club.cards_left
    return replace(
        club,
        hand=club.hand - 1,
        cards_left=None if left is None else with_count_changed(left, INDEX[type], -1),
        discard=with_count_changed(club.discard, INDEX[type], 1),
    )


def discard_played(club: Club, type: str) -> Club:
    """Return the club after a previously played card moved to the discard pile (FC-4.1)."""
    return replace(club, discard=with_count_changed(club.discard, INDEX[type], 1))


def check_tactics(state: State, event: Tactics) -> None:
    club = state.club(event.side)
    if club.cards_left is not None:
        raise refusal("FC-18.6", "tactics")
    if event.cards is None:
        return
    if sum(event.cards) != pile_size(state):
        raise refusal("FC-4.3", pile=pile_size(state), cards=sum(event.cards))
    for type_, count, most in zip(TYPES, event.cards, reserve(club), strict=True):
        if count > most:
            raise refusal("FC-4.4", card=card_word(type_), n=most)


def apply_tactics(state: State, event: Tactics) -> tuple[State, Outcome]:
    club = state.club(event.side)
    known = event.cards is not None
    club = replace(club, cards_left=reserve(club) if event.cards is None else event.cards, tactics_known=known)
    return replace(state, clubs=state.with_clubs(club)), {"cards": pile_size(state), "known": known}


def check_discardable(club: Club, types: tuple[str, ...]) -> None:
    """Check a list of discards (FC-4.7). Raises: Refusal."""
    for type_, count in Counter(types).items():
        if club.cards_left is not None and club.cards_left[INDEX[type_]] < count:
            raise refusal("FC-4.7", "discard", card=card_word(type_))


def discard_from_hand(club: Club, types: tuple[str, ...]) -> Club:
    """Return the club after these cards moved from its hand to its discard pile (FC-4.9)."""
    for type_ in types:
        club = play_and_discard(club, type_)
    return club
