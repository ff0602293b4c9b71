"""Spectators of live pages, as browsers are: each holds a stream of server-sent events open and notes what arrives."""

from __future__ import annotations

import http.client
import queue
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from random import Random
from typing import Any
from urllib.parse import quote, urlsplit

WAITS = 10.0
"""Seconds after which what did not come counts as lost."""
PAUSE = 0.4
"""Between two looks at one page, on average; a page shows changes at most ten times a second."""


class Spectators:
    """One for each page. `follow` has something happen at a table, then waits until its page shows it."""

    def __init__(self, address: str, pages: Mapping[str, str]) -> None:
        self._address, self.lost = urlsplit(address).netloc, 0
        self._said: dict[str, queue.SimpleQueue[float]] = {table: queue.SimpleQueue() for table in pages}
        self._shown: dict[str, queue.SimpleQueue[float]] = {table: queue.SimpleQueue() for table in pages}
        self._connections = {table: self._open(page) for table, page in pages.items()}
        for table, (_, answer) in self._connections.items():
            threading.Thread(target=self._listen, args=(table, answer), daemon=True).start()

    def heard(self, told: Mapping[str, Any]) -> None:
        """A line of the tables: an event of one that is looked at is on its disk."""
        if told.get("probe") in self._said:
            self._said[told["probe"]].put(told["at"])

    def follow(self, probe: Callable[[str], None], times: int) -> list[float]:
        """So many events in all; the seconds from the table's journal to the page of each that came."""
        found: list[float] = []
        each = max(1, times // max(1, len(self._said)))
        threads = [threading.Thread(target=self._watch, args=(table, probe, each, found)) for table in self._said]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return found

    def close(self) -> None:
        """Leaves all pages."""
        for connection, _ in self._connections.values():
            connection.close()

    def _watch(self, table: str, probe: Callable[[str], None], times: int, found: list[float]) -> None:
        random = Random(table)
        probe(table)  # the header of a match and what follows its call come first
        for _ in range(times):
            time.sleep(PAUSE * (0.5 + random.random()))
            for old in (self._said[table], self._shown[table]):
                while not old.empty():
                    old.get()
            probe(table)
            try:
                said = self._said[table].get(timeout=WAITS)
                found.append(self._shown[table].get(timeout=WAITS) - said)
            except queue.Empty:
                self.lost += 1

    def _open(self, page: str) -> tuple[http.client.HTTPConnection, http.client.HTTPResponse]:
        connection = http.client.HTTPConnection(self._address, timeout=60)
        connection.request("GET", f"/events?page={quote(page, safe='')}&after=0")
        answer = connection.getresponse()
        if answer.status != 200:
            raise RuntimeError(f"{page}: {answer.status} {answer.reason}")
        return connection, answer

    def _listen(self, table: str, answer: http.client.HTTPResponse) -> None:
        with suppress(OSError, ValueError, AttributeError):
            for event in events(answer):
                if event == "part":
                    self._shown[table].put(time.monotonic())


def events(answer: http.client.HTTPResponse) -> Iterator[str]:
    """The names of the events of a stream, each once all of it is there."""
    name = ""
    while line := answer.readline():
        if line.startswith(b"event:"):
            name = line[6:].strip().decode()
        elif line == b"\n" and name:
            yield name
            name = ""
