"""Cases that the rules do not cover (chapter 12): the players decide, or one of them concedes."""

from __future__ import annotations

from dataclasses import replace

from companion.games.base import Outcome
from companion.games.hoops21 import inbounding
from companion.games.hoops21.events import Concede, Ruling
from companion.games.hoops21.refusals import refusal
from companion.games.hoops21.scoring import end_match
from companion.games.hoops21.state import ALL_DICE, State
from companion.games.hoops21.tables import SIDES, opponent


def check_ruling(state: State, event: Ruling) -> None:
    """Check section, then score, then token (HB-12.1). Raises: Refusal."""
    sections = state.setup.court.sections
    if event.restart == "throw" and not 1 <= (event.section or 0) <= sections:
        raise refusal("HB-12.1", "section", sections=sections)
    if min(_score(state, event)) < 0:
        raise refusal("HB-12.1", "score")
    if state.phase == "reroll" and event.token is not None and event.restart is None:
        raise refusal("HB-12.1", "token_reroll")
    if state.token is None and event.token is None and event.restart in ("throw", "inbound"):
        raise refusal("HB-12.1", "token_missing")


def apply_ruling(state: State, event: Ruling) -> tuple[State, Outcome]:
    """Apply the points first, which may end the match; then token and restart."""
    state = replace(state, score=_score(state, event), token=event.token or state.token)
    winner = next((side for side, points in zip(SIDES, state.score, strict=True) if points >= state.setup.target), None)
    state = end_match(state, winner) if winner is not None else _restarted(state, event)
    return state, {"score": dict(zip(SIDES, state.score, strict=True)), "pawn": state.pawn}


def apply_concede(state: State, event: Concede) -> tuple[State, Outcome]:
    """Apply a concession (HB-12.2)."""
    winner = opponent(event.team)
    return end_match(state, winner), {"winner": winner}


def _score(state: State, event: Ruling) -> tuple[int, int]:
    return state.score[0] + event.points[0], state.score[1] + event.points[1]


def _restarted(state: State, event: Ruling) -> State:
    """Drop everything pending and restart; without a restart the phase does not change."""
    if event.restart is None:
        return state
    if event.restart == "inbound" and event.team is not None:
        return inbounding.start(state, event.team)
    state = replace(state, dice_next=ALL_DICE, contest=None, free_throws=None, set_aside=None)
    if event.restart == "throw" and event.section is not None:
        attack = state.setup.court.attacker(event.section)
        return replace(state, phase="throw", attack=attack, pawn=event.section)
    return replace(state, phase="jump_ball", attack=None, pawn=None)
