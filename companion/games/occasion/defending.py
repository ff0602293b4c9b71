"""The defence's choice and the supports of both sides: chapters 4 to 6, and letting through (OC-10.1)."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from companion.games.base import Outcome
from companion.games.occasion.attacking import check_card_free, position_bonus
from companion.games.occasion.events import AbilityUsed, AddSupport, DefenceChoice, SupportDone
from companion.games.occasion.progress import end_duel, move_to_zone, zone_id
from companion.games.occasion.refusals import refusal
from companion.games.occasion.state import Duel, DuelSide, State
from companion.games.occasion.tables import CROSS, DEFENCE_STAT, RULED_ABILITIES, WALL, Side, opponent


def current_duel(state: State) -> Duel:
    """Return the current duel. Raises: ValueError if there is none."""
    if state.duel is None:
        raise ValueError("no duel is under way")
    return state.duel


def current_duel_side(state: State, side: Side) -> DuelSide:
    """Return a side's part of the current duel. Raises: ValueError if it has none."""
    own = state.duellist(side)
    if own is None:
        raise ValueError(f"{side} has no part in a duel")
    return own


def defence_points(state: State, player: str) -> tuple[int, int]:
    """Return the base score and position bonus of a defender's card against the announced move (OC-4.3 to OC-4.6)."""
    card, zone = state.card(state.defence, player), state.zone
    if card is None or zone is None:
        raise ValueError("no chance is under way or the card is unknown")
    return card.stat(DEFENCE_STAT[current_duel(state).move]), position_bonus(state, card.post, zone.defence_posts)


def next_zones(state: State, stopped: bool) -> tuple[str, ...]:
    """Return the zones that the current move leads to; for an unstopped cross, every shooting zone (OC-10.1)."""
    chance, zone = state.chance, state.zone
    if chance is None or zone is None:
        return ()
    return chance.shooting_zones if current_duel(state).move == CROSS and not stopped else zone.next


def check_defence_choice(state: State, event: DefenceChoice) -> None:
    if event.player is None:
        return
    check_card_free(state, state.defence, event.player, "OC-4.2")
    card = state.card(state.defence, event.player)
    if current_duel(state).move == CROSS and card is not None and WALL not in card.abilities:
        raise refusal("OC-4.5", player=card.name)


def apply_defence_choice(state: State, event: DefenceChoice) -> tuple[State, Outcome]:
    if event.player is None:
        zones = next_zones(state, stopped=False)
        state = move_to_zone(replace(end_duel(state, dribbler_stays=True), bonus_x2=True), zones)
        return state, {"choice": event.choice, "zone": zone_id(state), "phase": state.phase}
    duel = current_duel(state)
    base, bonus = defence_points(state, event.player)
    duel = replace(duel, defence=DuelSide(event.player, base, bonus), turn=state.attack)
    state = replace(state.with_energy(state.defence, 1), duel=duel, phase="support")
    stat = {"stat": DEFENCE_STAT[duel.move], "base": base, "bonus": bonus}
    return state, {"choice": event.choice, **stat, "zone": zone_id(state), "phase": state.phase}


def _check_support_turn(state: State, side: Side) -> None:
    due = current_duel(state).turn
    if due is not None and side != due:
        raise refusal("OC-5.2", side=state.setup.name(due))


def check_add_support(state: State, event: AddSupport) -> None:
    _check_support_turn(state, event.side)
    named = Counter(event.players)
    for player in event.players:
        check_card_free(state, event.side, player, "OC-5.3")
        card = state.card(event.side, player)
        if named[player] > 1 and card is not None:
            raise refusal("OC-5.3", "twice", player=card.name)


def apply_add_support(state: State, event: AddSupport) -> tuple[State, Outcome]:
    spent = len(event.players)
    own = current_duel_side(state, event.side)
    own = replace(own, support=(*own.support, *event.players))
    state = state.with_duellist(event.side, own).with_energy(event.side, spent)
    state = replace(state, duel=replace(current_duel(state), turn=opponent(event.side), declined=False))
    return state, {"support": len(own.support), "energy_spent": spent}


def check_support_done(state: State, event: SupportDone) -> None:
    _check_support_turn(state, event.side)


def apply_support_done(state: State, event: SupportDone) -> tuple[State, Outcome]:
    """Apply the end of a side's supports; two in a row end the phase (OC-5.4)."""
    duel = current_duel(state)
    if duel.declined:
        state = replace(state, duel=replace(duel, turn=None, declined=False), phase="reveal")
    else:
        state = replace(state, duel=replace(duel, turn=opponent(event.side), declined=True))
    return state, {"phase": state.phase}


def check_ability_used(state: State, event: AbilityUsed) -> None:
    card = state.card(event.side, event.player)
    if card is None or event.player not in state.in_play(event.side):
        raise refusal("OC-6.2", player=card.name if card else event.player)
    if event.ability not in card.abilities:
        raise refusal("OC-6.3", "not_printed", player=card.name, ability=event.ability)
    if event.ability in RULED_ABILITIES:
        raise refusal("OC-6.3", event.ability)


def apply_ability_used(state: State, event: AbilityUsed) -> tuple[State, Outcome]:
    own = current_duel_side(state, event.side)
    own = replace(own, ability=own.ability + event.points)
    return state.with_duellist(event.side, own), {"ability_total": own.ability}
