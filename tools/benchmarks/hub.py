"""Load benchmark of the hub: event rate, delay to a spectator's page, CPU time and memory.

Runs with few and many tables, on both databases. Tables, broker and hub share one machine, so the tables slow down the
hub. Therefore the benchmark reports both the rate and the CPU time of hub and broker for each event.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

import msgspec

from tools.benchmarks.hub_load import ANSWER_TIMEOUT_S, LoadPlan
from tools.benchmarks.spectators import Spectators
from tools.games import SETTINGS
from tools.trials.child_process import ChildProcess
from tools.trials.databases import KINDS, DatabaseKind, new_database
from tools.trials.hub_process import HubSpec
from tools.trials.local_postgres import PostgresUnavailable, free_port
from tools.trials.table_process import TableSpec

GAME = SETTINGS["hub_load"]
"""The game with the longest matches, so that a page can be followed for long."""
TABLES = (1, 8, 64, 512)
TABLES_A_PROCESS = 32
"""Maximum number of tables in a process. Each link is a thread, and more of them would block each other."""
PROBED = 4
"""Number of tables whose pages are followed."""
EVENTS, EVENTS_A_TABLE = 12_000, 600
"""Events recorded at all tables together, and the minimum at each table.

The hub caches heads and the newest matches, so unbounded growth shows only after several matches.
"""
SLOWEST = 200.0
"""Minimum rate in events per second. A slower run is aborted."""
WARM_UP = 1_000
PROBES = 240
RATE = 0.2
"""Events per second at each table during the page delay measurement. A fast table has one every five seconds."""
SAMPLES_EVERY = 0.25
MEMORY = Path("/dev/shm")
"""Preferred folder for the tables' files, in memory: real tables have a disk each."""
LIMITS = {
    "events_per_second": {"sqlite": 1500, "postgresql": 1000},
    "cost_512_to_8": 1.5,
    "growth": 0.05,
}
"""Limits for the hub: rate with 8 tables and more, cost of an event with 512 tables relative to 8, memory growth."""


@dataclass
class HubUnderLoad:
    """A running hub with its broker and its tables."""

    hub_process: ChildProcess
    load_processes: list[ChildProcess]
    tables: int
    _number: int = 0
    sizes: list[float] = field(default_factory=list)

    def run_command(self, command: str, seconds: float = ANSWER_TIMEOUT_S, **parameters: Any) -> list[dict[str, Any]]:
        """Send an order to all tables and return the answers of their processes.

        Raises RuntimeError if one is missing.
        """
        self.start_command(command, **parameters)
        return self.wait_for_answers(seconds)

    def start_command(self, command: str, **parameters: Any) -> None:
        """Send an order to all tables without waiting."""
        self._number += 1
        for load in self.load_processes:
            load.send(do=command, number=self._number, **parameters)

    def wait_for_answers(self, seconds: float = ANSWER_TIMEOUT_S) -> list[dict[str, Any]]:
        """Wait for the answer of each process."""
        until = time.monotonic() + seconds
        for load in self.load_processes:
            while not load.wait_for("did", SAMPLES_EVERY, self._number):
                self.sizes.append(resident(self.hub_process.pid))
                if not load.running or time.monotonic() > until:
                    raise RuntimeError(f"the tables did not answer within {seconds:.0f} s")
        return [dict(load.state) for load in self.load_processes]

    def cpu_seconds(self) -> float:
        """Return the CPU time of hub and broker in seconds."""
        return sum(process_cpu_s(pid) for pid in (self.hub_process.pid, self.hub_process.state["broker"]))


def measure(
    tables: Sequence[int] = TABLES,
    events: int | None = None,
    probes: int = PROBES,
    log: Callable[[str], None] = print,
) -> dict[str, Any]:
    """Run all measurements on each database. `events`: for each number of tables; by default as many as they need."""
    found: dict[str, Any] = {"tables": list(tables), "load": [round(each, 2) for each in os.getloadavg()]}
    for kind in KINDS:
        try:
            found[kind] = {}
            for count in tables:
                wanted = events or max(EVENTS, count * EVENTS_A_TABLE)
                found[kind][str(count)] = measured = _measured(kind, count, wanted, probes)
                log(f"{kind}, {count} tables: {measured['events_per_second']} events a second")
        except PostgresUnavailable as reason:
            found[kind] = {"not_measured": str(reason)}
    return {**found, "limits": LIMITS, "kept": limits_met(found)}


def limits_met(found: dict[str, Any]) -> dict[str, bool]:
    """Return for each limit whether it was kept. A limit of a database without measurements counts as not kept.

    The cost limit is judged only after runs with 8 and 512 tables.
    """
    judged = {}
    for kind, least in LIMITS["events_per_second"].items():  # type: ignore[attr-defined]
        rows = {int(count): row for count, row in found.get(kind, {}).items() if count.isdecimal()}
        many = [row["events_per_second"] for count, row in rows.items() if count >= 8]
        judged[f"events_per_second_{kind}"] = bool(many) and min(many) >= least
        if rows.keys() >= {8, 512}:
            ratio = rows[512]["hub_ms_an_event"] / rows[8]["hub_ms_an_event"]
            judged[f"cost_512_to_8_{kind}"] = ratio <= LIMITS["cost_512_to_8"]
        judged[f"growth_{kind}"] = bool(rows) and max(row["growth"] for row in rows.values()) <= LIMITS["growth"]
    return judged


