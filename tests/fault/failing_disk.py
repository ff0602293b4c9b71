"""Failing disks: ENOSPC, EIO and a read-only remount at every operation of every scenario."""

from __future__ import annotations

import errno
import os
import resource
import shutil
import subprocess
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from random import Random
from typing import Literal

from companion.clock import ManualClock
from companion.journal.database import DiskFull, StoreReadOnly
from companion.journal.store import Picture, Store
from tests.fault.checks import Check, Impossible, Rounds, checked, described
from tests.fault.disk import recorded
from tests.fault.play import GAMES, Acknowledged, play_on
from tests.fault.scenarios import PERMITTED, SCENARIOS, Acknowledgement, AppendEvents, Scenario
from tests.fault.verify import found_in, problems_of

Fault = Literal["ENOSPC once", "ENOSPC", "EIO once", "EIO", "EROFS", "EIO sync"]
FAULTS: dict[Fault, tuple[int, tuple[str, ...]]] = {
    "ENOSPC once": (errno.ENOSPC, ("write", "create")),
    "ENOSPC": (errno.ENOSPC, ("write", "create")),
    "EIO once": (errno.EIO, ("write", "truncate", "sync", "create", "rename", "remove")),
    "EIO": (errno.EIO, ("write", "truncate", "sync", "create", "rename", "remove")),
    "EIO sync": (errno.EIO, ("sync",)),
    "EROFS": (errno.EROFS, ("write", "truncate", "create", "rename", "remove")),
}
"""Error number of each fault, and the operations that can fail so. Without `once` the disk fails until its repair."""


class FaultPlan:
    """Refuses the operation of a number, and the later ones unless the fault happens once."""

    def __init__(self, fault: Fault, number: int | None) -> None:
        self._number, self._once = number, fault.endswith(("once", "sync"))
        self._errno, self._kinds = FAULTS[fault]
        self.count = 0

    def __call__(self, kind: str, name: str) -> None:
        if kind not in self._kinds:
            return
        self.count += 1
        if self._number is not None and (self.count == self._number or (self.count > self._number and not self._once)):
            raise OSError(self._errno, os.strerror(self._errno), name)


def disk_rounds(folder: Path, count: int, random: Random) -> Rounds:
    """Return the rounds for at most `count` operations of each scenario and fault; they are spread evenly."""
    sessions: list[Callable[[], Scenario]] = [*SCENARIOS, partial(AppendEvents, 8, 3)]
    return [
        *(
            (f"failing disk: {make().name}", partial(disk_faults, folder, make, count, random.randrange(1 << 30)))
            for make in sessions
        ),
        ("limited file", partial(limited_file, folder, random)),
        ("full disk", partial(full_disk, folder, random)),
        ("read-only", partial(read_only, folder, random)),
    ]


def disk_faults(folder: Path, make: Callable[[], Scenario], count: int, seed: int) -> Iterator[Check]:
    """Let each of a scenario's operations fail, or `count` of them spread evenly, in each way."""
    scenario = make()
    template = folder / f"failing {scenario.name}"
    template.mkdir()
    scenario.prepare(template, Random(seed))
    place = folder / "failing"
    for fault in FAULTS:
        plan = FaultPlan(fault, None)
        _copied(scenario, template, place)
        _run(scenario, place, seed, plan)
        shutil.rmtree(place)
        step = max(1, plan.count // count)
        for number in range(1, plan.count + 1, step):
            _copied(scenario, template, place)
            name = f"{scenario.disk_promise}: {fault} at operation {number} of {plan.count} of {scenario.name}"
            yield checked(name, partial(_after_fault, scenario, place, seed, FaultPlan(fault, number)))
            shutil.rmtree(place)
    shutil.rmtree(template)


def _copied(scenario: Scenario, template: Path, place: Path) -> None:
    shutil.copytree(template, place)
    scenario.localize(place)


def _after_fault(scenario: Scenario, place: Path, seed: int, plan: FaultPlan) -> list[str]:
    """Run a scenario on a failing disk; repair the disk, check, and run it again."""
    acknowledged, error = _run(scenario, place, seed, plan)
    problems = []
    if error is not None and not isinstance(error, PERMITTED):
        problems.append(f"traceback: {described(error)}")
    if error is not None and not str(error):
        problems.append("the error has no sentence")
    copy = place.with_name("failed")
    shutil.copytree(place, copy, ignore=shutil.ignore_patterns("*-shm"))
    problems += scenario.problems(copy, acknowledged)
    shutil.rmtree(copy)
    later, error = _run(scenario, place, seed, lambda _kind, _name: None)
    if error is not None:
        problems.append(f"rollback: the repaired disk does not work again: {described(error)}")
    return problems + scenario.problems(place, [*acknowledged, *later])


def _run(
    scenario: Scenario, place: Path, seed: int, hook: Callable[[str, str], None]
) -> tuple[list[Acknowledgement], Exception | None]:
    acknowledged: list[Acknowledgement] = []
    try:
        with recorded(place, hook):
            scenario.run(place, Random(seed), acknowledged.append)
    except Exception as error:  # noqa: BLE001 (the caller judges it)
        return acknowledged, error
    return acknowledged, None


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
    problems = [] if error_name == StoreReadOnly.__name__ else [f"opening it gave {error_name}"]
    yield "failing disk: read-only file", problems
    yield "failing disk: read-only file made writable", problems_of(path, acknowledged, beyond=0)


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
        yield "rollback: full disk: every further event is refused", [] if full == 21 else [f"refused {full} of 21"]
        yield "rollback: full disk: what was recorded can be read", [] if found_in(store) == kept else ["it differs"]
        make_room()
        again = play_on(store, GAMES["counting"], random)
        # 20 events with pictures need 0.8 MB; 50 sometimes need more than the 2 MB that are free.
        acknowledged += islice(again, 20)
        kept = {(ack.match, ack.line): ack.fields for ack in acknowledged}
        problems = [] if found_in(store) == kept else ["it differs"]
        yield "rollback: full disk: with room the same store goes on", problems
    name = f"rollback: full disk: all {len(acknowledged)} events after a new start"
    yield name, problems_of(path, acknowledged, beyond=0)


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
