"""Matches out of the store into journal files and back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from companion.games.base import Fields
from companion.journal.codec import file_bytes
from companion.journal.envelope import CORRECT, HEADER_LINE, event_name
from companion.journal.files import write_whole
from companion.journal.ledger import AnyLedger
from companion.journal.replay import Games, Replay, replay, replay_entries
from companion.journal.store import Store
from companion.journal.store_errors import StoreError


def export_match(store: Store, match: str, path: Path) -> None:
    """Writes a match as a journal file; on the disk (or the stick) on return. Raises StoreError."""
    content = file_bytes(store.header(match), (entry.fields for entry in store.entries(match)))
    try:
        write_whole(path, content)
    except OSError as error:
        raise StoreError("not_exported", path, reason=error.strerror) from None


def import_match(store: Store, path: Path, games: Games) -> str:
    """Takes a journal file into the store as a new match and returns its id.

    The whole file is played first: raises LineRefused or FileUnreadable, the store then being as it was. Blank lines
    are left out, so the lines that corrections name move with them.
    """
    played = replay(path, games)
    ended = played.game.finished(played.ledger.state)
    return store.create(played.header, _without_gaps(played.ledger), ended=ended)


def resume_match(store: Store, match: str, games: Games) -> Replay:
    """A match of the store, played up to its last event. Raises LineRefused when the rules refuse a recorded one."""
    return replay_entries(store.header(match), store.entries(match), games)


def _without_gaps(ledger: AnyLedger) -> list[Fields]:
    records = ledger.entries
    lines = {record.line: line for line, record in enumerate(records, start=HEADER_LINE + 1)}

    def moved(fields: Fields) -> dict[str, Any]:
        if event_name(fields) == CORRECT:
            return {**fields, "line": lines[fields["line"]]}
        return dict(fields)

    return [moved(record.fields) for record in records]
