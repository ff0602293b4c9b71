"""A draft: two clubs take one card after the other from a catalogue, in turns, until both are complete.

No rule of record knows it: it is another way to two squads that the rules allow (FC-1.11).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from companion.games.base import Message, Refusal
from companion.games.catalogue import Row
from companion.games.footclub.catalogues import COACH, GOALKEEPER, PLAYER
from companion.games.footclub.squad_standing import barred
from companion.games.footclub.tables import SIDES, Side, other

PLAYERS = 15
"""Outfield players of a club at the end, as after a market (FC-2.7)."""


@dataclass(frozen=True, slots=True)
class Draft:
    """The cards on the table, which club began, the ids taken in order."""

    clubs: tuple[str, str]
    rows: tuple[Row, ...]
    first: Side = "blue"
    picks: tuple[str, ...] = ()

    @property
    def names(self) -> dict[str, str]:
        """The clubs' names by side."""
        return dict(zip(SIDES, self.clubs, strict=True))

    @property
    def finished(self) -> bool:
        return len(self.picks) >= 2 * (PLAYERS + 2)

    @property
    def next(self) -> Side | None:
        """Whose turn it is, None at the end."""
        return None if self.finished else self._taker(len(self.picks))

    @property
    def left(self) -> tuple[Row, ...]:
        """The cards that nobody has taken."""
        taken = set(self.picks)
        return tuple(row for row in self.rows if row["id"] not in taken)

    def squad(self, side: str) -> tuple[Row, ...]:
        """The cards of a club as they came."""
        cards = {row["id"]: row for row in self.rows}
        return tuple(cards[id] for at, id in enumerate(self.picks) if self._taker(at) == side)

    def barred(self, row: Row) -> Message | None:
        """Why the club to move cannot take this card."""
        return barred(row, self.squad(self.next or "blue"), PLAYERS)

    def pick(self, id: str) -> Draft:
        """The club to move takes this card. Raises Refusal if it cannot."""
        row = next((row for row in self.left if row["id"] == id), None)
        if row is None or self.finished:
            raise Refusal("FC-1.11", Message("catalogues.market.gone", {"id": id}))
        reason = self.barred(row)
        if reason is not None:
            raise Refusal("FC-1.11", reason)
        return replace(self, picks=(*self.picks, id))

    def undo(self) -> Draft:
        """Without the last pick."""
        return replace(self, picks=self.picks[:-1])

    def _taker(self, at: int) -> Side:
        return self.first if at % 2 == 0 else other(self.first)


def begin(rows: Sequence[Row], names: Sequence[str], first: Side = "blue") -> Draft:
    """A draft of this catalogue. Raises Refusal if it cannot make two whole clubs (FC-1.11)."""
    for sort, need in ((COACH, 2), (GOALKEEPER, 2), (PLAYER, 2 * PLAYERS)):
        there = sum(row["sort"] == sort for row in rows)
        if there < need:
            args = {"sort": Message(f"catalogues.sort.{sort}"), "need": need, "there": there}
            raise Refusal("FC-1.11", Message("catalogues.market.too_few", args))
    one, two = names
    return Draft((one, two), tuple(rows), first)
