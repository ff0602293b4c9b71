"""Simulated spectators of live pages: each holds a stream of server-sent events open and records what arrives."""

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

PAGE_TIMEOUT_S = 10.0
"""Timeout in seconds after which an update counts as lost."""
PAUSE = 0.4
"""Average seconds between two probes of one page. A page shows changes at most ten times a second."""


class Spectators:
    """One spectator for each page. `measure_delays` triggers an event at a table, then waits until its page shows
    it."""

    def __init__(self, address: str, pages: Mapping[str, str]) -> None:
        self._address, self.lost = urlsplit(address).netloc, 0
        self._recorded_at: dict[str, queue.SimpleQueue[float]] = {table: queue.SimpleQueue() for table in pages}
        self._displayed_at: dict[str, queue.SimpleQueue[float]] = {table: queue.SimpleQueue() for table in pages}
        self._connections = {table: self._open(page) for table, page in pages.items()}
        for table, (_, answer) in self._connections.items():
            threading.Thread(target=self._listen, args=(table, answer), daemon=True).start()

    def on_line(self, line: Mapping[str, Any]) -> None:
        """Handle a line of the tables: an event of a probed table is on disk."""
        if line.get("probe") in self._recorded_at:
            self._recorded_at[line["probe"]].put(line["at"])

    def measure_delays(self, probe: Callable[[str], None], times: int) -> list[float]:
        """Trigger `times` events in total. Return the delay from journal to page of each that arrived, in seconds."""
        found: list[float] = []
        each = max(1, times // max(1, len(self._recorded_at)))
        threads = [
            threading.Thread(target=self._watch, args=(table, probe, each, found)) for table in self._recorded_at
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return found

    def close(self) -> None:
        """Close all pages."""
        for connection, _ in self._connections.values():
            connection.close()

    def _watch(self, table: str, probe: Callable[[str], None], times: int, found: list[float]) -> None:
        random = Random(table)
        probe(table)  # first come the header of the match and the updates after its call
        for _ in range(times):
            time.sleep(PAUSE * (0.5 + random.random()))
            for old in (self._recorded_at[table], self._displayed_at[table]):
                while not old.empty():
                    old.get()
            probe(table)
            try:
                recorded_at = self._recorded_at[table].get(timeout=PAGE_TIMEOUT_S)
                found.append(self._displayed_at[table].get(timeout=PAGE_TIMEOUT_S) - recorded_at)
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
                    self._displayed_at[table].put(time.monotonic())


def events(answer: http.client.HTTPResponse) -> Iterator[str]:
    """Yield the event names of a stream, each once it is complete."""
    name = ""
    while line := answer.readline():
        if line.startswith(b"event:"):
            name = line[6:].strip().decode()
        elif line == b"\n" and name:
            yield name
            name = ""
