"""Substitutions and the fatigue they take out of the hand (NBA-6.3, NBA-6.4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from companion.games.base import Outcome
from companion.games.nba import events as ev
from companion.games.nba.known import known_player
from companion.games.nba.refusing import refusal
from companion.games.nba.state import State, moved
from companion.games.nba.tables import POSITIONS
from companion.games.nba.teams import Team


def court_after(team: Team, event: ev.Replace) -> tuple[str, ...]:
    """The court once the cards stand as the event says."""
    named = dict(event.court)
    return tuple([named.get(position, id) for position, id in zip(POSITIONS, team.court, strict=True)])


def not_in(cards: Sequence[str], other: Sequence[str]) -> list[str]:
    """The cards that are not among the other ones, in their order."""
    return [id for id in cards if id not in other]


def check_replace(state: State, event: ev.Replace) -> None:
    """NBA-1.2, then NBA-6.3, then NBA-6.4."""
    for _, id in event.court:
        known_player(state, id)
    team = state.team(state.mover)
    court = court_after(team, event)
    if len(set(court)) < len(court):
        raise refusal("NBA-6.3", "twice")
    for position, id in zip(POSITIONS, court, strict=True):
        card = state.setup.player(id)
        if position not in card.positions:
            raise refusal("NBA-6.3", "position", card=card.name)
    if court == team.court:
        raise refusal("NBA-6.3", "nothing")
    entered = not_in(court, team.court)
    for id in entered:
        if may_not_enter(state, id):
            raise refusal("NBA-6.3", "gone", card=state.setup.card(id).name)
    if event.fatigue_removed > min(len(entered), team.held):
        raise refusal("NBA-6.4", most=min(len(entered), team.held))


def may_not_enter(state: State, id: str) -> bool:
    """Whether a card was removed from the match, or is unique and removed or on court elsewhere."""
    if state.setup.player(id).role != "nba":
        return id in state.team(state.mover).eliminated
    return any(id in team.eliminated or (team.side != state.mover and id in team.court) for team in state.teams)


def apply_replace(state: State, event: ev.Replace) -> tuple[State, Outcome]:
    team = state.team(state.mover)
    court = court_after(team, event)
    entered = not_in(court, team.court)
    removed = event.fatigue_removed
    back = removed if state.setup.removed_to == "pile" else 0
    changed = replace(team, court=court, removed=team.removed + removed)
    outcome = {
        "entered": entered,
        "left": not_in(team.court, court),
        "draw": len(entered),
        "fatigue_removed": removed,
    }
    return moved(replace(state, pile=state.pile + back), changed, "replace"), outcome
