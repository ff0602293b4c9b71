"""`companion catalogue`: check, import and export card tables without the screen."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from companion.commands.exit_codes import DONE, FAILED, REFUSED
from companion.commands.settings import language_of
from companion.config import data_folder, load_config
from companion.games.base import Message
from companion.games.catalogue import CatalogueKind, Row, rows_by_value
from companion.language import Language, reason_of
from companion.table.catalogues.card_store import CardStore, CardStoreError, fault_message, merge, read_file
from companion.table.catalogues.csv_tables import CLUBS, KINDS, TableReading, format_table
from vision.files import write_atomically

CATALOGUES, OWN_CLUBS = "catalogues", "clubs"
"""Folders beside the matches."""


def run_check(config: Path | None, file: Path, name: str | None) -> int:
    """Print all faults of a table to standard error. Returns the exit status: 2 if there are any."""
    language = language_of(config)
    reading = _read(config, file, name)
    if reading is None:
        return REFUSED
    if reading.kind is not None:
        _print_message(language, "catalogues.cli.read", kind=reading.kind.label, n=len(reading.rows))
    return REFUSED if reading.faults else DONE


def run_import(config: Path | None, file: Path, name: str | None, *, replace: bool, partly: bool) -> int:
    """Import the cards of a table; with `partly`, the valid ones of a faulty table. Returns the exit status."""
    language = language_of(config)
    reading = _read(config, file, name)
    if reading is None or reading.kind is None or (reading.faults and not partly) or not reading.rows:
        return REFUSED
    card_store = card_store_of(config)
    try:
        if reading.kind.name == CLUBS:
            for row_indices in rows_by_value(reading.rows, "club").values():
                card_store.save_club([reading.rows[at] for at in row_indices])
        else:
            _import_rows(card_store, reading.kind, reading.rows, replace)
    except CardStoreError as trouble:
        print(language.text(trouble.message), file=sys.stderr)
        return FAILED
    _print_message(language, "catalogues.cli.taken", kind=reading.kind.label, n=len(reading.rows))
    return DONE


def run_export(config: Path | None, name: str, out: Path) -> int:
    """Write a catalogue, or all clubs, as a table in the configured language. Returns the exit status."""
    language = language_of(config)
    kind = KINDS.get(name)
    if kind is None:
        return _print_unknown(language, name)
    card_store = card_store_of(config)
    try:
        rows = (
            [row for club in card_store.all_clubs() for row in club.rows]
            if name == CLUBS
            else card_store.load(kind).rows
        )
        write_atomically(out, format_table(kind, rows, language, ";" if language.code == "fr" else ","))
    except CardStoreError as trouble:
        print(language.text(trouble.message), file=sys.stderr)
        return FAILED
    except OSError as error:
        _print_message(language, "cli.not_written", file=out, reason=reason_of(error))
        return FAILED
    return DONE


def card_store_of(config: Path | None) -> CardStore:
    """Return the catalogues and clubs of the configured data folder."""
    folder = data_folder(load_config(config))
    return CardStore(folder / CATALOGUES, folder / OWN_CLUBS, language_of(config).code)


def _import_rows(card_store: CardStore, kind: CatalogueKind, rows: Sequence[Row], replace: bool) -> None:
    present_rows = card_store.load(kind).rows if card_store.is_own(kind) and not replace else ()
    card_store.save(kind, merge(kind, present_rows, rows))


def _read(config: Path | None, file: Path, name: str | None) -> TableReading | None:
    """Read a table and print its faults; None if it cannot be opened or its kind is unknown."""
    language = language_of(config)
    if name is not None and name not in KINDS:
        _print_unknown(language, name)
        return None
    try:
        kinds = {kind.name: kind for kind in card_store_of(config).kinds()}
        reading = read_file(file, kinds[name] if name else None, kinds.values())
    except CardStoreError as trouble:
        print(language.text(trouble.message), file=sys.stderr)
        return None
    for sentence in (*reading.notes, *(fault_message(fault) for fault in reading.faults)):
        print(language.text(sentence), file=sys.stderr)
    return reading


def _print_unknown(language: Language, name: str) -> int:
    _print_message(language, "catalogues.cli.unknown", name=name, known=", ".join(KINDS))
    return REFUSED


def _print_message(language: Language, id: str, **args: object) -> None:
    print(language.text(Message(id, args)), file=sys.stderr)