def _measured(kind: DatabaseKind, tables: int, events: int, probes: int) -> dict[str, Any]:
    with running_hub(kind, tables) as hub:
        hub.run_command("record", events=WARM_UP // len(hub.load_processes))
        hub.sizes.clear()
        before, patience = hub.cpu_seconds(), max(ANSWER_TIMEOUT_S, events / SLOWEST)
        answers = hub.run_command("record", patience, events=events // len(hub.load_processes))
        seconds = max(answer["seconds"] for answer in answers)
        cost = hub.cpu_seconds() - before
        sizes = hub.sizes or [resident(hub.hub_process.pid)]
        return {
            "events_per_second": round(events / seconds),
            "hub_ms_an_event": round(1000 * cost / events, 3),
            "page_ms": _followed(hub, probes),
            "megabytes": [round(sizes[number * (len(sizes) - 1) // 9], 1) for number in range(10)],
            "growth": growth(sizes),
        }


def growth(sizes: Sequence[float]) -> float:
    """Return the growth from the fifth before the middle to the last fifth. By then all caches are filled."""
    fifth = max(1, len(sizes) // 5)
    middle = len(sizes) // 2
    return round(median(sizes[-fifth:]) / median(sizes[max(0, middle - fifth) : middle] or sizes[:1]) - 1, 4)


def _followed(hub: HubUnderLoad, probes: int) -> dict[str, Any]:
    """Return the delay of events from the table's journal to the spectators' pages while all tables play."""
    matches = {
        table: match
        for answer in hub.run_command("wait", called=0)
        for table, match in answer["matches"].items()
        if match
    }
    probed = sorted(matches)[:PROBED]
    hub.start_command("steady", probed=probed, rate=RATE)
    pages = {table: "/t/{}/match/{}".format(*matches[table]) for table in probed}
    spectators = Spectators(hub.hub_process.state["hub"], pages)

    def probe(table: str) -> None:
        for load in hub.load_processes:
            load.send(do="probe", table=table)

    for load in hub.load_processes:
        load.on_line = spectators.on_line
    try:
        times = sorted(spectators.measure_delays(probe, probes))  # seconds
    finally:
        spectators.close()
        for load in hub.load_processes:
            load.send(do="enough")
    hub.wait_for_answers()
    if not times:
        return {"probes": 0, "lost": spectators.lost}
    return {
        "probes": len(times),
        "lost": spectators.lost,
        "median": round(1000 * median(times), 1),
        "p99": round(1000 * times[min(len(times) - 1, int(0.99 * len(times)))], 1),
    }


@contextmanager
def running_hub(kind: DatabaseKind, tables: int) -> Iterator[HubUnderLoad]:
    """Yield a hub with `tables` online tables. A few of them have a match."""
    with (
        tempfile.TemporaryDirectory(prefix="tapis-vert-hub-") as place,
        tempfile.TemporaryDirectory(prefix="tapis-vert-tables-", dir=MEMORY if MEMORY.is_dir() else None) as cards,
        new_database(kind, Path(place)) as database,
    ):
        folder, ports, playing = Path(place), (free_port(), free_port()), min(PROBED, tables)
        spec = HubSpec(database.url, str(folder / "hub"), *ports, GAME, tables, 1, 1, playing)
        child = ChildProcess("tools.trials.hub_process", msgspec.json.encode(spec), folder / "hub.log")
        loads: list[ChildProcess] = []
        try:
            if not child.wait_for("tournament", ANSWER_TIMEOUT_S):
                raise RuntimeError((folder / "hub.log").read_text(encoding="utf-8"))
            seats = [
                TableSpec(table, int(table[1:]), str(Path(cards) / table), f"127.0.0.1:{ports[0]}", token)
                for table, token in child.state["tokens"].items()
            ]
            hosts = -(-tables // TABLES_A_PROCESS)
            for number in range(hosts):
                load = msgspec.json.encode(LoadPlan(seats[number::hosts], GAME, 1))
                loads.append(ChildProcess("tools.benchmarks.hub_load", load, folder / f"tables-{number}.log"))
            hub = HubUnderLoad(child, loads, tables)
            called = [min(playing, len(seats[:playing][number::hosts])) for number in range(hosts)]
            for load_child, count in zip(loads, called, strict=True):
                load_child.send(do="wait", number=-1, called=count)
            for number, load_child in enumerate(loads):
                if not load_child.wait_for("did", ANSWER_TIMEOUT_S, -1) or "matches" not in load_child.state:
                    log_text = (folder / f"tables-{number}.log").read_text(encoding="utf-8")
                    raise RuntimeError(f"the tables did not come online\n{log_text}")
            yield hub
        finally:
            for load_child in loads:
                load_child.stop()
            child.stop()


def process_cpu_s(pid: int) -> float:
    """Return the CPU time of a process in seconds."""
    stat_fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(stat_fields[11]) + int(stat_fields[12])) / os.sysconf("SC_CLK_TCK")


def resident(pid: int) -> float:
    """Return the resident memory of a process in megabytes."""
    pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20
