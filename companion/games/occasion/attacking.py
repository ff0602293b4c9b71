"""The chance card and the attack's move (chapters 2 and 3), and the choice of a zone (OC-9.3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from companion.games.base import Outcome
from companion.games.occasion.events import Advance, AttackMove, OccasionPlayed, OccasionShown
from companion.games.occasion.progress import enter_zone, zone_id, zone_phase
from companion.games.occasion.refusals import refusal
from companion.games.occasion.state import ChancePosition, Duel, DuelSide, State, with_side_value
from companion.games.occasion.tables import (
    ATTACK_STAT,
    CROSS,
    ENERGY_COST,
    EXACT_POST_BONUS,
    MAX_VISIBLE_CHANCES,
    SAME_LINE_BONUS,
    Side,
)


def position_bonus(state: State, post: str, posts: Sequence[str]) -> int:
    """Return the position bonus: 2 for one of the zone's posts, 1 for a post of the same line, else 0 (OC-3.5)."""
    if post in posts:
        return EXACT_POST_BONUS
    lines = state.setup.posts
    return SAME_LINE_BONUS if any(lines[post] == lines[wanted] for wanted in posts) else 0


def attack_points(state: State, player: str, move: str) -> tuple[int, int]:
    """Return the base score and position bonus of an attacker's card in the chance's zone (OC-3.2 to OC-3.5)."""
    card, zone = state.card(state.attack, player), state.zone
    if card is None or zone is None:
        raise ValueError("no chance is under way or the card is unknown")
    return card.stat(ATTACK_STAT[move]), position_bonus(state, card.post, zone.attack_posts)


def check_card_free(state: State, side: Side, player: str, rule: str) -> None:
    """Check that the card is in the side's list and neither discarded nor in play.

    Raises: Refusal by the named rule.
    """
    card = state.card(side, player)
    if card is None:
        raise refusal(rule, "unknown", player=player)
    if player in state.used(side):
        raise refusal(rule, "used", player=card.name)
    if player in state.in_play(side):
        raise refusal(rule, "in_play", player=card.name)


def check_occasion_shown(state: State, event: OccasionShown) -> None:
    visible = state.visible_to(event.side)
    if event.card not in state.occasions:
        raise refusal("OC-2.1", "unknown", card=event.card)
    if event.card in visible:
        raise refusal("OC-2.1", "already", card=state.occasions[event.card].name)
    if len(visible) >= MAX_VISIBLE_CHANCES:
        raise refusal("OC-2.1", "third")


def apply_occasion_shown(state: State, event: OccasionShown) -> tuple[State, Outcome]:
    visible = (*state.visible_to(event.side), event.card)
    return replace(state, visible=with_side_value(state.visible, event.side, visible)), {"visible": list(visible)}


def check_occasion_played(state: State, event: OccasionPlayed) -> None:
    if event.card not in state.visible_to(state.attack):
        known = state.occasions.get(event.card)
        raise refusal("OC-2.2", card=known.name if known else event.card)
    starts = state.occasions[event.card].starts
    if event.zone is None and len(starts) > 1:
        raise refusal("OC-2.3", "missing", zones=", ".join(starts))
    if event.zone is not None and event.zone not in starts:
        raise refusal("OC-2.3", "elsewhere", zone=event.zone, zones=", ".join(starts))


def apply_occasion_played(state: State, event: OccasionPlayed) -> tuple[State, Outcome]:
    left = tuple(card for card in state.visible_to(state.attack) if card != event.card)
    zone = event.zone if event.zone is not None else state.occasions[event.card].starts[0]
    placed = replace(
        state, visible=with_side_value(state.visible, state.attack, left), place=ChancePosition(event.card, zone)
    )
    placed = replace(placed, phase=zone_phase(placed, zone))
    return placed, {"card": event.card, "zone": zone, "phase": placed.phase}


def check_attack_move(state: State, event: AttackMove) -> None:
    if state.carrier is None:
        check_card_free(state, state.attack, event.player, "OC-3.1")
    elif event.player != state.carrier:
        carrier = state.card(state.attack, state.carrier)
        raise refusal("OC-3.6", player=carrier.name if carrier else state.carrier)
    card = state.card(state.attack, event.player)
    if event.move == CROSS and card is not None and CROSS not in card.abilities:
        raise refusal("OC-3.4", player=card.name)


def apply_attack_move(state: State, event: AttackMove) -> tuple[State, Outcome]:
    base, bonus = attack_points(state, event.player, event.move)
    spent = ENERGY_COST[event.move]
    duel = Duel(event.move, DuelSide(event.player, base, bonus))
    state = replace(state.with_energy(state.attack, spent), duel=duel, carrier=None, phase="defence")
    return state, {"base": base, "bonus": bonus, "energy_spent": spent}


def check_advance(state: State, event: Advance) -> None:
    if event.zone not in state.options:
        raise refusal("OC-9.3", zone=event.zone, zones=", ".join(state.options))


def apply_advance(state: State, event: Advance) -> tuple[State, Outcome]:
    state = enter_zone(state, event.zone)
    return state, {"zone": zone_id(state), "phase": state.phase}
