"""A crowd at the hub's pages: idle connections and event streams of one address, and a visitor who times the pages."""

from __future__ import annotations

import asyncio
import resource
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field

from companion.hub.web.connections import raise_file_limit

IDLE, STREAMS, HELD_S = 2000, 1000, 60.0
"""Idle connections, event streams, and seconds for which they are held."""
MAX_PAGE_S = 1.0
"""Maximum seconds until a page has arrived, connection included, while all connections are held."""
MAX_OPENING_PAGE_S = 10.0
"""The same while thousands of connections are opened."""
RESERVED_FILES = 400
"""Files of a process for everything else."""
PAGES = ("/", "/desk/login", "/style.css", "/live.js")
BETWEEN_S = 0.25
OPENING = 50
"""Connections that are opened at once."""


@dataclass
class CrowdReport:
    """What the crowd has seen. `slowest` maps each page to its longest time in seconds."""

    idle: int
    streams: int
    held_s: float = 0.0
    open_streams: int = 0
    loads: int = 0
    slowest: dict[str, float] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)


class Crowd:
    """Opens connections from a thread of its own and holds them: a connection that the hub closes is opened again."""

    def __init__(self, port: int) -> None:
        raise_file_limit()
        most = resource.getrlimit(resource.RLIMIT_NOFILE)[0] - RESERVED_FILES
        scale = min(1.0, most / (IDLE + STREAMS))
        self.report = CrowdReport(int(IDLE * scale), int(STREAMS * scale))
        self._port = port
        self._idle = self._streams = 0
        self._ended = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run()), name="crowd")
        self._thread.start()

    def finish(self) -> None:
        """Wait until all connections have been held for long enough, or cannot be; then close them."""
        until = time.monotonic() + 2 * HELD_S
        while self.report.held_s < HELD_S and time.monotonic() < until and not self._ended.is_set():
            time.sleep(BETWEEN_S)
        self.stop()

    def stop(self) -> None:
        """Close all connections."""
        self._ended.set()
        self._thread.join()

    async def _run(self) -> None:
        opening = asyncio.Semaphore(OPENING)
        tasks = [asyncio.create_task(self._hold_idle(opening)) for _ in range(self.report.idle)]
        tasks += [asyncio.create_task(self._hold_stream(opening)) for _ in range(self.report.streams)]
        last = time.monotonic()
        while not self._ended.is_set():
            is_whole = self._streams >= 0.99 * self.report.streams and self._idle >= 0.9 * self.report.idle
            for path in PAGES:
                await self._load(path, MAX_PAGE_S if is_whole else MAX_OPENING_PAGE_S)
            now = time.monotonic()
            if is_whole:
                self.report.held_s += now - last
                self.report.open_streams = self._streams
            last = now
            await asyncio.sleep(BETWEEN_S)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _hold_idle(self, opening: asyncio.Semaphore) -> None:
        while True:
            with suppress(OSError):
                async with opening:
                    reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
                self._idle += 1
                try:
                    await reader.read(1)
                finally:
                    self._idle -= 1
                    writer.close()
            await asyncio.sleep(BETWEEN_S)

    async def _hold_stream(self, opening: asyncio.Semaphore) -> None:
        while True:
            with suppress(OSError):
                async with opening:
                    reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
                    writer.write(b"GET /events?page=/ HTTP/1.1\r\nHost: hub\r\n\r\n")
                    is_open = (await reader.read(12)).endswith(b"200")
                self._streams += is_open
                try:
                    while is_open and await reader.read(65536):
                        pass
                finally:
                    self._streams -= is_open
                    writer.close()
            await asyncio.sleep(BETWEEN_S)

    async def _load(self, path: str, most_s: float) -> None:
        """Load a page over a new connection, in at most `most_s` seconds."""
        began = time.monotonic()
        try:
            async with asyncio.timeout(MAX_OPENING_PAGE_S):
                reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
                writer.write(f"GET {path} HTTP/1.1\r\nHost: hub\r\nConnection: close\r\n\r\n".encode())
                answer = await reader.read(-1)
                writer.close()
            fault = "" if answer.startswith(b"HTTP/1.1 200") else answer[:40].decode(errors="replace")
        except (OSError, TimeoutError) as error:
            fault = repr(error)
        seconds = time.monotonic() - began
        self.report.loads += 1
        if most_s == MAX_PAGE_S:
            self.report.slowest[path] = max(seconds, self.report.slowest.get(path, 0.0))
        if fault or seconds > most_s:
            self.report.problems.append(f"{path}: {seconds:.2f} s {fault}")
