"""A simple greedy player for both sides: it takes the most points now, and keeps cards that would be wasted.

The energies are unknown, so it plays by the margin of the open points (OC-11.2). Results that only the real table
knows, the revealed energy and the success of a shot, are random.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from random import Random

from companion.games.base import JsonObject
from companion.games.occasion.attacking import attack_points, position_bonus
from companion.games.occasion.cards import Chance, PlayerCard, Zone
from companion.games.occasion.defending import current_duel, defence_points
from companion.games.occasion.duel_resolution import side_to_reveal
from companion.games.occasion.state import State
from companion.games.occasion.tables import (
    CROSS,
    DEFENCE_STAT,
    ENERGY_COST,
    MAX_VISIBLE_CHANCES,
    MOVES,
    SIDES,
    WALL,
    Phase,
    Side,
    side_index,
)

MAX_TURNS = 12
"""The number of turns after which a match without goals to win ends."""
ENERGY_DECK = (0, 1, 1, 2, 2, 3, 3, 4, 5, 6)
"""Printed points of an assumed deck of energies."""
TYPICAL_ENERGY = 3
"""The typical value of an energy."""
MAX_SUPPORT = 2
HOPELESS_DEFICIT = 2 * TYPICAL_ENERGY
"""A lead that two energies rarely make up: the defence then keeps its cards."""
UNOPPOSED_VALUE = 50
"""The value of a move that nobody can oppose."""


def greedy_event(state: State, random: Random, sides: Collection[str] = SIDES) -> JsonObject:
    """Return a sound legal event. The match must not be over. Between two chances only these sides arrange cards."""
    if state.phase == "choose_occasion":
        return _choose_occasion(state, random, sides)
    return _EVENT_BY_PHASE[state.phase](state, random)


def free_cards(state: State, side: Side) -> list[str]:
    """Return the player cards of a side that may be laid."""
    taken = {*state.used(side), *state.in_play(side)}
    return [id for id in state.players[side_index(side)] if id not in taken]


def _best_event(entries: Sequence[tuple[float, JsonObject]], random: Random) -> JsonObject:
    """Return the entry with the highest value, a random one in a tie."""
    most = max(worth for worth, _ in entries)
    return random.choice([fields for worth, fields in entries if worth == most])


def _choose_occasion(state: State, random: Random, sides: Collection[str]) -> JsonObject:
    is_late = (state.turn > MAX_TURNS and state.setup.goals_to_win is None) or state.turn > 2 * MAX_TURNS
    if is_late and len(sides) == len(SIDES):
        return {"event": "match_ended"}
    return _arranged(state, random, [side for side in SIDES if side in sides]) or _start(state, random)


def _arranged(state: State, random: Random, sides: Sequence[Side]) -> JsonObject | None:
    """Return what one of these sides does with its cards between two chances, or None."""
    for side in sides:
        hidden = [card for card in state.occasions if card not in state.visible_to(side)]
        if len(state.visible_to(side)) < MAX_VISIBLE_CHANCES and hidden:
            return {"event": "occasion_shown", "side": side, "card": random.choice(hidden)}
    for side in sides:
        if state.used(side) and len(free_cards(state, side)) < len(state.players[side_index(side)]) / 2:
            energy = state.energy_used[side_index(side)]
            return {"event": "cards_recovered", "side": side, "players": list(state.used(side)), "energy": energy}
    return None


def _start(state: State, random: Random) -> JsonObject:
    """Return the best zone of the open chances, or the end of the turn without one."""
    starts = [
        (_zone_worth(state, zone), {"event": "occasion_played", "card": card, "zone": zone.id})
        for card in state.visible_to(state.attack)
        for zone in _zones(state.occasions[card], state.occasions[card].starts)
    ]
    return _best_event(starts, random) if starts else {"event": "turn_ended"}


def _zones(chance: Chance, ids: Sequence[str]) -> list[Zone]:
    return [chance.zone(id) for id in ids]


def _zone_worth(state: State, zone: Zone) -> float:
    """Return the best attacker's margin over the best defender there; a shooting zone beats all others."""
    if zone.shot:
        return 2 * UNOPPOSED_VALUE
    cards = [state.players[side_index(state.attack)][id] for id in free_cards(state, state.attack)]
    cards += [card for id in state.in_play(state.attack) if (card := state.card(state.attack, id))]
    margins = [
        card.stat(stat) + position_bonus(state, card.post, zone.attack_posts) - _best_defence_points(state, stat, zone)
        for card in cards
        for stat in ("pass", "dribble")
    ]
    return max(margins, default=-UNOPPOSED_VALUE)


