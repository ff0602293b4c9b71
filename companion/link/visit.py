"""One connection to the hub, from first word to last: what is read and sent, when the hub counts as there."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import get_args

from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import Error as NatsError

from companion.games.base import Message
from companion.link.keeping import Keeping
from companion.link.side import TableSide
from companion.messages import subjects
from companion.messages.wire import (
    VERSION,
    Board,
    Confirmation,
    Hello,
    Hub,
    Problem,
    Receipts,
    State,
    WireError,
    decode,
    encode,
)
from companion.table.hub_port import Side

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Pace:
    """Seconds: between two words to the hub, while it is asked; between two looks at the store; until it is missed.

    `gather` is the least between two messages of lines: what comes quicker goes together; pages show no more.
    """

    hello: float = 5.0
    asking: float = 1.0
    look: float = 0.5
    gather: float = 0.1
    silence: float = 16.0
    retry_least: float = 0.5
    retry_most: float = 10.0
    refused: float = 20.0
    signed: float = 2.0


@dataclass(frozen=True, slots=True)
class Caller:
    """Who speaks to the hub: the table's id, and what was drawn at random at this start of the program."""

    table: str
    run: str


class Visit:
    """Runs until the connection ends or `over` says so."""

    def __init__(
        self,
        connection: Client,
        caller: Caller,
        side: TableSide,
        keeping: Keeping,
        pace: Pace,
        wake: asyncio.Event,
    ) -> None:
        self._connection, self._table, self._run = connection, caller.table, caller.run
        self._side, self._keeping, self._pace, self._wake = side, keeping, pace, wake
        self._hub: str | None = None
        self._heard = float("-inf")
        self._said = self._sent = float("-inf")
        self._signed_at = float("-inf")
        self._version: int | None = None
        self._told: object = None

    async def run(self, over: Callable[[], bool]) -> None:
        """Raises nothing for a connection that breaks."""
        try:
            for subject in subjects.table_may_read(self._table):
                await self._connection.subscribe(subject, cb=self._take)
            self._keeping.sender.ask()
            while self._connection.is_connected and not over():
                self._wake.clear()
                await self._step(asyncio.get_running_loop().time())
                try:
                    await asyncio.wait_for(self._wake.wait(), self._pace.look)
                except TimeoutError:
                    continue
                await asyncio.sleep(self._sent + self._pace.gather - asyncio.get_running_loop().time())
        except (NatsError, OSError) as fault:
            log.info("the link to the hub broke: %s", fault)

    async def _step(self, now: float) -> None:
        keeping = self._keeping
        keeping.scan(self._side.grown)
        state = self._side.notes.state
        present = self._present()
        due = self._pace.asking if keeping.sender.asking else self._pace.hello
        if now - self._said >= due or present != self._told:
            self._said, self._told = now, present
            hello = Hello(run=self._run, ask=keeping.sender.asking, waiting=keeping.sender.waiting, present=present)
            await self._send(subjects.HELLO, encode(hello))
        for lines in keeping.sender.next_lines(now):
            data = encode(lines)
            if len(data) > self._connection.max_payload:
                keeping.sender.give_up(lines.epoch, "too_long")
            else:
                await self._send(subjects.LINES, data)
                self._sent = now
        if now - self._signed_at >= self._pace.signed:
            await self._send_signed(now)
        if state is not None and state.pictures:
            for shot in keeping.shots():
                await self._send(subjects.SHOT, encode(shot))
        keeping.tell(self._side)
        self._side.network(now - self._heard < self._pace.silence, self._trouble())
        keeping.save(self._side)

    async def _send(self, kind: str, data: bytes) -> None:
        await self._connection.publish(subjects.up(self._table, kind), data)

    async def _send_signed(self, now: float) -> None:
        """The confirmations that are whole, once the hub has their lines; again until it has them, too."""
        for signed in self._side.signed():
            cursor = self._keeping.sender.of_journal(signed.journal)
            if cursor is None or cursor.acknowledged < signed.line:
                continue
            chain = self._keeping.sender.chain_at(cursor, signed.line)
            if chain is not None:
                self._signed_at = now
                told = Confirmation(epoch=cursor.epoch, seq=signed.line, chain=chain, by=tuple(signed.by))
                await self._send(subjects.CONFIRMED, encode(told))

    def _present(self) -> dict[str, tuple[Side, ...]]:
        with self._side.lock:
            return {match: tuple(sides) for match, sides in self._side.notes.present.items() if sides}

    def _trouble(self) -> Message | None:
        if self._version is not None and self._version != VERSION:
            return Message("link.version")
        state = self._side.notes.state
        if self._keeping.sender.foreign or (state is not None and state.twin):
            return Message("link.twin")
        problem = next((each.problem for each in self._keeping.sender.cursors if each.problem), None)
        return Message(f"link.problem.{problem}") if problem in get_args(Problem) else None

    async def _take(self, raw: Msg) -> None:
        """A word of the hub. One that cannot be read is logged and passed over."""
        now = asyncio.get_running_loop().time()
        try:
            self._read(raw.subject, raw.data, now)
        except (WireError, ValueError) as fault:
            log.warning("a message on %s was passed over: %s", raw.subject, fault)
        self._wake.set()

    def _read(self, subject: str, data: bytes, now: float) -> None:
        if subject == subjects.ALL_HUB:
            hub = decode(data, Hub)
            self._version = hub.version
            self._meet(hub.hub, now)
        elif subject.startswith(subjects.all_board("")):
            self._take_board(decode(data, Board), now)
        else:
            kind = subjects.parts(subject)[1]
            if kind == subjects.RECEIPTS:
                told = decode(data, Receipts)
                self._meet(told.hub, now)
                self._keeping.sender.answered(told, now)
                self._keeping.tell(self._side)
            elif kind == subjects.STATE:
                state = decode(data, State)
                self._meet(state.hub, now)
                self._side.told_state(state)
            elif kind == subjects.BOARD:
                self._take_board(decode(data, Board), now)

    def _take_board(self, board: Board, now: float) -> None:
        self._meet(board.hub, now)
        self._side.told_board(board)

    def _meet(self, hub: str, now: float) -> None:
        """The hub is heard; another one than before is asked what it has."""
        self._heard = now
        if hub != self._hub:
            if self._hub is not None:
                self._keeping.sender.ask()
            self._hub = hub
