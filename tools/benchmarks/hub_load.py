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
from companion.games.base import Fields
from companion.games.registry import GAMES, SPECS
from companion.games.spec import Fixture
from companion.journal.store import Store
from companion.table.autoplay import play
from companion.table.hub_port import HubPort
from companion.tournament.headers import MARK, mark_of
from tools.trials.children import Orders, orders_in
from tools.trials.link import CALM, open_port
from tools.trials.match import invented_header
from tools.trials.seats import STORE, Seat

DIFFERENT = 24
"""Different matches that are recorded again and again."""
ANSWERED_WITHIN = 300.0
GLANCE = 0.01
LOOK_AT_ALL = 0.1
"""Seconds between two looks at all tables: each takes time from their links."""


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

    def record(self) -> None:
        """The next event, or the header of another match, which is none of the tournament's."""
        if self._left:
            self.store.append(self._id, self._left.pop())
            self.port.notify_appended()
        else:
            mark = {"tournament": "load", "match": f"{self.seat.table}-{self._number}"}
            self._begin(self._matches[self._number % len(self._matches)], {MARK: mark})
            self._number += DIFFERENT + 1

    def sit_down(self) -> None:
        """Begins the match that is called to the table, the longest of those prepared."""
        called = self.port.snapshot().match
        if called is None:
            raise ValueError(f"{self.seat.table} has no match")
        self._begin(max(self._matches, key=len), {"sides": called.header["sides"], MARK: called.header[MARK]})

    def _begin(self, match: list[Fields], given: Fields) -> None:
        header, *events = match
        self._id, self._left = self.store.create({**header, **given}), events[::-1]
        self.port.notify_appended()


def prepared(game: str, seed: int) -> list[list[Fields]]:
    """Matches to be recorded, each with its header first."""
    found = []
    for number in range(DIFFERENT):
        random = Random(f"{seed} {number}")
        names = {side: {"name": side.capitalize()} for side in SPECS[game].home_sides}
        setup = SPECS[game].tournament.set_up(Fixture(SPECS[game].home_sides[0], table=True))
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
        port = open_port(store, folder, 1, Random(seat.number), CALM)
        stack.callback(port.close)
        fault = port.join(seat.address, seat.token)
        if fault is not None:
            raise ValueError(str(fault))
        return LoadTable(seat, store, port, matches)

    def online(self, called: int) -> bool:
        """Whether every table has heard from the hub, and so many of them have a match."""
        looks = [table.port.snapshot() for table in self.tables]
        return all(look.link.online for look in looks) and sum(look.match is not None for look in looks) >= called

    def matches(self) -> dict[str, tuple[str, str]]:
        """Tournament and match called to each table that has one."""
        called = {table.seat.table: table.port.snapshot().match for table in self.tables}
        marks = {table: mark_of(match.header) for table, match in called.items() if match is not None}
        return {table: (mark.tournament, mark.match) for table, mark in marks.items() if mark is not None}

    def record(self, events: int) -> float:
        """So many events, the tables in turn; the seconds until the hub has acknowledged all of them."""
        began = time.monotonic()
        for number in range(events):
            self.tables[number % len(self.tables)].record()
        for table in self.tables:  # one after the other: looking at all of them at once would take the links' time
            while (link := table.port.snapshot().link).waiting or not link.online:
                if time.monotonic() - began > ANSWERED_WITHIN:
                    raise TimeoutError(f"{table.seat.table}: {link.waiting} lines wait")
                time.sleep(GLANCE)
        return time.monotonic() - began

    def steadily(self, orders: Orders, probed: Sequence[str], rate: float, out: TextIO) -> int:
        """`rate` events a second at each table but those probed, until another order comes.

        A probed table records one event when it is told to, and says when that was on the disk.
        """
        by_name = {table.seat.table: table for table in self.tables if table.seat.table in probed}
        for table in by_name.values():
            table.sit_down()
        others = [table for table in self.tables if table.seat.table not in by_name]
        random, start = Random(1), time.monotonic()
        due = [start + random.random() / rate for _ in others]
        count = 0
        while (order := next(orders))["do"] in ("nothing", "probe"):
            if order["do"] == "probe" and order["table"] in by_name:
                by_name[order["table"]].record()
                say(out, probe=order["table"], at=time.monotonic())
            now = time.monotonic()
            for number, table in enumerate(others):
                if now >= due[number]:
                    table.record()
                    count += 1
                    due[number] += 1 / rate
            time.sleep(GLANCE)
        return count


def say(out: TextIO, **words: Any) -> None:
    """One line."""
    out.write(json.dumps(words) + "\n")
    out.flush()


def obey(loads: Loads, order: dict[str, Any], orders: Orders, out: TextIO) -> None:
    """Does what a line says and answers with one."""
    told: dict[str, Any] = {}
    if order["do"] == "wait":
        until = time.monotonic() + ANSWERED_WITHIN
        while not (there := loads.online(order["called"])) and time.monotonic() < until:
            time.sleep(LOOK_AT_ALL)
        if there:
            told["matches"] = loads.matches()
    elif order["do"] == "record":
        told["seconds"] = loads.record(order["events"])
    elif order["do"] == "steady":
        told["events"] = loads.steadily(orders, order["probed"], order["rate"], out)
    say(out, did=order["number"], **told)


def main() -> int:
    """The first line on standard input is the load, each further one an order; its end is the end."""
    load = msgspec.json.decode(sys.stdin.readline(), type=Load)
    with ExitStack() as stack:
        loads = Loads(load, stack)
        say(sys.stdout, open=len(loads.tables))
        coming = orders_in(sys.stdin)
        while (order := next(coming))["do"] != "stop":
            if order["do"] == "nothing":
                time.sleep(GLANCE)
            else:
                obey(loads, order, coming, sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
