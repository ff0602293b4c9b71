"""Where each choice of the present state stands: at whose edge, in which order, what is folded away. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.games.base import Awaits, Choice, Scene, SideScene

LANDSCAPE_FITS = 4
PORTRAIT_FITS = 3


@dataclass(frozen=True, slots=True)
class EdgePlan:
    """The choices in sight, and those folded into "Autres…"."""

    shown: tuple[Choice, ...]
    more: tuple[Choice, ...] = ()


def plan_edge(choices: Sequence[Choice], fits: int) -> EdgePlan:
    """Rank order; of more than fit, legal ones stay in sight and the last place opens the list of the others."""
    ordered = sorted(choices, key=lambda choice: choice.rank)
    if len(ordered) <= fits:
        return EdgePlan(tuple(ordered))
    by_worth = sorted(ordered, key=lambda choice: (choice.barred is not None, choice.rank))
    kept = by_worth[: fits - 1]
    return EdgePlan(
        tuple(choice for choice in ordered if choice in kept), tuple(choice for choice in ordered if choice not in kept)
    )


def choices_of(awaits: Awaits, side: str | None) -> tuple[Choice, ...]:
    """The choices of a side (None: of either), those of the menu left out."""
    return tuple(choice for choice in awaits.choices if choice.side == side and not choice.menu)


def menu_choices(awaits: Awaits) -> tuple[Choice, ...]:
    """What is reached from the menu only."""
    return tuple(choice for choice in awaits.choices if choice.menu)


def filled(plan: EdgePlan) -> Choice | None:
    """The one choice of an edge that is drawn filled."""
    return next((choice for choice in plan.shown if choice.rank == 1 and choice.barred is None), None)


def seats(
    scene: Scene, swapped: bool, acting: Sequence[str] = (), opponent: str | None = None
) -> tuple[SideScene, SideScene]:
    """The sides at the left and the right edge; of more than two, the one that acts and the opponent picked."""
    first, second = scene.sides[0], scene.sides[1]
    if len(scene.sides) > 2:
        first = next((side for side in scene.sides if side.side in acting), first)
        others = [side for side in scene.sides if side is not first]
        second = next((side for side in others if side.side == opponent), others[0])
    return (second, first) if swapped else (first, second)


def dice_due(awaits: Awaits, side: str) -> int:
    """How many dice this side throws now."""
    first = min((dice.order for dice in awaits.dice), default=0)
    return sum(dice.count for dice in awaits.dice if dice.side == side and dice.order == first)
