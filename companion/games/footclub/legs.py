"""The winner after regular and extra time, and what connects two legs: transfers, suspensions (chapters 14 to 16)."""

from __future__ import annotations

from dataclasses import replace

from companion.games.base import JsonObject, Outcome
from companion.games.footclub.cards import PlayerCard
from companion.games.footclub.events import MarketTransfer
from companion.games.footclub.refusals import refusal
from companion.games.footclub.setup import FirstLeg, Setup
from companion.games.footclub.state import Player, Result, State
from companion.games.footclub.tables import Phase, Side, index_of, opponent

OFFERED = {4: 3, 5: 2}
"""Players offered to a club between the legs, by level (FC-16.6)."""


def leader(pair: tuple[int, int]) -> Side | None:
    """Return the side with the higher number, or None in a tie."""
    return None if pair[0] == pair[1] else "blue" if pair[0] > pair[1] else "red"


def after_second_half(state: State) -> tuple[Phase, Result | None]:
    """Return the phase after the second half, and the result if the match is over (FC-14.15)."""
    if state.setup.format == "leg2":
        result = two_leg_result(state)
        return ("finished", result) if result else ("extra_time_break", None)
    winner = leader(state.score)
    if winner is not None:
        return "finished", Result(winner, "goals")
    return ("full_time", None) if state.setup.format == "single" else ("finished", Result(None, "draw"))


def after_extra_time(state: State) -> tuple[Phase, Result | None]:
    """Return the phase after extra time's third turn, and the result if it is decided (FC-15.3, FC-15.4, FC-16.2)."""
    if state.setup.format == "leg2":
        result = two_leg_result(state)
    else:
        winner = leader(state.score)
        result = Result(winner, "extra_time") if winner else None
    return ("finished", result) if result else ("shootout", None)


def two_leg_result(state: State) -> Result | None:
    """Return the winner of two legs by aggregate, then by away goals; None if both are equal (FC-16.2)."""
    first = state.setup.first_leg
    if first is None:
        raise ValueError("two legs need a first leg")
    winner = leader(aggregate(state, first))
    if winner is not None:
        return Result(winner, "aggregate")
    winner = leader(away_goals(state, first))
    return Result(winner, "away_goals") if winner else None


def aggregate(state: State, first: FirstLeg) -> tuple[int, int]:
    """Return the goals of both legs, (blue, red)."""
    return first.score[0] + state.score[0], first.score[1] + state.score[1]


def away_goals(state: State, first: FirstLeg) -> tuple[int, int]:
    """Return the goals scored away in both legs, (blue, red). The club now at home was away in the first leg."""
    return (first.score[0], state.score[1]) if state.setup.home == "blue" else (state.score[0], first.score[1])


def player_at_start(setup: Setup, card: PlayerCard) -> Player:
    """Return a player at the start of the match: suspended or injured after a first leg (FC-16.3, FC-16.5)."""
    first = setup.first_leg
    if first is None:
        return Player(card)
    status = "suspended" if card.id in first.suspended else "bench"
    return Player(card, status=status, lasting=int(card.id in first.injured))


def carry_over(state: State) -> JsonObject | None:
    """Return what a first leg carries over to the second, ready for `first_leg` (19.3); None in other formats."""
    if state.setup.format != "leg1":
        return None
    players = [player for club in state.clubs for player in club.players.values()]
    return {
        "suspended": sorted(player.id for player in players if player.status == "sent_off"),
        "booked": sorted(player.id for player in players if player.yellow and player.status != "sent_off"),
        "injured": sorted(player.id for player in players if player.left_from is not None),
    }


def check_transfer(state: State, event: MarketTransfer) -> None:
    if state.setup.format != "leg2":
        raise refusal("FC-16.6", "not_second_leg")
    club = state.club(event.side)
    if state.offers[index_of(event.side)] or club.lineup is not None:
        raise refusal("FC-18.6", "transfer")
    cards = _offered(state, event)
    levels = [card.level for card in cards]
    if len(set(event.offered)) < len(event.offered) or any(levels.count(at) != n for at, n in OFFERED.items()):
        raise refusal("FC-16.6", "levels")
    if len(set(event.take)) < len(event.take) or not set(event.take) <= set(event.offered):
        raise refusal("FC-16.6", "take")
    if all(card.level == 5 for card in cards if card.id in event.take):
        raise refusal("FC-16.6", "both_five")


def _offered(state: State, event: MarketTransfer) -> list[PlayerCard]:
    """Return the offered cards. None of them may be in a squad or be offered to the other club. Raises: Refusal."""
    owned = {id for each in state.clubs for id in each.players}
    taken = set(state.offers[index_of(opponent(event.side))])
    cards = []
    for id in event.offered:
        card = state.setup.team_cards.player(id)
        if card is None:
            raise refusal("FC-16.6", "unknown", player=id)
        if id in owned:
            raise refusal("FC-16.6", "owned", player=card.name)
        if id in taken:
            raise refusal("FC-16.6", "offered", player=card.name)
        cards.append(card)
    return cards


def apply_transfer(state: State, event: MarketTransfer) -> tuple[State, Outcome]:
    club = state.club(event.side)
    players = dict(club.players)
    for id in event.take:
        card = state.setup.team_cards.player(id)
        if card is not None:
            players[id] = player_at_start(state.setup, card)
    blue, red = state.offers
    club = replace(club, players=players)
    state = replace(
        state,
        clubs=state.with_clubs(club),
        offers=(event.offered, red) if event.side == "blue" else (blue, event.offered),
    )
    return state, {"squad": len(players) + 2}
