"""Substitutions, and the fatigue cards that they remove from the hand (NBA-6.3, NBA-6.4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from companion.games.base import Outcome
from companion.games.nba import events as ev
from companion.games.nba.card_lookup import known_player
from companion.games.nba.refusals import refusal
from companion.games.nba.state import State, with_step
from companion.games.nba.tables import POSITIONS
from companion.games.nba.teams import Team


def court_after(team: Team, event: ev.Replace) -> tuple[str, ...]:
    """Return the court after the event."""
    named = dict(event.court)
    return tuple([named.get(position, id) for position, id in zip(POSITIONS, team.court, strict=True)])


def cards_not_in(cards: Sequence[str], other: Sequence[str]) -> list[str]:
    """Return the cards that are not among the other ones, in their order."""
    return [id for id in cards if id not in other]


def check_replace(state: State, event: ev.Replace) -> None:
    """Check NBA-1.2, then NBA-6.3, then NBA-6.4. Raises: Refusal."""
    for _, id in event.court:
        known_player(state, id)
    team = state.team(state.active_side)
    court = court_after(team, event)
    if len(set(court)) < len(court):
        raise refusal("NBA-6.3", "twice")
    for position, id in zip(POSITIONS, court, strict=True):
        card = state.setup.player(id)
        if position not in card.positions:
            raise refusal("NBA-6.3", "position", card=card.name)
    if court == team.court:
        raise refusal("NBA-6.3", "nothing")
    entered = cards_not_in(court, team.court)
    for id in entered:
        if may_not_enter(state, id):
            raise refusal("NBA-6.3", "gone", card=state.setup.card(id).name)
    if event.fatigue_removed > min(len(entered), team.fatigue_held):
        raise refusal("NBA-6.4", most=min(len(entered), team.fatigue_held))


def may_not_enter(state: State, id: str) -> bool:
    """Return True if a card was removed from the match, or is unique and is removed or on court elsewhere."""
    if state.setup.player(id).role != "nba":
        return id in state.team(state.active_side).eliminated
    return any(id in team.eliminated or (team.side != state.active_side and id in team.court) for team in state.teams)


def apply_replace(state: State, event: ev.Replace) -> tuple[State, Outcome]:
    team = state.team(state.active_side)
    court = court_after(team, event)
    entered = cards_not_in(court, team.court)
    removed = event.fatigue_removed
    back = removed if state.setup.removed_to == "pile" else 0
    changed = replace(team, court=court, removed=team.removed + removed)
    outcome = {
        "entered": entered,
        "left": cards_not_in(team.court, court),
        "draw": len(entered),
        "fatigue_removed": removed,
    }
    return with_step(replace(state, pile=state.pile + back), changed, "replace"), outcome
