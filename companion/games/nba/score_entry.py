"""Level `scores`: the kept dice are logged as an attack or a defence (NBA-7.9)."""

from __future__ import annotations

from dataclasses import replace

from companion.games.base import Outcome
from companion.games.nba import events as ev
from companion.games.nba.activation import check_kept
from companion.games.nba.card_lookup import invalid_field
from companion.games.nba.cards import TacticCard
from companion.games.nba.dice_set import check_dice, die_face
from companion.games.nba.refusals import refusal
from companion.games.nba.scoring import stopped_points
from companion.games.nba.state import State, with_step
from companion.games.nba.teams import LaidDice


def check_attack(state: State, event: ev.Attack) -> None:
    """Check NBA-1.2, 2.4, 2.6, 2.5, 7.7. Raises: Refusal."""
    _check_laid(state, event, "offence")


def check_defend(state: State, event: ev.Defend) -> None:
    """Check NBA-1.2, 2.4, 2.5, 7.7, 7.5. Raises: Refusal."""
    _check_laid(state, event, "defence")
    most = 0 if state.money_time else state.pile
    if event.fatigue > most:
        raise refusal("NBA-7.5", "cards", n=most)


def _check_laid(state: State, event: ev.Attack | ev.Defend, type_: str) -> None:
    card = named_tactic(state, event.tactic)
    if card is not None and card.type != type_:
        raise invalid_field("tactic")
    check_dice(state.setup.dice_set, event.dice)
    if card is not None:
        check_kept(card, [die.kind for die in event.dice])


def named_tactic(state: State, name: str | None) -> TacticCard | None:
    """Return the tactic card whose id is this text, or None."""
    card = state.setup.cards.get(name) if name is not None else None
    return card if isinstance(card, TacticCard) else None


def apply_attack(state: State, event: ev.Attack) -> tuple[State, Outcome]:
    laid = LaidDice(tuple([die_face(die) for die in event.dice]), event.tactic)
    team = replace(state.team(state.active_side), attack=laid if laid.dice else None)
    return with_step(state, team, "offence", "activation"), {"value": laid.value}


def apply_defend(state: State, event: ev.Defend) -> tuple[State, Outcome]:
    laid = LaidDice(tuple([die_face(die) for die in event.dice]), event.tactic)
    team = state.team(state.active_side)
    team = replace(team, defence=laid if laid.dice else None, taken=team.taken + event.fatigue)
    state = with_step(replace(state, pile=state.pile - event.fatigue), team, "defence", "activation")
    return state, {"against": stopped_points(state, team.side), "fatigue": event.fatigue}
