"""Encode and decode the lines of a journal file (UTF-8 JSON Lines), with an error message for each unreadable line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import IO, Any, TypeGuard

import msgspec

from companion.games.base import Fields, JsonObject, Message
from companion.language import reason_of

VERSION = 1
"""Format version (`"journal"` in the header) that this program reads and writes."""

HEADER_LINE = 1
UNDO = "undo"
CORRECT = "correct"
METADATA_FIELDS = frozenset({"at", "by", "note"})
"""Fields that any event may carry. The rules ignore them."""


@dataclass(frozen=True, slots=True)
class JournalLine:
    """A non-blank line of a journal: its number (from 1, blank lines counted) and its object."""

    line: int
    fields: Fields


def is_integer(value: object) -> TypeGuard[int]:
    """Return True if a JSON value is an integer. `true` and `1.0` are not (docs/rules/README.md)."""
    return isinstance(value, int) and not isinstance(value, bool)


def event_name(fields: Fields) -> str | None:
    """Return the event's name, or None if it is missing or not a string."""
    name: Any = fields.get("event")
    return name if isinstance(name, str) else None


def without_metadata(fields: Fields) -> Fields:
    """Return the fields without metadata, as the rules see them."""
    if METADATA_FIELDS.isdisjoint(fields):
        return fields
    return {key: value for key, value in fields.items() if key not in METADATA_FIELDS}


# Hash chain of a journal: a short digest of all lines up to a given one. Two stores compare it to find out whether
# they hold the same lines.


CHAIN_SIZE = 16
"""Digest size in bytes."""

CHAIN_START = bytes(CHAIN_SIZE)
"""Chain value before the first line."""


def chain_link(before: bytes, line: bytes) -> bytes:
    """Return the chain value after one more line. `line` comes without its newline."""
    return blake2b(line, digest_size=CHAIN_SIZE, key=before).digest()


def chain_links(before: bytes, lines: Iterable[bytes]) -> list[bytes]:
    """Return the chain value after each of the lines."""
    found = []
    for line in lines:
        before = chain_link(before, line)
        found.append(before)
    return found


BYTE_ORDER_MARK = b"\xef\xbb\xbf"
MAX_LINE_BYTES = 4 * 1024 * 1024
"""Bytes. A header with two complete catalogues has about 100,000. Decoded, JSON can take 24 times as much memory."""

MAX_FILE_BYTES = 32 * 1024 * 1024
"""Bytes. A match of 2,000 events has about 500,000."""

TRUNCATED_LINE = "journal.line.torn"
"""Message id for a last line that was only partly written."""


class LineUnreadable(Exception):
    """A line that holds no JSON object. `line` counts every line of the file from 1."""

    def __init__(self, line: int, message: Message) -> None:
        super().__init__(f"line {line}: {message}")
        self.line = line
        self.message = message


class FileUnreadable(Exception):
    """A file that cannot be opened or read."""

    def __init__(self, message: Message) -> None:
        super().__init__(str(message))
        self.message = message


class _DuplicateKey(Exception):
    pass


def encode(fields: Fields) -> bytes:
    """Encode one line, without its newline.

    Raises: ValueError or TypeError for values that JSON cannot hold, such as infinity.
    """
    return json.dumps(dict(fields), ensure_ascii=False, allow_nan=False).encode()


def decode(raw: bytes) -> JsonObject:
    """Decode the object of one line. Raises: LineUnreadable with line 0; the caller fills in the number."""
    try:
        value = msgspec.json.decode(raw)
    except UnicodeDecodeError:
        raise LineUnreadable(0, Message("journal.line.not_utf8")) from None
    except RecursionError:
        raise LineUnreadable(0, Message("journal.line.too_deep")) from None
    except msgspec.ValidationError:
        raise LineUnreadable(0, Message("journal.line.number")) from None
    except msgspec.DecodeError as error:
        truncated = "truncated" in str(error) and not raw.endswith(b"\n")
        raise LineUnreadable(0, Message(TRUNCATED_LINE if truncated else "journal.line.not_json")) from None
    if not isinstance(value, dict):
        raise LineUnreadable(0, Message("journal.line.not_object"))
    _check_duplicate_keys(raw)
    return value


def read_lines(lines: Iterable[bytes]) -> Iterator[JournalLine]:
    """Yield the entries of a file's lines. Raises: LineUnreadable at the first bad line."""
    for number, raw in enumerate(lines, start=1):
        if number == 1:
            raw = raw.removeprefix(BYTE_ORDER_MARK)
        if not raw.strip(b" \t\r\n"):
            continue
        try:
            if len(raw) > MAX_LINE_BYTES:
                raise LineUnreadable(number, Message("journal.line.too_long", {"megabytes": MAX_LINE_BYTES >> 20}))
            fields = decode(raw)
        except LineUnreadable as fault:
            raise LineUnreadable(number, fault.message) from None
        yield JournalLine(number, fields)


def read_file(path: Path) -> Iterator[JournalLine]:
    """Yield the entries of a file. Raises: FileUnreadable; LineUnreadable at the first bad line."""
    try:
        with path.open("rb") as file:
            yield from read_lines(_limited_lines(file))
    except FileNotFoundError:
        raise FileUnreadable(Message("journal.file.missing")) from None
    except IsADirectoryError:
        raise FileUnreadable(Message("journal.file.folder")) from None
    except PermissionError:
        raise FileUnreadable(Message("journal.file.denied")) from None
    except (OSError, ValueError) as error:
        raise FileUnreadable(Message("journal.file.unreadable", {"reason": reason_of(error)})) from None


def _limited_lines(file: IO[bytes]) -> Iterator[bytes]:
    """Yield the lines of a file, and never more of one than may be decoded. Raises: FileUnreadable."""
    total = 0
    while line := file.readline(MAX_LINE_BYTES + 1):
        total += len(line)
        if total > MAX_FILE_BYTES:
            raise FileUnreadable(Message("journal.file.too_long", {"megabytes": MAX_FILE_BYTES >> 20}))
        yield line


def encode_file(header: Fields, events: Iterable[Fields]) -> bytes:
    """Encode a complete journal file: the header, then one event per line."""
    return b"".join(encode(fields) + b"\n" for fields in (header, *events))


def _check_duplicate_keys(raw: bytes) -> None:
    """Reject an object with duplicate keys.

    msgspec silently keeps the last of two fields with the same name. A journal with a duplicate key is ambiguous.
    """

    def check_pairs(found: list[tuple[str, Any]]) -> None:
        seen = set()
        for key, _ in found:
            if key in seen:
                raise _DuplicateKey(key)
            seen.add(key)

    try:
        json.loads(raw, object_pairs_hook=check_pairs)
    except RecursionError:
        raise LineUnreadable(0, Message("journal.line.too_deep")) from None
    except _DuplicateKey as twice:
        raise LineUnreadable(0, Message("journal.line.twice", {"field": str(twice)})) from None
