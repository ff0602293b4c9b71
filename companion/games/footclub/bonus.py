"""From the initial to the final bonus (chapters 9 and 10): attacking support, Supporters, kop, defensive support."""

from __future__ import annotations

from dataclasses import replace

from companion.games.base import Outcome
from companion.games.footclub.duel import new_duel, regular_refusal
from companion.games.footclub.events import AttackingSupport, DefensiveSupport, GreenLight, Spend
from companion.games.footclub.match_cards import check_play, play_and_discard, play_card, with_count_changed
from companion.games.footclub.refusals import refusal
from companion.games.footclub.state import Offensive, State
from companion.games.footclub.tables import MAX_SPENT, SUPPORTERS, index_of
from companion.games.footclub.targeting import check_reference, named_players

ATTACKING_SUPPORT = 2
"""The bonus of an attacking support (FC-9.5)."""


def current_offensive(state: State) -> Offensive:
    """Return the offensive of a phase that has one."""
    if state.offensive is None:
        raise ValueError(f"no offensive in phase {state.phase}")
    return state.offensive


def check_open(offensive: Offensive) -> None:
    """Check that additions are still allowed. Raises: Refusal (FC-9.6)."""
    if offensive.closed:
        raise refusal("FC-9.6")


def check_attacking_support(state: State, event: AttackingSupport) -> None:
    check_open(current_offensive(state))
    if event.side != state.possession:
        raise refusal("FC-18.5", "no_ball")
    check_play(state.club(event.side), "attacking_support")


def apply_attacking_support(state: State, event: AttackingSupport) -> tuple[State, Outcome]:
    offensive = current_offensive(state)
    offensive = replace(offensive, attack_bonus=offensive.attack_bonus + ATTACKING_SUPPORT, has_added=True)
    offensive = replace(offensive, green_light=False)
    club = play_and_discard(state.club(event.side), "attacking_support")
    state = replace(state, clubs=state.with_clubs(club), offensive=offensive)
    return state, {"bonus": offensive.bonus, "final": offensive.final}


def check_green_light(state: State, event: GreenLight) -> None:
    offensive = current_offensive(state)
    check_open(offensive)
    if event.side != offensive.side:
        raise refusal("FC-18.5", "no_ball")
    if offensive.green_light:
        raise refusal("FC-9.8", "given")


def apply_green_light(state: State, event: GreenLight) -> tuple[State, Outcome]:
    offensive = replace(current_offensive(state), green_light=True)
    return replace(state, offensive=offensive), {"final": offensive.final}


def check_spend(state: State, event: Spend) -> None:
    offensive = current_offensive(state)
    check_open(offensive)
    club = state.club(event.side)
    if offensive.spent[index_of(event.side)] + event.supporters + event.kop > MAX_SPENT:
        raise refusal("FC-9.3")
    if event.supporters > club.supporters:
        raise refusal("FC-9.2", n=club.supporters)
    if event.kop and not (club.kop == "up" and state.setup.kop == "K01" and event.side == offensive.side):
        raise refusal("FC-9.4")


def apply_spend(state: State, event: Spend) -> tuple[State, Outcome]:
    offensive, club = current_offensive(state), state.club(event.side)
    added = event.supporters + (state.setup.kop_attack_bonus if event.kop else 0)
    blue, red = offensive.spent
    count = event.supporters + event.kop
    spent = (blue + count, red) if event.side == "blue" else (blue, red + count)
    offensive = replace(offensive, spent=spent, green_light=False)
    if event.side == offensive.side:
        offensive = replace(offensive, attack_bonus=offensive.attack_bonus + added, has_added=True)
    else:
        offensive = replace(offensive, defence_bonus=offensive.defence_bonus + added)
    club = replace(
        club,
        supporters=club.supporters - event.supporters,
        discard=with_count_changed(club.discard, SUPPORTERS, event.supporters),
        kop="down" if event.kop else club.kop,
    )
    state = replace(state, clubs=state.with_clubs(club), offensive=offensive)
    return state, {"bonus": offensive.bonus, "final": offensive.final, "stands": club.stands}


def check_defensive_support(state: State, event: DefensiveSupport) -> None:
    offensive = current_offensive(state)
    if offensive.kind == "counter_attack":
        raise refusal("FC-10.2")
    check_open(offensive)
    if event.side == offensive.side:
        raise refusal("FC-18.5", "has_ball")
    club = state.club(event.side)
    check_reference(state, event.card, "defensive_support")
    check_play(club, "defensive_support")
    (defender,), _ = named_players(state, event.side, event.card)
    reason = regular_refusal(club.players[defender], "defensive_support")
    if event.mode == "regular" and reason is not None:
        raise reason


def apply_defensive_support(state: State, event: DefensiveSupport) -> tuple[State, Outcome]:
    offensive, club = current_offensive(state), state.club(event.side)
    (defender,), colour = named_players(state, event.side, event.card)
    duel = new_duel("defensive_support", club.players[defender], None, event.mode, offensive.malus, state)
    state = replace(
        state,
        phase="duel",
        clubs=state.with_clubs(play_card(club, "defensive_support")),
        duel=duel,
        offensive=replace(offensive, defensive_supports=offensive.defensive_supports + 1, green_light=False),
    )
    return state, {"player": defender, "mode": duel.mode, "modifier": duel.modifier, "section": colour}
