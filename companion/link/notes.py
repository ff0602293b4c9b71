"""What a table's link keeps on the disk: the hub it joined, what the hub last said, what was said at the table."""

from __future__ import annotations

import logging
from pathlib import Path

import msgspec
from msgspec import Struct

from companion.journal.files import write_whole
from companion.messages.wire import Board, Called, State
from companion.table.hub_port import Side, Signer
from companion.tournament.mark import Mark, mark_of

log = logging.getLogger(__name__)

FILE = "hub.json"
MOST_MATCHES = 200
"""Of which it is remembered who came and who confirmed; the hub may ask again after a restored backup."""


class Signed(Struct):
    """The result of a match as it was confirmed: the journal, its last line then, by whom, and who else must."""

    journal: str
    line: int
    by: list[Signer]
    needs: list[Signer]

    @property
    def complete(self) -> bool:
        """Whether all who must have confirmed."""
        return set(self.needs) <= set(self.by)


class Notes(Struct):
    """All that outlives a restart. `configured` is the address and token that were last taken from the settings."""

    address: str | None = None
    token: str | None = None
    configured: tuple[str, str] | None = None
    state: State | None = None
    board: Board | None = None
    present: dict[str, list[Side]] = {}
    signed: dict[str, Signed] = {}
    games: dict[str, Mark] = {}
    """Of each match the game that the two above are about; a match may have to be played again, or by others."""

    def forget_hub(self) -> None:
        """What another hub said and was told."""
        self.state, self.board, self.present, self.signed, self.games = None, None, {}, {}, {}

    def called(self, match: Called) -> None:
        """A match was called here: what was said of another game of it is no longer true."""
        mark = mark_of(match.header)
        if mark is not None and self.games.get(mark.key, mark) != mark:
            self.present.pop(mark.key, None)
            self.signed.pop(mark.key, None)
        if mark is not None:
            self.games[mark.key] = mark

    def shorten(self) -> None:
        """Drops the oldest matches where there are too many."""
        for kept in (self.present, self.signed, self.games):
            for match in list(kept)[:-MOST_MATCHES]:
                del kept[match]


_NOTES = msgspec.json.Decoder(Notes)  # made here: two threads that make the first one at once crash the library


def load(folder: Path) -> Notes:
    """The notes in a folder, empty ones where there are none. A damaged file is put aside and the table joins anew."""
    path = folder / FILE
    try:
        return _NOTES.decode(path.read_bytes())
    except FileNotFoundError:
        return Notes()
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as fault:
        log.warning("%s cannot be used and is put aside: %s", path, fault)
        try:
            path.replace(path.with_suffix(".damaged"))
        except OSError as worse:
            log.warning("%s cannot be put aside: %s", path, worse)
        return Notes()


def peek(folder: Path) -> Notes | None:
    """As `load`, for whoever only looks: None where the file cannot be used. Raises OSError."""
    try:
        return _NOTES.decode((folder / FILE).read_bytes())
    except FileNotFoundError:
        return Notes()
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return None


def encoded(notes: Notes) -> bytes:
    """The content of the file."""
    return msgspec.json.encode(notes)


def save(folder: Path, content: bytes) -> None:
    """Writes encoded notes; on the disk on return. A disk that takes nothing is logged; the table plays on."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_whole(folder / FILE, content, mode=0o600)
    except OSError as fault:
        log.warning("the link's notes could not be written: %s", fault)
