"""What an entry carries from round to round of a legacy tournament: the cards kept, the thresholds."""

from __future__ import annotations

from companion.games.spec import Kept
from companion.tournament.course import Match
from companion.tournament.facts import State


def threshold_after(state: State, match: Match) -> int | None:
    """The highest cost of a card that may be kept after a match, None where nothing is kept."""
    thresholds = state.plan.stages[match.stage - 1].thresholds
    return thresholds[match.round - 1] if match.kind in _ROUNDS and match.round <= len(thresholds) else None


_ROUNDS = ("winners", "group", "swiss")
"""Rounds after which more follow."""


def kept_by(state: State, entry: str) -> tuple[str, ...]:
    """The ids of the cards that an entry carries, in the order in which they were kept."""
    own = [keep for keep in state.kept if keep.entry == entry]
    return tuple(card for keep in own for card in (keep.player, keep.tactic) if card is not None)


def kept(state: State, match: Match, sides: dict[str, str]) -> Kept | None:
    """The cards that the sides of a match carry (side of the game → entry), None in a tournament that carries none.

    Its round is never less than the number of cards kept so far; its threshold is that of the round before. A final
    counts as the round after the last one.
    """
    stage = state.plan.stages[match.stage - 1]
    if not stage.thresholds:
        return None
    round = match.round if match.kind in _ROUNDS else len(stage.thresholds) + 1
    before = stage.thresholds[: round - 1]
    return Kept(round, before[-1] if before else 0, {side: kept_by(state, entry) for side, entry in sides.items()})
