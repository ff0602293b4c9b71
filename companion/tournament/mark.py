"""By what a journal says which match of which tournament it is of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.games.base import Fields

MARK = "tournament"
"""The key of a journal's header that holds it."""


@dataclass(frozen=True, slots=True)
class Mark:
    """Which match of which tournament a journal is of, and who plays it: an entry by each side of the game.

    `again` counts the games that were counted for that match before: one to be played again is another game.
    """

    tournament: str
    match: str
    entries: frozenset[tuple[str, str]] = frozenset()
    again: int = 0

    @property
    def key(self) -> str:
        """The match among those of all tournaments, whoever plays it for whichever time."""
        return f"{self.tournament}/{self.match}"

    def header(self) -> Fields:
        """What the header holds under `MARK`."""
        told: Fields = {"tournament": self.tournament, "match": self.match, "entries": dict(sorted(self.entries))}
        return {**told, "again": self.again} if self.again else told


def mark_of(header: Mapping[str, Any]) -> Mark | None:
    """The match that a journal's header names, None for one of no tournament."""
    mark = header.get(MARK)
    if not isinstance(mark, Mapping):
        return None
    tournament, match, entries, again = (mark.get(key) for key in ("tournament", "match", "entries", "again"))
    if not isinstance(tournament, str) or not isinstance(match, str):
        return None
    named = entries if isinstance(entries, Mapping) else {}
    seated = frozenset((str(side), str(entry)) for side, entry in named.items())
    return Mark(tournament, match, seated, again if isinstance(again, int) else 0)
