"""Clubs kept a file each: read from TOML, JSON or a table (CSV), by what their game says of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from companion.games.base import Message
from companion.games.catalogue import Club, SquadFault
from companion.table.catalogues.reading import read
from companion.table.catalogues.registry import CLUB_FILES
from companion.table.squad_text import decoded


def read_squad(path: Path) -> Club:
    """Reads a club from a TOML file, or from JSON or a table (CSV) if the file's name ends so. Raises SquadFault."""
    try:
        content = path.read_bytes()
    except (OSError, ValueError) as trouble:  # ValueError: a name with a character that no file's name can have
        args = {"file": path.name, "why": getattr(trouble, "strerror", None) or str(trouble)}
        raise SquadFault(Message("squads.fault.unreadable", args)) from trouble
    if path.suffix.lower() == ".csv":
        return CLUB_FILES.club(path.name, _tabled(path.name, content))
    return CLUB_FILES.club(path.name, decoded(path.name, content))


def _tabled(file: str, content: bytes) -> dict[str, Any]:
    """The one club of a table."""
    reading = read(file, content, CLUB_FILES.kind)
    if reading.faults:
        first, n = reading.faults[0].message, len(reading.faults) - 1
        raise SquadFault(Message("squads.fault.more", {"first": first, "n": n}) if n else first)
    if len({row["club"] for row in reading.rows}) != 1:
        raise SquadFault(Message("squads.fault.clubs", {"file": file}))
    return CLUB_FILES.content(reading.rows)
