"""Revealed energies, fouls, and the winner of a duel: chapters 7 to 9."""

from __future__ import annotations

from dataclasses import replace

from companion.games.base import Outcome
from companion.games.occasion.defending import current_duel, current_duel_side, next_zones
from companion.games.occasion.events import FoulCalled, Resolve, Reveal
from companion.games.occasion.progress import end_duel, end_turn, move_to_zone, zone_id
from companion.games.occasion.refusals import refusal
from companion.games.occasion.state import Booking, Duel, State
from companion.games.occasion.tables import Side


def side_to_reveal(state: State) -> Side | None:
    """Return the side whose energy is revealed next, or None after the last one (OC-7.1)."""
    duel = state.duel
    if duel is None or duel.defence is None:
        return None
    attack, defence = duel.attack, duel.defence
    if attack.face_down and (len(attack.energy) <= len(defence.energy) or not defence.face_down):
        return state.attack
    return state.defence if defence.face_down else None


def check_reveal(state: State, event: Reveal) -> None:
    due = side_to_reveal(state)
    if due is not None and event.side != due:
        raise refusal("OC-7.1", side=state.setup.name(due))


def apply_reveal(state: State, event: Reveal) -> tuple[State, Outcome]:
    own = current_duel_side(state, event.side)
    number = len(own.energy)
    doubled = state.bonus_x2 and event.side == state.attack and number == 0
    counted_value = 2 * event.value if doubled else event.value
    state = state.with_duellist(event.side, replace(own, energy=(*own.energy, counted_value)))
    if side_to_reveal(state) is None:
        state = replace(state, phase="verdict")
    slot = {"slot": "support" if number else "base", "number": number, "counted": counted_value}
    return state, {**slot, **_totals(current_duel(state))}


def _totals(duel: Duel) -> Outcome:
    return {"attack_total": duel.attack.total, "defence_total": duel.defence.total if duel.defence else 0}


def check_foul_called(state: State, event: FoulCalled) -> None:
    if current_duel(state).revealed == 0:
        raise refusal("OC-8.1")
    if event.player is not None and event.player not in state.in_play(event.side):
        card = state.card(event.side, event.player)
        raise refusal("OC-8.2", player=card.name if card else event.player)


def apply_foul_called(state: State, event: FoulCalled) -> tuple[State, Outcome]:
    if event.card is not None:
        booking = Booking(event.side, event.player, event.card, state.turn)
        state = replace(state, cards_shown=(*state.cards_shown, booking))
    if event.effect == "attack_wins":
        state = continue_attack(state)
    elif event.effect == "defence_wins":
        state = end_turn(state)
    elif event.effect == "shot":
        state = replace(end_duel(state), bonus_x2=False, phase="shot")
    return state, {"effect": event.effect, "zone": zone_id(state), "phase": state.phase}


def apply_resolve(state: State, event: Resolve) -> tuple[State, Outcome]:
    """Resolve the duel: the attack needs the higher total (OC-9.2)."""
    duel = current_duel(state)
    totals = _totals(duel)
    winner = state.attack if (duel.margin or 0) > 0 else state.defence
    state = continue_attack(state) if winner == state.attack else end_turn(state)
    return state, {**totals, "duel_winner": winner, "zone": zone_id(state), "phase": state.phase}


def continue_attack(state: State) -> State:
    """Continue the attack after it won the duel, or was awarded it for a foul (OC-9.3 to OC-9.6)."""
    zones = next_zones(state, stopped=True)
    return move_to_zone(replace(end_duel(state, dribbler_stays=True), bonus_x2=False), zones)
