"""A bad network on purpose: every simulated table reaches the broker through a wire of its own that can be cut.

A wire is a small TCP relay on loopback. A cut one either refuses and drops (the access point is gone) or swallows
what is sent (out of range): the second is noticed only by who waits for an answer.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, TypeVar

CHUNK = 65536
Answer = TypeVar("Answer")


class Wire:
    """One table's way to the broker; `port` stays the same through cuts. Used on the loop of its network."""

    def __init__(self, host: str, port: int) -> None:
        self._target = (host, port)
        self._server: asyncio.Server | None = None
        self._open: set[asyncio.StreamWriter] = set()
        self._flows = asyncio.Event()
        self._flows.set()
        self.port = 0

    async def listen(self) -> None:
        """Opens the wire, on the port that it had."""
        if self._server is None:
            self._server = await asyncio.start_server(self._relay, "127.0.0.1", self.port)
            self.port = self._server.sockets[0].getsockname()[1]
        self._flows.set()

    async def cut(self, silent: bool) -> None:
        """Nothing comes through until `mend`. `silent` leaves connections standing and swallows what they carry."""
        if silent:
            self._flows.clear()
            return
        if self._server is not None:
            self._server.close()
            self._server = None
        self._drop()

    async def mend(self) -> None:
        """What was swallowed is gone for good: connections that were silent are dropped, new ones come through."""
        if not self._flows.is_set():
            self._drop()
        await self.listen()

    def _drop(self) -> None:
        for writer in self._open:
            writer.transport.abort()
        self._open.clear()

    async def _relay(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._open.add(writer)
        try:
            await self._flows.wait()
            far_reader, far_writer = await asyncio.open_connection(*self._target)
        except OSError:
            writer.transport.abort()  # the broker is away: the table sees that nobody answers
            self._open.discard(writer)
            return
        self._open.add(far_writer)
        await asyncio.gather(self._pump(reader, far_writer), self._pump(far_reader, writer))
        self._open -= {writer, far_writer}

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while content := await reader.read(CHUNK):
                if self._flows.is_set():
                    writer.write(content)
                    await writer.drain()
        writer.transport.abort()


class Network:
    """The wires of many tables, on a thread of their own."""

    def __init__(self, host: str, port: int) -> None:
        self._target = (host, port)
        self._runner = asyncio.Runner(loop_factory=asyncio.new_event_loop)
        self._loop, self._end = self._runner.get_loop(), asyncio.Event()
        self._thread = threading.Thread(target=self._serve, name="network", daemon=True)
        self._thread.start()
        self._wires: dict[int, Wire] = {}

    def wire(self, table: int) -> int:
        """The port through which a table reaches the broker; the wire is made if it is not there."""
        if table not in self._wires:
            self._wires[table] = self._do(self._made())
        return self._wires[table].port

    def cut(self, table: int, silent: bool = False) -> None:
        """The table is offline from now on."""
        self._do(self._wires[table].cut(silent))

    def mend(self, table: int) -> None:
        """The table is online again."""
        self._do(self._wires[table].mend())

    def mend_all(self) -> None:
        """Every table is online."""
        for table in self._wires:
            self.mend(table)

    def close(self) -> None:
        """Cuts all wires for good."""
        for table in self._wires:
            self.cut(table)
        self._loop.call_soon_threadsafe(self._end.set)
        self._thread.join()

    def _serve(self) -> None:
        with self._runner:  # which ends relays that still wait, and closes the loop
            self._runner.run(self._end.wait())

    async def _made(self) -> Wire:
        wire = Wire(*self._target)
        await wire.listen()
        return wire

    def _do(self, work: Coroutine[Any, Any, Answer]) -> Answer:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()
