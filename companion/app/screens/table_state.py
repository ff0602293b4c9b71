"""State of the table page that survives a redraw, and the placement of choices. No widgets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kivy.clock import Clock

from companion.games.base import Choice, Decision, Fields, Message, Option, Prompt, Scene, SideScene
from companion.games.preparation import Memory
from companion.table.session import Session

REASON_NOTICE_S = 6.0
"""Seconds for which the reason of a disabled choice is shown, unless an event comes first (SCREENS 4.3)."""
UNDO_NOTICE_S = 3.0
"""Seconds for which an undone event is shown with a redo button (SCREENS 7)."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why an action is not possible."""

    title: str
    text: str
    rule: str


@dataclass(frozen=True, slots=True)
class UndoneEvent:
    """An event that was just undone, and the sequence number of the resulting state."""

    text: Message
    fields: Fields
    sequence: int


class TableMemory:
    """View on the memory of the page's route. Times are in seconds of Kivy's clock."""

    def __init__(self, kept: Memory, session: Session) -> None:
        self._kept, self._session = kept, session

    @property
    def is_manual_entry(self) -> bool:
        """True if a player enters the dice although a camera is present."""
        return bool(self._kept.get("typing"))

    @is_manual_entry.setter
    def is_manual_entry(self, wanted: bool) -> None:
        self._kept["typing"] = wanted

    @property
    def opponent(self) -> str | None:
        """The selected opponent at the other edge, if there are several and a player has selected one."""
        opponent: str | None = self._kept.get("opponent")
        return opponent

    @opponent.setter
    def opponent(self, side: str) -> None:
        self._kept["opponent"] = side

    @property
    def score(self) -> Sequence[int] | None:
        """The score as last drawn."""
        score: Sequence[int] | None = self._kept.get("score")
        return score

    @score.setter
    def score(self, score: Sequence[int]) -> None:
        self._kept["score"] = score

    @property
    def is_stale(self) -> bool:
        """True if the match has changed since the table was drawn."""
        return bool(self._kept.get("sequence") != self._session.sequence)

    def new_state(self) -> bool:
        """Return True once for each new state, and clear the data of the previous one."""
        if not self.is_stale:
            return False
        self._kept.update(sequence=self._session.sequence, reason=None, typing=False, entered=None)
        return True

    def entered_dice(self, awaited: object) -> Sequence[object]:
        """Return the dice that a player has entered so far; none if `awaited` has changed since."""
        awaited_then, dice = self._kept.get("entered") or (None, ())
        return dice if awaited_then == awaited else ()

    def remember_entered_dice(self, awaited: object, dice: Sequence[object]) -> None:
        """Keep an incomplete entry of dice through redraws. `awaited`: the dice that it is for."""
        self._kept["entered"] = (awaited, tuple(dice))

    def explain(self, reason: Reason) -> None:
        self._kept["reason"] = (reason, Clock.get_time() + REASON_NOTICE_S)

    def reason(self) -> Reason | None:
        """Return the reason shown now, or None."""
        reason, until = self._kept.get("reason") or (None, 0.0)
        return reason if Clock.get_time() < until else None

    def remember_undo(self, text: Message, fields: Fields) -> None:
        taken = UndoneEvent(text, fields, self._session.sequence)
        self._kept["taken"] = (taken, Clock.get_time() + UNDO_NOTICE_S)

    def recent_undo(self) -> UndoneEvent | None:
        """Return the undone event while it is shown and nothing has happened since, else None."""
        taken, until = self._kept.get("taken") or (None, 0.0)
        if taken is None or taken.sequence != self._session.sequence or Clock.get_time() >= until:
            return None
        return taken if isinstance(taken, UndoneEvent) else None


@dataclass(frozen=True, slots=True)
class EdgePlan:
    """The visible choices, and those behind the button "Autres…"."""

    visible: tuple[Choice, ...]
    more: tuple[Choice, ...] = ()


@dataclass(frozen=True, slots=True)
class HandChoices:
    """The `data` of the prompt of a hand's button: the choices of its list."""

    choices: tuple[Choice, ...]

    def choice(self, event: object) -> Choice:
        """Return the choice with this event."""
        return next(choice for choice in self.choices if choice.event == event)


