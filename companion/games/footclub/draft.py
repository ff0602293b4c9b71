"""A draft: two clubs take cards from a catalogue in turns until both are complete.

No rule of record describes it. It is another way to build two squads that the rules allow (FC-1.11).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from companion.games.base import Message, Refusal
from companion.games.catalogue import Row
from companion.games.footclub.catalogues import COACH, GOALKEEPER, PLAYER
from companion.games.footclub.squad_status import disabled_reason
from companion.games.footclub.tables import SIDES, Side, opponent

PLAYERS = 15
"""Outfield players of a complete club, as after a market (FC-2.7)."""


@dataclass(frozen=True, slots=True)
class Draft:
    """The available cards, the club that starts, and the ids taken in order."""

    clubs: tuple[str, str]
    rows: tuple[Row, ...]
    first: Side = "blue"
    picks: tuple[str, ...] = ()

    @property
    def names(self) -> dict[str, str]:
        """Return the clubs' names by side."""
        return dict(zip(SIDES, self.clubs, strict=True))

    @property
    def finished(self) -> bool:
        return len(self.picks) >= 2 * (PLAYERS + 2)

    @property
    def next(self) -> Side | None:
        """Return the side to pick next, or None at the end."""
        return None if self.finished else self._side_of_pick(len(self.picks))

    @property
    def left(self) -> tuple[Row, ...]:
        """Return the cards that nobody has taken."""
        taken = set(self.picks)
        return tuple(row for row in self.rows if row["id"] not in taken)

    def squad(self, side: str) -> tuple[Row, ...]:
        """Return the cards of a club, in the order they were taken."""
        cards = {row["id"]: row for row in self.rows}
        return tuple(cards[id] for at, id in enumerate(self.picks) if self._side_of_pick(at) == side)

    def disabled_reason(self, row: Row) -> Message | None:
        """Return why the side to pick cannot take this card, or None."""
        return disabled_reason(row, self.squad(self.next or "blue"), PLAYERS)

    def pick(self, id: str) -> Draft:
        """Take this card for the side to pick. Raises: Refusal if it cannot."""
        row = next((row for row in self.left if row["id"] == id), None)
        if row is None or self.finished:
            raise Refusal("FC-1.11", Message("catalogues.market.gone", {"id": id}))
        reason = self.disabled_reason(row)
        if reason is not None:
            raise Refusal("FC-1.11", reason)
        return replace(self, picks=(*self.picks, id))

    def undo(self) -> Draft:
        """Return the draft without the last pick."""
        return replace(self, picks=self.picks[:-1])

    def _side_of_pick(self, at: int) -> Side:
        return self.first if at % 2 == 0 else opponent(self.first)


def start_draft(rows: Sequence[Row], names: Sequence[str], first: Side = "blue") -> Draft:
    """Start a draft of this catalogue. Raises: Refusal if it cannot make two complete clubs (FC-1.11)."""
    for sort, need in ((COACH, 2), (GOALKEEPER, 2), (PLAYER, 2 * PLAYERS)):
        there = sum(row["sort"] == sort for row in rows)
        if there < need:
            args = {"sort": Message(f"catalogues.sort.{sort}"), "need": need, "there": there}
            raise Refusal("FC-1.11", Message("catalogues.market.too_few", args))
    one, two = names
    return Draft((one, two), tuple(rows), first)
