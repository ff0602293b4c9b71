"""A tournament at simulated tables with real links, a real broker, a real hub, and faults.

Hub, broker and tables are separate processes, so that they can be killed. The network between tables and broker can be
cut. At the end the journals are compared byte for byte.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from companion.clock import SystemClock
from companion.games.registry import GAMES
from companion.hub.core import open_core
from tools.games import SETTINGS
from tools.trials.chaos import NO_FAULTS, FaultRates, InjectedFault, fault_schedule
from tools.trials.child_process import ChildProcess
from tools.trials.compare import JournalComparison, compare
from tools.trials.databases import TrialDatabase
from tools.trials.hub_process import HubSpec
from tools.trials.local_postgres import free_port
from tools.trials.network import Network
from tools.trials.table_process import STORE, TableProcessSpec, TableSpec

START_TIMEOUT_S = 120.0
SETTLE_TIMEOUT_S = 180.0
QUIET = 3.0
"""Seconds without traffic after which the tables count as fully transmitted."""
POLL_INTERVAL_S = 0.05


class TrialFailed(Exception):
    """Error: the tournament did not finish. The message gives its state."""


@dataclass(frozen=True, slots=True)
class TrialOptions:
    """The settings of a trial.

    - `restores`, `copies`: shares of the matches after which the hub is restored from an older backup, and a card is
      copied (None: never). The backup is made at half of that share.
    - `repeats`: how often each message of a table is sent.
    - `most`: maximum playing time in seconds.
    """

    tables: int
    game: str = SETTINGS["demo"]
    rounds: int = 3
    seed: int = 1
    fault_rates: FaultRates = NO_FAULTS
    repeats: int = 1
    pace: float = 0.0
    hosts: int = 2
    restores: float | None = None
    copies: float | None = None
    most: float = 1800.0


@dataclass
class Counts:
    """Counts of the faults that happened."""

    cuts: int = 0
    restarts: int = 0
    hub_kills: int = 0
    broker_kills: int = 0
    restored: int = 0
    copied: int = 0


@dataclass
class Trial:
    """One tournament. `play` runs it, `compared` holds the result. `on_status` is called often with its state."""

    setting: TrialOptions
    folder: Path
    database: TrialDatabase
    on_status: Callable[[dict[str, Any]], None] = lambda _report: None
    counts: Counts = field(default_factory=Counts)

    @property
    def is_over(self) -> bool:
        """Whether all matches are played."""
        return bool(self._hub.state.get("over"))

    @property
    def pages_port(self) -> int:
        """Port of the hub's pages, once the trial plays."""
        return self._spec.pages_port

    def play(self) -> JournalComparison:
        """Run the tournament from its entries to the comparison. Raises TrialFailed, DatabaseError."""
        self._start_processes()
        try:
            self._run_until_over()
            self._wait_until_quiet()
        finally:
            self._end()
        core = open_core(self.database.url, GAMES, SystemClock())
        try:
            return compare(core, self._stores)
        finally:
            core.close()

    # The parts start and stop in this order: network, hub with broker, tables.

    def _start_processes(self) -> None:
        ports = free_port(), free_port()
        self._spec = HubSpec(
            self.database.url,
            str(self.folder / "hub"),
            *ports,
            self.setting.game,
            self.setting.tables,
            self.setting.rounds,
            self.setting.seed,
        )
        self._hub = self._start_hub()
        self._network = Network("127.0.0.1", ports[0])
        self._seats = [self._seat(number) for number in range(1, self.setting.tables + 1)]
        self._stores = {seat.table: [Path(seat.folder) / STORE] for seat in self._seats}
        self._hosts = [
            ChildProcess(
                "tools.trials.table_process",
                msgspec.json.encode(
                    TableProcessSpec(
                        self._seats[number :: self.setting.hosts],
                        self.setting.seed,
                        self.setting.pace,
                        self.setting.repeats,
                    )
                ),
                self.folder / f"tables-{number + 1}.log",
            )
            for number in range(self.setting.hosts)
        ]

    def _seat(self, number: int) -> TableSpec:
        table = f"t{number}"
        address = f"127.0.0.1:{self._network.relay_port(number)}"
        return TableSpec(table, number, str(self.folder / table), address, self._hub.state["tokens"][table])

    def _start_hub(self, waits: float = 0.0) -> ChildProcess:
        spec = msgspec.structs.replace(self._spec, waits=waits)
        hub = ChildProcess("tools.trials.hub_process", msgspec.json.encode(spec), self.folder / "hub.log")
        try:
            if not hub.wait_for("broker", START_TIMEOUT_S):
                raise TrialFailed(f"the hub does not start: {_tail(self.folder / 'hub.log')}")
        except BaseException:
            hub.stop()
            raise
        return hub

    def _run_until_over(self) -> None:
        """Run until all matches are played, with faults at their times and regular reports.

        The clock stops while a hub starts.
        """
        self._start, coming = (
            time.monotonic(),
            fault_schedule(self.setting.seed, self.setting.tables, self.setting.fault_rates),
        )
        due = next(coming, None)
        planned = list(self._planned())
        while not self._hub.state.get("over"):
            now = time.monotonic() - self._start
            if now > self.setting.most:
                raise TrialFailed(f"not over after {now:.0f} s: {_brief(self._status())}")
            while due is not None and due.at_s <= now:
                self._apply_fault(due)
                due = next(coming, None)
            while planned and self._hub.state.get("played", 0.0) >= planned[0][0]:
                planned.pop(0)[1]()
            if not self._hub.running:
                raise TrialFailed(f"the hub ended by itself: {_tail(self.folder / 'hub.log')}")
            self.on_status(self._status())
            time.sleep(POLL_INTERVAL_S)

    def _planned(self) -> Iterator[tuple[float, Callable[[], None]]]:
        """Yield the actions planned at a share of the matches."""
        copies, restores = self.setting.copies, self.setting.restores
        moments: list[tuple[float, Callable[[], None]]] = []
        if copies is not None:
            moments.append((copies, self._copy))
        if restores is not None:
            back_up = partial(self.database.back_up, self.folder / "backup")
            moments += [(restores / 2, back_up), (restores, self._restore)]
        return iter(sorted(moments, key=lambda moment: moment[0]))

    def _apply_fault(self, fault: InjectedFault) -> None:
        if fault.kind == "cut" and fault.table:
            self._network.cut(fault.table, fault.silent)
            self.counts.cuts += 1
        elif fault.kind == "mend" and fault.table:
            self._network.restore(fault.table)
        elif fault.kind == "restart" and fault.table:
            self._host_of(fault.table).send(do="restart", table=f"t{fault.table}")
            self.counts.restarts += 1
        elif fault.kind == "kill_broker":
            self.counts.broker_kills += self._kill_broker()
        elif fault.kind == "kill_hub":
            self._restart_hub(lambda: None)
            self.counts.hub_kills += 1

    def _kill_broker(self) -> bool:
        """Kill the broker. Return False if it was already down."""
        pid = self._hub.state["broker"]
        try:
            ours = self._spec.folder.encode() in Path(f"/proc/{pid}/cmdline").read_bytes()
            if ours:
                os.kill(pid, signal.SIGKILL)
        except (FileNotFoundError, ProcessLookupError):
            return False
        return ours

    def _host_of(self, table: int) -> ChildProcess:
        return self._hosts[(table - 1) % self.setting.hosts]

    def _restore(self) -> None:
        self._restart_hub(lambda: self.database.restore(self.folder / "backup"), RESTORE_GRACE_S)
        self.counts.restored += 1

    def _restart_hub(self, between: Callable[[], None], waits: float = 0.0) -> None:
        """Kill the hub, run an action while it is down, and start it again."""
        before = time.monotonic()
        self._hub.kill()
        between()
        self._hub = self._start_hub(waits)
        self._start += time.monotonic() - before

    def _copy(self) -> None:
        table = Random(f"{self.setting.seed} copy").randint(1, self.setting.tables)
        folder = self.folder / f"t{table}-copy"
        self._host_of(table).send(do="copy", table=f"t{table}", folder=str(folder))
        self._stores[f"t{table}"].append(folder / STORE)
        self.counts.copied += 1

    def _wait_until_quiet(self) -> None:
        """Stop all faults and wait for the remaining messages."""
        self._network.restore_all()
        until, quiet_since = time.monotonic() + SETTLE_TIMEOUT_S, time.monotonic()
        while time.monotonic() - quiet_since < QUIET:
            status = self._status()
            if status["waiting"] or status["online"] < status["tables"]:
                quiet_since = time.monotonic()
            if time.monotonic() > until:
                raise TrialFailed(f"the tables did not tell all: {_brief(status)}")
            self.on_status(status)
            time.sleep(POLL_INTERVAL_S)

    def _status(self) -> dict[str, Any]:
        hosts = [host.state for host in self._hosts]
        totals = {key: sum(state.get(key, 0) for state in hosts) for key in ("recorded", "waiting", "online", "tables")}
        state = {key: value for key, value in self._hub.state.items() if key != "tokens"}
        troubled = [trouble for state in hosts for trouble in state.get("troubles", ())]
        return {**state, **totals, "troubles": troubled}

    def _end(self) -> None:
        for host in self._hosts:
            host.send(do="stop")
        for host in self._hosts:
            host.wait_for("end", START_TIMEOUT_S)
            host.stop()
        self._hub.stop()
        self._kill_broker()  # of a killed hub
        self._network.close()


RESTORE_GRACE_S = 5.0
"""Seconds in which the tables may report before the organiser acts, after the hub was restored from an older backup."""


def _brief(status: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in status.items() if key != "standing"}


def _tail(log: Path) -> str:
    return "\n".join(log.read_text(encoding="utf-8", errors="replace").splitlines()[-15:])