def fold_hands(choices: Sequence[Choice]) -> tuple[Choice, ...]:
    """Return the choices with one in place of those of each hand, where the first of them was. It asks which one."""
    hands: dict[str, list[Choice]] = {}
    found: list[Choice | str] = []
    for choice in choices:
        if choice.hand is None:
            found.append(choice)
        elif choice.hand.label.id in hands:
            hands[choice.hand.label.id].append(choice)
        else:
            hands[choice.hand.label.id] = [choice]
            found.append(choice.hand.label.id)
    return tuple(_hand_choice(hands[each]) if isinstance(each, str) else each for each in found)


def _hand_choice(choices: Sequence[Choice]) -> Choice:
    hand = choices[0].hand
    assert hand is not None
    options = tuple(
        Option(
            choice.event, choice.label, choice.detail, choice.effect,
            disabled_reason=choice.disabled_reason, group=choice.group,
        )
        for choice in choices
    )  # fmt: skip
    ask = Prompt("pick", "hand", hand.title, options, data=HandChoices(tuple(choices)))
    reasons = [choice.disabled_reason for choice in choices]
    return Choice(
        {}, hand.label, choices[0].side, hand.detail, prompts=(ask,), pinned=True,
        disabled_reason=reasons[0] if all(reasons) else None,
    )  # fmt: skip


def hand_choices(choice: Choice) -> HandChoices | None:
    """Return the choices that the button of a hand opens; None for any other choice."""
    data = choice.prompts[0].data if choice.prompts else None
    return data if isinstance(data, HandChoices) else None


def plan_edge(choices: Sequence[Choice], max_choices: int) -> EdgePlan:
    """Order choices by rank. If they do not fit, pinned and legal ones stay and the last button opens the rest.

    A second pinned choice gets a place of its own, so that it takes none from what is played most.
    """
    ordered = sorted(choices, key=lambda choice: choice.prominence)
    max_choices += max(0, sum(choice.pinned and choice.disabled_reason is None for choice in choices) - 1)
    if len(ordered) <= max_choices:
        return EdgePlan(tuple(ordered))
    by_worth = sorted(ordered, key=_folding_key)
    kept = by_worth[: max_choices - 1]
    return EdgePlan(
        tuple(choice for choice in ordered if choice in kept), tuple(choice for choice in ordered if choice not in kept)
    )


def _folding_key(choice: Choice) -> tuple[bool, bool, int]:
    return choice.disabled_reason is not None, not choice.pinned, choice.prominence


def choices_of(decision: Decision, side: str | None) -> tuple[Choice, ...]:
    """Return the choices of a side (None: choices of either side), without those of the menu."""
    return tuple(choice for choice in decision.choices if choice.side == side and not _is_in_menu(choice))


def menu_choices(decision: Decision) -> tuple[Choice, ...]:
    """Return the choices that are available only in the menu."""
    return tuple(choice for choice in decision.choices if _is_in_menu(choice))


def _is_in_menu(choice: Choice) -> bool:
    """True for the choices that a game puts there, and for what ends the match for both sides at once: it is held."""
    return choice.menu or (choice.side is None and choice.needs_long_press)


def primary_choice(plan: EdgePlan) -> Choice | None:
    """Return the one choice of an edge that is drawn filled."""
    return next((choice for choice in plan.visible if choice.prominence == 1 and choice.disabled_reason is None), None)


def seat_order(
    scene: Scene, swapped: bool, acting: Sequence[str] = (), opponent: str | None = None
) -> tuple[SideScene, SideScene]:
    """Return the sides at the left and right edge. With more than two: the acting side and the selected opponent."""
    first, second = scene.sides[0], scene.sides[1]
    if len(scene.sides) > 2:
        first = next((side for side in scene.sides if side.side in acting), first)
        others = [side for side in scene.sides if side is not first]
        second = next((side for side in others if side.side == opponent), others[0])
    return (second, first) if swapped else (first, second)


def dice_due(decision: Decision, side: str) -> int:
    """Return how many dice this side rolls now."""
    first = min((dice.order for dice in decision.dice), default=0)
    return sum(dice.count for dice in decision.dice if dice.side == side and dice.order == first)
