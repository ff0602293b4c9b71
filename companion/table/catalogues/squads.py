"""Club files: read from TOML, JSON or CSV, as defined by their game.

Every text, number and nesting depth is checked to fit a journal.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NoReturn

from companion.games.base import JsonObject, Message
from companion.games.catalogue import SquadClub, SquadFileError
from companion.language import reason_of
from companion.table.catalogues.csv_tables import (
    CLUB_FILES,
    MAX_TEXT_LENGTH,
    is_displayable,
    read_table,
)
from vision.files import FileTooLarge, parse_toml, read_limited

MAX_SQUAD_BYTES = 100_000
"""Maximum size of a club's file in bytes. A club of 25 players needs a twentieth of that."""
_MAX_NUMBER = 10**9
_MAX_DEPTH = 4
"""Depth of a word in a card's list: club, players, card, list."""


class _Pairs(list[tuple[str, Any]]):
    """A JSON object as key-value pairs, to report a duplicate key with its place."""


def decode_file(file: str, content: bytes) -> object:
    """Return the values in a TOML file, or JSON by file name. Raises: SquadFileError, with line or place."""
    try:
        text = content.decode("utf-8-sig")
        if file.lower().endswith(".json"):
            return _validate(file, (), json.loads(text, object_pairs_hook=_Pairs))
        return _validate(file, (), parse_toml(text))
    except UnicodeDecodeError as trouble:
        line = content[: trouble.start].count(b"\n") + 1
        raise SquadFileError(Message("squads.fault.not_utf8", {"file": file, "line": line})) from trouble
    except json.JSONDecodeError as trouble:
        raise SquadFileError(Message("squads.fault.syntax", {"file": file, "why": reason_of(trouble)})) from trouble
    except (ValueError, RecursionError) as trouble:
        raise SquadFileError(Message("squads.fault.syntax", {"file": file, "why": reason_of(trouble)})) from trouble


def _validate(file: str, path: tuple[str | int, ...], value: object) -> Any:
    """Return the value with JSON objects as dicts. `path`: keys, and list positions from 1, that lead to it."""
    if len(path) > _MAX_DEPTH:
        _fail("value", file, path)
    if len(path) > 1 and path[-1] == "name" and not (isinstance(value, str) and value.strip()):
        _fail("text", file, path)
    if isinstance(value, _Pairs):
        _check_keys(file, path, value)
        return {key: _validate(file, (*path, key), entry) for key, entry in value}
    if isinstance(value, dict):
        return {key: _validate(file, (*path, key), entry) for key, entry in value.items()}
    if isinstance(value, list):
        return [_validate(file, (*path, number), entry) for number, entry in enumerate(value, 1)]
    if isinstance(value, str) and not is_displayable(value):
        _fail("text", file, path)
    if not _is_plain(value):
        _fail("value", file, path)
    return value


def _check_keys(file: str, path: tuple[str | int, ...], pairs: _Pairs) -> None:
    """Reject duplicate keys in a JSON object. Raises: SquadFileError."""
    seen = set()
    for key, _ in pairs:
        if key in seen:
            _fail("twice", file, (*path, key))
        seen.add(key)


def _is_plain(value: object) -> bool:
    """Return True if a single value is valid in JSON and in the journal."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return abs(value) <= _MAX_NUMBER  # False for NaN too
    return value is None or isinstance(value, bool | str)


def _fail(fault: str, file: str, path: tuple[str | int, ...]) -> NoReturn:
    raise SquadFileError(
        Message(f"squads.fault.{fault}", {"file": file, "place": _location(path), "most": MAX_TEXT_LENGTH})
    )


def _location(path: tuple[str | int, ...]) -> Message | str:
    """Return the place of a value as a reader would look for it in the file."""
    match path:
        case ("coach" | "goalkeeper" as card, *rest):
            place = Message(f"squads.place.{card}")
        case ("players", int(number), *rest):
            place = Message("squads.place.player", {"number": number})
        case _:
            return _path_text(path)
    return Message("squads.place.field", {"place": place, "key": _path_text(rest)}) if rest else place


def _path_text(steps: tuple[str | int, ...] | list[str | int]) -> str:
    """Return the keys joined with dots, in printable form."""
    text = ".".join(str(step) for step in steps)
    return text if is_displayable(text) else ascii(text[:MAX_TEXT_LENGTH])


def read_squad(path: Path) -> SquadClub:
    """Read a club from TOML, or from JSON or CSV by file name. Raises: SquadFileError."""
    try:
        content = read_limited(path, MAX_SQUAD_BYTES)
    except FileTooLarge as trouble:
        args = {"file": path.name, "most": MAX_SQUAD_BYTES // 1000}
        raise SquadFileError(Message("squads.fault.too_large", args)) from trouble
    except (OSError, ValueError) as trouble:  # ValueError: a character that file names cannot contain
        args = {"file": path.name, "why": reason_of(trouble)}
        raise SquadFileError(Message("squads.fault.unreadable", args)) from trouble
    if path.suffix.lower() == ".csv":
        return CLUB_FILES.club(path.name, _read_table_club(path.name, content))
    return CLUB_FILES.club(path.name, decode_file(path.name, content))


def _read_table_club(file: str, content: bytes) -> JsonObject:
    """Return the club of a table, which must hold exactly one."""
    reading = read_table(file, content, CLUB_FILES.kind)
    if reading.faults:
        first, n = reading.faults[0].message, len(reading.faults) - 1
        raise SquadFileError(Message("squads.fault.more", {"first": first, "n": n}) if n else first)
    if len({row["club"] for row in reading.rows}) != 1:
        raise SquadFileError(Message("squads.fault.clubs", {"file": file}))
    return CLUB_FILES.content(reading.rows)
