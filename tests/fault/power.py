"""Power cuts: every operation of every scenario is a crash point, and each crash point has several outcomes."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from random import Random

from companion.journal.database import StoreError
from tests.fault.checks import Check, Rounds, checked
from tests.fault.crash import LOSSES, CrashState, Loss, crash_states
from tests.fault.disk import Disk, recorded
from tests.fault.failing_disk import FaultPlan
from tests.fault.scenarios import SCENARIOS, STORE, Checkpoints, Scenario, events_in, with_unacknowledged

PROMISES: dict[Loss, str] = {
    "any": "power cut",
    "contents": "file sync",
    "names": "folder sync",
    "nothing": "power cut",
}
"""The promise that a loss tests: with the names intact it is the sync of files, with the contents intact of folders."""


def power_rounds(folder: Path, count: int, random: Random) -> Rounds:
    """Return the rounds for `count` crash points, with an outcome for each loss."""
    share = max(1, count // len(SCENARIOS))
    rounds: Rounds = [
        (f"power cuts: {make().name}", partial(power_cuts, folder, make, share, Random(random.random())))
        for make in SCENARIOS
    ]
    return [
        *rounds,
        ("power cuts: twice", partial(two_cuts, folder, max(1, share // 4), Random(random.random()))),
        ("power cuts: after a failed sync", partial(cuts_after_a_failed_sync, folder, share, Random(random.random()))),
    ]


def power_cuts(folder: Path, make: Callable[[], Scenario], count: int, random: Random) -> Iterator[Check]:
    """Record a scenario and cut the power before each of its operations, or before `count` of them spread evenly.

    Repeats with new recordings until there are `count` crash points.
    """
    number = 0
    while number < count:
        scenario = make()
        home = folder / f"{scenario.name} {number}"
        disk = record(home, scenario, random)
        step = max(1, sum(1 for _ in crash_states(disk)) // (count - number))
        for point, state in crash_states(disk):
            if point % step == 0:
                number += 1
                for loss in LOSSES:
                    name = f"{PROMISES[loss]}: cut of {scenario.name} before operation {point}, losing {loss}"
                    yield after_cut(folder / "cut", name, scenario, state, loss, random)
        shutil.rmtree(home)


def two_cuts(folder: Path, count: int, random: Random) -> Iterator[Check]:
    """Cut the power, play on with what is left, and cut it again: also while the log is recovered."""
    for number in range(1, count + 1):
        scenario = Checkpoints()
        home, left, copy = folder / "first", folder / "left", folder / "copy"
        state, loss = random_cut(record(home, scenario, random), random)
        state.leave(left, loss, random)
        shutil.copytree(left, copy)
        name = f"{PROMISES[loss]}: first cut {number}, losing {loss}"
        try:
            scenario.before = with_unacknowledged(copy / STORE, [*scenario.before, *events_in(state.acknowledged)])
            with recorded(left) as disk:
                scenario.run(left, random, disk.acknowledge)
        except StoreError as error:
            yield name, [f"lost: the store does not open or read: {error}"]
        else:
            state, loss = random_cut(disk, random)
            name = f"{PROMISES[loss]}: second cut {number}, losing {loss}"
            yield after_cut(folder / "cut", name, scenario, state, loss, random)
        for place in (home, left, copy):
            shutil.rmtree(place)


def cuts_after_a_failed_sync(folder: Path, count: int, random: Random) -> Iterator[Check]:
    """Let each sync of a session fail, or `count` of them, and lose what it was for; then cut the power at the end.

    The session goes on after the error, as the app does.
    """
    scenario = Checkpoints(retries=1)
    number = step = 1
    while True:
        home = folder / f"failed sync {number}"
        home.mkdir()
        scenario.prepare(home, random)
        plan = FaultPlan("EIO sync", number)
        with recorded(home, plan) as disk, contextlib.suppress(StoreError):
            scenario.run(home, random, disk.acknowledge)
        if plan.count < number:
            break
        step = max(step, plan.count // count)
        *_, (_point, state) = crash_states(disk)
        for loss in LOSSES:
            name = f"{PROMISES[loss]}: cut after sync {number} failed, losing {loss}"
            yield after_cut(folder / "cut", name, scenario, state, loss, random)
        shutil.rmtree(home)
        number += step


def random_cut(disk: Disk, random: Random) -> tuple[CrashState, Loss]:
    """Return the state at a random operation, and a random loss."""
    wanted = random.randrange(sum(1 for _ in crash_states(disk)))
    return next(state for number, state in crash_states(disk) if number == wanted), random.choice(LOSSES)


def record(home: Path, scenario: Scenario, random: Random) -> Disk:
    """Prepare a folder and record the whole scenario in it."""
    home.mkdir()
    scenario.prepare(home, random)
    with recorded(home) as disk:
        scenario.run(home, random, disk.acknowledge)
    return disk


def after_cut(place: Path, name: str, scenario: Scenario, state: CrashState, loss: Loss, random: Random) -> Check:
    """Write what a cut leaves and check it."""
    state.leave(place, loss, random)
    try:
        return checked(name, partial(scenario.problems, place, state.acknowledged))
    finally:
        shutil.rmtree(place)
