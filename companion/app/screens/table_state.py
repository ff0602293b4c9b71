"""What the table keeps while it draws itself anew, and where each choice of a state stands. No widget."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kivy.clock import Clock

from companion.games.base import Awaits, Choice, Fields, Message, Scene, SideScene
from companion.games.preparing import Memory
from companion.table.session import Session

NOTICE_SHOWN = 6.0
"""Seconds for which the reason of a barred choice stays, unless something happens first (SCREENS 4.3)."""
TAKEN_BACK_SHOWN = 3.0
"""Seconds for which the fact that an undo removed is shown with a way to record it anew (SCREENS 7)."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why something cannot be done."""

    title: str
    text: str
    rule: str


@dataclass(frozen=True, slots=True)
class TakenBack:
    """A fact that an undo has just removed, and the state that this led to."""

    text: Message
    fields: Fields
    sequence: int


class TableMemory:
    """Lives in the memory of the page's place. Times are of Kivy's clock."""

    def __init__(self, kept: Memory, session: Session) -> None:
        self._kept, self._session = kept, session

    @property
    def typing(self) -> bool:
        """Whether a player tells the dice although a camera watches."""
        return bool(self._kept.get("typing"))

    @typing.setter
    def typing(self, wanted: bool) -> None:
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
    def stale(self) -> bool:
        """Whether the match has gone on since the table was drawn."""
        return bool(self._kept.get("sequence") != self._session.sequence)

    def new_state(self) -> bool:
        """True once for each state: what belonged to the last one is forgotten."""
        if not self.stale:
            return False
        self._kept.update(sequence=self._session.sequence, reason=None, typing=False)
        return True

    def explain(self, reason: Reason) -> None:
        self._kept["reason"] = (reason, Clock.get_time() + NOTICE_SHOWN)

    def reason(self) -> Reason | None:
        """The reason being shown now."""
        reason, until = self._kept.get("reason") or (None, 0.0)
        return reason if Clock.get_time() < until else None

    def take_back(self, text: Message, fields: Fields) -> None:
        taken = TakenBack(text, fields, self._session.sequence)
        self._kept["taken"] = (taken, Clock.get_time() + TAKEN_BACK_SHOWN)

    def taken_back(self) -> TakenBack | None:
        """The fact taken back, as long as nothing has happened since."""
        taken, until = self._kept.get("taken") or (None, 0.0)
        if taken is None or taken.sequence != self._session.sequence or Clock.get_time() >= until:
            return None
        return taken if isinstance(taken, TakenBack) else None


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
