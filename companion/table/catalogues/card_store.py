"""Storage of catalogues, clubs and card pictures, with atomic writes, import and export."""

from __future__ import annotations

import hashlib
import os
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path

from companion.games.base import Message
from companion.games.catalogue import (
    SAMPLE_LANGUAGE,
    CatalogueColumn,
    CatalogueKind,
    Row,
    SquadFileError,
    sample_names,
    with_sample_names,
)
from companion.games.registry import SPECS
from companion.language import Language, reason_of
from companion.table.catalogues.csv_tables import (
    CLUB_FILES,
    KINDS,
    MAX_CATALOGUE_BYTES,
    Fault,
    NumberedRow,
    TableReading,
    check_rows,
    format_table,
    read_table,
)
from companion.table.catalogues.squads import read_squad
from vision.files import write_atomically

_FIRST_ROW_NUMBER = 2
"""Row number of a table's first card."""


def sample(kind: CatalogueKind, language: str = SAMPLE_LANGUAGE) -> TableReading:
    """Return the sample of a kind, with its names in a language."""
    reading, names = _sample(kind), sample_names(kind.game, language)
    rows, valid_rows = (
        tuple(with_sample_names(row, names) for row in found) for found in (reading.rows, reading.valid_rows)
    )
    return replace(reading, rows=rows, valid_rows=valid_rows)


def _sample(kind: CatalogueKind) -> TableReading:
    """Return the sample of a kind: derived from other samples by its game, or a table in the game's folder."""
    rows = SPECS[kind.game].sample_rows(kind)
    if rows is not None:
        return check_rows("", kind, [NumberedRow(number, row) for number, row in enumerate(rows, _FIRST_ROW_NUMBER)])
    entry = resources.files(f"companion.games.{kind.game}") / "samples" / f"{kind.name}.csv"
    return read_table(entry.name, entry.read_bytes(), kind) if entry.is_file() else TableReading(entry.name, kind)


class SampleCards:
    """Only the samples, for a table whose own cards are unreadable (`companion.games.catalogue.CardSource`)."""

    def __init__(self, language: str = SAMPLE_LANGUAGE) -> None:
        self.language = language

    def is_own(self, kind: CatalogueKind) -> bool:
        return False

    def rows(self, kind: CatalogueKind) -> tuple[Row, ...]:
        return sample(kind, self.language).rows


CLUB_SUFFIXES = (".csv", ".toml", ".json")
ASIDE_SUFFIX = ".old"
"""Suffix of a file that was set aside. Such files are neither read nor deleted."""
_PICTURE_MAGIC = {b"\xff\xd8\xff": ".jpg", b"\x89PNG\r\n\x1a\n": ".png"}
MAX_PICTURE_BYTES = 12_000_000


class CardStoreError(Exception):
    """A file that could not be read or written. `message` names it and the reason."""

    def __init__(self, path: Path, error: OSError) -> None:
        self.message = Message("catalogues.trouble", {"file": path.name, "why": reason_of(error)})
        super().__init__(str(self.message))


@dataclass(frozen=True, slots=True)
class ClubFile:
    """A club with its rows: a sample, or from the players' own file (`path`). `fault`: why it cannot play yet."""

    name: str
    rows: tuple[Row, ...]
    path: Path | None = None
    fault: Message | None = None


