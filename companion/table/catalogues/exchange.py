"""Files that come and go: tables, squads and pictures in the exchange folder and on sticks that are plugged in."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from companion.games.base import Message
from companion.games.catalogue import Kind, Row, SquadFault
from companion.journal.files import write_whole
from companion.language import Language
from companion.table.catalogues.decoding import LARGEST
from companion.table.catalogues.reading import Fault, Reading, read
from companion.table.catalogues.registry import CLUB_FILES
from companion.table.catalogues.shelf import ShelfTrouble
from companion.table.catalogues.writing import written
from companion.table.squads import read_squad

TABLES = (".csv", ".tsv", ".txt")
SQUADS = (".toml", ".json")
PICTURES = (".jpg", ".jpeg", ".png")
STICKS = (Path("/media"), Path("/run/media"))
_DEEP = 3
"""Folders below a stick's that are looked into."""
_MOST = 300
"""Files found at most: a stick may hold anything."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """`folder` is there always (made when needed); `sticks` are the folders under which sticks are mounted."""

    folder: Path
    sticks: Sequence[Path] = STICKS

    def places(self) -> list[Path]:
        """Where files may come from and go to: the folder, then every stick that can be entered."""
        found = [self.folder]
        for root in self.sticks:
            found += [path for path in _mounted(root) if os.access(path, os.R_OK | os.X_OK)]
        return found

    def files(self, endings: Sequence[str]) -> list[Path]:
        """The files with one of these endings, nearest first."""
        found: list[Path] = []
        for place in self.places():
            for path in _walk(place, _DEEP):
                if path.suffix.lower() in endings and not path.name.startswith("."):
                    found.append(path)
                if len(found) == _MOST:
                    return found
        return found

    def export(self, place: Path, name: str, kind: Kind, rows: Sequence[Row], language: Language) -> Path:
        """Writes a table for a spreadsheet in the language's words, with a new name. Raises ShelfTrouble."""
        mark = ";" if language.code == "fr" else ","
        number, path = 1, place / f"{name}.csv"
        try:
            place.mkdir(parents=True, exist_ok=True)
            while path.exists():
                number += 1
                path = place / f"{name}-{number}.csv"
            write_whole(path, written(kind, rows, language, mark))
        except OSError as error:
            raise ShelfTrouble(path, error) from error
        return path


def read_file(path: Path, kind: Kind | None = None) -> Reading:
    """A table, or a squad file as a table of one club. Raises ShelfTrouble for a file that cannot be opened."""
    if path.suffix.lower() in SQUADS:
        try:
            club = read_squad(path)
        except SquadFault as fault:
            return Reading(path.name, CLUB_FILES.kind, faults=(Fault(path.name, 0, "", fault.message),))
        return Reading(path.name, CLUB_FILES.kind, tuple(CLUB_FILES.rows(club)))
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST + 1)
    except OSError as error:
        raise ShelfTrouble(path, error) from error
    return read(path.name, content, kind)


def told(fault: Fault) -> Message:
    """A fault's sentence; that of a squad file names its place itself."""
    return fault.message if fault.row else fault.reason


def merged(kind: Kind, present: Sequence[Row], new: Sequence[Row]) -> tuple[Row, ...]:
    """The present rows with the new ones: one that stands for the same card takes its place, the others follow.

    Of what belongs together (a chance card, a club) the new rows take the place of all the present ones.
    """
    groups = {row[kind.group] for row in new} if kind.group else set()
    kept = [row for row in present if not kind.group or row[kind.group] not in groups]
    if kind.group:
        return (*kept, *new)
    fresh = {kind.identity_of(row): row for row in new}
    taken = [fresh.pop(kind.identity_of(row), row) for row in kept]
    return (*taken, *fresh.values())


def _mounted(root: Path) -> Iterator[Path]:
    """The mount points under a folder: /media/STICK, /media/NAME/STICK."""
    for path in _folders(root):
        if path.is_mount():
            yield path
        else:
            yield from (below for below in _folders(path) if below.is_mount())


def _folders(path: Path) -> list[Path]:
    try:
        return sorted(entry for entry in path.iterdir() if entry.is_dir() and not entry.is_symlink())
    except OSError:
        return []


def _walk(place: Path, deep: int) -> Iterator[Path]:
    """The files of a folder, then those of the folders in it."""
    try:
        entries = sorted(place.iterdir())
    except OSError:
        return
    yield from (entry for entry in entries if entry.is_file())
    if deep:
        for entry in entries:
            if entry.is_dir() and not entry.is_symlink() and not entry.name.startswith("."):
                yield from _walk(entry, deep - 1)
