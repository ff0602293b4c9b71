"""A whole tournament at simulated tables: real links, a real broker, a real hub, and everything that goes wrong there.

Hub, broker and tables are processes of their own, so that they can be killed; between tables and broker lies a network
that can be cut. At the end the journals are compared, byte for byte.
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
from tools.trials.chaos import FAIR, Trouble, Weather, troubles
from tools.trials.children import Child
from tools.trials.compare import Compared, compare
from tools.trials.databases import Database
from tools.trials.network import Network
from tools.trials.organised import Organised
from tools.trials.own_postgres import free_port
from tools.trials.seats import STORE, Hall, Seat

STARTS_WITHIN = 120.0
SETTLES_WITHIN = 180.0
QUIET = 3.0
"""Seconds for which nothing may be on its way before the tables are taken to have told all."""
GLANCE = 0.05


class TrialFailed(Exception):
    """The tournament did not come to its end; says where it stood."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What is tried. `restores` and `copies` are the shares of the matches after which the hub is put back to an older
    backup, and a card copied (None: never); the backup is made at half of the way to it. `repeats` is how many times
    each message of a table is sent. `most` is the longest time to play, in seconds.
    """

    tables: int
    game: str = SETTINGS["demo"]
    rounds: int = 3
    seed: int = 1
    weather: Weather = FAIR
    repeats: int = 1
    pace: float = 0.0
    hosts: int = 2
    restores: float | None = None
    copies: float | None = None
    most: float = 1800.0


@dataclass
class Counts:
    """What happened."""

    cuts: int = 0
    restarts: int = 0
    hub_kills: int = 0
    broker_kills: int = 0
    restored: int = 0
    copied: int = 0


@dataclass
class Trial:
    """One tournament; `play` runs it, `compared` holds what came of it. `tell` is told how it stands, often."""

    setting: Setting
    folder: Path
    database: Database
    tell: Callable[[dict[str, Any]], None] = lambda told: None
    counts: Counts = field(default_factory=Counts)

    def play(self) -> Compared:
        """The tournament from its entries to the comparison. Raises TrialFailed, HubError."""
        self._begin()
        try:
            self._go_on()
            self._settle()
        finally:
            self._end()
        core = open_core(self.database.url, GAMES, SystemClock())
        try:
            return compare(core, self._stores)
        finally:
            core.close()

    # Its parts come and go in this order: network, hub with broker, tables.

    def _begin(self) -> None:
        ports = free_port(), free_port()
        self._spec = Organised(
            self.database.url,
            str(self.folder / "hub"),
            *ports,
            self.setting.game,
            self.setting.tables,
            self.setting.rounds,
            self.setting.seed,
        )
        self._hub = self._hub_started()
        self._network = Network("127.0.0.1", ports[0])
        self._seats = [self._seat(number) for number in range(1, self.setting.tables + 1)]
        self._stores = {seat.table: [Path(seat.folder) / STORE] for seat in self._seats}
        self._hosts = [
            Child(
                "tools.trials.seats",
                msgspec.json.encode(
                    Hall(
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

    def _seat(self, number: int) -> Seat:
        table = f"t{number}"
        address = f"127.0.0.1:{self._network.wire(number)}"
        return Seat(table, number, str(self.folder / table), address, self._hub.told["tokens"][table])

    def _hub_started(self, waits: float = 0.0) -> Child:
        spec = msgspec.structs.replace(self._spec, waits=waits)
        hub = Child("tools.trials.organised", msgspec.json.encode(spec), self.folder / "hub.log")
        try:
            if not hub.wait_for("broker", STARTS_WITHIN):
                raise TrialFailed(f"the hub does not start: {_tail(self.folder / 'hub.log')}")
        except BaseException:
            hub.stop()
            raise
        return hub

    def _go_on(self) -> None:
        """Until all is played: trouble when it is due, now and then a word. While a hub starts, no time goes by."""
        self._start, coming = time.monotonic(), troubles(self.setting.seed, self.setting.tables, self.setting.weather)
        due = next(coming, None)
        planned = list(self._planned())
        while not self._hub.told.get("over"):
            now = time.monotonic() - self._start
            if now > self.setting.most:
                raise TrialFailed(f"not over after {now:.0f} s: {_brief(self._said())}")
            while due is not None and due.at <= now:
                self._happen(due)
                due = next(coming, None)
            while planned and self._hub.told.get("played", 0.0) >= planned[0][0]:
                planned.pop(0)[1]()
            if not self._hub.running:
                raise TrialFailed(f"the hub ended by itself: {_tail(self.folder / 'hub.log')}")
            self.tell(self._said())
            time.sleep(GLANCE)

    def _planned(self) -> Iterator[tuple[float, Callable[[], None]]]:
        """What happens at a share of the matches."""
        copies, restores = self.setting.copies, self.setting.restores
        moments: list[tuple[float, Callable[[], None]]] = []
        if copies is not None:
            moments.append((copies, self._copy))
        if restores is not None:
            back_up = partial(self.database.back_up, self.folder / "backup")
            moments += [(restores / 2, back_up), (restores, self._restore)]
        return iter(sorted(moments, key=lambda moment: moment[0]))

    def _happen(self, trouble: Trouble) -> None:
        if trouble.what == "cut" and trouble.table:
            self._network.cut(trouble.table, trouble.silent)
            self.counts.cuts += 1
        elif trouble.what == "mend" and trouble.table:
            self._network.mend(trouble.table)
        elif trouble.what == "restart" and trouble.table:
            self._host_of(trouble.table).order(do="restart", table=f"t{trouble.table}")
            self.counts.restarts += 1
        elif trouble.what == "kill_broker":
            self.counts.broker_kills += self._kill_broker()
        elif trouble.what == "kill_hub":
            self._begin_anew(lambda: None)
            self.counts.hub_kills += 1

    def _kill_broker(self) -> bool:
        """Whether there was one to be killed: it may be down already."""
        pid = self._hub.told["broker"]
        try:
            ours = self._spec.folder.encode() in Path(f"/proc/{pid}/cmdline").read_bytes()
            if ours:
                os.kill(pid, signal.SIGKILL)
        except (FileNotFoundError, ProcessLookupError):
            return False
        return ours

    def _host_of(self, table: int) -> Child:
        return self._hosts[(table - 1) % self.setting.hosts]

    def _restore(self) -> None:
        self._begin_anew(lambda: self.database.restore(self.folder / "backup"), GRACE)
        self.counts.restored += 1

    def _begin_anew(self, between: Callable[[], None], waits: float = 0.0) -> None:
        """Kills the hub, does something while it is down, starts it."""
        before = time.monotonic()
        self._hub.kill()
        between()
        self._hub = self._hub_started(waits)
        self._start += time.monotonic() - before

    def _copy(self) -> None:
        table = Random(f"{self.setting.seed} copy").randint(1, self.setting.tables)
        folder = self.folder / f"t{table}-copy"
        self._host_of(table).order(do="copy", table=f"t{table}", folder=str(folder))
        self._stores[f"t{table}"].append(folder / STORE)
        self.counts.copied += 1

    def _settle(self) -> None:
        """Nothing goes wrong any more: whatever is still on its way arrives."""
        self._network.mend_all()
        until, quiet_since = time.monotonic() + SETTLES_WITHIN, time.monotonic()
        while time.monotonic() - quiet_since < QUIET:
            said = self._said()
            if said["waiting"] or said["online"] < said["tables"]:
                quiet_since = time.monotonic()
            if time.monotonic() > until:
                raise TrialFailed(f"the tables did not tell all: {_brief(said)}")
            self.tell(said)
            time.sleep(GLANCE)

    def _said(self) -> dict[str, Any]:
        hosts = [host.told for host in self._hosts]
        counted = {key: sum(told.get(key, 0) for told in hosts) for key in ("recorded", "waiting", "online", "tables")}
        told = {key: value for key, value in self._hub.told.items() if key != "tokens"}
        troubled = [trouble for told in hosts for trouble in told.get("troubles", ())]
        return {**told, **counted, "troubles": troubled}

    def _end(self) -> None:
        for host in self._hosts:
            host.order(do="stop")
        for host in self._hosts:
            host.wait_for("end", STARTS_WITHIN)
            host.stop()
        self._hub.stop()
        self._kill_broker()  # one whose hub was killed
        self._network.close()


GRACE = 5.0
"""Seconds for which the organiser lets the tables speak first after the hub was put back to an older day."""


def _brief(said: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in said.items() if key != "standing"}


def _tail(log: Path) -> str:
    return "\n".join(log.read_text(encoding="utf-8", errors="replace").splitlines()[-15:])