class CardStore:
    """The catalogues in `folder`, the players' clubs in `clubs`. The folders may be missing.

    `language` is the code of the language in which the samples have their names.
    """

    def __init__(self, folder: Path, clubs: Path, language: str = SAMPLE_LANGUAGE) -> None:
        self.folder, self.clubs, self.language = folder, clubs, language

    # Catalogues

    def path(self, kind: CatalogueKind) -> Path:
        """Return the path of the players' own file of a kind."""
        return self.folder / f"{kind.name}.csv"

    def is_own(self, kind: CatalogueKind) -> bool:
        """Return True if the players have their own catalogue. Otherwise the fictional sample is used."""
        return self.path(kind).exists()

    def load(self, kind: CatalogueKind) -> TableReading:
        """Return the players' own catalogue with its faults, or the sample. Raises: CardStoreError."""
        path = self.path(kind)
        if not path.exists():
            return sample(kind, self.language)
        return read_table(path.name, _read_bytes(path), self.with_own_options(kind))

    def with_own_options(self, kind: CatalogueKind) -> CatalogueKind:
        """Return a kind whose columns also have the options of the players' own. Raises: CardStoreError."""
        if not any(column.own_options_from for column in kind.columns):
            return kind
        return replace(kind, columns=tuple(self._with_own_options(column) for column in kind.columns))

    def kinds(self) -> tuple[CatalogueKind, ...]:
        """Return all kinds, with the options of the players' own. Raises: CardStoreError."""
        return tuple(self.with_own_options(kind) for kind in KINDS.values())

    def _with_own_options(self, column: CatalogueColumn) -> CatalogueColumn:
        if not column.own_options_from:
            return column
        named = KINDS[column.own_options_from]
        return column.with_own_options(str(row[named.title]) for row in self.rows(named))

    def rows(self, kind: CatalogueKind) -> tuple[Row, ...]:
        """Return the valid cards of a catalogue. Raises: CardStoreError."""
        return self.load(kind).rows

    def save(self, kind: CatalogueKind, rows: Sequence[Row]) -> None:
        """Save the rows as the players' own catalogue. Raises: CardStoreError.

        A file with content that the rows do not cover is set aside first.
        """
        path = self.path(kind)
        if path.exists() and self.load(kind).is_lossy:
            self.set_aside(path)
        self._write(path, format_table(kind, rows))

    def restore_sample(self, kind: CatalogueKind) -> Path:
        """Set the players' own catalogue aside. Returns its new path. Raises: CardStoreError."""
        return self.set_aside(self.path(kind))

    # Clubs

    def all_clubs(self) -> list[ClubFile]:
        """Return the players' own clubs, then the samples. Raises: CardStoreError."""
        try:
            files = sorted(self.clubs.iterdir()) if self.clubs.is_dir() else []
        except OSError as error:
            raise CardStoreError(self.clubs, error) from error
        own = [self.club(path) for path in files if path.suffix.lower() in CLUB_SUFFIXES]
        return own + [ClubFile(club.name, tuple(CLUB_FILES.rows(club))) for club in CLUB_FILES.samples()]

    def club(self, path: Path) -> ClubFile:
        """Return a club of the players. An incomplete one has only its valid rows. Never raises."""
        try:
            club = read_squad(path)
        except SquadFileError as fault:
            rows = _valid_rows(path)
            return ClubFile(str(rows[0]["club"]) if rows else path.name, rows, path, fault.message)
        return ClubFile(club.name, tuple(CLUB_FILES.rows(club)), path)

    def save_club(self, rows: Sequence[Row], path: Path | None = None) -> Path:
        """Save a club, complete or not, as a CSV table. A file of another type is set aside. Raises: CardStoreError."""
        if path is None:
            path = self._free_path(self.clubs / f"{slug(str(rows[0]['club']))}.csv")
        table = path if path.suffix.lower() == ".csv" else self._free_path(path.with_suffix(".csv"))
        self._write(table, format_table(CLUB_FILES.kind, rows))
        if path != table and path.exists():
            self.set_aside(path)
        return table

    # Files

    def set_aside(self, path: Path) -> Path:
        """Rename a file so that it is no longer read. Nothing is lost. Raises: CardStoreError."""
        free_path = self._free_path(path.with_name(path.name + ASIDE_SUFFIX))
        return self.move(path, free_path)

    def move(self, path: Path, target: Path) -> Path:
        """Rename a file. Raises: CardStoreError."""
        try:
            path.rename(target)
        except OSError as error:
            raise CardStoreError(path, error) from error
        return target

    def _free_path(self, path: Path) -> Path:
        """Return this path, with a number before its suffix if it is taken."""
        number, free = 1, path
        while free.exists():
            number += 1
            free = path.with_name(f"{path.stem}-{number}{path.suffix}")
        return free

    def _write(self, path: Path, content: bytes) -> None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(path, content)
        except OSError as error:
            raise CardStoreError(path, error) from error

    # Card pictures

    def picture(self, kind: CatalogueKind, row: Row) -> Path | None:
        """Return the photo of a card, None if there is none."""
        return next((path for path in self._pictures(kind, row) if path.is_file()), None)

    def save_picture(self, kind: CatalogueKind, row: Row, content: bytes) -> Path:
        """Save a photo (JPEG or PNG) of a card. Raises: ValueError for other content; CardStoreError."""
        suffix = next((end for start, end in _PICTURE_MAGIC.items() if content.startswith(start)), None)
        if suffix is None or len(content) > MAX_PICTURE_BYTES:
            raise ValueError("neither a JPEG nor a PNG picture, or too large")
        new = next(path for path in self._pictures(kind, row) if path.suffix == suffix)
        self._write(new, content)
        for path in self._pictures(kind, row):
            if path != new and path.exists():
                self.set_aside(path)
        return new

    def _pictures(self, kind: CatalogueKind, row: Row) -> list[Path]:
        name = hashlib.sha256(repr(kind.identity_of(row)).encode()).hexdigest()[:20]
        return [self.folder / "pictures" / kind.name / f"{name}{end}" for end in _PICTURE_MAGIC.values()]


def slug(name: str) -> str:
    """Return a file name for a name."""
    plain = unicodedata.normalize("NFKD", name.casefold()).encode("ascii", "ignore").decode()
    return "-".join("".join(sign if sign.isalnum() else " " for sign in plain).split())[:60] or "club"


