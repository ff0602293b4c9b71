"""One transaction of the hub's parts together, on the memory that they share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from companion.hub.database import Work
from companion.hub.heads import Newest
from companion.hub.settling import NumberOf, Settling
from companion.hub.shelf import Memory, Shelf
from companion.hub.sitting import Sitting, Standings
from companion.journal.replay import Games

MOST_TOURNAMENTS = 32
"""Tournaments kept in memory."""


@dataclass(frozen=True)
class Doing:
    """The journals, the desk and the counting of results within one transaction."""

    work: Work
    shelf: Shelf
    sitting: Sitting
    settling: Settling


@dataclass(frozen=True)
class Parts:
    """What inbox, desk and views share."""

    games: Games
    known: Callable[[str], bool]
    number_of: NumberOf
    memory: Memory = field(default_factory=Memory)
    standings: Standings = field(default_factory=lambda: Newest(MOST_TOURNAMENTS))

    def doing(self, work: Work) -> Doing:
        """The parts within a transaction."""
        shelf, sitting = Shelf(work, self.memory, self.games), Sitting(work, self.standings)
        return Doing(work, shelf, sitting, Settling(sitting, shelf, self.number_of))

    def forget(self) -> None:
        """After a transaction that failed: everything is asked of the database anew."""
        self.memory.forget()
        self.standings.clear()
