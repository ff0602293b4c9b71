"""A simple sound player for both sides: takes what brings most points now, and keeps cards that would be wasted.

Nobody knows the energies, so it plays by the margin over what is face up (OC-11.2). What only the table knows, the
energy turned up and whether a shot goes in, is drawn at random.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random

from companion.games.base import JsonObject
from companion.games.occasion.attacking import attack_points, position_bonus
from companion.games.occasion.cards import Chance, PlayerCard, Zone
from companion.games.occasion.defending import defence_points, duel_of
from companion.games.occasion.resolving import due_to_reveal
from companion.games.occasion.state import State
from companion.games.occasion.tables import (
    CROSS,
    DEFENCE_STAT,
    ENERGY,
    MOST_VISIBLE,
    MOVES,
    SIDES,
    WALL,
    Phase,
    Side,
    index_of,
)

LAST_TURN = 12
"""A match without goals to win ends after so many turns."""
ENERGIES = (0, 1, 1, 2, 2, 3, 3, 4, 5, 6)
"""Printed points of an invented deck of energies."""
USUAL_ENERGY = 3
"""What one energy brings about."""
MOST_SUPPORT = 2
HOPELESS = 2 * USUAL_ENERGY
"""A lead that two energies hardly make up for: the defence keeps its cards."""
UNOPPOSED = 50
"""Worth of a move that nobody can oppose."""


def sound_event(state: State, random: Random) -> JsonObject:
    """A sound legal event; only for a match that is not over."""
    return _BY_PHASE[state.phase](state, random)


def free(state: State, side: Side) -> list[str]:
    """The player cards of a side that may be laid."""
    taken = {*state.used(side), *state.in_play(side)}
    return [id for id in state.players[index_of(side)] if id not in taken]


def _best(entries: Sequence[tuple[float, JsonObject]], random: Random) -> JsonObject:
    """The entry worth most, a random one of several."""
    most = max(worth for worth, _ in entries)
    return random.choice([fields for worth, fields in entries if worth == most])


def _choose_occasion(state: State, random: Random) -> JsonObject:
    if (state.turn > LAST_TURN and state.setup.goals_to_win is None) or state.turn > 2 * LAST_TURN:
        return {"event": "match_ended"}
    for side in SIDES:
        hidden = [card for card in state.occasions if card not in state.shown_to(side)]
        if len(state.shown_to(side)) < MOST_VISIBLE and hidden:
            return {"event": "occasion_shown", "side": side, "card": random.choice(hidden)}
    for side in SIDES:
        if state.used(side) and len(free(state, side)) < len(state.players[index_of(side)]) / 2:
            energy = state.energy_used[index_of(side)]
            return {"event": "cards_recovered", "side": side, "players": list(state.used(side)), "energy": energy}
    starts = [
        (_zone_worth(state, zone), {"event": "occasion_played", "card": card, "zone": zone.id})
        for card in state.shown_to(state.attack)
        for zone in _zones(state.occasions[card], state.occasions[card].starts)
    ]
    return _best(starts, random) if starts else {"event": "turn_ended"}


def _zones(chance: Chance, ids: Sequence[str]) -> list[Zone]:
    return [chance.zone(id) for id in ids]


def _zone_worth(state: State, zone: Zone) -> float:
    """How much better than the best defender the best attacker would stand there; a shooting zone before all."""
    if zone.shot:
        return 2 * UNOPPOSED
    cards = [state.players[index_of(state.attack)][id] for id in free(state, state.attack)]
    cards += [card for id in state.in_play(state.attack) if (card := state.card(state.attack, id))]
    margins = [
        card.stat(stat) + position_bonus(state, card.post, zone.attack_posts) - _answer(state, stat, zone)
        for card in cards
        for stat in ("pass", "dribble")
    ]
    return max(margins, default=-UNOPPOSED)


def _answer(state: State, move: str, zone: Zone) -> int:
    """The points of the best defender against a move in a zone; far below zero if there is none."""
    cards = [state.players[index_of(state.defence)][id] for id in free(state, state.defence)]
    points = [
        card.stat(DEFENCE_STAT[move]) + position_bonus(state, card.post, zone.defence_posts)
        for card in cards
        if move != CROSS or WALL in card.abilities
    ]
    return max(points, default=-UNOPPOSED)


def _attack_move(state: State, random: Random) -> JsonObject:
    """The best margin over the best answer; of equal ones the move that spends least."""
    zone = state.zone
    ids = [state.carrier] if state.carrier else free(state, state.attack)
    moves = [
        (_move_worth(state, id, move, zone), {"event": "attack_move", "player": id, "move": move})
        for id in ids
        for move in MOVES
        if zone is not None and (move != CROSS or CROSS in _card(state, state.attack, id).abilities)
    ]
    return _best(moves, random) if moves else {"event": "turn_ended"}


def _move_worth(state: State, id: str, move: str, zone: Zone) -> float:
    base, bonus = attack_points(state, id, move)
    return base + bonus - _answer(state, move, zone) - ENERGY[move] / 2


def _card(state: State, side: Side, id: str) -> PlayerCard:
    return state.players[index_of(side)][id]


def _defence(state: State, random: Random) -> JsonObject:
    """The best defender, unless even he stands hopelessly: then the cards are kept."""
    duel = duel_of(state)
    attack = duel.attack.total + (USUAL_ENERGY if state.bonus_x2 else 0)
    found = [
        (sum(defence_points(state, id)), {"event": "defence_choice", "choice": "oppose", "player": id})
        for id in free(state, state.defence)
        if duel.move != CROSS or WALL in _card(state, state.defence, id).abilities
    ]
    if not found or max(points for points, _ in found) + HOPELESS <= attack:
        return {"event": "defence_choice", "choice": "let_pass"}
    return _best(found, random)


def _support(state: State, random: Random) -> JsonObject:
    """The side that is behind adds its weakest card, as long as one energy can turn the duel."""
    duel = duel_of(state)
    side = duel.turn or state.attack
    own = duel.attack if side == state.attack else duel.defence
    left = free(state, side)
    if own is not None and left and len(own.support) < MOST_SUPPORT and 0 <= _behind(state, side) <= USUAL_ENERGY:
        cards = [
            (-sum(_card(state, side, id).points), {"event": "add_support", "side": side, "players": [id]})
            for id in left
        ]
        return _best(cards, random)
    return {"event": "support_done", "side": side}


def _behind(state: State, side: Side) -> int:
    """By how many points a side is behind with what the energies face down usually bring; equal is behind in attack."""
    duel = duel_of(state)
    lead = duel.margin or 0
    if duel.defence is not None:
        lead += USUAL_ENERGY * (duel.attack.face_down - duel.defence.face_down + state.bonus_x2)
    return -lead if side == state.attack else lead - 1


def _reveal(state: State, random: Random) -> JsonObject:
    return {"event": "reveal", "side": due_to_reveal(state), "value": random.choice(ENERGIES)}


def _verdict(state: State, random: Random) -> JsonObject:
    return {"event": "resolve"}


def _advance(state: State, random: Random) -> JsonObject:
    chance = state.chance
    zones = _zones(chance, state.options) if chance else []
    return _best([(_zone_worth(state, zone), {"event": "advance", "zone": zone.id}) for zone in zones], random)


def _shot(state: State, random: Random) -> JsonObject:
    return {"event": random.choice(("goal_scored", "chance_missed"))}


_BY_PHASE: Mapping[Phase, Callable[[State, Random], JsonObject]] = {
    "choose_occasion": _choose_occasion,
    "attack_move": _attack_move,
    "defence": _defence,
    "support": _support,
    "reveal": _reveal,
    "verdict": _verdict,
    "advance": _advance,
    "shot": _shot,
}