def _best_defence_points(state: State, move: str, zone: Zone) -> int:
    """Return the points of the best defender against a move in a zone; far below zero if there is none."""
    cards = [state.players[side_index(state.defence)][id] for id in free_cards(state, state.defence)]
    points = [
        card.stat(DEFENCE_STAT[move]) + position_bonus(state, card.post, zone.defence_posts)
        for card in cards
        if move != CROSS or WALL in card.abilities
    ]
    return max(points, default=-UNOPPOSED_VALUE)


def _attack_move(state: State, random: Random) -> JsonObject:
    """Return the move with the best margin over the best answer; in a tie the one that costs least."""
    zone = state.zone
    ids = [state.carrier] if state.carrier else free_cards(state, state.attack)
    moves = [
        (_move_worth(state, id, move, zone), {"event": "attack_move", "player": id, "move": move})
        for id in ids
        for move in MOVES
        if zone is not None and (move != CROSS or CROSS in _card(state, state.attack, id).abilities)
    ]
    return _best_event(moves, random) if moves else {"event": "turn_ended"}


def _move_worth(state: State, id: str, move: str, zone: Zone) -> float:
    base, bonus = attack_points(state, id, move)
    return base + bonus - _best_defence_points(state, move, zone) - ENERGY_COST[move] / 2


def _card(state: State, side: Side, id: str) -> PlayerCard:
    return state.players[side_index(side)][id]


def _defence(state: State, random: Random) -> JsonObject:
    """Return the best defender, unless he is hopelessly behind: then the cards are kept."""
    duel = current_duel(state)
    attack = duel.attack.total + (TYPICAL_ENERGY if state.bonus_x2 else 0)
    found = [
        (sum(defence_points(state, id)), {"event": "defence_choice", "choice": "oppose", "player": id})
        for id in free_cards(state, state.defence)
        if duel.move != CROSS or WALL in _card(state, state.defence, id).abilities
    ]
    if not found or max(points for points, _ in found) + HOPELESS_DEFICIT <= attack:
        return {"event": "defence_choice", "choice": "let_pass"}
    return _best_event(found, random)


def _support(state: State, random: Random) -> JsonObject:
    """Return the weakest card of the side that is behind, as long as one energy can change the winner."""
    duel = current_duel(state)
    side = duel.turn or state.attack
    own = duel.attack if side == state.attack else duel.defence
    left = free_cards(state, side)
    if (
        own is not None
        and left
        and len(own.support) < MAX_SUPPORT
        and 0 <= _points_behind(state, side) <= TYPICAL_ENERGY
    ):
        cards = [
            (-sum(_card(state, side, id).points), {"event": "add_support", "side": side, "players": [id]})
            for id in left
        ]
        return _best_event(cards, random)
    return {"event": "support_done", "side": side}


def _points_behind(state: State, side: Side) -> int:
    """Return how many points a side is behind, with typical face-down energies; a tie counts as behind in attack."""
    duel = current_duel(state)
    lead = duel.margin or 0
    if duel.defence is not None:
        lead += TYPICAL_ENERGY * (duel.attack.face_down - duel.defence.face_down + state.bonus_x2)
    return -lead if side == state.attack else lead - 1


def _reveal(state: State, random: Random) -> JsonObject:
    return {"event": "reveal", "side": side_to_reveal(state), "value": random.choice(ENERGY_DECK)}


def _verdict(state: State, random: Random) -> JsonObject:
    return {"event": "resolve"}


def _advance(state: State, random: Random) -> JsonObject:
    chance = state.chance
    zones = _zones(chance, state.options) if chance else []
    return _best_event([(_zone_worth(state, zone), {"event": "advance", "zone": zone.id}) for zone in zones], random)


def _shot(state: State, random: Random) -> JsonObject:
    return {"event": random.choice(("goal_scored", "chance_missed"))}


_EVENT_BY_PHASE: Mapping[Phase, Callable[[State, Random], JsonObject]] = {
    "attack_move": _attack_move,
    "defence": _defence,
    "support": _support,
    "reveal": _reveal,
    "verdict": _verdict,
    "advance": _advance,
    "shot": _shot,
}
