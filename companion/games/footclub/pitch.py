"""The pitch in the centre of the screen: the ten places of the club that acts, with tokens and odds, and the ball."""

from __future__ import annotations

from fractions import Fraction

from companion.games.base import Message
from companion.games.figures import Pitch, PitchBall, PitchPlace
from companion.games.footclub import odds
from companion.games.footclub.duel import ALWAYS_AGGRESSIVE
from companion.games.footclub.messages import place_message
from companion.games.footclub.state import Club, State
from companion.games.footclub.tables import POSTS, Side
from companion.games.footclub.targeting import player_at_place
from companion.games.wording import percent, short_name

WINNING_THE_BALL = ("preparation", "possession")
"""Phases in which the club without the ball presses, tackles or leaves it, and nothing else may happen."""


def figures(state: State) -> tuple[Pitch, ...]:
    """Return the pitch of the club that acts; empty while nobody has the ball or no team is on the pitch."""
    if state.possession is None or state.holder is None or state.colour is None:
        return ()
    holders = state.club(state.possession)
    at = holders.place_of(state.holder)
    if at is None or any(club.lineup is None for club in state.clubs):
        return ()
    name = short_name(holders.players[state.holder].card.name)
    ball = PitchBall(state.colour, name, state.possession, at[0])
    if state.phase in WINNING_THE_BALL:
        usual = {mode: percent(odds.duel(mode, 0)["success"]) for mode in ("regular", "aggressive")}
        strong = any(_tackles_better(state.club(state.defenders), f"{post}_{hand}") for post in POSTS for hand in "lr")
        rugged = {"rugged": percent(_rugged_odds())} if strong else {}
        detail = Message("footclub.pitch.winning_rugged" if strong else "footclub.pitch.winning", usual | rugged)
        return (_pitch(state, state.defenders, ball, True, detail),)
    return (_pitch(state, state.possession, ball, False, None),)


def _pitch(state: State, side: Side, ball: PitchBall, wins_ball: bool, detail: Message | None) -> Pitch:
    club = state.club(side)
    left, right = (tuple(_place(club, f"{post}_{hand}", wins_ball) for post in POSTS) for hand in "lr")
    return Pitch(side, (left, right), ball, detail)


def _place(club: Club, place: str, wins_ball: bool) -> PitchPlace:
    """Return a place with the player that a card names there (FC-5.4, FC-5.5).

    `wins_ball` adds his freshness tokens and the odds of his tackle.
    """
    id = player_at_place(club, place)
    if id is None:
        return PitchPlace(place_message(place))
    player = club.players[id]
    name = short_name(player.card.name)
    if not wins_ball:
        return PitchPlace(place_message(place), name)
    effect = percent(_rugged_odds()) if _tackles_better(club, place) else None
    return PitchPlace(place_message(place), name, player.freshness, effect)


def _tackles_better(club: Club, place: str) -> bool:
    """Return True if a card names a rugged player at this place: he tackles with a bonus, always aggressively."""
    id = player_at_place(club, place)
    return id is not None and club.players[id].card.strength == ALWAYS_AGGRESSIVE["tackle"]


def _rugged_odds() -> Fraction:
    return odds.duel("aggressive", 1)["success"]
