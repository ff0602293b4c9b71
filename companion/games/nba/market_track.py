"""The track of the player market: its moves when a turn opens, and the adjustment phase (NBA-6.1, NBA-6.2)."""

from __future__ import annotations

from dataclasses import replace

from companion.games.base import Outcome
from companion.games.nba import events as ev
from companion.games.nba.card_lookup import known_players
from companion.games.nba.refusals import refusal
from companion.games.nba.state import State
from companion.games.nba.tables import TRACK_SLOTS

HIDDEN_CARD = "?"
EMPTY_TRACK: tuple[None, ...] = (None,) * TRACK_SLOTS

Track = tuple[str | None, ...]


def initial_track(state: State) -> State:
    """Lay out the player deck and its first card on slot 1, before any turn (NBA-3.5)."""
    state = replace(state, deck=state.setup.market_cards, track=EMPTY_TRACK if state.setup.full else ())
    return _advance(state)[0]


def advance_track(state: State) -> State:
    """Move the track at the opening of a normal turn (NBA-6.1); for a solo opponent NBA-12.2."""
    if state.period or state.solo_turn:
        return replace(state, laid=0)
    before, left = state.deck, 0
    for _ in range(_advances(state)):
        state, gone = _advance(state)
        left += gone
    state = replace(state, laid=before - state.deck)
    if state.opponent is not None:
        state = replace(state, opponent=replace(state.opponent, given=left))
    return state


def _advances(state: State) -> int:
    """Return how many steps the track makes when a person's turn opens (NBA-6.1, NBA-12.2)."""
    return 1 if state.opponent is None else 2


def _advance(state: State) -> tuple[State, bool]:
    """Make one step; also return whether a card left the track. Level `scores` only counts the deck."""
    if not state.setup.full:
        return replace(state, deck=max(0, state.deck - 1)), False
    if state.deck:
        track, left = _pushed(state.track, next_card(state))
        return replace(state, track=track, deck=state.deck - 1), left
    return replace(state, track=(None, *state.track[:-1])), state.track[-1] is not None


def next_card(state: State) -> str:
    """Return the top card of the player deck; known only with a `market_list`."""
    deck = state.setup.market_list
    return deck[state.setup.market_cards - state.deck] if deck else HIDDEN_CARD


def _pushed(track: Track, card: str) -> tuple[Track, bool]:
    """Lay a card on slot 1; it pushes the cards before the first empty slot. If no slot is empty, slot 6 leaves."""
    gap = track.index(None) if None in track else TRACK_SLOTS - 1
    return (card, *track[:gap], *track[gap + 1 :]), track[gap] is not None


def check_adjust(state: State, event: ev.Adjust) -> None:
    """Check NBA-1.2, then NBA-6.1. Raises: Refusal."""
    cards = known_players(state, event.revealed)
    if len(event.revealed) > state.laid:
        raise refusal("NBA-6.1", "too_many", n=state.laid)
    if len(set(event.revealed)) < len(event.revealed) or any(card.role != "nba" for card in cards):
        raise refusal("NBA-6.1", "cards")
    for slot, id in zip(newest_slots(state), event.revealed, strict=False):
        if state.track[slot] not in (HIDDEN_CARD, id):
            raise refusal("NBA-6.1", "known", card=state.setup.card(id).name)


def newest_slots(state: State) -> range:
    """Return the slots of the cards just laid down, the oldest first; a step without a card has moved them further."""
    oldest = _advances(state) - 1
    return range(oldest, oldest - state.laid, -1)


def apply_adjust(state: State, event: ev.Adjust) -> tuple[State, Outcome]:
    track = list(state.track)
    for slot, id in zip(newest_slots(state), event.revealed, strict=False):
        track[slot] = id
    state = replace(state, track=tuple(track), phase="actions", done=state.done_with("adjust"))
    visible_track = None if state.period else track
    return state, {"track": visible_track, "tactics_replaced": event.tactics_replaced}
