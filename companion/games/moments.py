"""The moment of a result: what the screen shows large for a moment, over the table, after an event.

A game derives the moments of an event from the states around it. They say nothing that the journal does not say, and
nothing waits for them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from companion.games.base import Message
from companion.games.figures import DiceGroup, Ruler

MomentKind = Literal["score", "card", "result", "end"]
"""`score`: goals or points; `card`: a card was shown; `result`: any other result; `end`: the end of the match."""


@dataclass(frozen=True, slots=True)
class MomentRow:
    """The dice of one side, and the `number` that they make, with an explanation (None: no number)."""

    side: str | None
    groups: tuple[DiceGroup, ...]
    number: str = ""
    label: Message | None = None


@dataclass(frozen=True, slots=True)
class ResultMoment:
    """One moment. `headline` is legible from across the table, in the colour of `side` (None: of nobody).

    - `rows`: the dice that made the result
    - `ruler`, `cell`: the ruler of the roll, and the index of the cell of its total
    - `card`: the card that was shown, drawn beside the headline
    """

    kind: MomentKind
    headline: Message
    side: str | None = None
    detail: Message | None = None
    rows: tuple[MomentRow, ...] = ()
    ruler: Ruler | None = None
    cell: int | None = None
    card: Literal["yellow", "red"] | None = None
