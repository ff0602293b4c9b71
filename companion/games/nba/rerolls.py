"""How many dice of an activation may be rolled again, and what that costs (NBA-7.4, 7.5, 9.4 to 9.6)."""

from __future__ import annotations

from collections.abc import Iterable

from companion.games.nba.cards import TacticCard
from companion.games.nba.state import State
from companion.games.nba.tables import MONEY_TIME_DICE, REBOUNDS_PER_DIE


def rebound_rerolls(state: State, side: str) -> int:
    """Offence dice that a side may roll again: by its rebounds and its decisive players; its coach not included."""
    most = max(state.rebounds(other) for other in state.setup.opponents(side))
    ahead = max(0, state.rebounds(side) - most)
    return -(-ahead // REBOUNDS_PER_DIE) + decisive_players(state, side)


def decisive_players(state: State, side: str) -> int:
    """How many decisive players stand on a side's court while that counts (NBA-9.6)."""
    if not state.setup.variants.decisive or not state.closing:
        return 0
    return sum(state.setup.player(id).decisive for id in state.team(side).court)


def allowed(state: State, side: str, type_: str) -> int:
    """Dice that may be rolled again, however many lie there; the coach's extra one not included."""
    if type_ == "offence":
        return rebound_rerolls(state, side)
    return MONEY_TIME_DICE if state.money_time else state.pile


def coach_kind(state: State, tactic: TacticCard) -> str | None:
    """The kind of die whose reroll gives the active side one more, if the tactic rolls it (NBA-9.5)."""
    coach = state.setup.coach(state.mover)
    return coach.die if coach.power == "reroll" and coach.die in tactic.skills else None


def left(state: State) -> int:
    """Dice of the open roll that may still be rolled again, the coach's extra one not included."""
    roll = state.rolling
    if roll.rerolled:
        return 0
    return min(len(roll.dice), allowed(state, state.mover, state.setup.tactic(roll.tactic).type))


def coach_left(state: State) -> str | None:
    """The coach's kind of die while the reroll of the open roll is still to come."""
    roll = state.rolling
    return None if roll.rerolled else coach_kind(state, state.setup.tactic(roll.tactic))


def extra(state: State, indices: Iterable[int]) -> int:
    """One die more when the coach's kind is among the dice rolled again."""
    roll = state.rolling
    kind = coach_kind(state, state.setup.tactic(roll.tactic))
    return int(kind is not None and any(roll.dice[index].die == kind for index in indices))


def price(state: State, indices: tuple[int, ...]) -> int:
    """Fatigue cards that a reroll of the open roll takes (NBA-7.5)."""
    if state.setup.tactic(state.rolling.tactic).type == "offence" or state.money_time:
        return 0
    return len(indices) - extra(state, indices)
