"""Random legal events: a player for both sides who knows the rules but has no plan, for demonstrations and tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Any

from companion.games.occasion import invention
from companion.games.occasion.defending import duel_of
from companion.games.occasion.resolving import due_to_reveal
from companion.games.occasion.rulebook import RULEBOOK
from companion.games.occasion.state import State
from companion.games.occasion.tables import (
    CROSS,
    EFFECTS,
    MOST_ENERGY,
    MOVES,
    SHOWN,
    SIDES,
    WALL,
    Phase,
    Side,
    index_of,
)

Moves = Iterator[dict[str, Any]]
USUAL_TURNS = 16
LAST_TURN = 40
"""The turn in which a random match is ended whatever the score."""
MOST_CARDS = 30
"""Cards that a random player still adds to."""
ASIDE = 0.04
"""How often something is declared that does not belong to the phase."""


def random_event(state: State, random: Random) -> dict[str, Any]:
    """Some event that is legal now; the end of the match, or giving up, where nothing else is."""
    if random.random() < ASIDE:
        for fields in _aside(state, random):
            if RULEBOOK.legal(state, RULEBOOK.parse(fields)) is None:
                return fields
    for fields in _BY_PHASE[state.phase](state, random):
        if RULEBOOK.legal(state, RULEBOOK.parse(fields)) is None:
            return fields
    return {"event": "concede", "side": random.choice(SIDES)}


def shuffled(random: Random, values: Any) -> list[Any]:
    """The values in random order."""
    found = list(values)
    random.shuffle(found)
    return found


def free(state: State, side: Side) -> list[str]:
    """The player cards of a side that may be laid."""
    taken = {*state.used(side), *state.in_play(side)}
    return [id for id in state.players[index_of(side)] if id not in taken]


def recovery(state: State, side: Side, random: Random) -> dict[str, Any]:
    """Used cards taken back: everything, or some."""
    used, energy = list(state.used(side)), state.energy_used[index_of(side)]
    if random.random() < 0.5:
        return {"event": "cards_recovered", "side": side, "players": used, "energy": energy}
    some: dict[str, Any] = {"event": "cards_recovered", "side": side}
    if used:
        some["players"] = random.sample(used, random.randint(1, len(used)))
    if random.random() < 0.5:
        some["energy"] = random.randint(0, energy)
    return some


def _aside(state: State, random: Random) -> Moves:
    """One of the things that may be declared in any phase."""
    side, kind = random.choice(SIDES), random.random()
    if kind < 0.35:
        yield recovery(state, side, random)
    elif kind < 0.6:
        yield from _shown(state, side, random)
    elif kind < 0.75:
        yield _definition(state, side, random)
    elif kind < 0.98:
        ruling: dict[str, Any] = {"event": "ruling", "text": "Accord à la table"}
        if random.random() < 0.5:
            ruling["goals"] = {side: random.choice((1, 1, -1))}
        if random.random() < 0.4:
            ruling["next_attack"] = random.choice((*SIDES, None))
        yield ruling
    else:
        yield {"event": "concede", "side": side}


def _shown(state: State, side: Side, random: Random) -> Moves:
    for card in shuffled(random, state.occasions):
        yield {"event": "occasion_shown", "side": side, "card": card}


def _definition(state: State, side: Side, random: Random) -> dict[str, Any]:
    posts = tuple(state.setup.posts)
    player = random.random() < 0.6 and bool(posts)
    known: Mapping[str, object] = state.players[index_of(side)] if player else state.occasions
    number = next(n for n in range(1, len(known) + 2) if f"n{n}" not in known)
    event = {"event": "define_card", "kind": "player" if player else "occasion", "id": f"n{number}"}
    if len(known) >= MOST_CARDS:
        return recovery(state, side, random)
    if player:
        return {**event, "side": side, "card": invention.player(random, posts)}
    return {**event, "card": invention.occasion(random, posts)}


def _choose_occasion(state: State, random: Random) -> Moves:
    late = state.turn >= USUAL_TURNS and random.random() < 0.2
    if state.turn >= LAST_TURN or late:
        yield {"event": "match_ended"}
    for side in SIDES:
        if len(state.shown_to(side)) < 2 and random.random() < 0.6:
            yield from _shown(state, side, random)
    if random.random() < 0.96:
        for card in shuffled(random, state.shown_to(state.attack)):
            starts = state.occasions[card].starts
            played = {"event": "occasion_played", "card": card}
            yield played if len(starts) == 1 and random.random() < 0.5 else {**played, "zone": random.choice(starts)}
    if not state.occasions and random.random() < 0.5:
        yield _definition(state, state.attack, random)
    yield {"event": "turn_ended"}


def _attack_move(state: State, random: Random) -> Moves:
    if random.random() < 0.98:
        players = [state.carrier] if state.carrier else shuffled(random, free(state, state.attack))
        for move in shuffled(random, (*MOVES, CROSS)):
            for player in players:
                yield {"event": "attack_move", "player": player, "move": move}
    if random.random() < 0.7 and state.used(state.attack):
        yield recovery(state, state.attack, random)
    yield {"event": "turn_ended"}


def _defence(state: State, random: Random) -> Moves:
    players = shuffled(random, free(state, state.defence))
    if duel_of(state).move == CROSS:
        cards = state.players[index_of(state.defence)]
        players = [id for id in players if WALL in cards[id].abilities]
    if random.random() < 0.7:
        for player in players:
            yield {"event": "defence_choice", "choice": "oppose", "player": player}
    yield {"event": "defence_choice", "choice": "let_pass"}


def _support(state: State, random: Random) -> Moves:
    if random.random() < 0.2:
        yield from _abilities(state, random)
    side = duel_of(state).turn
    if side is None:
        return
    left = free(state, side)
    if left and random.random() < 0.3:
        count = min(len(left), random.choice((1, 1, 1, 2, 3)))
        yield {"event": "add_support", "side": side, "players": random.sample(left, count)}
    yield {"event": "support_done", "side": side}


def _abilities(state: State, random: Random) -> Moves:
    for side in shuffled(random, SIDES):
        for id in shuffled(random, state.in_play(side)):
            for ability in state.players[index_of(side)][id].free_abilities:
                points = random.choice((-2, -1, 0, 1, 1, 2, 3))
                yield {"event": "ability_used", "side": side, "player": id, "ability": ability, "points": points}


def _foul(state: State, random: Random) -> Moves:
    side = random.choice(SIDES)
    foul: dict[str, Any] = {"event": "foul_called", "side": side, "effect": random.choice(EFFECTS)}
    if random.random() < 0.5:
        foul["card"] = random.choice(SHOWN)
    if random.random() < 0.7:
        foul["player"] = random.choice(state.in_play(side))
    yield foul


def _reveal(state: State, random: Random) -> Moves:
    if random.random() < 0.05:
        yield from _foul(state, random)
    value = random.randint(0, 6) if random.random() < 0.97 else random.randint(7, MOST_ENERGY)
    yield {"event": "reveal", "side": due_to_reveal(state), "value": value}


def _verdict(state: State, random: Random) -> Moves:
    if random.random() < 0.1:
        yield from _foul(state, random)
    yield {"event": "resolve"}


def _advance(state: State, random: Random) -> Moves:
    yield {"event": "advance", "zone": random.choice(state.options)}


def _shot(state: State, random: Random) -> Moves:
    shooter = {"player": state.carrier} if state.carrier else {}
    yield {"event": random.choice(("goal_scored", "chance_missed")), **shooter}


_BY_PHASE: dict[Phase, Callable[[State, Random], Moves]] = {
    "choose_occasion": _choose_occasion,
    "attack_move": _attack_move,
    "defence": _defence,
    "support": _support,
    "reveal": _reveal,
    "verdict": _verdict,
    "advance": _advance,
    "shot": _shot,
}
