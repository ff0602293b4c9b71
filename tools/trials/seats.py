"""A process of simulated tables, each with its own folder, store and link; told what to do by lines on standard input.

Every table is a real one but for its players: its journal is on the disk before anybody is told, its link is the one
that ships. Orders: `{"do": "restart", "table": "t3"}` closes one and opens it again; `{"do": "copy", "table": "t3",
"folder": …}` makes of its card a second one that plays on by itself; `{"do": "stop"}` ends all. Each second a line says
how they are.
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
from tools.trials.children import Orders, orders_in
from tools.trials.link import open_port
from tools.trials.player import SimulatedPlayers

IDLE = 0.02
"""Seconds to wait when no table has anything to do."""
TELLS_EVERY = 1.0
STORE = "matches.sqlite"


class Seat(msgspec.Struct, frozen=True):
    """A table to be played at: where its card lies, and how it reaches the hub the first time."""

    table: str
    number: int
    folder: str
    address: str
    token: str


class Hall(msgspec.Struct, frozen=True):
    """The tables of one process. `pace` is the most events a second at one table, 0 for no limit.

    Each of their messages is sent `repeats` times.
    """

    seats: list[Seat]
    seed: int
    pace: float = 0.0
    repeats: int = 1


@dataclass
class OpenTable:
    """A table that is switched on."""

    seat: Seat
    store: Store
    port: HubPort
    players: SimulatedPlayers
    due: float = 0.0

    def close(self) -> None:
        self.port.close()
        self.store.close()


class Tables:
    """The tables of this process, played in turn."""

    def __init__(self, hall: Hall) -> None:
        self._hall, self._starts = hall, 0
        self._open = [self._switched_on(seat) for seat in hall.seats]
        self._recorded = 0

    def step(self) -> bool:
        """One step at every table whose time has come; whether anything was done."""
        now, done = time.monotonic(), False
        for table in self._open:
            if now >= table.due and table.players.step():
                done = True
                table.due = now + 1 / self._hall.pace if self._hall.pace else 0.0
        return done

    def obey(self, order: dict[str, Any]) -> bool:
        """Does what a line says; False when it is the last one."""
        if order["do"] == "restart":
            number = self._number(order["table"])
            self._switched_off(number)
            self._open[number] = self._switched_on(self._open[number].seat)
        elif order["do"] == "copy":
            number = self._number(order["table"])
            self._switched_off(number)
            seat = self._open[number].seat
            shutil.copytree(seat.folder, order["folder"])
            self._open[number] = self._switched_on(seat)
            self._open.append(self._switched_on(msgspec.structs.replace(seat, folder=order["folder"])))
        return bool(order["do"] != "stop")

    def told(self) -> dict[str, Any]:
        """How the tables are: lines recorded, lines that the hub has not acknowledged, tables that are online."""
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

    def _switched_off(self, number: int) -> None:
        self._recorded += self._open[number].players.recorded
        self._open[number].close()

    def _switched_on(self, seat: Seat) -> OpenTable:
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


def play(hall: Hall, orders: Orders, out: TextIO) -> None:
    """Plays until an order says to stop."""
    with closing(Tables(hall)) as tables:
        tell_at = 0.0
        for order in orders:
            if not tables.obey(order):
                break
            if not tables.step():
                time.sleep(IDLE)
            if time.monotonic() >= tell_at:
                out.write(json.dumps(tables.told()) + "\n")
                out.flush()
                tell_at = time.monotonic() + TELLS_EVERY
        out.write(json.dumps({**tables.told(), "end": True}) + "\n")
        out.flush()


def main() -> int:
    """The first line on standard input is the hall, each further one an order; its end is the last one."""
    hall = msgspec.json.decode(sys.stdin.readline(), type=Hall)
    play(hall, orders_in(sys.stdin), sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
