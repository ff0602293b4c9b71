"""Verification of the store's rows by their sums, line by line. Works on any connection, also beside an open app."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import apsw
import msgspec

from companion.games.base import Fields, JsonObject, Message
from companion.journal.codec import HEADER_LINE
from companion.journal.database import read_rows
from companion.journal.pages import Column
from companion.journal.sums import entry_sum, match_sum, picture_sum, state_sum

CHANGED, MISSING, STATE = "changed", "missing", "state"
"""Problems of a line: not as recorded; not there; all lines are good, but end or length of the match are damaged."""

MATCH_COLUMNS = (
    "CAST(id AS BLOB), CAST(game AS BLOB), epoch, CAST(header AS BLOB), CAST(created AS BLOB), sum,"
    " CAST(ended AS BLOB), CAST(removed AS BLOB), lines, state_sum"
)
ENTRY_COLUMNS = "CAST(match AS BLOB), seq, CAST(fields AS BLOB), CAST(at AS BLOB), sum"
PICTURE_COLUMNS = "CAST(match AS BLOB), seq, die, CAST(what AS BLOB), image, sum"


@dataclass(frozen=True, slots=True)
class StoredMatchRow:
    """A row of `matches` as stored, in the order of `MATCH_COLUMNS`. In a damaged file a column may hold anything."""

    id: Column
    game: Column
    epoch: Column
    header: Column
    created: Column
    sum: Column
    ended: Column
    removed: Column
    lines: Column
    state_sum: Column

    def header_fits(self) -> bool:
        """Return True if id, game, epoch, header and creation time are as recorded."""
        fixed = (self.id, self.game, self.epoch, self.header, self.created)
        types = (bytes, bytes, int, bytes, bytes)
        return all(map(isinstance, fixed, types)) and bool(self.sum == match_sum(*fixed))

    def state_fits(self) -> bool:
        """Return True if end, removal and number of lines are as recorded."""
        texts = all(text is None or isinstance(text, bytes) for text in (self.ended, self.removed))
        if not (texts and isinstance(self.id, bytes) and isinstance(self.lines, int)):
            return False
        return bool(self.state_sum == state_sum(self.id, self.ended, self.removed, self.lines))


def entry_fits(match: Column, seq: Column, fields: Column, at: Column, sum: Column) -> bool:
    """Return True if a journal line is as recorded."""
    texts = isinstance(match, bytes) and isinstance(fields, bytes) and isinstance(at, bytes)
    return texts and isinstance(seq, int) and entry_sum(match, seq, fields, at) == sum


def picture_fits(match: Column, seq: Column, die: Column, what: Column, image: Column, sum: Column) -> bool:
    """Return True if a picture is as recorded, was deleted, or is from a store without sums."""
    if sum is None or not isinstance(match, bytes) or not isinstance(what, bytes):
        return sum is None
    return isinstance(image, bytes) and picture_sum(match, seq, die, what, image) == sum


@dataclass(frozen=True, slots=True)
class DamagedMatch:
    """A match with a damaged line: the first one, and how many there are.

    `names`: the sides, empty if the header does not tell them. `day`: date of its creation, if known.
    """

    id: str
    names: str
    day: str
    line: int
    problem: str
    lines: int

    def message(self) -> Message:
        """Return a sentence for the players."""
        if self.line == HEADER_LINE or not self.names:
            return Message("journal.damage.header", {"day": self.day})
        if self.problem == STATE:
            return Message("journal.damage.state", {"names": self.names})
        return Message("journal.damage.match", {"names": self.names, "n": self.lines})


def find_damaged_matches(connection: apsw.Connection) -> tuple[DamagedMatch, ...]:
    """Verify headers and lines of all matches, and return the damaged ones, newest first.

    Raises: apsw errors for a file whose structure is damaged.
    """
    entries: dict[bytes, list[tuple[int, str]]] = {}
    counts: dict[bytes, int] = {}
    query = f"SELECT {ENTRY_COLUMNS} FROM entries ORDER BY match, seq"
    for match, rows in groupby(connection.execute(query), key=lambda row: row[0]):
        faults, last = [], 0
        for row in rows:
            faults += line_faults(row, last)
            last = row[1] if isinstance(row[1], int) else last + 1
        entries[match], counts[match] = faults, last
    found = []
    for values in connection.execute(f"SELECT {MATCH_COLUMNS} FROM matches ORDER BY +epoch DESC"):
        row = StoredMatchRow(*values)
        faults = entries.pop(row.id, [])
        last = counts.get(row.id, 0)
        if not row.header_fits():
            faults.insert(0, (HEADER_LINE, CHANGED))
        faults += state_faults(row, last)
        if faults:
            found.append(_damaged(row, faults))
    found += [DamagedMatch(_text(id), "", "", HEADER_LINE, MISSING, counts[id]) for id in entries]
    return tuple(found)


def line_faults(row: Sequence[Column], last: int) -> list[tuple[int, str]]:
    """Return the faults of one entry that follows the entry `last`: missing lines before it, and its own change."""
    seq = row[1]
    if not isinstance(seq, int) or seq <= last:
        return [(last + 1 + HEADER_LINE, CHANGED)]
    faults = [(number + HEADER_LINE, MISSING) for number in range(last + 1, min(seq, last + 1 + MAX_MISSING))]
    if not entry_fits(*row):
        faults.append((seq + HEADER_LINE, CHANGED))
    return faults


MAX_MISSING = 10_000
"""More missing lines in a row are not counted: their number is damaged itself."""


def state_faults(row: StoredMatchRow, last: int) -> list[tuple[int, str]]:
    """Return the faults of a match's own record, whose last entry is `last`: lost lines, or a changed state."""
    if not row.state_fits():
        return [(last + HEADER_LINE + 1, STATE)]
    if row.lines == last or (last == 0 and row.removed is not None):  # the lines of a removed match are deleted
        return []
    missing = range(last + 1, min(row.lines, last + MAX_MISSING) + 1)
    return [(seq + HEADER_LINE, MISSING) for seq in missing] or [(last + HEADER_LINE + 1, STATE)]


