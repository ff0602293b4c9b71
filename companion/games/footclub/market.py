"""The squad market (chapter 2): staff pairs, open pairs, ten picks, and the resulting clubs."""

from __future__ import annotations

from dataclasses import replace

from companion.games.base import Outcome
from companion.games.footclub.cards import PlayerCard, Squad
from companion.games.footclub.events import MarketOpen, MarketPick, MarketStaff
from companion.games.footclub.legs import player_at_start
from companion.games.footclub.refusals import refusal
from companion.games.footclub.setup import Setup
from companion.games.footclub.state import Club, Market, Pick, State
from companion.games.footclub.tables import MARKET_PICKS, SIDES, STAFF_STARS, Side, index_of, opponent

LOWER_LEVEL = 3
UPPER_LEVELS = (4, 5)
REVEALED = 2
"""The number of upper players that a club sees in a market turn (FC-2.4)."""


def club_of(setup: Setup, side: Side, squad: Squad) -> Club:
    """Return a club before the match: its squad, its stands, the kop of the home club (FC-4.2)."""
    players = {card.id: player_at_start(setup, card) for card in squad.players}
    kop = "up" if side == setup.home else None
    return Club(side=side, coach=squad.coach, goalkeeper=squad.goalkeeper, players=players, kop=kop)


def current_market(state: State) -> Market:
    """Return the market of phase `market`."""
    if state.market is None:
        raise ValueError(f"no market in phase {state.phase}")
    return state.market


def lower_pile(state: State) -> tuple[str, ...]:
    """Return the three-star players not shown yet."""
    seen = current_market(state).seen
    cards = state.setup.team_cards.players
    return tuple(card.id for card in cards if card.level == LOWER_LEVEL and card.id not in seen)


def upper_pile(state: State) -> tuple[PlayerCard, ...]:
    """Return the players of four and five stars that may still be revealed (FC-2.4)."""
    revealed = {id for pick in current_market(state).picks for id in pick.revealed}
    cards = [card for card in state.setup.team_cards.players if card.level in UPPER_LEVELS]
    fours = any(card.level == UPPER_LEVELS[0] and card.id in revealed for card in cards)
    left = [card for card in cards if card.id not in revealed]
    return tuple(card for card in left if not (fours and card.level == UPPER_LEVELS[1]))


def next_of_upper_pile(state: State) -> tuple[PlayerCard, ...]:
    """Return the players who may be the next two of the upper pile: five-star players are on top (FC-2.4)."""
    left = upper_pile(state)
    top = tuple(card for card in left if card.level == UPPER_LEVELS[1])
    return top if len(top) >= REVEALED else left


def check_staff(state: State, event: MarketStaff) -> None:
    market, cards = current_market(state), state.setup.team_cards
    if market.staff[index_of(event.side)] is not None:
        raise refusal("FC-18.6", "staff")
    coach, goalkeeper = cards.coach(event.coach), cards.goalkeeper(event.goalkeeper)
    if coach is None or goalkeeper is None:
        raise refusal("FC-2.2", "unknown")
    taken = market.staff[index_of(opponent(event.side))]
    if taken is not None and (event.coach == taken[0] or event.goalkeeper == taken[1]):
        raise refusal("FC-2.2", "taken")
    if coach.level + goalkeeper.level != STAFF_STARS:
        raise refusal("FC-2.2", "stars", stars=coach.level + goalkeeper.level)


def apply_staff(state: State, event: MarketStaff) -> tuple[State, Outcome]:
    market = current_market(state)
    pair = (event.coach, event.goalkeeper)
    blue, red = market.staff
    market = replace(market, staff=(pair, red) if event.side == "blue" else (blue, pair))
    return replace(state, market=market), {"level": STAFF_STARS}


def check_open(state: State, event: MarketOpen) -> None:
    market = current_market(state)
    if market.first is not None:
        raise refusal("FC-18.6", "market")
    if None in market.staff:
        raise refusal("FC-2.3", "staff_missing")
    _check_new(state, [id for pair in event.pairs for id in pair])


def _check_new(state: State, ids: list[str]) -> None:
    """Check newly opened pairs (FC-2.3). Raises: Refusal."""
    if len(set(ids)) < len(ids) or not set(ids) <= set(lower_pile(state)):
        raise refusal("FC-2.3", "not_new")


def apply_open(state: State, event: MarketOpen) -> tuple[State, Outcome]:
    seen = frozenset(id for pair in event.pairs for id in pair)
    market = replace(current_market(state), first=event.first, pairs=event.pairs, seen=seen)
    return replace(state, market=market), {"pairs": len(event.pairs)}


def check_pick(state: State, event: MarketPick) -> None:
    market = current_market(state)
    if market.next is None:
        raise refusal("FC-2.3", "not_open")
    if event.side != market.next:
        raise refusal("FC-2.7")
    first, second = event.revealed
    if first == second or not {first, second} <= {card.id for card in upper_pile(state)}:
        raise refusal("FC-2.4", "revealed")
    if event.take not in event.revealed:
        raise refusal("FC-2.4", "take")
    if _open_pair(market, event) is None:
        raise refusal("FC-2.5")
    if (event.next_pair is None) == (len(lower_pile(state)) >= 2):
        raise refusal("FC-2.6", "missing" if event.next_pair is None else "too_much")
    if event.next_pair is not None:
        _check_new(state, list(event.next_pair))


def _open_pair(market: Market, event: MarketPick) -> tuple[str, str] | None:
    """Return the open pair that was taken, in its displayed order, whichever order the event uses."""
    return next((pair for pair in market.pairs if event.pair in (pair, pair[::-1])), None)


def apply_pick(state: State, event: MarketPick) -> tuple[State, Outcome]:
    market = current_market(state)
    pair = _open_pair(market, event) or event.pair
    place = market.pairs.index(pair)
    refilled = () if event.next_pair is None else (event.next_pair,)
    market = replace(
        market,
        pairs=(*market.pairs[:place], *refilled, *market.pairs[place + 1 :]),
        picks=(*market.picks, Pick(event.side, event.revealed, event.take, pair)),
        seen=market.seen.union(event.next_pair or ()),
    )
    outcome = {"squad": 2 + len(picked_ids(market, event.side))}
    state = replace(state, market=market)
    return (state if len(market.picks) < MARKET_PICKS else _close_market(state)), outcome


def picked_ids(market: Market, side: Side) -> list[str]:
    """Return the players that a side has taken, in order."""
    return [id for pick in market.picks if pick.side == side for id in (pick.player, *pick.pair)]


def _close_market(state: State) -> State:
    market, cards = current_market(state), state.setup.team_cards
    clubs = []
    for side, staff in zip(SIDES, market.staff, strict=True):
        coach, goalkeeper = (cards.coach(staff[0]), cards.goalkeeper(staff[1])) if staff else (None, None)
        if coach is None or goalkeeper is None:
            raise ValueError("the market closed without staff")
        taken = picked_ids(market, side)
        players = tuple(card for id in taken if (card := cards.player(id)) is not None)
        clubs.append(club_of(state.setup, side, Squad(coach, goalkeeper, players)))
    return replace(state, phase="pre_match", clubs=tuple(clubs), market=None)
