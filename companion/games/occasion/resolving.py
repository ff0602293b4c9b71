"""Energies turned up, fouls, and who wins a duel: chapters 7 to 9."""

from __future__ import annotations

from dataclasses import replace

from companion.games.base import Outcome
from companion.games.occasion.defending import duel_of, side_of, ways_on
from companion.games.occasion.events import FoulCalled, Resolve, Reveal
from companion.games.occasion.progress import duel_over, go_on, turn_over, zone_id
from companion.games.occasion.refusing import refusal
from companion.games.occasion.state import Duel, Shown, State
from companion.games.occasion.tables import Side


def due_to_reveal(state: State) -> Side | None:
    """Whose energy is turned up next, None after the last one (OC-7.1)."""
    duel = state.duel
    if duel is None or duel.defence is None:
        return None
    attack, defence = duel.attack, duel.defence
    if attack.face_down and (len(attack.energy) <= len(defence.energy) or not defence.face_down):
        return state.attack
    return state.defence if defence.face_down else None


def check_reveal(state: State, event: Reveal) -> None:
    due = due_to_reveal(state)
    if due is not None and event.side != due:
        raise refusal("OC-7.1", side=state.setup.name(due))


def apply_reveal(state: State, event: Reveal) -> tuple[State, Outcome]:
    own = side_of(state, event.side)
    number = len(own.energy)
    doubled = state.bonus_x2 and event.side == state.attack and number == 0
    counted = 2 * event.value if doubled else event.value
    state = state.with_duellist(event.side, replace(own, energy=(*own.energy, counted)))
    if due_to_reveal(state) is None:
        state = replace(state, phase="verdict")
    slot = {"slot": "support" if number else "base", "number": number, "counted": counted}
    return state, {**slot, **_totals(duel_of(state))}


def _totals(duel: Duel) -> Outcome:
    return {"attack_total": duel.attack.total, "defence_total": duel.defence.total if duel.defence else 0}


def check_foul_called(state: State, event: FoulCalled) -> None:
    if duel_of(state).revealed == 0:
        raise refusal("OC-8.1")
    if event.player is not None and event.player not in state.in_play(event.side):
        card = state.card(event.side, event.player)
        raise refusal("OC-8.2", player=card.name if card else event.player)


def apply_foul_called(state: State, event: FoulCalled) -> tuple[State, Outcome]:
    if event.card is not None:
        shown = Shown(event.side, event.player, event.card, state.turn)
        state = replace(state, cards_shown=(*state.cards_shown, shown))
    if event.effect == "attack_wins":
        state = attack_goes_on(state)
    elif event.effect == "defence_wins":
        state = turn_over(state)
    elif event.effect == "shot":
        state = replace(duel_over(state), bonus_x2=False, phase="shot")
    return state, {"effect": event.effect, "zone": zone_id(state), "phase": state.phase}


def apply_resolve(state: State, event: Resolve) -> tuple[State, Outcome]:
    """The attack needs the higher total (OC-9.2)."""
    duel = duel_of(state)
    totals = _totals(duel)
    winner = state.attack if (duel.margin or 0) > 0 else state.defence
    state = attack_goes_on(state) if winner == state.attack else turn_over(state)
    return state, {**totals, "duel_winner": winner, "zone": zone_id(state), "phase": state.phase}


def attack_goes_on(state: State) -> State:
    """The attack has won the duel, or was given it after a foul (OC-9.3 to OC-9.6)."""
    zones = ways_on(state, stopped=True)
    return go_on(replace(duel_over(state, dribbler_stays=True), bonus_x2=False), zones)
