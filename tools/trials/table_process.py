"""Process of simulated tables, each with its own folder, store and link, controlled by orders on standard input.

Only the players are simulated: the journal is written to disk before anything is reported, and the link is the shipped
one. Orders:
- `{"do": "restart", "table": "t3"}` closes a table and opens it again.
- `{"do": "copy", "table": "t3", "folder": …}` copies its card to a second table, which then plays independently.
- `{"do": "stop"}` stops all tables.

Each second a line reports their state.
"""

from __future__ import annotations

import json
import shutil
import sys
import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, TextIO

import msgspec

from companion.clock import SystemClock
from companion.games.registry import GAMES
from companion.journal.store import Store
from companion.table.hub_port import HubPort
from tools.trials.child_process import Commands, read_commands
from tools.trials.link import open_port
from tools.trials.player import SimulatedPlayers

IDLE = 0.02
"""Seconds to wait when no table has anything to do."""
STATUS_INTERVAL_S = 1.0
STORE = "matches.sqlite"


class TableSpec(msgspec.Struct, frozen=True):
    """The settings of a table: the folder of its card, and its first connection to the hub."""

    table: str
    number: int
    folder: str
    address: str
    token: str


class TableProcessSpec(msgspec.Struct, frozen=True):
    """The tables of one process.

    - `pace`: maximum events per second at one table, 0 for no limit.
    - `repeats`: how often each message of a table is sent.
    """

    seats: list[TableSpec]
    seed: int
    pace: float = 0.0
    repeats: int = 1


@dataclass
class OpenTable:
    """A running table."""

    seat: TableSpec
    store: Store
    port: HubPort
    players: SimulatedPlayers
    due: float = 0.0

    def close(self) -> None:
        self.port.close()
        self.store.close()


class RunningTables:
    """The tables of this process, played in turn."""

    def __init__(self, hall: TableProcessSpec) -> None:
        self._hall, self._starts = hall, 0
        self._open = [self._open_table(seat) for seat in hall.seats]
        self._recorded = 0

    def step(self) -> bool:
        """Run one step at every table that is due. Return whether anything was done."""
        now, done = time.monotonic(), False
        for table in self._open:
            if now >= table.due and table.players.step():
                done = True
                table.due = now + 1 / self._hall.pace if self._hall.pace else 0.0
        return done

    def execute(self, command: dict[str, Any]) -> bool:
        """Execute an order. Return False for the last one."""
        if command["do"] == "restart":
            number = self._number(command["table"])
            self._close_table(number)
            self._open[number] = self._open_table(self._open[number].seat)
        elif command["do"] == "copy":
            number = self._number(command["table"])
            self._close_table(number)
            seat = self._open[number].seat
            shutil.copytree(seat.folder, command["folder"])
            self._open[number] = self._open_table(seat)
            self._open.append(self._open_table(msgspec.structs.replace(seat, folder=command["folder"])))
        return bool(command["do"] != "stop")

    def status(self) -> dict[str, Any]:
        """Return the state of the tables: recorded lines, lines that the hub has not acknowledged, online tables."""
        links = [table.port.snapshot().link for table in self._open]
        return {
            "recorded": self._recorded + sum(table.players.recorded for table in self._open),
            "waiting": sum(link.waiting for link in links),
            "online": sum(link.online for link in links),
            "tables": len(links),
            "troubles": [str(link.trouble) for link in links if link.trouble],
        }

    def close(self) -> None:
        for table in self._open:
            table.close()

    def _number(self, name: str) -> int:
        return next(number for number, table in enumerate(self._open) if table.seat.table == name)

    def _close_table(self, number: int) -> None:
        self._recorded += self._open[number].players.recorded
        self._open[number].close()

    def _open_table(self, seat: TableSpec) -> OpenTable:
        self._starts += 1
        folder = Path(seat.folder)
        folder.mkdir(parents=True, exist_ok=True)
        store = Store.open(folder / STORE, SystemClock())
        random = Random(f"{self._hall.seed} {seat.folder} {self._starts}")
        port = open_port(store, folder, self._hall.repeats, random)
        if not port.snapshot().link.joined:
            fault = port.join(seat.address, seat.token)
            if fault is not None:
                raise ValueError(f"{seat.table}: {fault}")
        return OpenTable(seat, store, port, SimulatedPlayers(store, port, GAMES, random))


def play(hall: TableProcessSpec, commands: Commands, out: TextIO) -> None:
    """Play until an order says to stop."""
    with closing(RunningTables(hall)) as tables:
        tell_at = 0.0
        for command in commands:
            if not tables.execute(command):
                break
            if not tables.step():
                time.sleep(IDLE)
            if time.monotonic() >= tell_at:
                out.write(json.dumps(tables.status()) + "\n")
                out.flush()
                tell_at = time.monotonic() + STATUS_INTERVAL_S
        out.write(json.dumps({**tables.status(), "end": True}) + "\n")
        out.flush()


def main() -> int:
    """Read the hall from the first line of standard input, then execute the orders that follow, until end of file."""
    hall = msgspec.json.decode(sys.stdin.readline(), type=TableProcessSpec)
    play(hall, read_commands(sys.stdin), sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
