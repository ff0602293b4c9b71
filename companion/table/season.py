"""Seasons at one table: matches of a game over weeks under one name, computed from the headers of its journals.

Nothing is stored besides the journals: each match names its season. A season begins with its first match.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import uuid4

from companion.games.base import Fields, Message
from companion.games.registry import SPECS
from companion.games.spec import FollowUp
from companion.journal.database import LineDamaged, StoreError
from companion.journal.ledger import InvalidLine
from companion.journal.store import StoredMatch
from companion.table.matches import Matches, unfollowed_matches

SEASON = "season"
"""Key of a header that holds the season of the match: `id` and `name`."""


@dataclass(frozen=True, slots=True)
class Season:
    """A season: its id and the name that the players gave it."""

    id: str
    name: str

    def fields(self) -> Fields:
        """Return the header's content for `SEASON`."""
        return {"id": self.id, "name": self.name}


@dataclass(frozen=True, slots=True)
class AwaitedMatch:
    """A match that a finished match of the season asks for, such as a second leg.

    `carried` says what passes on to it by the rules, one sentence each.
    """

    previous: StoredMatch
    follow_up: FollowUp
    carried: tuple[Message, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of the sides."""
        return tuple(str(side["name"]) for side in self.previous.header["sides"].values())


def new_season(name: str) -> Season:
    """Return a season without matches."""
    return Season(uuid4().hex, name)


def season_of(header: Fields) -> Season | None:
    """Return the season that a match belongs to, or None."""
    season = header.get(SEASON)
    if not isinstance(season, Mapping):
        return None
    id, name = season.get("id"), season.get("name")
    return Season(id, name) if isinstance(id, str) and isinstance(name, str) else None


def seasons(matches: Matches, game: str) -> dict[Season, int]:
    """Return the seasons of a game with their number of matches, the one played last first."""
    found: dict[Season, int] = {}
    for match in matches.store.matches():
        season = season_of(match.header) if match.game == game and match.header_fits else None
        if season is not None:
            found[season] = found.get(season, 0) + 1
    return found


def matches_of(matches: Matches, season: str) -> tuple[StoredMatch, ...]:
    """Return the matches of a season, newest first."""
    stored = (match for match in matches.store.matches() if match.header_fits)
    return tuple(match for match in stored if _season_id(match.header) == season)


def awaited_matches(matches: Matches, season: str) -> tuple[AwaitedMatch, ...]:
    """Return the matches that the finished matches of a season ask for, the newest first."""
    found = []
    for match in unfollowed_matches(matches):
        follow_up = SPECS[match.game].follow_up(match.header) if match.game in SPECS else None
        if follow_up is not None and match.header_fits and _season_id(match.header) == season:
            found.append(AwaitedMatch(match, follow_up, _carried(matches, match)))
    return tuple(found)


def _season_id(header: Fields) -> str | None:
    season = season_of(header)
    return None if season is None else season.id


def _carried(matches: Matches, match: StoredMatch) -> tuple[Message, ...]:
    """Return what passes on from a match; nothing if its journal cannot be replayed."""
    try:
        state = matches.store.resume(match.id, matches.games).ledger.state
    except (InvalidLine, LineDamaged, StoreError):
        return ()
    return tuple(SPECS[match.game].carried(state))
