"""Random legal events: a player for all sides who knows the rules but has no plan, for demonstrations and tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from companion.games.nba import forecast, rerolls, solo
from companion.games.nba.activation import most_rerolled
from companion.games.nba.mismatch import attack_dice, defence_dice, may_play
from companion.games.nba.moves_dice import kinds_of, rolled
from companion.games.nba.moves_market import owned_tactics, purchases, substitutions
from companion.games.nba.rulebook import RULEBOOK
from companion.games.nba.state import State
from companion.games.nba.tables import DEFENCE, MOST_RECRUITS, OFFENCE, OPEN, POSITIONS, SLOTS

Moves = Iterator[dict[str, Any]]
CONCEDE_CHANCE = 0.0003
RULING_CHANCE = 0.002
MISMATCH_CHANCE = 0.05


def random_event(state: State, random: Random) -> dict[str, Any]:
    """Some event that is legal now. Only for a match that is not over."""
    for fields in _moves(state, random):
        if RULEBOOK.legal(state, RULEBOOK.parse(fields)) is None:
            return fields
    raise ValueError(f"nothing is legal in phase {state.phase}")


def _moves(state: State, random: Random) -> Moves:
    """Candidates, one that is always legal last."""
    if random.random() < CONCEDE_CHANCE:
        yield {"event": "concede", "side": random.choice(state.setup.sides)}
    if random.random() < RULING_CHANCE:
        yield _ruling(state, random)
    if state.phase in OPEN and random.random() < MISMATCH_CHANCE:
        yield _mismatch(state, random)
    yield from _BY_PHASE[state.phase](state, random)


def _ruling(state: State, random: Random) -> dict[str, Any]:
    side, against = random.sample(state.setup.sides, 2)
    award = {"side": side, "against": against, "points": random.choice((-1, 1, 2))}
    return {"event": "ruling", "text": "Décision de la table", "points": [award]}


def _mismatch(state: State, random: Random) -> dict[str, Any]:
    """A token of any side that has one left."""
    side, against = random.sample(state.setup.sides, 2)
    free = [position for position in POSITIONS if may_play(state, side, position)]
    position = random.choice(free or POSITIONS)
    few = {kind: random.randint(0, 2) for kind in (*OFFENCE, *DEFENCE)}
    attack = attack_dice(state, side, position) or {kind: few[kind] for kind in OFFENCE}
    defence = defence_dice(state, against, position) or {kind: few[kind] for kind in DEFENCE}
    return {
        "event": "mismatch",
        "side": side,
        "position": position,
        "against": against,
        "attack": rolled(state.setup.dice_set, kinds_of(attack), random),
        "defence": rolled(state.setup.dice_set, kinds_of(defence), random),
    }


def _turn(state: State, random: Random) -> Moves:
    if not state.setup.full:
        yield from _logged(state, random)
    elif state.solo_turn:
        yield from solo_moves(state, random)
    else:
        yield from _played(state, random)
    yield _end(state, random)


def _logged(state: State, random: Random) -> Moves:
    """Level `scores`: what was kept, in either order, sometimes nothing."""
    dice_set = state.setup.dice_set
    kinds = random.choices(OFFENCE, k=random.randint(0, 5))
    attack: dict[str, Any] = {"event": "attack", "dice": rolled(dice_set, kinds, random)}
    kinds = random.choices(DEFENCE, k=random.randint(0, 4))
    defend: dict[str, Any] = {"event": "defend", "dice": rolled(dice_set, kinds, random)}
    if state.pile and not state.money_time and random.random() < 0.4:
        defend["fatigue"] = random.randint(0, min(2, state.pile))
    if random.random() < 0.2:
        attack["tactic"] = "à la main"
    for event in random.sample((attack, defend), 2):
        if random.random() < 0.9:
            yield event


def _played(state: State, random: Random) -> Moves:
    """Level `full`: adjustment and actions in any order, then activations."""
    if random.random() < 0.3:
        yield _adjust(state, random)
    steps = [substitutions, purchases, _prepare]
    for step in random.sample(steps, len(steps)):
        if random.random() < 0.7:
            yield from step(state, random)
    yield from activations(state, random)


def _adjust(state: State, random: Random) -> dict[str, Any]:
    event: dict[str, Any] = {"event": "adjust"}
    if random.random() < 0.7:
        event["tactics_replaced"] = random.randint(0, SLOTS)
    known = state.setup.market_list
    if known is not None and state.laid and random.random() < 0.5:
        top = len(known) - state.deck
        event["revealed"] = list(known[top - state.laid : top])
    return event


def _prepare(state: State, random: Random) -> Moves:
    """One to three tactics of the deck, with some of the board thrown away where there is no room."""
    team = state.team(state.mover)
    owned = owned_tactics(state)
    tactics = random.choices(owned, k=random.randint(1, 3)) if owned else []
    yield {"event": "prepare", "tactics": tactics}
    if team.prepared:
        discard = random.sample(team.prepared, random.randint(1, len(team.prepared)))
        yield {"event": "prepare", "tactics": tactics, "discard": discard}
        yield {"event": "prepare", "discard": discard}
    for id in tactics:
        yield {"event": "prepare", "tactics": [id]}


def activations(state: State, random: Random) -> Moves:
    """A whole first roll for each prepared tactic that may be used, in any order."""
    board = list(dict.fromkeys(state.team(state.mover).prepared))
    for id in random.sample(board, len(board)):
        tactic = state.setup.tactic(id)
        if forecast.usable(state, state.mover, tactic):
            yield activation(state, id, random)


def activation(state: State, id: str, random: Random) -> dict[str, Any]:
    """The whole first roll of a tactic."""
    kinds = kinds_of(state.roll_size(state.mover, state.setup.tactic(id)))
    return {"event": "activate", "tactic": id, "dice": rolled(state.setup.dice_set, kinds, random)}


def solo_moves(state: State, random: Random) -> Moves:
    """The solo opponent's steps: what is drawn is random, what it does with it is not."""
    cards = state.setup.cards
    gone = {id for team in state.teams for id in (*team.bought, *team.eliminated, *team.court)}
    free = [id for id, card in cards.items() if getattr(card, "role", None) == "nba" and id not in gone]
    yield {"event": "ai_recruit", "cards": random.sample(free, min(len(free), random.randint(0, MOST_RECRUITS)))}
    tactics = [id for id, card in cards.items() if not getattr(card, "base", True)]
    yield {"event": "ai_tactic", "market": random.choices(tactics, k=random.randint(0, SLOTS)) if tactics else []}
    planned = [id for id in solo.plan(state).values() if id is not None]
    for id in random.sample(planned, len(planned)):
        yield activation(state, id, random)


