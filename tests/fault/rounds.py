"""The fault rounds, one function for each way to stop a writer; each yields its checks by name."""

from __future__ import annotations

import json
import os
import resource
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random

from companion.clock import ManualClock
from companion.journal.database import DiskFull, StoreReadOnly
from companion.journal.store import Picture, Store
from tests.fault.play import GAMES, Acknowledged, play_on
from tests.fault.power import Disk, forgetful_disk
from tests.fault.verify import found_in, problems_of

Check = tuple[str, list[str]]
"""A check's name and its faults (empty if it passed)."""

KILLS_A_STORE = 20
"""Number of kills in one store before a new store replaces it."""


CHECKPOINT_PAGES = 30


class Impossible(Exception):
    """This machine cannot run this round; the message gives the reason."""


def kills(folder: Path, count: int, random: Random) -> Iterator[Check]:
    """Kill a writing process at random moments; every other time check a copy and continue with the unchanged files."""
    store, acknowledged = folder / "0" / "matches.db", list[Acknowledged]()
    for number in range(count):
        game = list(GAMES)[(number // KILLS_A_STORE) % len(GAMES)]
        if number % KILLS_A_STORE == 0:
            store, acknowledged = folder / str(number) / "matches.db", []
            store.parent.mkdir()
        acknowledged += _written_until_killed(store, game, number, random)
        if number % 2:
            looked_into = store
        else:
            looked_into = folder / f"copy{number}" / "matches.db"
            shutil.copytree(store.parent, looked_into.parent, ignore=shutil.ignore_patterns("*-shm"))
        yield f"kill {number + 1} ({game}, {len(acknowledged)} acknowledged)", problems_of(looked_into, acknowledged)
        acknowledged = _with_unacknowledged(looked_into, acknowledged)
        if looked_into is not store:
            shutil.rmtree(looked_into.parent)


def power_cuts(folder: Path, count: int, random: Random) -> Iterator[Check]:
    """Cut the power at random writes and syncs of a running store, checkpoints included."""
    home = folder / "power"
    path = home / "matches.db"
    Store.open(path, ManualClock()).close()
    acknowledged: list[Acknowledged] = []
    cuts: list[tuple[Path, int]] = []

    def watch() -> None:
        if len(cuts) < count and random.random() < 0.05:
            place = folder / f"cut{len(cuts)}"
            place.mkdir()
            disk.cut(place, random)
            cuts.append((place / "matches.db", len(acknowledged)))

    disk: Disk
    with forgetful_disk(home, watch) as disk, Store.open(path, ManualClock()) as store:
        # Checkpoint every few events instead of every thousand pages: checkpoints are the most critical moments.
        store._connection.wal_autocheckpoint(CHECKPOINT_PAGES)
        game = GAMES[random.choice(list(GAMES))]
        for ack in play_on(store, game, random):
            acknowledged.append(ack)
            if len(cuts) == count:
                break
    for number, (place, sure) in enumerate(cuts, start=1):
        name = f"power cut {number} ({sure} acknowledged)"
        yield name, problems_of(place, acknowledged[: sure + 1], least=sure, beyond=0)
        shutil.rmtree(place.parent)


def torn_logs(folder: Path, count: int, random: Random) -> Iterator[Check]:
    """Truncate or corrupt the end of the write-ahead log, as a failing disk might: an earlier state remains."""
    home = folder / "torn"
    store = home / "matches.db"
    acknowledged = _written_until_killed(store, "counting", 0, random, least=120)
    least = 0
    for number in range(1, count + 1):
        copy = folder / f"torn{number}" / "matches.db"
        shutil.copytree(home, copy.parent, ignore=shutil.ignore_patterns("*-shm"))
        log = copy.with_name(copy.name + "-wal")
        content = bytearray(log.read_bytes())
        at = random.randrange(len(content) // 4, len(content))
        if number % 2:
            del content[at:]
        else:
            content[at : at + 64] = random.randbytes(len(content[at : at + 64]))
        log.write_bytes(content)
        yield f"torn log {number} (at {at} of {log.stat().st_size})", problems_of(copy, acknowledged, least)
        shutil.rmtree(copy.parent)


def full_disk(folder: Path, random: Random) -> Iterator[Check]:
    """Fill a small file system: no recorded event is lost, and the store continues once there is space."""
    small = folder / "small"
    small.mkdir()
    if (
        os.geteuid() != 0
        or subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", small], capture_output=True, check=False
        ).returncode
    ):
        raise Impossible("no small file system can be mounted here")
    try:
        ballast = small / "ballast"
        ballast.write_bytes(bytes(2_000_000))
        yield from _filled(small / "matches.db", ballast.unlink, random)
    finally:
        subprocess.run(["umount", small], check=True)


def limited_file(folder: Path, random: Random) -> Iterator[Check]:
    """Do the same with a file size limit, which needs no privileges."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, hard))
    try:
        yield from _filled(
            folder / "limited" / "matches.db", lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard)), random
        )
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def read_only(folder: Path, random: Random) -> Iterator[Check]:
    """A read-only file is reported, and opens again when it is writable."""
    path = folder / "readonly" / "matches.db"
    with Store.open(path, ManualClock()) as store:
        acknowledged = list(islice(play_on(store, GAMES["counting"], random), 20))
    for file in (path, path.with_name("matches.db.lock"), path.parent):
        file.chmod(0o555 if file.is_dir() else 0o444)
    error_name = _as_nobody(path)
    path.parent.chmod(0o755)
    for file in path.parent.iterdir():
        file.chmod(0o644)
    yield "read-only file", [] if error_name == StoreReadOnly.__name__ else [f"opening it gave {error_name}"]
    yield "read-only file made writable", problems_of(path, acknowledged, beyond=0)


def _written_until_killed(store: Path, game: str, number: int, random: Random, least: int = 0) -> list[Acknowledged]:
    """Start a writer, kill it at a random moment and return its acknowledgements."""
    command = [sys.executable, "-m", "tests.fault.writer", str(store), game, str(number)]
    by_time = not least and random.random() < 0.3
    wanted = 0 if by_time else max(least, random.randint(1, 60))
    grace = random.uniform(0, 0.6) if by_time else random.uniform(0, 0.006)
    with subprocess.Popen(command, stdout=subprocess.PIPE, bufsize=0) as writer:
        assert writer.stdout is not None
        received, end = b"", None
        while end is None or time.monotonic() < end:
            if end is None and received.count(b"\n") >= wanted:
                end = time.monotonic() + grace
                continue
            patience = None if end is None else max(0.0, end - time.monotonic())
            if select.select([writer.stdout], [], [], patience)[0]:
                chunk = writer.stdout.read(65536)
                if not chunk:
                    raise RuntimeError(f"the writer ended by itself with {writer.wait()}")
                received += chunk
        writer.kill()
        received += writer.stdout.read()
    whole = received[: received.rfind(b"\n") + 1]
    return [Acknowledged(*json.loads(line)) for line in whole.splitlines()]


def _with_unacknowledged(path: Path, acknowledged: list[Acknowledged]) -> list[Acknowledged]:
    """Add the event that was recorded but not yet acknowledged, so that later checks require it."""
    known = {(ack.match, ack.line) for ack in acknowledged}
    with Store.open(path, ManualClock()) as store:
        more = [Acknowledged(*place, fields) for place, fields in found_in(store).items() if place not in known]
    return acknowledged + more


def _filled(path: Path, make_room: object, random: Random) -> Iterator[Check]:
    assert callable(make_room)
    acknowledged: list[Acknowledged] = []
    with Store.open(path, ManualClock()) as store:
        play = play_on(store, GAMES["counting"], random)
        full = 0
        while not full:
            try:
                acknowledged.append(next(play))
            except DiskFull:
                full += 1
        for _ in range(20):
            try:
                store.append(acknowledged[-1].match, {"event": "swap"}, [Picture("tray", bytes(3_000_000))])
            except DiskFull:
                full += 1
        kept = {(ack.match, ack.line): ack.fields for ack in acknowledged}
        yield "full disk: every further event is refused", [] if full == 21 else [f"refused {full} of 21"]
        yield "full disk: what was recorded can be read", [] if found_in(store) == kept else ["it differs"]
        make_room()
        again = play_on(store, GAMES["counting"], random)
        # 20 events with pictures need 0.8 MB; 50 sometimes need more than the 2 MB that are free.
        acknowledged += islice(again, 20)
        kept = {(ack.match, ack.line): ack.fields for ack in acknowledged}
        yield "full disk: with room the same store goes on", [] if found_in(store) == kept else ["it differs"]
    yield f"full disk: all {len(acknowledged)} events after a new start", problems_of(path, acknowledged, beyond=0)


def _as_nobody(path: Path) -> str:
    """Return the name of the error that a user without write permission gets."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        error_name = "nothing"
        try:
            if os.geteuid() == 0:
                os.setgid(65534)
                os.setuid(65534)
            Store.open(path, ManualClock())
        except BaseException as error:  # noqa: BLE001 (whatever it is, the parent compares its name)
            error_name = type(error).__name__
        os.write(writer, error_name.encode())
        os._exit(0)
    os.close(writer)
    os.waitpid(child, 0)
    with os.fdopen(reader) as pipe:
        return pipe.read()
