"""How a chance goes on: the next zone, the end of a turn, the end of the match (OC-9.3, OC-9.4, chapter 10)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from companion.games.occasion.state import Place, State, put
from companion.games.occasion.tables import SIDES, Phase, Side


def zone_id(state: State) -> str | None:
    """The zone of an outcome: None when no chance is on."""
    return None if state.place is None else state.place.zone


def phase_in(state: State, zone: str) -> Phase:
    """The phase that a zone of the chance under way opens (OC-2.3, OC-9.3)."""
    chance = state.chance
    return "shot" if chance is not None and chance.zone(zone).shot else "attack_move"


def enter(state: State, zone: str) -> State:
    """The chance is in this zone."""
    if state.place is None:
        raise ValueError("no chance is under way")
    return replace(state, place=Place(state.place.card, zone), phase=phase_in(state, zone), options=())


def go_on(state: State, zones: Sequence[str]) -> State:
    """To the one zone at once; with several the attack chooses (OC-9.3)."""
    if len(zones) == 1:
        return enter(state, zones[0])
    return replace(state, phase="advance", options=tuple(zones))


def duel_over(state: State, dribbler_stays: bool = False) -> State:
    """All cards of the duel are used up; the one who dribbled may stay as carrier (OC-9.4, OC-9.5)."""
    duel = state.duel
    if duel is None:
        return state
    attack = duel.attack.cards
    carrier = None
    if dribbler_stays and duel.move == "dribble":
        carrier, attack = duel.attack.player, duel.attack.support
    state = use_up(state, state.attack, attack)
    if duel.defence is not None:
        state = use_up(state, state.defence, duel.defence.cards)
    return replace(state, duel=None, carrier=carrier)


def use_up(state: State, side: Side, cards: Sequence[str]) -> State:
    """These player cards of a side go to its discard."""
    if not cards:
        return state
    return replace(state, discard=put(state.discard, side, (*state.used(side), *cards)))


def turn_over(state: State, next_attack: Side | None = None) -> State:
    """What is left of the chance is used up and the other side, or the one named, attacks (OC-10.2)."""
    state = duel_over(state)
    if state.carrier is not None:
        state = use_up(state, state.attack, (state.carrier,))
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


def match_over(state: State, winner: Side | None) -> State:
    """No duel and nothing to choose; the rest stays (OC-10.5)."""
    return replace(state, phase="over", duel=None, options=(), winner=winner)


def reached(state: State) -> Side | None:
    """The side that has the goals to win, home looked at first (OC-10.3, OC-11.1)."""
    target = state.setup.goals_to_win
    if target is None:
        return None
    return next((side for side, goals in zip(SIDES, state.score, strict=True) if goals >= target), None)
