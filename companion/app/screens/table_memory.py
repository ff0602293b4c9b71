"""What the table must not forget when it draws itself anew: a reason shown, a fact taken back, dice being told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from kivy.clock import Clock

from companion.games.base import Fields, Message
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

    def __init__(self, kept: dict[str, Any], session: Session) -> None:
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
    def score(self) -> Any:
        """The score as it was drawn last."""
        return self._kept.get("score")

    @score.setter
    def score(self, score: Any) -> None:
        self._kept["score"] = score

    def new_state(self) -> bool:
        """True once for each state: what belonged to the last one is forgotten."""
        if self._kept.get("sequence") == self._session.sequence:
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
