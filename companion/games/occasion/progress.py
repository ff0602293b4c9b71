"""The progress of a chance: the next zone, the end of a turn, the end of the match (OC-9.3, OC-9.4, chapter 10)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from companion.games.occasion.state import ChancePosition, State, with_side_value
from companion.games.occasion.tables import SIDES, Phase, Side


def zone_id(state: State) -> str | None:
    """Return the zone for an outcome; None if there is no current chance."""
    return None if state.place is None else state.place.zone


def zone_phase(state: State, zone: str) -> Phase:
    """Return the phase that a zone of the current chance opens (OC-2.3, OC-9.3)."""
    chance = state.chance
    return "shot" if chance is not None and chance.zone(zone).shot else "attack_move"


def enter_zone(state: State, zone: str) -> State:
    """Move the chance to this zone."""
    if state.place is None:
        raise ValueError("no chance is under way")
    return replace(state, place=ChancePosition(state.place.card, zone), phase=zone_phase(state, zone), options=())


def move_to_zone(state: State, zones: Sequence[str]) -> State:
    """Move to the only zone at once; with several, let the attack choose (OC-9.3)."""
    if len(zones) == 1:
        return enter_zone(state, zones[0])
    return replace(state, phase="advance", options=tuple(zones))


def end_duel(state: State, dribbler_stays: bool = False) -> State:
    """Use up all cards of the duel; a dribbler may stay as carrier (OC-9.4, OC-9.5)."""
    duel = state.duel
    if duel is None:
        return state
    attack = duel.attack.cards
    carrier = None
    if dribbler_stays and duel.move == "dribble":
        carrier, attack = duel.attack.player, duel.attack.support
    state = discard_cards(state, state.attack, attack)
    if duel.defence is not None:
        state = discard_cards(state, state.defence, duel.defence.cards)
    return replace(state, duel=None, carrier=carrier)


def discard_cards(state: State, side: Side, cards: Sequence[str]) -> State:
    """Move these player cards of a side to its discard."""
    if not cards:
        return state
    return replace(state, discard=with_side_value(state.discard, side, (*state.used(side), *cards)))


def end_turn(state: State, next_attack: Side | None = None) -> State:
    """Use up the rest of the chance; the other side, or the named one, attacks (OC-10.2)."""
    state = end_duel(state)
    if state.carrier is not None:
        state = discard_cards(state, state.attack, (state.carrier,))
    return replace(
        state,
        attack=next_attack or state.defence,
        turn=state.turn + 1,
        phase="choose_occasion",
        place=None,
        carrier=None,
        bonus_x2=False,
        options=(),
    )


def end_match(state: State, winner: Side | None) -> State:
    """End the match without a duel or choices; the rest does not change (OC-10.5)."""
    return replace(state, phase="over", duel=None, options=(), winner=winner)


def goals_winner(state: State) -> Side | None:
    """Return the side that has the goals to win, home checked first (OC-10.3, OC-11.1)."""
    target = state.setup.goals_to_win
    if target is None:
        return None
    return next((side for side, goals in zip(SIDES, state.score, strict=True) if goals >= target), None)