def find_damaged_pictures(connection: apsw.Connection) -> int:
    """Return the number of pictures that are not as recorded. Reads every picture. Raises: apsw errors."""
    rows: Iterator[Any] = connection.execute(f"SELECT {PICTURE_COLUMNS} FROM pictures")
    return sum(not picture_fits(*row) for row in rows)


def count_lines(connection: apsw.Connection) -> int:
    """Return how many lines were ever recorded in this store, headers included. Raises: apsw errors."""
    ((total,),) = read_rows(connection, "SELECT count(*) + coalesce(sum(lines), 0) FROM matches")
    return int(total)


def decode_object(content: Column) -> JsonObject | None:
    """Return the JSON object of a column; None if it holds something else."""
    try:
        return msgspec.json.decode(content, type=dict[str, Any])
    except (msgspec.MsgspecError, TypeError, ValueError, RecursionError):
        return None


def side_names(header: Fields) -> tuple[str, ...] | None:
    """Return the names of a header's sides; None if it does not have them."""
    sides = header.get("sides")
    if not isinstance(sides, Mapping):
        return None
    names = [side["name"] for side in sides.values() if isinstance(side, Mapping) and isinstance(side.get("name"), str)]
    return tuple(names) if len(names) == len(sides) else None


def _damaged(row: StoredMatchRow, faults: Sequence[tuple[int, str]]) -> DamagedMatch:
    names = side_names(decode_object(row.header) or {}) or ()
    line, problem = faults[0]
    return DamagedMatch(_text(row.id), " – ".join(names), _text(row.created)[:10], line, problem, len(faults))


def _text(value: object) -> str:
    return value.decode(errors="replace") if isinstance(value, bytes) else ""
