"""A process of simulated tables for measuring the hub: matches played before, recorded as fast as they can be.

What is measured is the way from a table's journal to the hub, so nobody thinks about moves here: events of matches of
the random player are recorded one by one, each in its table's store, sent by the table's own link.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Any, TextIO

import msgspec

from companion.clock import SystemClock
from companion.commands.hub_link import open_port
from companion.commands.hub_match import invented_header
from companion.commands.hub_seats import STORE, Seat
from companion.games.base import Fields
from companion.games.registry import GAMES
from companion.journal.store import Store
from companion.table.autoplay import play
from companion.table.hub_port import MARK, HubPort
from companion.tournament.tables import GAME_SIDES

DIFFERENT = 24
"""Different matches that are recorded again and again."""
ANSWERED_WITHIN = 300.0
GLANCE = 0.005


class Load(msgspec.Struct, frozen=True):
    """The tables of one process, and what they play."""

    seats: list[Seat]
    game: str
    seed: int


class LoadTable:
    """A table that records what it is given, match after match."""

    def __init__(self, seat: Seat, store: Store, port: HubPort, matches: Sequence[list[Fields]]) -> None:
        self.seat, self.store, self.port = seat, store, port
        self._matches, self._number = matches, seat.number
        self._id, self._left = "", list[Fields]()
        self.lines = 0

    def record(self) -> None:
        """The next event, or the next match's header. The first match is the one that is called, if any."""
        if self._left:
            self.store.append(self._id, self._left.pop())
        else:
            header, *events = self._matches[self._number % len(self._matches)]
            called = self.port.look().match if self.lines == 0 else None
            mark = {"tournament": "load", "match": f"{self.seat.table}-{self._number}"}
            given = {"sides": called.header["sides"], MARK: called.header[MARK]} if called else {MARK: mark}
            self._id, self._left = self.store.create({**header, **given}), events[::-1]
            self._number += DIFFERENT + 1
        self.lines += 1
        self.port.grew()


def prepared(game: str, seed: int) -> list[list[Fields]]:
    """Matches to be recorded, each with its header first."""
    found = []
    for number in range(DIFFERENT):
        random = Random(f"{seed} {number}")
        names = {side: {"name": side.capitalize()} for side in GAME_SIDES[game]}
        setup = {"home": "blue", "format": "league"} if game == "footclub" else {}
        header = invented_header(GAMES[game], random, names, setup)
        found.append(list(play(GAMES[game], random, header=header)))
    return found


class Loads:
    """The tables of this process, and what they are told to do."""

    def __init__(self, load: Load, stack: ExitStack) -> None:
        matches = prepared(load.game, load.seed)
        self.tables = [self._opened(seat, matches, stack) for seat in load.seats]

    def _opened(self, seat: Seat, matches: list[list[Fields]], stack: ExitStack) -> LoadTable:
        folder = Path(seat.folder)
        folder.mkdir(parents=True, exist_ok=True)
        store = stack.enter_context(Store.open(folder / STORE, SystemClock()))
        port = open_port(store, folder, 1, Random(seat.number))
        stack.callback(port.close)
        fault = port.join(seat.address, seat.token)
        if fault is not None:
            raise ValueError(str(fault))
        return LoadTable(seat, store, port, matches)

    def online(self, called: int) -> bool:
        """Whether every table has heard from the hub, and so many of them have a match."""
        looks = [table.port.look() for table in self.tables]
        return all(look.link.online for look in looks) and sum(look.match is not None for look in looks) >= called

    def record(self, events: int) -> float:
        """So many events, the tables in turn; the seconds until the hub has acknowledged all of them."""
        began = time.monotonic()
        for number in range(events):
            self.tables[number % len(self.tables)].record()
        while any(table.port.look().link.waiting for table in self.tables) or not self.online(0):
            if time.monotonic() - began > ANSWERED_WITHIN:
                raise TimeoutError(f"{sum(table.port.look().link.waiting for table in self.tables)} lines wait")
            time.sleep(GLANCE)
        return time.monotonic() - began

    def steadily(self, seconds: float, rate: float, probes: int, every: float, out: TextIO) -> int:
        """`rate` events a second at each table but the first `probes`; those record one now and then and say when."""
        random, start = Random(1), time.monotonic()
        due = [start + random.random() / rate for _ in self.tables]
        for number in range(min(probes, len(self.tables))):
            due[number] = start + random.random() * every
        count = 0
        while (now := time.monotonic()) < start + seconds:
            for number, table in enumerate(self.tables):
                if now < due[number]:
                    continue
                probing = number < probes
                table.record()
                count += 1
                due[number] += every * (0.5 + random.random()) if probing else 1 / rate
                if probing:
                    out.write(json.dumps({"probe": table.seat.table, "at": time.monotonic()}) + "\n")
                    out.flush()
            time.sleep(GLANCE)
        return count


def obey(loads: Loads, order: dict[str, Any], out: TextIO) -> None:
    """Does what a line says and answers with one."""
    told: dict[str, Any] = {"did": order["number"]}
    if order["do"] == "wait":
        until = time.monotonic() + ANSWERED_WITHIN
        while not loads.online(order["called"]) and time.monotonic() < until:
            time.sleep(GLANCE)
        told["online"] = loads.online(order["called"])
    elif order["do"] == "record":
        told["seconds"] = loads.record(order["events"])
    elif order["do"] == "steady":
        told["events"] = loads.steadily(order["seconds"], order["rate"], order["probes"], order["every"], out)
    out.write(json.dumps(told) + "\n")
    out.flush()


def main() -> int:
    """The first line on standard input is the load, each further one an order; its end is the end."""
    load = msgspec.json.decode(sys.stdin.readline(), type=Load)
    with ExitStack() as stack:
        loads = Loads(load, stack)
        for line in sys.stdin:
            obey(loads, json.loads(line), sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
