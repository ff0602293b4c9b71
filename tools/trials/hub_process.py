"""The hub of a trial in its own process: the shipped hub with an automatic organiser.

The first line on standard input holds the settings. The process prints lines of JSON: the tables' tokens, the broker's
process, the state of the tournament, and its end. SIGTERM stops it as it stops `companion hub`.
"""

from __future__ import annotations

import asyncio
import json
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from companion.commands.hub.options import HubOptions
from companion.commands.hub.serve import RunningHub
from tools.trials.organiser import Organiser

STATUS_INTERVAL_S = 0.25


class HubSpec(msgspec.Struct, frozen=True):
    """The settings of a trial's hub: folder and address, number of tables, and how many of them the tournament has."""

    database: str
    folder: str
    tables_port: int
    pages_port: int
    game: str
    tables: int
    rounds: int
    seed: int
    playing: int | None = None
    waits: float = 0.0
    """Seconds in which the tables may report before the organiser acts."""


def write_line(**fields: Any) -> None:
    """Print one line of JSON for the parent process."""
    sys.stdout.write(json.dumps(fields) + "\n")
    sys.stdout.flush()


def tokens(hub: RunningHub, tables: int) -> dict[str, str]:
    """Return the token of each table that has none yet (at the first start of a database)."""
    known = {row.id for row in hub.core.tables.all()}
    made = {}
    for number in range(1, tables + 1):
        if f"t{number}" not in known:
            hub.core.tables.register(f"t{number}", number, f"Table {number}")
            made[f"t{number}"] = hub.token(f"t{number}")
    return made


async def run(spec: HubSpec) -> None:
    """Run until SIGTERM."""
    options = HubOptions(Path(spec.folder), spec.database, port=spec.pages_port, tables_port=spec.tables_port)
    async with RunningHub(options) as hub:
        threading.Thread(target=_end_with_parent, args=(asyncio.get_running_loop(), hub), daemon=True).start()
        write_line(tokens=tokens(hub, spec.tables), broker=hub.broker_pid, hub=hub.address)
        await hub.stopped_within(spec.waits)
        playing = spec.tables if spec.playing is None else spec.playing
        organiser = Organiser(hub.core, spec.game, playing, spec.rounds, spec.seed)
        write_line(tournament=organiser.tournament)
        organiser.start()
        try:
            while not await hub.stopped_within(STATUS_INTERVAL_S):
                write_line(
                    broker=hub.broker_pid, over=organiser.finished.is_set(), **await asyncio.to_thread(organiser.status)
                )
        finally:
            await asyncio.to_thread(organiser.stop)


def _end_with_parent(loop: asyncio.AbstractEventLoop, hub: RunningHub) -> None:
    """Stop the hub when the parent process has ended: its pipe then reaches end of file."""
    while sys.stdin.readline():
        pass
    loop.call_soon_threadsafe(hub.end)


def main() -> int:
    """Run like `companion hub`, but also stop when nobody reads the output any more."""
    spec = msgspec.json.decode(sys.stdin.readline(), type=HubSpec)
    with suppress(BrokenPipeError):
        asyncio.run(run(spec))
    return 0


if __name__ == "__main__":
    sys.exit(main())
