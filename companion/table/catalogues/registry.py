"""All kinds of catalogues by name."""

from __future__ import annotations

from typing import Final

from companion.table.catalogues import footclub, nba, occasion
from companion.table.catalogues.kinds import Kind

KINDS: Final[dict[str, Kind]] = {
    kind.name: kind
    for kind in (
        footclub.CLUBS,
        footclub.TEAM,
        footclub.MATCH,
        nba.PLAYERS,
        nba.TACTICS,
        occasion.PLAYERS,
        occasion.CHANCES,
    )
}
CLUBS: Final = footclub.CLUBS.name
