"""`companion catalogue`: checks a table of cards, takes it over, writes one, without the screen."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from companion.commands.exit_codes import DONE, FAILED, REFUSED
from companion.commands.settings import language_of
from companion.config import data_folder, load_config
from companion.games.base import Message
from companion.games.catalogue import Kind, Row, places
from companion.journal.files import write_whole
from companion.language import Language
from companion.table.catalogues.reading import CLUBS, KINDS, Reading, written
from companion.table.catalogues.shelf import Shelf, ShelfTrouble, merged, read_file, told

CATALOGUES, OWN_CLUBS = "catalogues", "clubs"
"""Folders beside the matches."""


def run_check(config: Path | None, file: Path, name: str | None) -> int:
    """Says every fault of a table on standard error. Returns the exit status: 2 if there is one."""
    language = language_of(config)
    reading = _read(language, file, name)
    if reading is None:
        return REFUSED
    if reading.kind is not None:
        _say(language, "catalogues.cli.read", kind=reading.kind.label, n=len(reading.rows))
    return REFUSED if reading.faults else DONE


def run_import(config: Path | None, file: Path, name: str | None, *, replace: bool, partly: bool) -> int:
    """Takes the cards of a table over; with faults only what is in order, if `partly`. Returns the exit status."""
    language = language_of(config)
    reading = _read(language, file, name)
    if reading is None or reading.kind is None or (reading.faults and not partly) or not reading.rows:
        return REFUSED
    shelf = shelf_of(config)
    try:
        if reading.kind.name == CLUBS:
            for own in places(reading.rows, "club").values():
                shelf.save_club([reading.rows[at] for at in own])
        else:
            _take(shelf, reading.kind, reading.rows, replace)
    except ShelfTrouble as trouble:
        print(language.text(trouble.message), file=sys.stderr)
        return FAILED
    _say(language, "catalogues.cli.taken", kind=reading.kind.label, n=len(reading.rows))
    return DONE


def run_export(config: Path | None, name: str, out: Path) -> int:
    """Writes a catalogue, or all clubs, as a table in the configured language. Returns the exit status."""
    language = language_of(config)
    kind = KINDS.get(name)
    if kind is None:
        return _unknown(language, name)
    shelf = shelf_of(config)
    try:
        rows = [row for club in shelf.all_clubs() for row in club.rows] if name == CLUBS else shelf.load(kind).rows
        write_whole(out, written(kind, rows, language, ";" if language.code == "fr" else ","))
    except ShelfTrouble as trouble:
        print(language.text(trouble.message), file=sys.stderr)
        return FAILED
    except OSError as error:
        print(f"{out}: {error.strerror}", file=sys.stderr)
        return FAILED
    return DONE


def shelf_of(config: Path | None) -> Shelf:
    """The catalogues and clubs of the configured data folder."""
    folder = data_folder(load_config(config))
    return Shelf(folder / CATALOGUES, folder / OWN_CLUBS)


def _take(shelf: Shelf, kind: Kind, rows: Sequence[Row], replace: bool) -> None:
    present = shelf.load(kind).rows if shelf.is_own(kind) and not replace else ()
    shelf.save(kind, merged(kind, present, rows))


def _read(language: Language, file: Path, name: str | None) -> Reading | None:
    """The table with its faults said; None if it cannot be opened or its kind is unknown."""
    if name is not None and name not in KINDS:
        _unknown(language, name)
        return None
    try:
        reading = read_file(file, KINDS[name] if name else None)
    except ShelfTrouble as trouble:
        print(language.text(trouble.message), file=sys.stderr)
        return None
    for sentence in (*reading.notes, *(told(fault) for fault in reading.faults)):
        print(language.text(sentence), file=sys.stderr)
    return reading


def _unknown(language: Language, name: str) -> int:
    _say(language, "catalogues.cli.unknown", name=name, known=", ".join(KINDS))
    return REFUSED


def _say(language: Language, id: str, **args: object) -> None:
    print(language.text(Message(id, args)), file=sys.stderr)
