"""Points and the end of a match (chapter 10)."""

from __future__ import annotations

from dataclasses import replace

from companion.games.hoops21 import inbounding
from companion.games.hoops21.state import ALL_DICE, State
from companion.games.hoops21.tables import Side, other


def over(state: State, winner: Side) -> State:
    """The match ends at once; pawn, attack and token stay as they are (HB-10.2)."""
    return replace(
        state,
        phase="over",
        winner=winner,
        dice_next=ALL_DICE,
        contest=None,
        free_throws=None,
        set_aside=None,
    )


def scored(state: State, side: Side, points: int) -> State:
    """Points for a side, which end the match at the target (HB-10.2)."""
    orange, white = state.score
    score = (orange + points, white) if side == "orange" else (orange, white + points)
    state = replace(state, score=score)
    return over(state, side) if max(score) >= state.setup.target else state


def basket(state: State, side: Side, points: int) -> State:
    """Points for a side, then inbounding by the other team (HB-10.1)."""
    state = scored(state, side, points)
    return state if state.phase == "over" else inbounding.start(state, other(side))
