"""Level `scores`: the dice kept are logged as an attack or a defence (NBA-7.9)."""

from __future__ import annotations

from dataclasses import replace

from companion.games.base import Outcome
from companion.games.nba import events as ev
from companion.games.nba.activation import check_kept
from companion.games.nba.cards import TacticCard
from companion.games.nba.dice_set import check_dice, lying
from companion.games.nba.known import wrong
from companion.games.nba.refusing import refusal
from companion.games.nba.scoring import now_against
from companion.games.nba.state import State, moved
from companion.games.nba.teams import Laid


def check_attack(state: State, event: ev.Attack) -> None:
    """NBA-1.2, 2.4, 2.6, 2.5, 7.7."""
    _check_laid(state, event, "offence")


def check_defend(state: State, event: ev.Defend) -> None:
    """NBA-1.2, 2.4, 2.5, 7.7, 7.5."""
    _check_laid(state, event, "defence")
    most = 0 if state.money_time else state.pile
    if event.fatigue > most:
        raise refusal("NBA-7.5", "cards", n=most)


def _check_laid(state: State, event: ev.Attack | ev.Defend, type_: str) -> None:
    card = named_tactic(state, event.tactic)
    if card is not None and card.type != type_:
        raise wrong("tactic")
    check_dice(state.setup.dice_set, event.dice)
    if card is not None:
        check_kept(card, [die.kind for die in event.dice])


def named_tactic(state: State, name: str | None) -> TacticCard | None:
    """The tactic card that a text names, if it is the id of one."""
    card = state.setup.cards.get(name) if name is not None else None
    return card if isinstance(card, TacticCard) else None


def apply_attack(state: State, event: ev.Attack) -> tuple[State, Outcome]:
    laid = Laid(tuple([lying(die) for die in event.dice]), event.tactic)
    team = replace(state.team(state.mover), attack=laid if laid.dice else None)
    return moved(state, team, "offence", "activation"), {"value": laid.value}


def apply_defend(state: State, event: ev.Defend) -> tuple[State, Outcome]:
    laid = Laid(tuple([lying(die) for die in event.dice]), event.tactic)
    team = state.team(state.mover)
    team = replace(team, defence=laid if laid.dice else None, taken=team.taken + event.fatigue)
    state = moved(replace(state, pile=state.pile - event.fatigue), team, "defence", "activation")
    return state, {"against": now_against(state, team.side), "fatigue": event.fatigue}
