"""Bytes that change and files that lose their end while nobody writes: every file that is kept.

`python -m tests.fault.rot [--count N] [--seed N] [--part NAME]`.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

from companion.clock import ManualClock
from companion.games.registry import GAMES
from companion.journal.codec import HEADER_LINE
from companion.journal.database import StoreError
from companion.journal.recovery import open_or_recover
from companion.journal.store import Picture, Store
from companion.table.autoplay import play
from tests.fault.checks import Rounds
from tests.fault.fuzz import rounds_of
from tests.fault.mutations import mutate_bytes
from tests.fault.parsers import SMALL_PARSERS, Bench, Parser, check_sentence, expect, require

SECTOR = 512
"""Bytes that a failing disk loses at a time."""


def rot_rounds(folder: Path, count: int, random: Random) -> Rounds:
    """Return a round for each kept file, for `count` damages in all."""
    return rounds_of("rot", ROT_PARSERS, folder, count, random.randrange(2**32))


def damaged(content: bytes, random: Random) -> bytes:
    """Return a file with one flipped bit, one changed byte, a lost sector, or a lost end."""
    changed = bytearray(content)
    at = random.randrange(len(changed)) if changed else 0
    action = random.randrange(6)
    if action <= 1 and changed:
        changed[at] ^= 1 << random.randrange(8)
    elif action == 2 and changed:
        changed[at] = random.randrange(256)
    elif action == 3:
        start = at // SECTOR * SECTOR
        size = len(changed[start : start + SECTOR])
        changed[start : start + SECTOR] = random.choice((bytes(size), b"\xff" * size, random.randbytes(size)))
    elif action == 4:
        del changed[at:]
    else:
        return random.choice((b"", mutate_bytes(content, random)))
    return bytes(changed)


# The store.


@dataclass(frozen=True, slots=True)
class _Damage:
    file: str
    seed: int


def _store(with_log: bool, folder: Path) -> Bench:
    """The store, its log and its lock: each other match stays whole, and no event is another one in silence."""
    good = folder / "good"
    good.mkdir()
    path = good / "matches.sqlite"
    kept: dict[str, list[dict[str, Any]]] = {}
    store = Store.open(path, ManualClock())
    if with_log:
        store._connection.wal_autocheckpoint(0)
    for number, game in enumerate(GAMES.values()):
        header, *events = islice(play(game, Random(number)), 25)
        match = store.create(header)
        for event in events:
            store.append(match, event, [Picture("die", b"\xff\xd8" + bytes(200), 0)])
        kept[match] = [dict(header), *(dict(line.fields) for line in store.events(match))]
    if with_log:
        copy = folder / "open"
        shutil.copytree(good, copy)
        store.close()
        good = copy
    else:
        store.close()
    names = [each.name for each in good.iterdir() if not each.name.endswith("-shm")]
    place = folder / "now"

    def make(random: Random) -> _Damage:
        return _Damage(random.choice(names), random.randrange(2**32))

    def run(damage: _Damage) -> None:
        shutil.rmtree(place, ignore_errors=True)
        shutil.copytree(good, place, ignore=shutil.ignore_patterns("*-shm"))
        file = place / damage.file
        file.write_bytes(damaged(file.read_bytes(), Random(damage.seed)))
        try:
            opened, messages = open_or_recover(place / "matches.sqlite", ManualClock())
            with opened:
                _compare(opened, kept, is_reported=bool(messages) or damage.file.endswith("-wal"))
        except StoreError as error:
            check_sentence(error)

    return Bench(make, run)


def _compare(store: Store, kept: dict[str, list[dict[str, Any]]], is_reported: bool) -> None:
    """Compare what is read with what was written. A difference must be reported at the start or by the store's check.

    Of a store that was reported, lines may be missing at the end of a match; none may be another one.
    """
    changed: list[str] = []
    for match, lines in kept.items():
        try:
            found = [dict(store.header(match)), *(dict(line.fields) for line in store.events(match))]
            for number in range(HEADER_LINE + 1, len(lines) + 1):
                store.pictures(match, number)
        except StoreError as error:
            check_sentence(error)
            continue
        if found != lines and not (is_reported and found == lines[: len(found)]):
            changed.append(match)
    listed = {match.id for match in store.matches()}
    require(is_reported or len(listed) >= len(kept) - 1 or store.check(), "matches are gone without a word")
    require(not changed or store.check(), f"{len(changed)} matches differ without a word")


# The hub's folder.


def _hub_database(folder: Path) -> Bench:
    from companion.hub.core import open_core
    from companion.hub.database import DatabaseError
    from tests.hub.core_kit import ALL_GAMES, played

    good = folder / "good.sqlite"
    core = open_core(f"sqlite:///{good}", ALL_GAMES, ManualClock())
    core.tables.register("t1", 1, "Table 1")
    card = played("t1", 1000, "occasion", 1)
    del card.lines[30:]
    core.inbox.accept([card.batch()], [])
    core.close()
    content = good.read_bytes()
    path = folder / "hub.sqlite"

    def use() -> None:
        opened = open_core(f"sqlite:///{path}", ALL_GAMES, ManualClock())
        try:
            opened.tables.all()
            opened.views.live("t1")
            opened.views.journal("t1", 1000)
            opened.inbox.receipts("t1")
            opened.tournaments.all()
            opened.inbox.accept([card.batch()], [card.confirmation()])
        finally:
            opened.close()

    def run(raw: bytes) -> None:
        for extra in folder.glob("hub.sqlite-*"):
            extra.unlink()
        path.write_bytes(raw)
        expect(DatabaseError, use)

    return Bench(partial(damaged, content), run, content)


def _hub_folder(folder: Path) -> Bench:
    """The files of the hub's broker: tables, password and certificate."""
    from companion.hub.broker import BadCertificate, BrokerError, OrganiserCluster, load_certificate

    good = folder / "good"
    good.mkdir()
    OrganiserCluster(good)
    (good / "tables.json").write_text('{"t1": "$2b$04$abcdefghijklmnopqrstuv"}')
    load_certificate(good)
    names = sorted(path.name for path in good.iterdir())
    place = folder / "now"

    def make(random: Random) -> _Damage:
        return _Damage(random.choice(names), random.randrange(2**32))

    def run(damage: _Damage) -> None:
        shutil.rmtree(place, ignore_errors=True)
        shutil.copytree(good, place)
        file = place / damage.file
        file.write_bytes(damaged(file.read_bytes(), Random(damage.seed)))
        expect(BrokerError, lambda: OrganiserCluster(place))
        expect(BadCertificate, lambda: load_certificate(place))

    return Bench(make, run)


# The small files, with the benches of the fuzzed parsers.


def _kept(parser: Parser) -> Parser:
    """Return a parser of the same file whose inputs are the valid file with damaged bytes."""

    def prepare(folder: Path) -> Bench:
        bench = parser.prepare(folder)
        require(bench.sample, f"{parser.name} has no sample")
        return replace(bench, make=partial(damaged, bench.sample))

    return Parser(parser.name, 4, prepare)


SMALL_FILES = (
    *("config", "wiring", "calibration", "link state", "PIN", "market", "misreads", "stored reading", "dice set"),
    "card table",
)
"""Parsers of the small files that a table keeps."""

ROT_PARSERS = (
    Parser("store", 10, partial(_store, False)),
    Parser("store and log", 10, partial(_store, True)),
    Parser("hub database", 2, _hub_database),
    Parser("hub folder", 6, _hub_folder),
    *(_kept(parser) for parser in SMALL_PARSERS if parser.name in SMALL_FILES),
)
