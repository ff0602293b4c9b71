"""How much a hub bears: events a second from the tables' journals into its database, the way to a spectator's page,
what it costs in time and memory; with few tables and many, on both databases.

Tables, broker and hub share this machine, and what the tables take is missing to the hub: beside the rate on the wall
stands the processor's time that hub and broker spent for an event.
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

from tools.benchmarks.hub_load import ANSWERED_WITHIN, Load
from tools.benchmarks.spectators import Spectators
from tools.games import SETTINGS
from tools.trials.children import Child
from tools.trials.databases import KINDS, Kind, new_database
from tools.trials.organised import Organised
from tools.trials.own_postgres import NoPostgres, free_port
from tools.trials.seats import Seat

GAME = SETTINGS["hub_load"]
"""The one with the longest matches, so that a page can be followed for long."""
TABLES = (1, 8, 64, 512)
TABLES_A_PROCESS = 32
"""More of them would wait for each other: a table's link is a thread."""
PROBED = 4
"""Tables whose pages are looked at."""
EVENTS, EVENTS_A_TABLE = 12_000, 600
"""Recorded at all tables together, and at each at least: the hub keeps heads and newest matches in memory, and whether
it grows beyond that is seen only after several matches."""
SLOWEST = 200.0
"""Events a second; what is slower still is given up."""
WARM_UP = 1_000
PROBES = 240
RATE = 0.2
"""Events a second at each table while the way to the page is measured: a quick table has one every five seconds."""
SAMPLES_EVERY = 0.25
MEMORY = Path("/dev/shm")
"""Where the tables' own files lie, if it can be: real tables have a disk each."""
LIMITS = {
    "events_per_second": {"sqlite": 1500, "postgresql": 1000},
    "cost_512_to_8": 1.5,
    "growth": 0.05,
}
"""What the hub must keep: the rate with 8 tables and more; what an event costs with 512 tables beside 8; its memory."""


@dataclass
class Hub:
    """A hub with its broker and its tables, running."""

    child: Child
    loads: list[Child]
    tables: int
    _number: int = 0
    sizes: list[float] = field(default_factory=list)

    def order(self, what: str, seconds: float = ANSWERED_WITHIN, **words: Any) -> list[dict[str, Any]]:
        """Has all tables do something; what each process answered. Raises RuntimeError if one does not."""
        self.begin(what, **words)
        return self.answers(seconds)

    def begin(self, what: str, **words: Any) -> None:
        """The same without waiting for it."""
        self._number += 1
        for load in self.loads:
            load.order(do=what, number=self._number, **words)

    def answers(self, seconds: float = ANSWERED_WITHIN) -> list[dict[str, Any]]:
        """What each process says once it has done what it was told."""
        until = time.monotonic() + seconds
        for load in self.loads:
            while not load.wait_for("did", SAMPLES_EVERY, self._number):
                self.sizes.append(resident(self.child.pid))
                if not load.running or time.monotonic() > until:
                    raise RuntimeError(f"the tables did not answer within {seconds:.0f} s")
        return [dict(load.told) for load in self.loads]

    def seconds_worked(self) -> float:
        """What the processor has worked for hub and broker."""
        return sum(worked(pid) for pid in (self.child.pid, self.child.told["broker"]))


def measure(
    tables: Sequence[int] = TABLES,
    events: int | None = None,
    probes: int = PROBES,
    tell: Callable[[str], None] = print,
) -> dict[str, Any]:
    """All of it, one database after the other; `events` with each number of tables, by itself as many as they need."""
    found: dict[str, Any] = {"tables": list(tables), "load": [round(each, 2) for each in os.getloadavg()]}
    for kind in KINDS:
        try:
            found[kind] = {}
            for count in tables:
                wanted = events or max(EVENTS, count * EVENTS_A_TABLE)
                found[kind][str(count)] = measured = _measured(kind, count, wanted, probes)
                tell(f"{kind}, {count} tables: {measured['events_per_second']} events a second")
        except NoPostgres as reason:
            found[kind] = {"not_measured": str(reason)}
    return {**found, "limits": LIMITS, "kept": kept(found)}


def kept(found: dict[str, Any]) -> dict[str, bool]:
    """Of each limit, whether it was kept by what was measured of it; what was not measured was not kept."""
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


