"""Checks that a store holds all acknowledged events: complete, in order, legal, and no event that was never written."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from companion.clock import ManualClock
from companion.games.base import Fields
from companion.journal.codec import HEADER_LINE
from companion.journal.database import StoreError
from companion.journal.ledger import InvalidLine
from companion.journal.store import Store
from tests.fault.play import GAMES, Acknowledged, pictures_of

COMPARED_LINES = 30
"""Number of lines at a match's end whose pictures are compared byte for byte; earlier rounds checked earlier lines."""


def found_in(store: Store) -> dict[tuple[str, int], Fields]:
    """Return every header and event by match and line, as it was recorded (without the added time)."""
    found: dict[tuple[str, int], Fields] = {}
    for match in store.matches():
        found[match.id, HEADER_LINE] = match.header
        for entry in store.events(match.id):
            found[match.id, entry.line] = {key: value for key, value in entry.fields.items() if key != "at"}
    return found


def acknowledged_in(store: Store) -> list[Acknowledged]:
    """Return everything in a store as if it was acknowledged."""
    return [Acknowledged(*place, fields) for place, fields in found_in(store).items()]


def problems_of(
    path: Path,
    acknowledged: Sequence[Acknowledged],
    least: int | None = None,
    beyond: int = 1,
    pictured: bool = True,
) -> list[str]:
    """Return the faults of a store whose writer was stopped; empty if there are none.

    The first `least` acknowledgements (default: all) must be present; later ones may be missing from the end. At most
    `beyond` extra events may be present: the one recorded but not yet acknowledged. `pictured`: each event has the
    pictures of `pictures_of`.
    """
    try:
        with Store.open(path, ManualClock()) as store:
            return _problems(store, acknowledged, len(acknowledged) if least is None else least, beyond, pictured)
    except StoreError as error:
        return [f"lost: the store does not open or read: {error}"]


def _problems(store: Store, acknowledged: Sequence[Acknowledged], least: int, beyond: int, pictured: bool) -> list[str]:
    problems = [f"integrity: {fault}" for fault in store.check()]
    found = found_in(store)
    kept = min(len(found), len(acknowledged))
    if kept < least:
        problems.append(f"lost: {least - kept} acknowledged events are gone")
    if len(found) - len(acknowledged) > beyond:
        problems.append(f"doubled: {len(found) - len(acknowledged)} events more than acknowledged")
    for ack in acknowledged[:kept]:
        if found.get((ack.match, ack.line)) != ack.fields:
            problems.append(f"lost: line {ack.line} of {ack.match} is not what was acknowledged")
    for match in store.matches():
        problems += _match_problems(store, match.id, match.lines if pictured else 0)
    return problems


def _match_problems(store: Store, match: str, lines: int) -> list[str]:
    try:
        store.resume(match, GAMES)
    except InvalidLine as refused:
        return [f"match {match} does not replay: {refused}"]
    last = lines + HEADER_LINE
    return [
        f"the pictures of line {line} of {match} are not its own"
        for line in range(max(HEADER_LINE + 1, last - COMPARED_LINES), last + 1)
        if store.pictures(match, line) != pictures_of(match, line)
    ]
