"""Cards as options of a prompt, those of the active side first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from companion.games.base import Message, Option
from companion.games.nba.cards import PlayerCard, TacticCard
from companion.games.nba.market import is_on_sale
from companion.games.nba.messages import word
from companion.games.nba.state import State
from companion.games.nba.tables import MAX_PREPARED, POSITIONS
from companion.games.wording import literal


def unseen_players(state: State) -> list[PlayerCard]:
    """Return the player cards that may lie hidden on the track."""
    seen = {id for team in state.teams for id in team.mini} | set(state.track)
    return [one for one in catalogue_players(state) if one.id not in seen and is_on_sale(state, one)]


def catalogue_players(state: State) -> list[PlayerCard]:
    """Return the player cards of the catalogue."""
    return [one for one in state.setup.cards.values() if isinstance(one, PlayerCard)]


def catalogue_tactics(state: State) -> list[TacticCard]:
    """Return the tactics of the catalogue."""
    return [one for one in state.setup.cards.values() if isinstance(one, TacticCard)]


def player_option(state: State, one: PlayerCard, effect: str | None = None) -> Option:
    """Return a player card with its positions and values."""
    places = Message("nba.option.player", {"positions": _positions(one), "value": one.value, "cost": one.cost})
    return Option(one.id, literal(one.name), places, effect)


def _positions(one: PlayerCard) -> Message:
    head, *rest = [word("position_short", position) for position in POSITIONS if position in one.positions]
    for text in rest:
        head = Message("common.list", {"head": head, "rest": text})
    return head


def tactic_option(
    one: TacticCard, most: int = MAX_PREPARED, effect: str | None = None, group: Message | None = None
) -> Option:
    """Return a tactic with its complexity and its value, in a group that names its type."""
    detail = Message("nba.option.tactic", {"complexity": one.complexity, "value": one.value})
    named = group or word("group", f"market_{one.type}")
    return Option(one.id, literal(one.name), detail, effect, maximum=most, group=named)


def owned_players(state: State) -> frozenset[str]:
    """Return the player cards that belong to the active side according to the journal."""
    team = state.team(state.active_side)
    roster = state.setup.rosters[team.side]
    return frozenset((*roster.court, *(roster.bench or ()), *team.bought))


def owned_first(state: State, cards: Sequence[PlayerCard]) -> list[PlayerCard]:
    """Sort the cards: those of the active side first, the latest purchase at the very front."""
    owned, bought = owned_players(state), state.team(state.active_side).bought
    return sorted(cards, key=lambda one: (one.id not in owned, -bought.index(one.id) - 1 if one.id in bought else 0))


def owned_tactics(state: State) -> frozenset[str]:
    """Return the tactics of the active side according to the journal; without a roster the base tactics."""
    team = state.team(state.active_side)
    tactics = state.setup.rosters[team.side].tactics
    if tactics is None:
        tactics = tuple([one.id for one in catalogue_tactics(state) if one.base])
    return frozenset((*tactics, *team.bought))


def owned_tactics_first(state: State, cards: Iterable[TacticCard]) -> list[TacticCard]:
    """Sort tactics: those of the side before the others, of each the offence before the defence."""
    owned = owned_tactics(state)
    return sorted(cards, key=lambda one: (one.id not in owned, one.type != "offence"))


def tactic_group(state: State, one: TacticCard) -> Message:
    """Return the name of a tactic's group: its type, and whether the side has it."""
    return word("group", f"{'own' if one.id in owned_tactics(state) else 'other'}_{one.type}")


def player_group(state: State, id: str) -> Message:
    """Return the name of a player card's group: whether the side has it."""
    return word("group", "own_players" if id in owned_players(state) else "other_players")
