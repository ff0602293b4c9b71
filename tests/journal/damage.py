"""A store of several matches with pictures, and what is still there after its files were damaged."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

from companion.clock import ManualClock
from companion.journal.codec import HEADER_LINE
from companion.journal.database import LineDamaged, StoreError
from companion.journal.recovery import open_or_recover
from companion.journal.store import READING, Picture, Store
from companion.journal.store_files import StoreFiles
from tests.journal.conftest import START
from tests.journal.counting_game import SWAP, add, header

Content = Mapping[str, tuple[str, ...]]
"""The lines of every match by its id, the header first, as text that can be compared."""


def write_store(path: Path, matches: int = 4, lines: int = 40) -> Content:
    """Write a store and return its content. One match has a long header, one is removed, one is over."""
    with Store.open(path, ManualClock(START)) as store:
        for number in range(matches):
            note = "é" * 9000 if number == 1 else f"évening {number}"
            match = store.create({**header(), "note": note})
            for line in range(lines):
                pictures = (
                    [Picture(READING, b'{"dice": []}'), Picture("tray", bytes([line]) * 6000)] if line % 5 == 0 else []
                )
                event = SWAP if line % 7 == 3 else add("left", line % 9 + 1, note="é" * (line % 50))
                store.append(match, event, pictures, ended=number == 2 and line == lines - 1)
        return content_of(store)


def content_of(store: Store) -> Content:
    """Return all lines that the store gives, up to the first damaged one of each match."""
    found = {}
    for match in store.matches():
        lines: list[str] = []
        try:
            lines.append(repr(store.header(match.id)))
            lines += [repr(entry.fields) for entry in store.events(match.id)]
        except LineDamaged as damage:
            if damage.line > HEADER_LINE:
                good = store.events(match.id, until_line=damage.line - 1)
                lines += [repr(entry.fields) for entry in good]
        for line in store.lines_with_pictures(match.id):
            store.pictures(match.id, line)
        found[match.id] = tuple(lines)
    return found


def copy_files(source: Path, folder: Path) -> Path:
    """Copy a closed or crashed store with its log and note. Returns the copy's path."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    files = StoreFiles.of(source)
    for path in (files.database, files.log, files.note):
        if path.exists():
            shutil.copyfile(path, folder / path.name)
    return folder / source.name


def change_byte(path: Path, offset: int, value: int) -> None:
    content = bytearray(path.read_bytes())
    content[offset] = value
    path.write_bytes(content)


def opened_content(path: Path) -> tuple[Content, tuple[str, ...]] | StoreError:
    """Open a damaged store as the app does. Returns its content and the ids of the messages, or the error."""
    try:
        store, messages = open_or_recover(path, ManualClock(START))
    except StoreError as error:
        return error
    with store:
        return content_of(store), tuple(message.id for message in messages)
