"""The course of turns: opening, end, ultimate turns, the end of a period, overtime (chapters 4 and 8)."""

from __future__ import annotations

from dataclasses import replace

from companion.games.base import Outcome
from companion.games.nba import events as ev
from companion.games.nba import solo
from companion.games.nba.card_lookup import invalid_field
from companion.games.nba.market_track import EMPTY_TRACK, advance_track, initial_track
from companion.games.nba.match_end import end_period
from companion.games.nba.refusals import refusal
from companion.games.nba.scoring import ScoredAttack, clear_after_scoring, clear_all, score_attack
from companion.games.nba.setup import Setup
from companion.games.nba.state import Opponent, State
from companion.games.nba.tables import FATIGUE_CARD, OVERTIME_TURNS
from companion.games.nba.teams import Team


def initial_state(setup: Setup) -> State:
    """Return the match with its first turn open (NBA-4.1)."""
    state = State(
        setup,
        tuple([_team(setup, side) for side in setup.sides]),
        ((0, 0),) * len(setup.pairs),
        "adjust",
        setup.first,
        setup.first,
        limit=setup.limit,
        pile=setup.fatigue_cards,
        opponent=Opponent(setup.solo.resources) if setup.solo else None,
    )
    return _open(initial_track(state), setup.first)[0]


def _team(setup: Setup, side: str) -> Team:
    roster = setup.rosters.get(side)
    if roster is None:
        return Team(side)
    return Team(side, roster.court, (roster.tactics or ()) if setup.is_solo(side) else (), roster.mini)


def _open(state: State, side: str) -> tuple[State, tuple[ScoredAttack, ...]]:
    """Open a side's turn: its attack is scored, dice leave the zones, the track moves, the counter rises."""
    state = replace(state, active=side, phase="adjust", done=(), laid=0)
    state, scored = score_attack(state, side)
    state = clear_after_scoring(state, side)
    if state.ultimate:
        return state, scored
    if state.opponent is not None and state.solo_turn:
        risen = state.opponent.resources + 1
        state = replace(state, opponent=replace(state.opponent, resources=risen, again=False))
    return advance_track(state), scored


def check_end_turn(state: State, event: ev.EndTurn) -> None:
    """Check NBA-1.2 (after NBA-8.2 for a fatigue card), 8.2, 8.3, 12.8. Raises: Refusal."""
    if FATIGUE_CARD in event.eliminated:
        raise refusal("NBA-8.2", "fatigue")
    known = state.setup.cards if state.setup.full else ()
    if any(id not in known for id in event.eliminated):
        raise invalid_field("eliminated")
    on_court = set(event.eliminated) & set(state.team(state.active_side).court)
    if on_court:
        raise refusal("NBA-8.2", "on_court", card=state.setup.card(min(on_court)).name)
    if event.market_empty and (state.setup.clock != "market" or state.ultimate or state.period):
        raise refusal("NBA-8.3")
    solo.check_end(state)


def apply_end_turn(state: State, event: ev.EndTurn) -> tuple[State, Outcome]:
    team = state.team(state.active_side)
    if event.eliminated:
        team = replace(team, eliminated=(*team.eliminated, *event.eliminated))
        state = replace(state, teams=state.with_teams(team))
    following = state.setup.next_side(team.side)
    if state.last is not None and following == state.last:
        state, scored = _end_period(state, state.last)
    elif state.last is not None:
        state, scored = _open(state, following)
    elif event.market_empty or state.turn == state.limit:
        state, scored = _open(replace(state, last=team.side), following)
    else:
        state, scored = _open(replace(state, turn=state.turn + 1), following)
    return state, {
        "next": state.active,
        "turn": state.turn,
        "ultimate": state.ultimate,
        "scored": [each.as_outcome() for each in scored],
        "phase": state.phase,
    }


def _end_period(state: State, last: str) -> tuple[State, tuple[ScoredAttack, ...]]:
    """Score the attack of the last normal turn and remove all dice (NBA-8.4)."""
    state, scored = score_attack(state, last)
    state = replace(clear_all(state), active=None, last=None, done=())
    return end_period(state), scored


def check_overtime(state: State, event: ev.Overtime) -> None:
    """Check nothing beyond the phase."""


def apply_overtime(state: State, event: ev.Overtime) -> tuple[State, Outcome]:
    """Start overtime (NBA-8.7)."""
    first = state.setup.next_side(state.first)
    state = replace(
        state,
        period=state.period + 1,
        turn=1,
        limit=OVERTIME_TURNS,
        first=first,
        deck=0,
        track=EMPTY_TRACK if state.setup.full else (),
    )
    state, _ = _open(state, first)
    return state, {"period": state.period, "first": first}
