"""Inbounding (chapter 9): the race to the half line against six S set aside, logged roll by roll or in one event."""

from __future__ import annotations

from dataclasses import replace

from companion.games.base import Outcome
from companion.games.hoops21.dice_checks import check_dice, count_symbols
from companion.games.hoops21.events import InboundEnd, InboundThrow
from companion.games.hoops21.refusals import refusal
from companion.games.hoops21.state import ALL_DICE, State
from companion.games.hoops21.tables import BALL, DICE, STEAL, Side, opponent


def start(state: State, team: Side) -> State:
    """Start the race under the team's own basket (HB-9.1); anything pending ends (HB-6.5)."""
    return replace(
        state,
        phase="inbound",
        attack=team,
        pawn=state.setup.court.under_own_basket(team),
        dice_next=ALL_DICE,
        contest=None,
        free_throws=None,
        set_aside=0,
    )


def steps_to_half_line(state: State) -> int:
    """Return the steps left to the first section beyond the half line."""
    return state.distance - (state.setup.court.half - 1)


def dice_due(state: State, team: Side) -> int:
    """Return the number of dice of a team's next roll in the race (HB-9.4)."""
    return DICE if team == state.attack else DICE - (state.set_aside or 0)


def check_throw(state: State, event: InboundThrow) -> None:
    check_dice(event.dice, dice_due(state, event.team))


def apply_throw(state: State, event: InboundThrow) -> tuple[State, Outcome]:
    attack, _ = state.attack_and_pawn
    counts = count_symbols(event.dice)
    set_aside, moved = state.set_aside or 0, 0
    if event.team == attack:
        moved = min(counts[BALL], steps_to_half_line(state))
    else:
        set_aside += counts[STEAL]
    crossed, stolen = moved == steps_to_half_line(state), set_aside == DICE
    state = _moved(state, moved, set_aside)
    outcome: Outcome = {"team": event.team, "moved": moved, "set_aside": set_aside, "stolen": stolen}
    outcome |= {"crossed": crossed, "pawn": state.pawn}
    if stolen:
        state = _stolen(state)
    elif crossed:
        state = replace(state, phase="throw", set_aside=None)
    return state, outcome


def check_end(state: State, event: InboundEnd) -> None:
    """Check the end of a race (HB-9.6). Raises: Refusal."""
    if not event.stolen:
        if event.section is not None:
            raise refusal("HB-9.6", "no_section")
        return
    sections = steal_sections(state)
    if event.section not in sections:
        raise refusal("HB-9.6", "section", first=sections[0], last=sections[-1])


def steal_sections(state: State) -> list[int]:
    """Return the possible sections of the pawn at a steal, its logged section first (HB-9.6)."""
    attack, pawn = state.attack_and_pawn
    beyond = state.setup.court.beyond_half_line(attack)
    return list(range(pawn, beyond, 1 if beyond > pawn else -1))


def apply_end(state: State, event: InboundEnd) -> tuple[State, Outcome]:
    attack, _ = state.attack_and_pawn
    if event.stolen:
        state = _stolen(replace(state, pawn=event.section))
    else:
        state = replace(state, phase="throw", pawn=state.setup.court.beyond_half_line(attack), set_aside=None)
    return state, {"stolen": event.stolen, "crossed": not event.stolen, "pawn": state.pawn}


def _moved(state: State, steps: int, set_aside: int) -> State:
    attack, pawn = state.attack_and_pawn
    return replace(state, pawn=state.setup.court.forward(attack, pawn, steps), set_aside=set_aside)


def _stolen(state: State) -> State:
    """Make the other team the attack from the pawn's section (HB-9.5)."""
    thief = opponent(state.attack_and_pawn[0])
    return replace(state, phase="throw", attack=thief, set_aside=None, stats=state.incremented_stats(thief, "steals"))
