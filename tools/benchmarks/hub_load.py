"""Process of simulated tables for the hub benchmark. Records prepared matches as fast as possible.

The benchmark measures the path from a table's journal to the hub, so no moves are computed here. Events of matches of
the random player are recorded one by one in each table's store and sent by the table's own link.
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
from companion.games.base import Fields
from companion.games.registry import GAMES, SPECS
from companion.games.spec import Fixture
from companion.journal.store import Store
from companion.table.autoplay import play
from companion.table.hub_port import HubPort
from companion.tournament.headers import MARK, parse_mark
from tools.trials.child_process import Commands, read_commands
from tools.trials.link import SLOW_INTERVALS, open_port
from tools.trials.match import random_tournament_header
from tools.trials.table_process import STORE, TableSpec

DISTINCT_MATCHES = 24
"""Number of different matches, which are recorded repeatedly."""
ANSWER_TIMEOUT_S = 300.0
POLL_INTERVAL_S = 0.01
LOOK_AT_ALL = 0.1
"""Interval between two checks of all tables, in seconds. Each check takes time from their links."""


class LoadPlan(msgspec.Struct, frozen=True):
    """The settings of one process: its tables and their game."""

    seats: list[TableSpec]
    game: str
    seed: int


class LoadTable:
    """A table that records prepared matches one after the other."""

    def __init__(self, seat: TableSpec, store: Store, port: HubPort, matches: Sequence[list[Fields]]) -> None:
        self.seat, self.store, self.port = seat, store, port
        self._matches, self._number = matches, seat.number
        self._id, self._left = "", list[Fields]()

    def record(self) -> None:
        """Record the next event, or the header of a new match outside the tournament."""
        if self._left:
            self.store.append(self._id, self._left.pop())
            self.port.notify_appended()
        else:
            mark = {"tournament": "load", "match": f"{self.seat.table}-{self._number}"}
            self._start_match(self._matches[self._number % len(self._matches)], {MARK: mark})
            self._number += DISTINCT_MATCHES + 1

    def start_called_match(self) -> None:
        """Start the match that is called to the table, with the longest prepared match."""
        called = self.port.snapshot().match
        if called is None:
            raise ValueError(f"{self.seat.table} has no match")
        self._start_match(max(self._matches, key=len), {"sides": called.header["sides"], MARK: called.header[MARK]})

    def _start_match(self, match: list[Fields], given: Fields) -> None:
        header, *events = match
        self._id, self._left = self.store.create({**header, **given}), events[::-1]
        self.port.notify_appended()


def prepared(game: str, seed: int) -> list[list[Fields]]:
    """Return prepared matches, each with its header first."""
    found = []
    for number in range(DISTINCT_MATCHES):
        random = Random(f"{seed} {number}")
        names = {side: {"name": side.capitalize()} for side in SPECS[game].home_sides}
        setup = SPECS[game].tournament.set_up(Fixture(SPECS[game].home_sides[0], table=True))
        header = random_tournament_header(GAMES[game], random, names, setup)
        found.append(list(play(GAMES[game], random, header=header)))
    return found


class LoadTables:
    """The tables of this process, with the orders they support."""

    def __init__(self, load: LoadPlan, stack: ExitStack) -> None:
        matches = prepared(load.game, load.seed)
        self.tables = [self._opened(seat, matches, stack) for seat in load.seats]

    def _opened(self, seat: TableSpec, matches: list[list[Fields]], stack: ExitStack) -> LoadTable:
        folder = Path(seat.folder)
        folder.mkdir(parents=True, exist_ok=True)
        store = stack.enter_context(Store.open(folder / STORE, SystemClock()))
        port = open_port(store, folder, 1, Random(seat.number), SLOW_INTERVALS)
        stack.callback(port.close)
        fault = port.join(seat.address, seat.token)
        if fault is not None:
            raise ValueError(str(fault))
        return LoadTable(seat, store, port, matches)

    def online(self, called: int) -> bool:
        """Return True if every table is connected to the hub and `called` of them have a match."""
        snapshots = [table.port.snapshot() for table in self.tables]
        return (
            all(snapshot.link.online for snapshot in snapshots)
            and sum(snapshot.match is not None for snapshot in snapshots) >= called
        )

    def matches(self) -> dict[str, tuple[str, str]]:
        """Return tournament and match for each table with a called match."""
        called = {table.seat.table: table.port.snapshot().match for table in self.tables}
        marks = {table: parse_mark(match.header) for table, match in called.items() if match is not None}
        return {table: (mark.tournament, mark.match) for table, mark in marks.items() if mark is not None}

    def record(self, events: int) -> float:
        """Record `events` events, the tables in turn. Return the seconds until the hub has acknowledged all of them."""
        began = time.monotonic()
        for number in range(events):
            self.tables[number % len(self.tables)].record()
        for table in self.tables:  # in sequence: polling all tables at once would take time from the links
            while (link := table.port.snapshot().link).waiting or not link.online:
                if time.monotonic() - began > ANSWER_TIMEOUT_S:
                    raise TimeoutError(f"{table.seat.table}: {link.waiting} lines wait")
                time.sleep(POLL_INTERVAL_S)
        return time.monotonic() - began

    def record_steadily(self, commands: Commands, probed: Sequence[str], rate: float, out: TextIO) -> int:
        """Record `rate` events a second at each table except the probed ones, until the next order.

        A probed table records one event on order and reports when it was on disk.
        """
        by_name = {table.seat.table: table for table in self.tables if table.seat.table in probed}
        for table in by_name.values():
            table.start_called_match()
        others = [table for table in self.tables if table.seat.table not in by_name]
        random, start = Random(1), time.monotonic()
        due = [start + random.random() / rate for _ in others]
        count = 0
        while (command := next(commands))["do"] in ("nothing", "probe"):
            if command["do"] == "probe" and command["table"] in by_name:
                by_name[command["table"]].record()
                write_line(out, probe=command["table"], at=time.monotonic())
            now = time.monotonic()
            for number, table in enumerate(others):
                if now >= due[number]:
                    table.record()
                    count += 1
                    due[number] += 1 / rate
            time.sleep(POLL_INTERVAL_S)
        return count


def write_line(out: TextIO, **fields: Any) -> None:
    """Print one line of JSON."""
    out.write(json.dumps(fields) + "\n")
    out.flush()


def execute(loads: LoadTables, command: dict[str, Any], commands: Commands, out: TextIO) -> None:
    """Execute an order line and answer with one line."""
    reply: dict[str, Any] = {}
    if command["do"] == "wait":
        until = time.monotonic() + ANSWER_TIMEOUT_S
        while not (there := loads.online(command["called"])) and time.monotonic() < until:
            time.sleep(LOOK_AT_ALL)
        if there:
            reply["matches"] = loads.matches()
    elif command["do"] == "record":
        reply["seconds"] = loads.record(command["events"])
    elif command["do"] == "steady":
        reply["events"] = loads.record_steadily(commands, command["probed"], command["rate"], out)
    write_line(out, did=command["number"], **reply)


def main() -> int:
    """Read the load from the first line of standard input, then execute the orders that follow, until end of file."""
    load = msgspec.json.decode(sys.stdin.readline(), type=LoadPlan)
    with ExitStack() as stack:
        loads = LoadTables(load, stack)
        write_line(sys.stdout, open=len(loads.tables))
        commands = read_commands(sys.stdin)
        while (command := next(commands))["do"] != "stop":
            if command["do"] == "nothing":
                time.sleep(POLL_INTERVAL_S)
            else:
                execute(loads, command, commands, sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
