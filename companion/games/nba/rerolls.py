"""How many dice of an activation may be rerolled, and the price (NBA-7.4, 7.5, 9.4 to 9.6)."""

from __future__ import annotations

from collections.abc import Iterable

from companion.games.nba.cards import TacticCard
from companion.games.nba.state import State
from companion.games.nba.tables import MONEY_TIME_REROLLS, REBOUNDS_PER_DIE


def rebound_rerolls(state: State, side: str) -> int:
    """Return how many offence dice a side may reroll, by its rebounds and decisive players; without its coach."""
    most = max(state.rebounds(other) for other in state.setup.opponents(side))
    ahead = max(0, state.rebounds(side) - most)
    return -(-ahead // REBOUNDS_PER_DIE) + decisive_players(state, side)


def decisive_players(state: State, side: str) -> int:
    """Return the number of decisive players on a side's court while they count (NBA-9.6)."""
    if not state.setup.variants.decisive or not state.closing:
        return 0
    return sum(state.setup.player(id).decisive for id in state.team(side).court)


def max_rerolls(state: State, side: str, type_: str) -> int:
    """Return the maximum number of rerolled dice, whatever the number on the table; without the coach's extra die."""
    if type_ == "offence":
        return rebound_rerolls(state, side)
    return MONEY_TIME_REROLLS if state.money_time else state.pile


def coach_kind(state: State, tactic: TacticCard) -> str | None:
    """Return the kind of die whose reroll gives the active side one more, if the tactic rolls it (NBA-9.5)."""
    coach = state.setup.coach(state.active_side)
    return coach.die if coach.power == "reroll" and coach.die in tactic.skills else None


def remaining(state: State) -> int:
    """Return how many dice of the open roll may still be rerolled, without the coach's extra die."""
    roll = state.open_roll
    if roll.rerolled:
        return 0
    return min(len(roll.dice), max_rerolls(state, state.active_side, state.setup.tactic(roll.tactic).type))


def coach_die_remaining(state: State) -> str | None:
    """Return the coach's kind of die if the open roll has not been rerolled yet."""
    roll = state.open_roll
    return None if roll.rerolled else coach_kind(state, state.setup.tactic(roll.tactic))


def coach_extra(state: State, indices: Iterable[int]) -> int:
    """Return 1 if the coach's kind is among the rerolled dice, otherwise 0."""
    roll = state.open_roll
    kind = coach_kind(state, state.setup.tactic(roll.tactic))
    return int(kind is not None and any(roll.dice[index].die == kind for index in indices))


def costs_fatigue(state: State) -> bool:
    """Return True if the rerolled dice of the open roll cost fatigue cards (NBA-7.5, NBA-9.4)."""
    return state.setup.tactic(state.open_roll.tactic).type == "defence" and not state.money_time


def fatigue_price(state: State, indices: tuple[int, ...]) -> int:
    """Return the number of fatigue cards that a reroll of the open roll costs (NBA-7.5)."""
    if not costs_fatigue(state):
        return 0
    return len(indices) - coach_extra(state, indices)