def _end(state: State, random: Random) -> dict[str, Any]:
    event: dict[str, Any] = {"event": "end_turn"}
    clock = state.setup.clock == "market" and not state.ultimate and not state.period
    if clock and state.turn >= state.setup.market_cards and random.random() < 0.3:
        event["market_empty"] = True
    if state.setup.full and not state.solo_turn and random.random() < 0.1:
        court = state.team(state.mover).court
        others = [id for id in state.setup.cards if id not in court]
        event["eliminated"] = random.sample(others, random.randint(1, 2))
    return event


def _roll(state: State, random: Random) -> Moves:
    roll = state.rolling
    if state.solo_turn:
        yield reroll(state, list(solo.must_reroll(state, rerolls.left(state))), random)
        return
    if random.random() < 0.6 and roll.dice:
        indices = random.sample(range(len(roll.dice)), random.randint(1, len(roll.dice)))
        yield reroll(state, indices[: max(1, most_rerolled(state, indices))], random)
    tactic = state.setup.tactic(roll.tactic)
    kept = [i for skill, n in tactic.keep for i in _some(roll.of_kind(skill), n, random)]
    yield {"event": "keep", "dice": kept}


def _some(indices: tuple[int, ...], most: int, random: Random) -> list[int]:
    return random.sample(indices, random.randint(min(1, len(indices)), min(most, len(indices))))


def reroll(state: State, indices: list[int], random: Random) -> dict[str, Any]:
    """These dice of the open roll thrown again."""
    kinds = [state.rolling.dice[index].die for index in indices]
    return {"event": "reroll", "dice": indices, "to": rolled(state.setup.dice_set, kinds, random)}


def _tied(state: State, random: Random) -> Moves:
    yield {"event": "overtime" if random.random() < 0.7 else "accept_draw"}


_BY_PHASE: dict[str, Callable[[State, Random], Moves]] = {
    "adjust": _turn,
    "actions": _turn,
    "activation": _turn,
    "roll": _roll,
    "tied": _tied,
}