def _measured(kind: Kind, tables: int, events: int, probes: int) -> dict[str, Any]:
    with running(kind, tables) as hub:
        hub.order("record", events=WARM_UP // len(hub.loads))
        hub.sizes.clear()
        before, patience = hub.seconds_worked(), max(ANSWERED_WITHIN, events / SLOWEST)
        answers = hub.order("record", patience, events=events // len(hub.loads))
        seconds = max(told["seconds"] for told in answers)
        cost = hub.seconds_worked() - before
        sizes = hub.sizes or [resident(hub.child.pid)]
        return {
            "events_per_second": round(events / seconds),
            "hub_ms_an_event": round(1000 * cost / events, 3),
            "page_ms": _followed(hub, probes),
            "megabytes": [round(sizes[number * (len(sizes) - 1) // 9], 1) for number in range(10)],
            "growth": growth(sizes),
        }


def growth(sizes: Sequence[float]) -> float:
    """How much larger the last fifth is than the one before the middle: by then everything has been needed once."""
    fifth = max(1, len(sizes) // 5)
    middle = len(sizes) // 2
    return round(median(sizes[-fifth:]) / median(sizes[max(0, middle - fifth) : middle] or sizes[:1]) - 1, 4)


def _followed(hub: Hub, probes: int) -> dict[str, Any]:
    """How long an event takes from the table's journal to the pages of spectators while all tables play."""
    matches = {
        table: match for told in hub.order("wait", called=0) for table, match in told["matches"].items() if match
    }
    probed = sorted(matches)[:PROBED]
    hub.begin("steady", probed=probed, rate=RATE)
    pages = {table: "/t/{}/match/{}".format(*matches[table]) for table in probed}
    spectators = Spectators(hub.child.told["hub"], pages)

    def probe(table: str) -> None:
        for load in hub.loads:
            load.order(do="probe", table=table)

    for load in hub.loads:
        load.heard = spectators.heard
    try:
        times = sorted(spectators.follow(probe, probes))  # seconds
    finally:
        spectators.close()
        for load in hub.loads:
            load.order(do="enough")
    hub.answers()
    if not times:
        return {"probes": 0, "lost": spectators.lost}
    return {
        "probes": len(times),
        "lost": spectators.lost,
        "median": round(1000 * median(times), 1),
        "p99": round(1000 * times[min(len(times) - 1, int(0.99 * len(times)))], 1),
    }


@contextmanager
def running(kind: Kind, tables: int) -> Iterator[Hub]:
    """A hub with so many tables that are all online, and a few of which have a match."""
    with (
        tempfile.TemporaryDirectory(prefix="tapis-vert-hub-") as place,
        tempfile.TemporaryDirectory(prefix="tapis-vert-tables-", dir=MEMORY if MEMORY.is_dir() else None) as cards,
        new_database(kind, Path(place)) as database,
    ):
        folder, ports, playing = Path(place), (free_port(), free_port()), min(PROBED, tables)
        spec = Organised(database.url, str(folder / "hub"), *ports, GAME, tables, 1, 1, playing)
        child = Child("tools.trials.organised", msgspec.json.encode(spec), folder / "hub.log")
        loads: list[Child] = []
        try:
            if not child.wait_for("tournament", ANSWERED_WITHIN):
                raise RuntimeError((folder / "hub.log").read_text(encoding="utf-8"))
            seats = [
                Seat(table, int(table[1:]), str(Path(cards) / table), f"127.0.0.1:{ports[0]}", token)
                for table, token in child.told["tokens"].items()
            ]
            hosts = -(-tables // TABLES_A_PROCESS)
            for number in range(hosts):
                load = msgspec.json.encode(Load(seats[number::hosts], GAME, 1))
                loads.append(Child("tools.benchmarks.hub_load", load, folder / f"tables-{number}.log"))
            hub = Hub(child, loads, tables)
            called = [min(playing, len(seats[:playing][number::hosts])) for number in range(hosts)]
            for load_child, count in zip(loads, called, strict=True):
                load_child.order(do="wait", number=-1, called=count)
            for number, load_child in enumerate(loads):
                if not load_child.wait_for("did", ANSWERED_WITHIN, -1) or "matches" not in load_child.told:
                    said = (folder / f"tables-{number}.log").read_text(encoding="utf-8")
                    raise RuntimeError(f"the tables did not come online\n{said}")
            yield hub
        finally:
            for load_child in loads:
                load_child.stop()
            child.stop()


def worked(pid: int) -> float:
    """Seconds that the processor has worked for a process."""
    words = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def resident(pid: int) -> float:
    """Megabytes of memory that a process holds."""
    pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20
