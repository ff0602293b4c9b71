"""The clubs a match can be prepared with: the samples, and the files of the players' own folder with their faults."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from companion.games.base import Message
from companion.table.squads import Club, SquadFault, read_squad, sample_clubs

SUFFIXES = (".csv", ".toml", ".json")


@dataclass(frozen=True, slots=True)
class Found:
    """A club to choose, or a file that is none, with the reason."""

    name: str
    club: Club | None = None
    file: str = ""
    fault: Message | None = None


def clubs(folder: Path | None) -> list[Found]:
    """The players' own clubs first, then the samples; a folder that is not there holds none."""
    files = sorted(folder.iterdir()) if folder is not None and folder.is_dir() else []
    own = [_read(path) for path in files if path.suffix.lower() in SUFFIXES]
    return own + [Found(club.name, club) for club in sample_clubs()]


def cards(club: Club) -> int:
    """How many team cards a squad holds, coach and goalkeeper counted."""
    return len(club.squad["players"]) + 2


def _read(path: Path) -> Found:
    try:
        club = read_squad(path)
    except SquadFault as fault:
        return Found(path.name, file=path.name, fault=fault.message)
    return Found(club.name, club, path.name)