def _read_bytes(path: Path) -> bytes:
    """Return a file's content, one byte more than a catalogue may have at most: `read_table` then refuses it."""
    try:
        with path.open("rb") as file:
            return file.read(MAX_CATALOGUE_BYTES + 1)
    except OSError as error:
        raise CardStoreError(path, error) from error


def _valid_rows(path: Path) -> tuple[Row, ...]:
    """Return the rows of an incomplete club's table that are valid on their own."""
    if path.suffix.lower() != ".csv":
        return ()
    try:
        return read_table(path.name, _read_bytes(path), CLUB_FILES.kind).valid_rows
    except CardStoreError:
        return ()


TABLE_SUFFIXES = (".csv", ".tsv", ".txt")
SQUAD_SUFFIXES = (".toml", ".json")
PICTURE_SUFFIXES = (".jpg", ".jpeg", ".png")
MOUNT_ROOTS = (Path("/media"), Path("/run/media"))
_MAX_DEPTH = 3
"""Maximum depth of the folders searched on a USB drive."""
_MAX_FILES = 300
"""Maximum number of files listed, since a USB drive may hold anything."""


@dataclass(frozen=True, slots=True)
class ExchangeFolders:
    """`folder` always exists (created when needed). `mount_roots` are the folders where USB drives are mounted."""

    folder: Path
    mount_roots: Sequence[Path] = MOUNT_ROOTS

    def list_folders(self) -> list[Path]:
        """Return the folders for import and export: the folder, then every accessible USB drive."""
        found = [self.folder]
        for root in self.mount_roots:
            found += [path for path in _mount_points(root) if os.access(path, os.R_OK | os.X_OK)]
        return found

    def files(self, suffixes: Sequence[str], folders: Sequence[Path] = ()) -> list[Path]:
        """Return the files with one of these suffixes, nearest first. Searches all folders unless some are given."""
        found: list[Path] = []
        for root in folders or self.list_folders():
            for path in _walk(root, _MAX_DEPTH):
                if path.suffix.lower() in suffixes and not path.name.startswith("."):
                    found.append(path)
                if len(found) == _MAX_FILES:
                    return found
        return found

    def export(self, target: Path, name: str, kind: CatalogueKind, rows: Sequence[Row], language: Language) -> Path:
        """Write a table for a spreadsheet in the given language, under a new name. Raises: CardStoreError."""
        delimiter = ";" if language.code == "fr" else ","
        number, path = 1, target / f"{name}.csv"
        try:
            target.mkdir(parents=True, exist_ok=True)
            while path.exists():
                number += 1
                path = target / f"{name}-{number}.csv"
            write_atomically(path, format_table(kind, rows, language, delimiter))
        except OSError as error:
            raise CardStoreError(path, error) from error
        return path


def read_file(
    path: Path, kind: CatalogueKind | None = None, kinds: Iterable[CatalogueKind] = KINDS.values()
) -> TableReading:
    """Read a table, or a squad file as a table of one club. Raises: CardStoreError if it cannot be opened.

    Args: kind: the kind of the table (default: the one of `kinds` that fits best).
    """
    if path.suffix.lower() in SQUAD_SUFFIXES:
        try:
            club = read_squad(path)
        except SquadFileError as fault:
            return TableReading(path.name, CLUB_FILES.kind, faults=(Fault(path.name, 0, "", fault.message),))
        return TableReading(path.name, CLUB_FILES.kind, tuple(CLUB_FILES.rows(club)))
    return read_table(path.name, _read_bytes(path), kind, kinds)


def fault_message(fault: Fault) -> Message:
    """Return a fault's message. That of a squad file already names the place."""
    return fault.message if fault.row else fault.reason


def merge(kind: CatalogueKind, present_rows: Sequence[Row], new_rows: Sequence[Row]) -> tuple[Row, ...]:
    """Merge new rows into the present ones: a row of the same card is replaced, others are appended.

    Groups (a chance card, a club) are replaced as a whole.
    """
    groups = {row[kind.group] for row in new_rows} if kind.group else set()
    kept_rows = [row for row in present_rows if not kind.group or row[kind.group] not in groups]
    if kind.group:
        return (*kept_rows, *new_rows)
    new_by_identity = {kind.identity_of(row): row for row in new_rows}
    replaced_rows = [new_by_identity.pop(kind.identity_of(row), row) for row in kept_rows]
    return (*replaced_rows, *new_by_identity.values())


def _mount_points(root: Path) -> Iterator[Path]:
    """Yield the mount points under a folder: /media/STICK, /media/NAME/STICK."""
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


def _walk(root: Path, depth: int) -> Iterator[Path]:
    """Yield the files of a folder, then those of its subfolders."""
    try:
        entries = sorted(root.iterdir())
    except OSError:
        return
    yield from (entry for entry in entries if entry.is_file())
    if depth:
        for entry in entries:
            if entry.is_dir() and not entry.is_symlink() and not entry.name.startswith("."):
                yield from _walk(entry, depth - 1)
