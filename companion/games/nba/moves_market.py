"""Random purchases and substitutions: what a side could play from its hand, as far as anybody can know."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from companion.games.nba.cards import PlayerCard, TacticCard
from companion.games.nba.court import may_not_enter
from companion.games.nba.market import free, player_cost, tactic_cost
from companion.games.nba.state import State
from companion.games.nba.track import HIDDEN

Moves = Iterator[dict[str, Any]]


def owned_players(state: State) -> list[str]:
    """The player cards of the active side that are in its hand, deck or discard, as far as the journal tells."""
    team = state.team(state.mover)
    roster = state.setup.rosters[team.side]
    ids = dict.fromkeys((*roster.court, *(roster.bench or ()), *team.bought))
    cards = [state.setup.cards[id] for id in ids if id not in team.court]
    return [card.id for card in cards if isinstance(card, PlayerCard) and not may_not_enter(state, card.id)]


def owned_tactics(state: State) -> list[str]:
    """The tactics of the active side, as far as the journal tells."""
    team = state.team(state.mover)
    ids = dict.fromkeys((*(state.setup.rosters[team.side].tactics or ()), *team.bought))
    return [id for id in ids if isinstance(state.setup.cards[id], TacticCard)]


def substitutions(state: State, random: Random) -> Moves:
    """One or two cards that enter, with fatigue taken out."""
    team = state.team(state.mover)
    court: dict[str, str] = {}
    bench = owned_players(state)
    for id in random.sample(bench, min(len(bench), random.randint(1, 3))):
        places = [position for position in state.setup.player(id).positions if position not in court]
        if places:
            court[random.choice(places)] = id
    event: dict[str, Any] = {"event": "replace", "court": court}
    most = min(len(court), team.held)
    if most and random.random() < 0.6:
        event["fatigue_removed"] = random.randint(1, most)
    if court:
        yield event


def purchases(state: State, random: Random) -> Moves:
    """A player or a tactic, paid with whatever is worth enough."""
    buys = [_player(state, random), _tactic(state, random)]
    for buy in random.sample(buys, len(buys)):
        yield from buy


def _player(state: State, random: Random) -> Moves:
    team = state.team(state.mover)
    for id in random.sample(team.mini, min(1, len(team.mini))):
        card = state.setup.player(id)
        yield {"event": "buy_player", "card": id, "from": "mini", "paid": payment(state, player_cost(state, card))}
    slots = [slot for slot, lying in enumerate(state.track, 1) if lying is not None]
    for slot in random.sample(slots, min(1, len(slots))):
        lying = state.track[slot - 1]
        named: str | None = _unseen(state, random) if lying == HIDDEN else lying
        if named is not None:
            price = player_cost(state, state.setup.player(named))
            yield {"event": "buy_player", "card": named, "slot": slot, "paid": payment(state, price)}


def _unseen(state: State, random: Random) -> str | None:
    """A card that may be the one nobody named."""
    seen = {id for team in state.teams for id in team.mini} | set(state.track)
    cards = [card for card in state.setup.cards.values() if isinstance(card, PlayerCard) and card.id not in seen]
    ids = [card.id for card in cards if free(state, card)]
    return random.choice(ids) if ids else None


def payment(state: State, cost: int) -> list[str]:
    """Player cards of the active side whose values reach a cost, the least valuable first, as far as it has any."""
    cards = [state.setup.player(id) for id in owned_players(state)]
    return _paid([(card.value, card.id) for card in sorted(cards, key=lambda card: card.value)], cost)


def _tactic(state: State, random: Random) -> Moves:
    cards = [card for card in state.setup.cards.values() if isinstance(card, TacticCard) and not card.base]
    if cards:
        card = random.choice(cards)
        yield {"event": "buy_tactic", "card": card.id, "paid": tactic_payment(state, tactic_cost(state, card))}


def tactic_payment(state: State, cost: int) -> list[str]:
    """Tactics of the active side whose values reach a cost."""
    cards = [state.setup.tactic(id) for id in owned_tactics(state)]
    return _paid([(card.value, card.id) for card in cards], cost)


def _paid(values: Sequence[tuple[int, str]], cost: int) -> list[str]:
    paid: list[str] = []
    for value, id in values:
        if cost <= 0:
            break
        paid.append(id)
        cost -= value
    return paid
