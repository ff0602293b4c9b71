"""Points and the end of a match (chapter 10)."""

from __future__ import annotations

from dataclasses import replace

from companion.games.hoops21 import inbounding
from companion.games.hoops21.state import ALL_DICE, State
from companion.games.hoops21.tables import Side, opponent


def end_match(state: State, winner: Side) -> State:
    """End the match at once; pawn, attack and token do not change (HB-10.2)."""
    return replace(
        state,
        phase="over",
        winner=winner,
        dice_next=ALL_DICE,
        contest=None,
        free_throws=None,
        set_aside=None,
    )


def add_points(state: State, side: Side, points: int) -> State:
    """Add points for a side; the match ends at the target (HB-10.2)."""
    orange, white = state.score
    score = (orange + points, white) if side == "orange" else (orange, white + points)
    state = replace(state, score=score)
    return end_match(state, side) if max(score) >= state.setup.target else state


def score_basket(state: State, side: Side, points: int) -> State:
    """Add points for a side, then start inbounding by the other team (HB-10.1)."""
    state = add_points(state, side, points)
    return state if state.phase == "over" else inbounding.start(state, opponent(side))
