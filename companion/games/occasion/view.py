"""The public `state` object of a match (chapter 14): printed by a replay and used by the hub and the screens."""

from __future__ import annotations

from companion.games.base import JsonObject
from companion.games.occasion.duel_resolution import side_to_reveal
from companion.games.occasion.state import Duel, DuelSide, State
from companion.games.occasion.tables import SIDES, Side


def view(state: State) -> JsonObject:
    """Return every key of chapter 14."""
    return {
        "phase": state.phase,
        "turn": state.turn,
        "attack": state.attack,
        "score": dict(zip(SIDES, state.score, strict=True)),
        "visible": _lists(state.visible),
        "occasion": None if state.place is None else {"card": state.place.card, "zone": state.place.zone},
        "carrier": state.carrier,
        "bonus_x2": state.bonus_x2,
        "duel": _duel(state.duel),
        "options": list(state.options),
        "energy_used": dict(zip(SIDES, state.energy_used, strict=True)),
        "discard": _lists(state.discard),
        "cards_shown": [
            {"side": booking.side, "player": booking.player, "card": booking.card, "turn": booking.turn}
            for booking in state.cards_shown
        ],
        "waiting_for": list(waiting_for(state)),
        "winner": state.winner,
    }


def waiting_for(state: State) -> tuple[Side, ...]:
    """Return the sides that must act now; empty when the match is over."""
    if state.phase in ("verdict", "shot"):
        return SIDES
    if state.phase in ("choose_occasion", "attack_move", "advance"):
        return (state.attack,)
    if state.phase == "defence":
        return (state.defence,)
    due = None
    if state.phase == "support" and state.duel is not None:
        due = state.duel.turn
    elif state.phase == "reveal":
        due = side_to_reveal(state)
    return () if due is None else (due,)


def _lists(pair: tuple[tuple[str, ...], tuple[str, ...]]) -> dict[str, list[str]]:
    return {side: list(entries) for side, entries in zip(SIDES, pair, strict=True)}


def _duel(duel: Duel | None) -> JsonObject | None:
    if duel is None:
        return None
    return {
        "move": duel.move,
        "margin": duel.margin,
        "attack": _duellist(duel.attack),
        "defence": None if duel.defence is None else _duellist(duel.defence),
    }


def _duellist(own: DuelSide) -> JsonObject:
    return {
        "player": own.player,
        "base": own.base,
        "bonus": own.bonus,
        "support": list(own.support),
        "energy": list(own.energy),
        "ability": own.ability,
        "total": own.total,
    }
