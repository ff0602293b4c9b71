"""What the table keeps while it draws itself anew, and where each choice of a state stands. No widget."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kivy.clock import Clock

from companion.games.base import Awaits, Choice, Fields, Message, Scene, SideScene
from companion.games.preparing import Memory
from companion.table.session import Session

REASON_NOTICE_S = 6.0
"""Seconds for which the reason of a barred choice stays, unless something happens first (SCREENS 4.3)."""
UNDO_NOTICE_S = 3.0
"""Seconds for which the fact that an undo removed is shown with a way to record it anew (SCREENS 7)."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why something cannot be done."""

    title: str
    text: str
    rule: str


@dataclass(frozen=True, slots=True)
class UndoneEvent:
    """A fact that an undo has just removed, and the state that this led to."""

    text: Message
    fields: Fields
    sequence: int


class TableMemory:
    """Lives in the memory of the page's place. Times are of Kivy's clock."""

    def __init__(self, kept: Memory, session: Session) -> None:
        self._kept, self._session = kept, session

    @property
    def is_manual_entry(self) -> bool:
        """Whether a player tells the dice although a camera watches."""
        return bool(self._kept.get("typing"))

    @is_manual_entry.setter
    def is_manual_entry(self, wanted: bool) -> None:
        self._kept["typing"] = wanted

    @property
    def opponent(self) -> str | None:
        """Which of several opponents stands at the other edge, if somebody has picked one."""
        opponent: str | None = self._kept.get("opponent")
        return opponent

    @opponent.setter
    def opponent(self, side: str) -> None:
        self._kept["opponent"] = side

    @property
    def score(self) -> Sequence[int] | None:
        """The score as it was drawn last."""
        score: Sequence[int] | None = self._kept.get("score")
        return score

    @score.setter
    def score(self, score: Sequence[int]) -> None:
        self._kept["score"] = score

    @property
    def is_stale(self) -> bool:
        """Whether the match has gone on since the table was drawn."""
        return bool(self._kept.get("sequence") != self._session.sequence)

    def new_state(self) -> bool:
        """True once for each state: what belonged to the last one is forgotten."""
        if not self.is_stale:
            return False
        self._kept.update(sequence=self._session.sequence, reason=None, typing=False)
        return True

    def explain(self, reason: Reason) -> None:
        self._kept["reason"] = (reason, Clock.get_time() + REASON_NOTICE_S)

    def reason(self) -> Reason | None:
        """The reason being shown now."""
        reason, until = self._kept.get("reason") or (None, 0.0)
        return reason if Clock.get_time() < until else None

    def remember_undo(self, text: Message, fields: Fields) -> None:
        taken = UndoneEvent(text, fields, self._session.sequence)
        self._kept["taken"] = (taken, Clock.get_time() + UNDO_NOTICE_S)

    def recent_undo(self) -> UndoneEvent | None:
        """The fact taken back, as long as nothing has happened since."""
        taken, until = self._kept.get("taken") or (None, 0.0)
        if taken is None or taken.sequence != self._session.sequence or Clock.get_time() >= until:
            return None
        return taken if isinstance(taken, UndoneEvent) else None


MAX_PORTRAIT_CHOICES = 3


@dataclass(frozen=True, slots=True)
class EdgePlan:
    """The choices in sight, and those folded into "Autres…"."""

    visible: tuple[Choice, ...]
    more: tuple[Choice, ...] = ()


def plan_edge(choices: Sequence[Choice], max_choices: int) -> EdgePlan:
    """Rank order; of more than fit, legal ones stay in sight and the last place opens the list of the others."""
    ordered = sorted(choices, key=lambda choice: choice.rank)
    if len(ordered) <= max_choices:
        return EdgePlan(tuple(ordered))
    by_worth = sorted(ordered, key=lambda choice: (choice.barred is not None, choice.rank))
    kept = by_worth[: max_choices - 1]
    return EdgePlan(
        tuple(choice for choice in ordered if choice in kept), tuple(choice for choice in ordered if choice not in kept)
    )


def choices_of(decision: Awaits, side: str | None) -> tuple[Choice, ...]:
    """The choices of a side (None: of either), those of the menu left out."""
    return tuple(choice for choice in decision.choices if choice.side == side and not choice.menu)


def menu_choices(decision: Awaits) -> tuple[Choice, ...]:
    """What is reached from the menu only."""
    return tuple(choice for choice in decision.choices if choice.menu)


def primary_choice(plan: EdgePlan) -> Choice | None:
    """The one choice of an edge that is drawn filled."""
    return next((choice for choice in plan.visible if choice.rank == 1 and choice.barred is None), None)


def seat_order(
    scene: Scene, swapped: bool, acting: Sequence[str] = (), opponent: str | None = None
) -> tuple[SideScene, SideScene]:
    """The sides at the left and the right edge; of more than two, the one that acts and the opponent picked."""
    first, second = scene.sides[0], scene.sides[1]
    if len(scene.sides) > 2:
        first = next((side for side in scene.sides if side.side in acting), first)
        others = [side for side in scene.sides if side is not first]
        second = next((side for side in others if side.side == opponent), others[0])
    return (second, first) if swapped else (first, second)


def dice_due(decision: Awaits, side: str) -> int:
    """How many dice this side throws now."""
    first = min((dice.order for dice in decision.dice), default=0)
    return sum(dice.count for dice in decision.dice if dice.side == side and dice.order == first)
