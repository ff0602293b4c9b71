"""What a club may know of a match: its own cards, and of the other club what lies open.

The app knows no hand of real cards. A club that the app plays has none: its pile is shuffled here, so that its hand is
dealt by the rules (FC-14.3) and stays the same from event to event.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import replace
from random import Random

from companion.games.footclub.decisions import public_state
from companion.games.footclub.state import Club, State
from companion.games.footclub.tables import PILE_SIZES, SUPPORTERS, TYPES, Side


def known_state(state: State, sides: Collection[str], seed: str) -> State:
    """Return the state as some clubs know it. In a half, `cards_left` of each of these clubs is its hand.

    A team sheet stays secret until the club that looks has its own. `seed` decides how the piles are shuffled.
    """
    public = public_state(state)
    clubs = []
    for known, club in zip(public.clubs, state.clubs, strict=True):
        if club.side in sides:
            clubs.append(replace(club, cards_left=hand(state, club, seed)) if state.half and club.hand else club)
        else:
            composes = state.phase == "pre_match" and any(own.lineup is None for own in state.clubs if own is not club)
            clubs.append(_before_team_sheet(known) if composes else known)
    return replace(public, clubs=tuple(clubs))


def _before_team_sheet(club: Club) -> Club:
    """Return a club as it was before its team sheet."""
    players = {
        id: replace(player, status="bench", freshness=0, half_yellow=0, boost=0) if player.status == "pitch" else player
        for id, player in club.players.items()
    }
    return replace(club, lineup=None, captain=None, players=players)


def hand(state: State, club: Club, seed: str) -> tuple[int, ...]:
    """Return the hand of a club that the app plays, by type: the top cards of its shuffled pile, without used ones.

    A person who played the club before may have used cards that lie deeper: they are missing there then.
    """
    left = club.cards_left or (0,) * len(TYPES)
    used = [played - back for played, back in zip(_pile(state, club), left, strict=True)]
    order = [index for index, count in enumerate(_pile(state, club)) for _ in range(count)]
    Random(f"{seed} {club.side} {state.half}").shuffle(order)
    gone = Counter({index: count for index, count in enumerate(used) if count > 0})
    cards = [index for index, count in enumerate(used) for _ in range(-count)]
    for index in order:
        if gone[index]:
            gone[index] -= 1
        else:
            cards.append(index)
    counts = Counter(cards[: club.hand])
    return tuple(counts[index] for index in range(len(TYPES)))


def _pile(state: State, club: Club) -> tuple[int, ...]:
    """Return the tactical choice for this half: the cards left and those that left the hand since.

    Supporters also come from the stands to the discard pile: they are the rest of the choice (FC-4.3).
    """
    left = club.cards_left or (0,) * len(TYPES)
    counts = [count + discarded for count, discarded in zip(left, club.discard, strict=True)]
    for kind in _cards_on_the_table(state, club.side):
        counts[TYPES.index(kind)] += 1
    if club.tactics_known:
        others = sum(counts) - counts[SUPPORTERS]
        counts[SUPPORTERS] = PILE_SIZES[state.half] - others
    return tuple(counts)


def _cards_on_the_table(state: State, side: Side) -> list[str]:
    """Return the types of a club's cards that are played and not discarded yet (FC-4.1)."""
    cards = [state.duel.kind] if state.duel is not None and state.duel.side == side else []
    offensive = state.offensive
    if offensive is not None and offensive.side == side and offensive.set_piece is None:
        cards.append(offensive.kind)
    return cards
