"""The link of a table: `HubPort` over NATS, with a thread and an event loop of its own."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path

from nats.aio.client import Client
from nats.errors import Error as NatsError

from companion.clock import Clock
from companion.games.base import Message
from companion.journal.database import StoreError
from companion.link.door import Away, OnClosed, Refused, Stranger, WrongPort, enter
from companion.link.keeping import Keeping
from companion.link.notes import load
from companion.link.side import TableSide
from companion.link.visit import Caller, Pace, Visit
from companion.messages.token import PORT, Token, address_of, fault_of, read
from companion.table.hub_port import HubLook, Side, Signer

log = logging.getLogger(__name__)

CLOSES_WITHIN = 1.0
"""Seconds."""

Door = Callable[[str, int, Token, OnClosed], Awaitable[Client]]
"""Raises Refused, Stranger, Away, as `enter` does."""


class TableLink:
    """Begins at once with the hub that was last joined, or that the settings name."""

    def __init__(
        self,
        store: Path,
        folder: Path,
        clock: Clock,
        run: str,
        pace: Pace | None = None,
        door: Door = enter,
    ) -> None:
        """`store` is the file of the matches, which is open; `folder` keeps the link's notes. `run` is drawn at random.

        `door` is the way in, another one for trials.
        """
        self._store, self._folder, self._clock, self._run = store, folder, clock, run
        self._pace, self._door = pace or Pace(), door
        self._runner = asyncio.Runner(loop_factory=asyncio.new_event_loop)
        self._loop = self._runner.get_loop()
        self._wake = asyncio.Event()
        self._closing = False
        self._joins = 0
        self._complaint = Complaint(3 * self._pace.retry_most)
        self._side = TableSide(load(folder), clock, self._woken)
        self._thread = threading.Thread(target=self._serve, name="hub link", daemon=True)
        self._thread.start()

    def configure(self, address: str, token: str) -> None:
        """Join the hub that the settings name: once, until they name another one."""
        with self._side.lock:
            if (address, token) == self._side.notes.configured:
                return
            fault = self.join(address, token)
            if fault is None:
                self._side.notes.configured = address, token
        if fault is not None:
            self._side.network(False, fault)

    def look(self) -> HubLook:
        return self._side.look()

    def join(self, address: str, token: str) -> Message | None:
        fault = fault_of(address, token)
        if fault is None:
            self._joins += 1
            self._side.joined(address, token)
        return fault

    def leave(self) -> None:
        self._joins += 1
        self._side.joined(None, None)

    def grew(self) -> None:
        self._side.grew()
        self._woken()

    def check_in(self, match: str, side: Side, present: bool) -> None:
        self._side.check_in(match, side, present)

    def confirm(self, match: str, journal: str, line: int, by: Signer, given: bool = True) -> None:
        self._side.confirm(match, journal, line, by, given)

    def close(self) -> None:
        self._closing = True
        self._woken(at_once=True)
        self._thread.join(CLOSES_WITHIN)

    def _woken(self, at_once: bool = False) -> None:
        if self._wake.is_set() and not at_once:
            return  # it is cleared before the store is looked at, but perhaps after the end was
        try:
            self._loop.call_soon_threadsafe(self._wake.set)
        except RuntimeError:
            log.debug("the link has ended")

    def _serve(self) -> None:
        with self._runner:  # which ends what a connection that broke at the end has left
            while not self._closing:
                try:
                    self._runner.run(self._live())
                except Exception:
                    log.exception("the link to the hub stumbled and begins anew")
                    self._runner.run(self._pause(self._pace.retry_most))

    async def _live(self) -> None:
        """Again and again until the end: a store that cannot be read now is tried again like a hub that is away."""
        while not self._closing:
            try:
                await self._work()
            except StoreError as fault:
                self._complaint.say(str(fault), self._loop.time())
                if self._side.notes.address is not None:
                    self._side.network(False, fault.message)
                await self._pause(self._pace.retry_most)

    async def _work(self) -> None:
        """With the store, as long as it can be read. Raises StoreError."""
        pause = self._pace.retry_least
        keeping = Keeping(self._store, self._folder)
        try:
            while not self._closing:
                pause = await self._try(keeping, pause)
        finally:
            keeping.save(self._side)
            keeping.close()

    async def _try(self, keeping: Keeping, pause: float) -> float:
        """One attempt to reach the hub, and the visit if it succeeds; the next pause."""
        self._wake.clear()
        keeping.scan(self._side.grown)
        keeping.tell(self._side)
        keeping.save(self._side)
        joins, notes = self._joins, self._side.notes
        if notes.address is None or notes.token is None:
            await self._wake.wait()
            return self._pace.retry_least
        token = read(notes.token)

        def over() -> bool:
            return self._closing or joins != self._joins

        try:
            connection = await self._door(*address_of(notes.address), token, self._closed)
        except Refused as fault:
            return await self._rest(keeping, trouble_of(fault, notes.address), self._pace.refused, over)
        except Stranger as fault:
            log.warning("the link to the hub: %s", fault)
            return await self._rest(keeping, trouble_of(fault, notes.address), self._pace.refused, over)
        except Away as fault:
            log.info("the hub is away: %s", fault)
            await self._rest(keeping, None, pause, over)
            return min(2 * pause, self._pace.retry_most)
        try:
            await Visit(connection, Caller(token.table, self._run), self._side, keeping, self._pace, self._wake).run(
                over
            )
        finally:
            with contextlib.suppress(NatsError, OSError, TimeoutError):  # it is gone already
                await connection.close()
        if not over():
            await self._rest(keeping, None, self._pace.retry_least, over)
        return self._pace.retry_least

    async def _rest(self, keeping: Keeping, trouble: Message | None, seconds: float, over: Callable[[], bool]) -> float:
        """Waits before the next attempt; what is told and played meanwhile is noticed all the same."""
        self._side.network(False, trouble)
        end = self._loop.time() + seconds
        while not over() and (left := end - self._loop.time()) > 0:
            self._wake.clear()
            keeping.scan(self._side.grown)
            keeping.tell(self._side)
            keeping.save(self._side)
            await _set_within(self._wake, min(left, self._pace.look))
        return seconds

    async def _pause(self, seconds: float) -> None:
        """Waits so long, whatever happens meanwhile, but for the end."""
        end = self._loop.time() + seconds
        while not self._closing and (left := end - self._loop.time()) > 0:
            self._wake.clear()
            await _set_within(self._wake, left)

    async def _closed(self) -> None:
        """The connection has ended."""
        self._wake.set()


class Complaint:
    """What is wrong with the store, said once however often it is met; again after `rest` seconds without it."""

    def __init__(self, rest: float) -> None:
        self._rest, self._said, self._met = rest, "", 0.0

    def say(self, fault: str, now: float) -> None:
        """`now` in seconds of any clock that only goes forward."""
        if fault != self._said or now - self._met > self._rest:
            log.warning("the link cannot read the matches: %s", fault)
        self._said, self._met = fault, now


async def _set_within(event: asyncio.Event, seconds: float) -> None:
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(event.wait(), seconds)


def trouble_of(fault: Refused | Stranger, address: str) -> Message:
    """What to do about a hub at an address that cannot be entered."""
    if isinstance(fault, WrongPort):
        return Message("link.port", {"address": address, "usual": PORT})
    return Message("link.refused" if isinstance(fault, Refused) else "link.stranger")
