"""Kills: every scenario in a process that is killed at random moments, again and again in the same folder."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from random import Random

from companion.clock import ManualClock
from companion.journal.database import StoreBusy
from companion.journal.store import Store
from tests.fault.checks import Check, Rounds, checked
from tests.fault.children import run_child
from tests.fault.scenarios import (
    SCENARIOS,
    STORE,
    Acknowledge,
    Acknowledgement,
    AppendEvents,
    Done,
    Scenario,
    events_in,
    with_unacknowledged,
)
from tests.fault.verify import acknowledged_in, problems_of
from tests.vision.doubles import BlobReader
from vision.cameras.simulated_tray import SimulatedTray
from vision.roll import CameraState
from vision.watching.supervisor import ProcessReader, Supervision
from vision.watching.watcher import DiceReader
from vision.watching.worker import ReaderSetup

READER_POLLS, READER_POLL_S = 400, 0.05
"""A new process starts within this many polls of this many seconds."""
KILLS_IN_A_FOLDER = 12
"""Number of kills in one folder before a new one replaces it."""


def kill_rounds(folder: Path, count: int, random: Random) -> Rounds:
    """Return the rounds for `count` kills."""
    share = max(1, count // len(SCENARIOS))
    sessions: list[Callable[[], Scenario]] = [*SCENARIOS, partial(AppendEvents, 12, 0, "hoops21")]
    return [
        *((f"kills: {make().name}", partial(kills, folder, make, share, Random(random.random()))) for make in sessions),
        ("second writer", partial(second_writers, folder, max(1, share // 10), random)),
        ("kills: reader", partial(reader_kills, max(1, share // 40), random)),
        ("torn logs", partial(torn_logs, folder, max(2, share // 2), random)),
    ]


def kills(folder: Path, make: Callable[[], Scenario], count: int, random: Random) -> Iterator[Check]:
    """Kill a scenario's process at random moments of its usual run time, and check what it leaves."""
    scenario = make()
    template = folder / f"killed {scenario.name}"
    template.mkdir()
    scenario.prepare(template, random)
    place = folder / "killed"
    shutil.copytree(template, place)
    scenario.localize(place)
    whole = run_child(partial(scenario.run, place, random))
    shutil.rmtree(place)
    acknowledged: list[Acknowledgement] = []
    for number in range(count):
        if not place.exists():
            shutil.copytree(template, place)
            scenario.localize(place)
            acknowledged = []
        run = run_child(partial(scenario.run, place, Random(random.random())), random.uniform(0, 1.1 * whole.seconds))
        acknowledged += run.acknowledged
        name = f"kill: {number + 1} of {scenario.name}, {len(acknowledged)} acknowledged"
        copy = folder / "copy"
        shutil.copytree(place, copy, ignore=shutil.ignore_patterns("*-shm") if number % 2 else None)
        check, problems = checked(name, partial(scenario.problems, copy, acknowledged))
        yield check, [*run.problems, *problems]
        shutil.rmtree(copy)
        if problems or number % KILLS_IN_A_FOLDER == KILLS_IN_A_FOLDER - 1 or not scenario.repeats:
            shutil.rmtree(place)
        else:
            known = [*scenario.before, *events_in(acknowledged)]
            acknowledged += with_unacknowledged(place / STORE, known)[len(known) :]
    shutil.rmtree(place, ignore_errors=True)
    shutil.rmtree(template)


def second_writers(folder: Path, count: int, random: Random) -> Iterator[Check]:
    """While one process has the store open, another is refused."""

    def open_second(acknowledge: Acknowledge) -> None:
        try:
            Store.open(path, ManualClock())
        except StoreBusy:
            acknowledge(Done("refused"))

    for number in range(1, count + 1):
        path = folder / f"writers {number}" / STORE
        with Store.open(path, ManualClock()):
            second = run_child(open_second)
        refused = Done("refused") in second.acknowledged
        problems = [] if refused else ["doubled: a second process has opened the store for writing"]
        yield f"one writer: {number}", [*second.problems, *problems]
        shutil.rmtree(path.parent)


def reader_kills(count: int, random: Random) -> Iterator[Check]:
    """Kill the process that reads the camera: the table is notified, and a new process sees the camera again."""
    now = 0.0
    port = ProcessReader(ReaderSetup(partial(SimulatedTray, 3), _blob_reader), clock=lambda: now)
    try:
        problems = _wait_for_camera(port, present=True)
        for number in range(1, count + 1):
            port.poll(random.uniform(0, 0.2))
            if port.pid is not None:
                os.kill(port.pid, signal.SIGKILL)
            problems += _wait_for_camera(port, present=False)
            now += 2 * Supervision().longest_pause
            problems += _wait_for_camera(port, present=True)
            yield f"kill: {number} of the reader", problems
            problems = []
    finally:
        port.close()


def _wait_for_camera(port: ProcessReader, present: bool) -> list[str]:
    """Wait for the news that the camera is there or lost. Return a problem if it does not come."""
    for _ in range(READER_POLLS):
        if any(isinstance(one, CameraState) and one.present == present for one in port.poll(READER_POLL_S)):
            return []
    return [f"hang: the camera is not {'seen again' if present else 'reported lost'}"]


def _blob_reader(_dice_set: str) -> DiceReader:
    return BlobReader()


def torn_logs(folder: Path, count: int, random: Random) -> Iterator[Check]:
    """Truncate or corrupt the end of the write-ahead log, as a failing disk might: an earlier state remains."""
    scenario = AppendEvents(120)
    home = folder / "torn"
    home.mkdir()
    scenario.prepare(home, random)
    with Store.open(home / STORE, ManualClock()) as store:
        store._connection.wal_autocheckpoint(0)
        acknowledged = acknowledged_in(store)
        recorded: list[Acknowledgement] = []
        scenario.run_in(store, random, recorded.append)
        acknowledged += events_in(recorded)
        shutil.copytree(home, folder / "log", ignore=shutil.ignore_patterns("*-shm"))
    for number in range(1, count + 1):
        copy = folder / f"torn {number}"
        shutil.copytree(folder / "log", copy)
        log = copy / f"{STORE}-wal"
        content = bytearray(log.read_bytes())
        at = random.randrange(len(content) // 4, len(content))
        if number % 2:
            del content[at:]
        else:
            content[at : at + 64] = random.randbytes(len(content[at : at + 64]))
        log.write_bytes(content)
        yield checked(f"torn log: {number}, at {at}", partial(problems_of, copy / STORE, acknowledged, 0))
        shutil.rmtree(copy)
    shutil.rmtree(home)
    shutil.rmtree(folder / "log")
