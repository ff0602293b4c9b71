"""A faulty network: every simulated table reaches the broker through its own connection, which can be cut.

The connection is a small TCP relay on loopback. A cut relay either refuses and drops connections (the access point is
down) or discards all data (out of range). The second case is noticed only by a peer that waits for an answer.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, TypeVar

CHUNK = 65536
Answer = TypeVar("Answer")


class TcpRelay:
    """The relay of one table to the broker. `port` stays the same after a cut. Used on the loop of its network."""

    def __init__(self, host: str, port: int) -> None:
        self._target = (host, port)
        self._server: asyncio.Server | None = None
        self._open: set[asyncio.StreamWriter] = set()
        self._flows = asyncio.Event()
        self._flows.set()
        self.port = 0

    async def listen(self) -> None:
        """Open the relay, on its previous port."""
        if self._server is None:
            self._server = await asyncio.start_server(self._relay, "127.0.0.1", self.port)
            self.port = self._server.sockets[0].getsockname()[1]
        self._flows.set()

    async def cut(self, silent: bool) -> None:
        """Block all traffic until `restore`. `silent` keeps connections open and discards their data."""
        if silent:
            self._flows.clear()
            return
        if self._server is not None:
            self._server.close()
            self._server = None
        self._drop()

    async def restore(self) -> None:
        """Restore the connection. Discarded data is lost: silent connections are dropped, new ones work."""
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
            writer.transport.abort()  # the broker is down: the table gets no answer
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
    """The relays of many tables, on a separate thread."""

    def __init__(self, host: str, port: int) -> None:
        self._target = (host, port)
        self._runner = asyncio.Runner(loop_factory=asyncio.new_event_loop)
        self._loop, self._end = self._runner.get_loop(), asyncio.Event()
        self._thread = threading.Thread(target=self._serve, name="network", daemon=True)
        self._thread.start()
        self._wires: dict[int, TcpRelay] = {}

    def relay_port(self, table: int) -> int:
        """Return the port through which a table reaches the broker. Creates the relay if necessary."""
        if table not in self._wires:
            self._wires[table] = self._do(self._made())
        return self._wires[table].port

    def cut(self, table: int, silent: bool = False) -> None:
        """Set the table offline."""
        self._do(self._wires[table].cut(silent))

    def restore(self, table: int) -> None:
        """Set the table online."""
        self._do(self._wires[table].restore())

    def restore_all(self) -> None:
        """Set every table online."""
        for table in self._wires:
            self.restore(table)

    def close(self) -> None:
        """Close all relays permanently."""
        for table in self._wires:
            self.cut(table)
        self._loop.call_soon_threadsafe(self._end.set)
        self._thread.join()

    def _serve(self) -> None:
        with self._runner:  # also ends waiting relays and closes the loop
            self._runner.run(self._end.wait())

    async def _made(self) -> TcpRelay:
        wire = TcpRelay(*self._target)
        await wire.listen()
        return wire

    def _do(self, work: Coroutine[Any, Any, Answer]) -> Answer:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()
