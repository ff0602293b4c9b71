"""Purchases on the two markets and from the personal one, with the coaches' prices (NBA-6.6, 6.7, 9.3, 9.5)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from companion.games.base import Outcome
from companion.games.nba import events as ev
from companion.games.nba.card_lookup import known_player, known_players, known_tactic, known_tactics
from companion.games.nba.cards import Card, PlayerCard, TacticCard
from companion.games.nba.market_track import HIDDEN_CARD
from companion.games.nba.refusals import refusal
from companion.games.nba.state import State, cards_on_courts, with_step


def max_tactics(state: State) -> int:
    """Return how many tactics the active side may buy in a turn."""
    return 2 if state.setup.coach(state.active_side).power == "second_tactic" else 1


def player_cost(state: State, card: PlayerCard) -> int:
    """Return what a player costs the active side (NBA-9.5)."""
    coach = state.setup.coach(state.active_side)
    cheaper = coach.power == "discount" and card.stat(coach.skill) >= coach.least
    return max(0, card.cost - cheaper)


def tactic_cost(state: State, card: TacticCard) -> int:
    """Return what a tactic costs the active side; the second one in a turn costs more (NBA-9.5)."""
    return card.cost + (state.setup.coach(state.active_side).extra if "buy_tactic" in state.done else 0)


def is_available(state: State, card: PlayerCard) -> bool:
    """Return True if an NBA player may still be bought: on no court, not bought and not removed by any side."""
    gone = any(card.id in team.bought or card.id in team.eliminated for team in state.teams)
    return card.role == "nba" and not gone and card.id not in cards_on_courts(state)


def is_on_sale(state: State, card: PlayerCard) -> bool:
    """Return True if the market can show an NBA player: he may be bought, and no side kept his card (NBA-13.2).

    A kept card is in a deck, and a player card exists once (NBA-3.2); NBA-6.6 does not ask for this.
    """
    legacy = state.setup.legacy
    return is_available(state, card) and not (legacy and any(card.id in ids for ids in legacy.kept.values()))


def check_buy_player(state: State, event: ev.BuyPlayer) -> None:
    """Check NBA-1.2, then NBA-9.3, then NBA-6.6. Raises: Refusal."""
    card = known_player(state, event.card)
    paid = known_players(state, event.paid)
    team = state.team(state.active_side)
    if event.source == "mini":
        if not state.setup.variants.draft:
            raise refusal("NBA-9.3", "no_draft")
        if event.card not in team.mini:
            raise refusal("NBA-9.3", "not_in_mini", card=card.name)
    else:
        _check_slot(state, event, card)
    if not is_available(state, card):
        raise refusal("NBA-6.6", "not_free", card=card.name)
    if len(set(event.paid)) < len(event.paid):
        raise refusal("NBA-6.6", "paid_twice")
    if set(event.paid) & set(team.court):
        raise refusal("NBA-6.6", "paid_on_court")
    _check_price("NBA-6.6", card, player_cost(state, card), paid)


def _check_slot(state: State, event: ev.BuyPlayer, card: PlayerCard) -> None:
    slot_card = state.track[event.slot - 1] if event.slot else None
    if slot_card is None:
        raise refusal("NBA-6.6", "empty_slot")
    if slot_card not in (HIDDEN_CARD, event.card):
        raise refusal("NBA-6.6", "other_card", card=card.name)
    if any(event.card in team.mini for team in state.teams):
        raise refusal("NBA-6.6", "in_mini", card=card.name)


def _check_price(rule: str, card: Card, cost: int, paid: Iterable[Card]) -> None:
    total = sum(each.value for each in paid)
    if total < cost:
        raise refusal(rule, "price", card=card.name, cost=cost, paid=total)


def apply_buy_player(state: State, event: ev.BuyPlayer) -> tuple[State, Outcome]:
    card = state.setup.player(event.card)
    outcome = _bill(state, player_cost(state, card), event.paid)
    team = state.team(state.active_side)
    team = replace(team, bought=(*team.bought, card.id), mini=tuple([id for id in team.mini if id != card.id]))
    track = tuple([None if slot == event.slot else id for slot, id in enumerate(state.track, 1)])
    if event.source == "market":
        state = replace(state, track=track)
    return with_step(state, team, "buy_player"), outcome


def check_buy_tactic(state: State, event: ev.BuyTactic) -> None:
    """Check NBA-1.2, then NBA-6.7. Raises: Refusal."""
    card = known_tactic(state, event.card)
    paid = known_tactics(state, event.paid)
    if card.base:
        raise refusal("NBA-6.7", "base", card=card.name)
    _check_price("NBA-6.7", card, tactic_cost(state, card), paid)


def apply_buy_tactic(state: State, event: ev.BuyTactic) -> tuple[State, Outcome]:
    outcome = _bill(state, tactic_cost(state, state.setup.tactic(event.card)), event.paid)
    team = state.team(state.active_side)
    return with_step(state, replace(team, bought=(*team.bought, event.card)), "buy_tactic"), outcome


def _bill(state: State, cost: int, paid: tuple[str, ...]) -> Outcome:
    total = sum(state.setup.card(id).value for id in paid)
    return {"cost": cost, "paid": total, "to": "hand" if state.money_time else "deck_top"}
