"""Inbounding (chapter 9): the race to the half line against six S set aside, throw by throw or told in one line."""

from __future__ import annotations

from dataclasses import replace

from companion.games.base import Outcome
from companion.games.hoops21.dice_checks import check_dice, counted
from companion.games.hoops21.events import InboundEnd, InboundThrow
from companion.games.hoops21.refusing import refusal
from companion.games.hoops21.state import ALL_DICE, State
from companion.games.hoops21.tables import BALL, DICE, STEAL, Side, other


def start(state: State, team: Side) -> State:
    """The race begins under the team's own basket (HB-9.1); whatever was pending is over (HB-6.5)."""
    return replace(
        state,
        phase="inbound",
        attack=team,
        pawn=state.setup.court.under_own(team),
        dice_next=ALL_DICE,
        contest=None,
        free_throws=None,
        set_aside=0,
    )


def to_cross(state: State) -> int:
    """Steps left to the first section beyond the half line."""
    return state.distance - (state.setup.court.half - 1)


def due(state: State, team: Side) -> int:
    """Dice of a team's next throw in the race (HB-9.4)."""
    return DICE if team == state.attack else DICE - (state.set_aside or 0)


def check_throw(state: State, event: InboundThrow) -> None:
    check_dice(event.dice, due(state, event.team))


def apply_throw(state: State, event: InboundThrow) -> tuple[State, Outcome]:
    attack, _ = state.on_court
    counts = counted(event.dice)
    set_aside, moved = state.set_aside or 0, 0
    if event.team == attack:
        moved = min(counts[BALL], to_cross(state))
    else:
        set_aside += counts[STEAL]
    crossed, stolen = moved == to_cross(state), set_aside == DICE
    state = _moved(state, moved, set_aside)
    outcome: Outcome = {"team": event.team, "moved": moved, "set_aside": set_aside, "stolen": stolen}
    outcome |= {"crossed": crossed, "pawn": state.pawn}
    if stolen:
        state = _stolen(state)
    elif crossed:
        state = replace(state, phase="throw", set_aside=None)
    return state, outcome


def check_end(state: State, event: InboundEnd) -> None:
    """HB-9.6."""
    if not event.stolen:
        if event.section is not None:
            raise refusal("HB-9.6", "no_section")
        return
    sections = steal_sections(state)
    if event.section not in sections:
        raise refusal("HB-9.6", "section", first=sections[0], last=sections[-1])


def steal_sections(state: State) -> list[int]:
    """Where the pawn may lie when the ball is stolen, its logged place first (HB-9.6)."""
    attack, pawn = state.on_court
    beyond = state.setup.court.beyond(attack)
    return list(range(pawn, beyond, 1 if beyond > pawn else -1))


def apply_end(state: State, event: InboundEnd) -> tuple[State, Outcome]:
    attack, _ = state.on_court
    if event.stolen:
        state = _stolen(replace(state, pawn=event.section))
    else:
        state = replace(state, phase="throw", pawn=state.setup.court.beyond(attack), set_aside=None)
    return state, {"stolen": event.stolen, "crossed": not event.stolen, "pawn": state.pawn}


def _moved(state: State, steps: int, set_aside: int) -> State:
    attack, pawn = state.on_court
    return replace(state, pawn=state.setup.court.forward(attack, pawn, steps), set_aside=set_aside)


def _stolen(state: State) -> State:
    """The other team is the attack from where the pawn lies (HB-9.5)."""
    thief = other(state.on_court[0])
    return replace(state, phase="throw", attack=thief, set_aside=None, stats=state.counted(thief, "steals"))
