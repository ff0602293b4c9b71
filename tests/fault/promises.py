"""Promises that need no stopped process: line numbers, sums and sizes are checked."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import apsw

from companion.clock import ManualClock
from companion.journal.codec import HEADER_LINE
from companion.journal.database import StoreError, WrongLine
from companion.journal.store import Picture, Store
from tests.fault.checks import Check, Rounds, checked
from tests.fault.children import run_child
from tests.fault.play import GAMES, Acknowledged, play_on
from tests.fault.scenarios import STORE, Acknowledge, Done
from tests.fault.verify import found_in
from vision import files
from vision.pictures import UnreadablePicture, load_picture

BOMB_SIDE = 14_000
"""Pixels: a picture of this width and height takes 1.2 GB when it is decoded."""


def promise_rounds(folder: Path, count: int, random: Random) -> Rounds:
    """Return one round for each promise, with `count` checks."""
    return [
        ("line numbers", partial(line_numbers, folder, count, random)),
        ("refused events", partial(refused_events, folder, count, random)),
        ("sums", partial(sums, folder, count, random)),
        ("sizes", partial(sizes, folder, count, random)),
    ]


def line_numbers(folder: Path, count: int, random: Random) -> Iterator[Check]:
    """An event that was prepared for another line is refused: a second try never records it twice."""
    path = folder / "lines" / STORE
    with Store.open(path, ManualClock()) as store:
        acknowledged = list(islice(play_on(store, GAMES["counting"], random), 20))
        last = acknowledged[-1]
        for _ in range(count):
            line = random.randint(1, last.line + 1)
            line = line + 1 if line == last.line + 1 else line
            yield checked(f"line number: {line} after {last.line}", partial(_wrong_line, store, last.match, line))


def _wrong_line(store: Store, match: str, line: int) -> list[str]:
    try:
        recorded = store.append(match, {"event": "undo"}, line=line)
    except WrongLine:
        return []
    return [f"doubled: an event prepared for line {line} is recorded on line {recorded}"]


def refused_events(folder: Path, count: int, random: Random) -> Iterator[Check]:
    """An event that fails half-way leaves nothing of it, and the same store goes on."""
    with Store.open(folder / "refused" / STORE, ManualClock()) as store:
        play = play_on(store, GAMES["counting"], random)
        next(play)
        for number in range(1, count + 1):
            yield checked(f"rollback: refused event {number}", partial(_half_recorded, store, play))


def _half_recorded(store: Store, play: Iterator[Acknowledged]) -> list[str]:
    match = next(play).match
    before = found_in(store)
    unstorable: Any = object()
    try:
        store.append(match, {"event": "undo"}, [Picture("die", b"whole"), Picture("die", unstorable)])
    except Exception:  # noqa: BLE001 (any error will do: what matters is what it leaves)
        return [] if found_in(store) == before else ["doubled: a part of a refused event is there"]
    return ["a picture that cannot be stored is not refused"]


def sums(folder: Path, count: int, random: Random) -> Iterator[Check]:
    """A changed but legal line is noticed."""
    for number in range(1, count + 1):
        path = folder / f"sums {number}" / STORE
        with Store.open(path, ManualClock()) as store:
            acknowledged = list(islice(play_on(store, GAMES["counting"], random), 20))
        changed = random.choice([event for event in acknowledged if event.line > HEADER_LINE])
        connection = apsw.Connection(str(path))
        change = "UPDATE entries SET fields = replace(fields, ?, ?) WHERE match = ? AND seq = ? RETURNING fields"
        later = connection.execute(change, (' "2026-', ' "2027-', changed.match, changed.line - 1)).get
        connection.close()
        assert '"2027-' in str(later), "the line was not changed"
        yield checked(f"sum: line {changed.line} was changed", partial(_unnoticed, path, changed.match))


def _unnoticed(path: Path, match: str) -> list[str]:
    try:
        with Store.open(path, ManualClock()) as store:
            faults = store.check()
            store.events(match)
    except StoreError:
        return []
    return [] if faults else ["lost: a changed line is not noticed"]


def sizes(folder: Path, count: int, random: Random) -> Iterator[Check]:
    """A file that is too large is refused before it takes memory."""
    bomb = folder / "bomb.png"
    bomb.write_bytes(_black_png(BOMB_SIDE))

    def load(acknowledge: Acknowledge) -> None:
        try:
            load_picture(bomb)
        except UnreadablePicture:
            acknowledge(Done("refused"))

    run = run_child(load)
    problems = [] if Done("refused") in run.acknowledged else ["the picture is not refused"]
    yield f"size: a picture of {BOMB_SIDE} x {BOMB_SIDE} pixels", [*run.problems, *problems]
    for number in range(1, count + 1):
        large = folder / "large.json"
        limit = random.randint(1_000, 100_000)
        large.write_bytes(b" " * (limit + 1))
        yield checked(f"size: {number}, a file of {limit + 1} bytes", partial(_unlimited, large, limit))


def _unlimited(path: Path, limit: int) -> list[str]:
    try:
        files.read_limited(path, limit)
    except files.FileTooLarge:
        return []
    return ["memory: a file above the limit was read"]


def _black_png(side: int) -> bytes:
    """Return a black greyscale PNG: a thousandth of the size of its pixels."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return len(data).to_bytes(4) + kind + data + zlib.crc32(kind + data).to_bytes(4)

    compressor = zlib.compressobj(1)
    rows = [compressor.compress(bytes(1 + side)) for _ in range(side)]
    header = side.to_bytes(4) * 2 + bytes([8, 0, 0, 0, 0])
    pixels = b"".join(rows) + compressor.flush()
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")
